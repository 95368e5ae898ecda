"""The lock of a game: one command at a time writes to it, and meanwhile none reads it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nomicgen.repository.errors import Locked, Unreadable
from nomicgen.repository.retry import retry_while

WAIT = 5.0
"""Seconds for which a command waits for another one to end."""


@contextmanager
def lock(root: Path, *, shared: bool, wait: float = WAIT) -> Iterator[None]:
    """Hold the lock of the game in `root` while the block runs: `shared` among readers, or alone.

    The directory itself is locked: so no lock file can be left behind, and the system drops the
    lock when the process ends, however it ends. Raises Locked after `wait` seconds, Unreadable if
    `root` cannot be opened or locked.
    """
    try:
        handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise Unreadable(str(root), error.strerror) from error
    try:
        _acquire(root, handle, fcntl.LOCK_SH if shared else fcntl.LOCK_EX, wait)
        yield
    finally:
        os.close(handle)


def _acquire(root: Path, handle: int, kind: int, wait: float) -> None:
    try:
        retry_while(lambda: fcntl.flock(handle, kind | fcntl.LOCK_NB), BlockingIOError, wait)
    except BlockingIOError:
        raise Locked(root) from None
    except OSError as error:
        raise Unreadable(str(root), error.strerror) from error
