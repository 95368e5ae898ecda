"""New files, written so that they are on the disk and not only with the system."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from threading import Thread

_TOGETHER = 512
"""At most so many files are open at once; half of what a process may have, where that is less."""
_WAITING = 8
"""So many of them are waited for at once."""
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


def put_all(contents: Mapping[str, bytes]) -> None:
    """Writes files that are not there yet, by path, and waits until all of them are on the disk. Raises OSError.

    Each is flushed by the handle that wrote it: one that is opened later may not hear that the disk refused.
    """
    files = list(contents.items())
    together = min(_TOGETHER, max(os.sysconf("SC_OPEN_MAX") // 2, _WAITING))
    for start in range(0, len(files), together):
        handles: list[int] = []
        try:
            for file, data in files[start : start + together]:
                handles.append(os.open(file, _NEW, 0o666))
                _write(handles[-1], data)
            _flush(handles)
        finally:
            for handle in handles:
                os.close(handle)


def _write(handle: int, data: bytes) -> None:
    written = os.write(handle, data)
    while written < len(data):
        # A disk that is nearly full takes a part, and refuses the rest.
        written += os.write(handle, data[written:])


def _flush(handles: Sequence[int]) -> None:
    """Flushes files. What is waited for at one time, the disk does at one go: a busy one in a tenth of the time."""
    errors: list[OSError] = []

    def flush(some: Sequence[int]) -> None:
        try:
            for handle in some:
                os.fsync(handle)
        except OSError as error:
            errors.append(error)

    waiting = [Thread(target=flush, args=(handles[at::_WAITING],)) for at in range(_WAITING)]
    if len(handles) <= _WAITING:
        flush(handles)
    else:
        for thread in waiting:
            thread.start()
        for thread in waiting:
            thread.join()
    if errors:
        raise errors[0]
