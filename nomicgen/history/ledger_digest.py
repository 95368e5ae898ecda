"""The digest of a ledger, which anyone can recompute with git and a tool for SHA-256."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from nomicgen.model.identifiers import Digest

LEDGER = ("nomic.yml", "rules/initial", "proposals", "judgements", "acts", "players", "turns")
"""What a ledger is made of: all that a person or a command decides. `rules/` follows from it."""

_FOLDERS = tuple(f"{folder}/" for folder in LEDGER[1:])


def is_of_ledger(path: str) -> bool:
    """Return whether a file of the game belongs to what the digest covers."""
    return path == LEDGER[0] or path.startswith(_FOLDERS)


def ledger_digest(files: Mapping[str, object]) -> Digest:
    """Return the SHA-256, in hexadecimal, of what `sha256sum` prints for the ledger's files, sorted
    by the bytes of their paths.

    `files` are those of the game by path; a link or a file that is too large, which has no bytes
    here, is left out.
    """
    lines = (
        f"{hashlib.sha256(data).hexdigest()}  {path}\n"
        for path, data in sorted(files.items(), key=lambda file: file[0].encode())
        if isinstance(data, bytes) and is_of_ledger(path)
    )
    return Digest(hashlib.sha256("".join(lines).encode()).hexdigest())
