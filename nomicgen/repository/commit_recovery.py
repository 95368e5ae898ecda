"""After an interrupted command: whether its commit was made; and the removal of locks that a killed
git left.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from nomicgen.repository.errors import IndexHeld, NotVersioned, Unfinished
from nomicgen.repository.git import branch_ref, locate, run
from nomicgen.repository.paths import JOURNAL
from nomicgen.repository.retry import retry_while

STAGED = "index"
"""The name, in the journal, of the index that a commit prepares. If git's `index.lock` is a link to
that file, the lock is ours.
"""


def finish_commit(root: Path, head: str | None, since: float) -> bool:
    """Finish what a killed command left: move the index on if the branch has left `head`, and
    remove locks. Return whether it has: that counts as the commit, whoever moved the branch. True
    also where the game is in no repository any more.

    `since` is when the write was decided, in seconds of the epoch: an older lock on a branch is
    somebody else's, and stays. Raises what `run` raises, and Unfinished.
    """
    try:
        place = locate(root)
    except NotVersioned:
        # Somebody took the repository away: there is no commit to wait for.
        return True
    has_moved = place.head != head
    lock = place.paths["index.lock"]
    try:
        for held in _reference_locks(root):
            _drop(held, since)
        if _is_ours(root, lock):
            if has_moved:
                lock.replace(lock.with_suffix(""))
            else:
                lock.unlink()
    except OSError as error:
        raise Unfinished(root, error) from error
    return has_moved


def _is_ours(root: Path, lock: Path) -> bool:
    try:
        number = lock.lstat().st_ino
        staged = [file.lstat() for file in (root / JOURNAL).glob(f"prepare-*/{STAGED}")]
    except FileNotFoundError:
        return False
    return any(status.st_ino == number and status.st_nlink > 1 for status in staged)


def _reference_locks(root: Path) -> list[Path]:
    """Return the paths of the locks that git holds for a moment while it moves a branch."""
    names = ["HEAD.lock", "reftable/tables.list.lock"]
    branch = branch_ref(root)
    if branch is not None:
        names.append(f"{branch}.lock")
    paths = (
        os.fsdecode(run(root, "rev-parse", "--git-path", name)).removesuffix("\n") for name in names
    )
    return [root / path for path in paths]


def _drop(lock: Path, since: float) -> None:
    """Remove a lock made after `since`. A living command would let go of it in a moment, so that is
    waited for first.
    """
    try:
        number = lock.lstat().st_ino
    except (FileNotFoundError, NotADirectoryError):
        return

    def look() -> None:
        with suppress(FileNotFoundError):
            status = lock.lstat()
            if status.st_ino == number and status.st_mtime >= since:
                raise IndexHeld

    try:
        retry_while(look, IndexHeld)
    except IndexHeld:
        lock.unlink(missing_ok=True)
