"""Whether a sparse checkout leaves files of the game out: what is left of it is another game.

Git need not be asked where there is no such checkout, and so it is not loaded.
"""

from __future__ import annotations

import os
from pathlib import Path

from nomicgen import repository

__all__ = ["require_whole"]

_MOST = 4096


def require_whole(root: Path) -> None:
    """That every file of the game that git has is on disk, in a checkout that may leave some out. Raises Sparse."""
    here = root.resolve()
    for directory in (here, *here.parents):
        if os.path.lexists(directory / ".git"):
            if os.path.lexists(_folder(directory / ".git") / "info" / "sparse-checkout"):
                repository.require_present(root)
            return


def _folder(path: Path) -> Path:
    """Where git keeps what is of one work tree: `.git`, or what the file of that name says."""
    try:
        if not path.is_file():
            return path
        with path.open("rb") as stream:
            said = os.fsdecode(stream.read(_MOST)).strip()
    except OSError:
        return path  # what git says of that is said where git is asked
    return path.parent / said.removeprefix("gitdir: ")
