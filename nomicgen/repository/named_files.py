"""Files that somebody names, and that may be anything: read up to a limit, or refused. A pipe is
waited for while a program has it open, and some seconds until one does.
"""

from __future__ import annotations

import os
import select
import stat
import time
from pathlib import Path

from nomicgen.repository.errors import Unreadable
from nomicgen.repository.game_tree import shown_path

_SILENT = 5.0
"""Seconds to wait for a pipe that nobody writes to."""
_PAUSE = 0.02
_CHUNK = 1 << 20


def read_given(path: Path, limit: int, *, silent: float = _SILENT) -> bytes:
    """Return the bytes of a file or a pipe: at most `limit` and one more, which tells the caller
    that there are too many.

    A pipe is waited for while somebody has it open, and `silent` seconds until somebody does.

    Raises Unreadable for what the system refuses, for folders, devices and sockets, and for a pipe
    that nobody fills.
    """
    try:
        # Without O_NONBLOCK, opening a pipe that nobody writes to would wait.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        try:
            mode = os.fstat(handle).st_mode
            if not stat.S_ISREG(mode) and not stat.S_ISFIFO(mode):
                raise Unreadable(shown_path(os.fspath(path)), "it is no ordinary file")
            return _read(handle, limit + 1, path, silent=silent if stat.S_ISFIFO(mode) else None)
        finally:
            os.close(handle)
    except OSError as error:
        raise Unreadable(shown_path(os.fspath(path)), error.strerror) from error


def read_file(path: Path, limit: int) -> bytes:
    """Return the bytes of an ordinary file. Raises Unreadable, also where it has more than `limit`
    bytes.
    """
    require_ordinary(path, limit)
    return read_given(path, limit)[:limit]


def require_ordinary(path: Path, limit: int) -> None:
    """Raise Unreadable for what is no ordinary file, or is larger than `limit` bytes."""
    try:
        status = path.stat()
    except OSError as error:
        raise Unreadable(shown_path(os.fspath(path)), error.strerror) from error
    if not stat.S_ISREG(status.st_mode):
        raise Unreadable(shown_path(os.fspath(path)), "it is no ordinary file")
    if status.st_size > limit:
        raise Unreadable(
            shown_path(os.fspath(path)), f"it has {status.st_size} bytes, and {limit} are the most"
        )


def _read(handle: int, most: int, path: Path, *, silent: float | None) -> bytes:
    data = bytearray()
    deadline = time.monotonic() + (silent or 0)
    while len(data) < most:
        try:
            chunk = os.read(handle, min(_CHUNK, most - len(data)))
        except BlockingIOError:
            if silent is None:
                raise
            # Somebody has it open, and will write or close it.
            select.select([handle], [], [])
            continue
        data += chunk
        if chunk:
            continue
        if data or silent is None:
            break
        if time.monotonic() >= deadline:
            raise Unreadable(
                shown_path(os.fspath(path)), "it is a pipe, and nothing comes out of it"
            )
        time.sleep(_PAUSE)
    return bytes(data)
