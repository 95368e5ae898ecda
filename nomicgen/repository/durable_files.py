"""Files written so that they are on the disk, and not only in the system's memory."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from nomicgen.repository.paths import real

_AT_ONCE = 8
"""How many files are written and flushed at once: on a busy disk that takes a tenth of the time."""
# A file that must not be there yet.
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


def put_all(contents: Mapping[str, bytes]) -> None:
    """Write files, by path, and wait until all of them are on the disk. Raises OSError, also for a
    file that is there already.
    """
    if len(contents) <= _AT_ONCE:
        for file, data in contents.items():
            _put(file, data)
        return

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for _ in pool.map(_put, contents, contents.values()):
            pass  # an error of a thread is raised here


def replace_file(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a file whole, or leave what is there as it is. Raises OSError, and what `real` raises.

    A file that is there keeps its mode; `mode` is that of a new one. Something else, such as a pipe
    or a device, is not replaced: the data is written to it.
    """
    target = real(path)
    if target.exists() and not target.is_file():
        _into(target, data)
        return
    # Always the same name: what a killed command left is written over by the next.
    fresh = target.with_name(f".nomicgen-{sha256(os.fsencode(target.name)).hexdigest()[:16]}")
    try:
        fresh.unlink(missing_ok=True)
        _put(str(fresh), data, mode)
        if target.exists():
            fresh.chmod(target.stat().st_mode & 0o7777)
        fresh.replace(target)
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)


def _into(target: Path, data: bytes) -> None:
    """Write to a pipe or device. If nobody reads a pipe, it is an OSError at once."""
    handle = os.open(target, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    os.set_blocking(handle, True)
    with os.fdopen(handle, "wb") as stream:
        stream.write(data)


def _put(file: str, data: bytes, mode: int = 0o666) -> None:
    # Flushed by the handle that wrote it: another one may not be told if the disk refused.
    with os.fdopen(os.open(file, _NEW, mode), "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
