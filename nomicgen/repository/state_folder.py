"""What nomicgen remembers for the person who runs it, such as what they have verified: small files
in the folder that their system has for the states of programs (`~/.local/state`).

They are never in the game: whoever can change that could change these as well.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from nomicgen.repository.durable_files import replace_file
from nomicgen.repository.errors import RepositoryError, Unreadable
from nomicgen.repository.game_tree import shown_path
from nomicgen.repository.git import branch_ref, call
from nomicgen.repository.named_files import read_file

_LIMIT = 1 << 20  # bytes of a file
_PERSON = r"(?<=://)[^/]*@"  # the name and the password in an address
# The modes of folders and files: only their owner may read them.
_FOLDER, _FILE = 0o700, 0o600


class Unkept(RepositoryError):
    """There is no place to remember anything in, or it cannot be written to."""

    def __init__(self, why: str) -> None:
        super().__init__(why, "give permission, or let XDG_STATE_HOME name a folder of yours")


def memory_folder(root: Path) -> Path:
    """Return the folder in which is remembered what was verified. Raises Unkept where no such
    folder is known, or where it would lie in the game in `root`.
    """
    name = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_STATE_HOME"
    named = os.environ.get(name, "")
    try:
        # By the specification of these folders a relative path counts for nothing.
        state = Path(named) if Path(named).is_absolute() else Path.home() / ".local" / "state"
        folder = state / "nomicgen" / "verified"
        if folder.resolve().is_relative_to(root.resolve()):
            raise Unkept(f"{shown_path(str(folder))} lies in the game itself")
    except (RuntimeError, OSError, ValueError) as error:
        raise Unkept(f"the folder for states of programs is not known: {error}") from error
    return folder


def read_memory(file: Path) -> bytes | None:
    """Return the bytes of a file of the memory; None where there is none. Raises Unreadable."""
    try:
        return read_file(file, _LIMIT)
    except Unreadable as error:
        if isinstance(error.__cause__, FileNotFoundError | NotADirectoryError):
            return None
        raise


def keep_memory(file: Path, data: bytes) -> None:
    """Write a file of the memory, whole or not at all, for nobody else to read. Raises Unkept."""
    try:
        for folder in reversed((file.parent, *file.parent.parents)):
            folder.mkdir(_FOLDER, exist_ok=True)
        replace_file(file, data, _FILE)
    except OSError as error:
        raise _unkept(file, error) from error


def drop_memory(file: Path) -> None:
    """Remove a file of the memory, if it is there. Raises Unkept."""
    try:
        file.unlink(missing_ok=True)
    except NotADirectoryError:
        return
    except OSError as error:
        raise _unkept(file, error) from error


def _unkept(file: Path, error: OSError) -> Unkept:
    return Unkept(
        f"{shown_path(str(error.filename or file))} cannot be written: {error.strerror or error}"
    )


def origin_of(root: Path) -> str | None:
    """Return the address that the repository of `root` was cloned from, without the name and the
    password that may stand after `://`.

    None where there is none, or only a relative path, which means another place in each folder.
    """
    status, output, _ = call(root, "config", "--get", "remote.origin.url")
    url = shown_path(os.fsdecode(output).strip()) if status == 0 else ""
    if not url or url.startswith(".") or (":" not in url and not Path(url).is_absolute()):
        return None
    # A name or a password is private, and may change.
    return re.sub(_PERSON, "", url).rstrip("/").removesuffix(".git")


def branch_of(root: Path) -> str | None:
    """Return the name of the branch that HEAD is on; None where it is on none. Raises what
    `branch_ref` raises.
    """
    name = shown_path(branch_ref(root) or "")
    return name.removeprefix("refs/heads/") if name.startswith("refs/heads/") else None
