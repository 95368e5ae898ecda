"""What lies in a place: the files of a game, the branch and the index of its repository, and what
was left about.
"""

from __future__ import annotations

import hashlib
import os
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["State", "litter", "looks", "state_of"]

_ASIDE = frozenset({".git", ".nomicgen"})
_TEMPORARY = "tmp"
_ENTRY = 62


@dataclass(frozen=True, slots=True)
class State:
    """Files by their path in the place; for the repository the commit of its branch and the entries
    of its index.
    """

    files: frozenset[tuple[str, bytes]]
    head: str | None
    index: frozenset[tuple[str, str]]


def state_of(place: Path) -> State:
    files = {(path, (place / path).read_bytes()) for path in _walk(place) if not path.endswith("/")}
    git = place / "game" / ".git"
    return State(frozenset(files), _head(git), frozenset(_index(git / "index")))


def litter(place: Path, *, expected: frozenset[str] = frozenset()) -> list[str]:
    """What nobody asked for: journals, locks, temporary files, directories that neither state has.

    Objects that git had begun to write are git's own affair: `git gc` takes them away. So is, for
    Python, the file by which it tries out a directory for temporary ones.
    """
    found = [path for path in sorted(_walk(place)) if path.endswith("/") and path not in expected]
    for here, folders, names in os.walk(place):
        inside = Path(here).relative_to(place)
        found += [str(inside / name) for name in folders if name == ".nomicgen"]
        found += [
            str(inside / name)
            for name in names
            if name.endswith(".lock") or ".nomicgen" in name[1:]
        ]
        if inside.parts[:1] == (_TEMPORARY,):
            found += [str(inside / name) for name in folders]
            found += [
                str(inside / name)
                for name in names
                if (Path(here) / name).read_bytes() not in (b"", b"blat")
            ]
    return found


def folders_of(place: Path) -> frozenset[str]:
    return frozenset(path for path in _walk(place) if path.endswith("/"))


def looks(place: Path) -> str:
    """A digest of everything there but git's objects, whatever the numbers in names: equal means as
    good as.
    """
    digest = hashlib.sha256()
    for here, folders, names in os.walk(place):
        folders[:] = sorted(name for name in folders if name != "objects")
        inside = re.sub(r"-?\d+|tmp\w+", "", here)
        for name in sorted(names):
            path = Path(here) / name
            content = b"" if name == "manifest.json" else path.read_bytes()
            if content.startswith(b"DIRC"):
                content = repr(sorted(_index(path))).encode()
            digest.update(repr((inside, name, hashlib.sha256(content).digest())).encode())
        digest.update(
            repr((inside, [re.sub(r"-\d+|tmp\w+", "", name) for name in folders])).encode()
        )
    return digest.hexdigest()


def _walk(place: Path) -> Iterator[str]:
    for here, folders, names in os.walk(place):
        inside = Path(here).relative_to(place)
        folders[:] = [
            name for name in folders if name not in _ASIDE and str(inside / name) != _TEMPORARY
        ]
        yield from (f"{inside / name}/" for name in folders)
        yield from (str(inside / name) for name in names)


def _head(git: Path) -> str | None:
    try:
        said = (git / "HEAD").read_text().strip()
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not said.startswith("ref: "):
        return said
    name = said.removeprefix("ref: ")
    if (git / name).is_file():
        return (git / name).read_text().strip()
    packed = git / "packed-refs"
    lines = packed.read_text().splitlines() if packed.is_file() else []
    return next((line.split()[0] for line in lines if line.endswith(f" {name}")), None)


def _index(file: Path) -> Iterator[tuple[str, str]]:
    """The paths of an index (version 2) with their blobs."""
    try:
        data = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return
    magic, version, count = struct.unpack_from(">4sII", data)
    assert (magic, version) == (b"DIRC", 2)
    at = 12
    for _ in range(count):
        end = data.index(b"\0", at + _ENTRY)
        yield data[at + _ENTRY : end].decode(), data[at + 40 : at + 60].hex()
        at += (end - at + 8) // 8 * 8
