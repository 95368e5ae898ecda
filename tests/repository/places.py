"""What the tests of the edges share."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_NOBODY = 65534


@contextmanager
def as_nobody(folder: Path) -> Iterator[None]:
    """The block as someone whom permissions bind, and who may reach `folder`."""
    if os.geteuid():
        yield
        return
    for directory in (folder, *folder.parents[:-1]):
        directory.chmod(directory.stat().st_mode | 0o055)
    os.seteuid(_NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def fill(root: Path, files: Mapping[str, bytes | str]) -> Path:
    """Write files by their path, and give the root."""
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data.encode() if isinstance(data, str) else data)
    return root


def contents(root: Path) -> dict[str, bytes]:
    """Every file below `root`, but for git's own and the journal's."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.relative_to(root).parts[0] not in (".git", ".nomicgen")
    }
