"""Cases as files: one file for a family of cases, none longer than `LONGEST` lines, so that each is
read on a screen.

A line `===== NAME =====` begins a case, which ends where the next such line begins. In it a line
`==> PATH <==` begins a file, which ends where the next one does. A file without a line feed at its
end is `==> PATH <== (no line feed)`. What stands above the first case is given to all of them. So a
case is read from top to bottom: what is asked, what is given, what is expected. Without any line
`===== NAME =====` the files are those of one case, which is called like its file.
"""

from __future__ import annotations

import re
import tempfile
from functools import cache
from pathlib import Path

__all__ = ["LONGEST", "case_folder", "case_names", "fold", "unfold"]

LONGEST = 400

_CASE = re.compile(rb"^===== (\S+) =====\n", re.MULTILINE)
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
    """Return the one text that holds some files, in their order."""
    parts = []
    for path, content in files.items():
        assert _HEAD.search(content) is None, path
        is_bare = bool(content) and not content.endswith(b"\n")
        parts += [
            f"==> {path} <=={' (no line feed)' if is_bare else ''}\n".encode(),
            content,
            b"\n" * is_bare,
        ]
    return b"".join(parts)


def case_names(folder: Path) -> list[str]:
    """Return the names of the cases in a folder."""
    return sorted(_cases(folder))


@cache
def _cases(folder: Path) -> dict[str, dict[str, bytes]]:
    """Return the files of all cases in the files of a folder, by their names."""
    found: dict[str, dict[str, bytes]] = {}
    for file in sorted(folder.glob("*.txt")):
        data = file.read_bytes()
        assert data.count(b"\n") <= LONGEST, f"{file} has more than {LONGEST} lines"
        shared, *rest = _CASE.split(data)
        for name, content in (
            zip(rest[::2], rest[1::2], strict=True) if rest else [(file.stem.encode(), b"")]
        ):
            assert name.decode() not in found, f"two cases are called {name.decode()}"
            found[name.decode()] = unfold(shared) | unfold(content)
    return found


@cache
def case_folder(folder: Path, name: str) -> Path:
    """Return a folder with the files of a case, laid out once for all tests that only read it."""
    place = Path(tempfile.mkdtemp(dir=_place().name), name)
    place.mkdir()
    for path, content in _cases(folder)[name].items():
        file = place / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return place


@cache
def _place() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="nomicgen-cases-")
