"""Cases as files: one for each case, which holds the files of a folder one below the other.

A line `==> PATH <==` begins a file, which ends where the next such line begins. A file without a line feed at its end
is `==> PATH <== (no line feed)`. So a case is read from top to bottom: what is asked, what is given, what is expected.
"""

from __future__ import annotations

import re
import tempfile
from functools import cache
from pathlib import Path

__all__ = ["case_folder", "case_names", "fold", "unfold"]

_HEAD = re.compile(rb"^==> (.+) <==( \(no line feed\))?\n", re.MULTILINE)


def unfold(data: bytes) -> dict[str, bytes]:
    """Return the files that a case holds, by their paths."""
    above, *rest = _HEAD.split(data)
    assert above == b"", "a case begins with `==> PATH <==`"
    files = {}
    for path, bare, content in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        files[path.decode()] = content.removesuffix(b"\n") if bare else content
    return files


def fold(files: dict[str, bytes]) -> bytes:
    """Return the one file that holds some files, in their order."""
    parts = []
    for path, content in files.items():
        assert _HEAD.search(content) is None, path
        is_bare = bool(content) and not content.endswith(b"\n")
        parts += [f"==> {path} <=={' (no line feed)' if is_bare else ''}\n".encode(), content, b"\n" * is_bare]
    return b"".join(parts)


def case_names(folder: Path) -> list[str]:
    """Return the names of the cases in a folder."""
    return sorted(file.stem for file in folder.glob("*.txt"))


@cache
def case_folder(folder: Path, name: str) -> Path:
    """Return a folder with the files of a case, laid out once for all tests that only read it."""
    place = Path(tempfile.mkdtemp(dir=_place().name), name)
    place.mkdir()
    for path, content in unfold((folder / f"{name}.txt").read_bytes()).items():
        file = place / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return place


@cache
def _place() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="nomicgen-cases-")
