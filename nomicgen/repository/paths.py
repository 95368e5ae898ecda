"""Paths: the real one, the nearest repository, and whether a path may be written to."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from nomicgen.repository.errors import Unreadable, UnsafePath

JOURNAL = ".nomicgen"
"""The folder of a game that `journal.py` uses."""


def real(path: Path) -> Path:
    """Return the absolute path, with all links resolved. Raises Unreadable.

    A circle of links is not resolved: whoever opens it gets the error.
    """
    try:
        whole = path.resolve()
    except RuntimeError:
        whole = path.absolute()
    except OSError as error:
        # The current directory may be gone.
        raise Unreadable(str(path), error.strerror) from error
    return whole


def nearest_git(folder: Path) -> Path | None:
    """Return the path of `.git` in the nearest folder that has one, from `folder` upwards; None if
    none has.

    Raises Unreadable.
    """
    here = real(folder)
    return next(
        (above / ".git" for above in (here, *here.parents) if os.path.lexists(above / ".git")), None
    )


def check_path(root: Path, path: str) -> None:
    """Raise UnsafePath unless an ordinary file may be written at `path`: it lies in the game, no
    part of it is a link, and there is a file or nothing yet.

    Raises Unreadable where the system does not say what is there.
    """
    parts = path.split("/")
    if path.startswith("/"):
        raise UnsafePath(path, "it is not relative to the game")
    if "\\" in path or not path.isprintable():
        raise UnsafePath(path, "it holds a backslash or a character that does not print")
    if any(part in ("", ".", "..") for part in parts):
        raise UnsafePath(path, "it holds an empty part, `.` or `..`")
    # Git runs what lies in .git, and some systems do not tell .GIT from it.
    if any(part.casefold() in (".git", JOURNAL) for part in parts):
        raise UnsafePath(path, f"it leads into .git or {JOURNAL}")
    for depth in range(1, len(parts) + 1):
        here, last = "/".join(parts[:depth]), depth == len(parts)
        mode = _mode(f"{root}/{here}", path)
        if mode is None:
            return
        if stat.S_ISLNK(mode):
            raise UnsafePath(path, f"{here} is a symbolic link")
        if not (stat.S_ISREG(mode) if last else stat.S_ISDIR(mode)):
            raise UnsafePath(path, f"{here} is not {'an ordinary file' if last else 'a directory'}")


def check_apart(paths: Iterable[str]) -> None:
    """Raise UnsafePath if one of these files would have to be the directory of another."""
    files = set(paths)
    for path in sorted(files):
        parts = path.split("/")
        parents = {"/".join(parts[:depth]) for depth in range(1, len(parts))}
        if both := sorted(parents & files):
            raise UnsafePath(path, f"{both[0]} is to be a file")


def _mode(file: str, path: str) -> int | None:
    try:
        return os.lstat(file).st_mode
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unreadable(path, error.strerror) from error
