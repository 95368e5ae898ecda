"""The faults: what happens at a call, to which calls it can happen, and whether it goes on
happening.
"""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from tests.faults.trap import Answer, Call

__all__ = ["FAULTS", "Fault"]

_WAITING = frozenset(
    {"write", "pwrite64", "writev", "pwritev", "open", "openat", "flock", "fsync", "fdatasync"}
)
_FREEING = frozenset({"unlink", "unlinkat", "rmdir"})
_WRITES = frozenset({"write", "pwrite64", "writev", "pwritev", "pwritev2", "sendfile"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What happens: an error of the call, that goes on or not, or a signal to somebody."""

    name: str
    errno: int = 0
    lasts: bool = False
    signal: signal.Signals | None = None
    to: Literal["all", "command", "caller"] = "caller"
    strikes: Callable[[Call], bool]

    def answer(self, call: Call) -> Answer:
        if self.signal is None:
            return Answer(self.errno)
        group = os.getpgid(call.pid)
        if self.to == "all":
            return Answer(self.errno, before=partial(os.killpg, group, self.signal))
        whom = group if self.to == "command" else call.pid
        return Answer(self.errno, before=partial(os.kill, whom, self.signal))


def _takes_room(call: Call) -> bool:
    return call.makes or call.name in ("fsync", "fdatasync")


def _fills_disk(call: Call) -> bool:
    return _takes_room(call) and _touches_disk(call)


def _touches_disk(call: Call) -> bool:
    return call.kind in ("path", "file") and call.name != "flock"


def _named(call: Call) -> bool:
    return call.kind == "path"


def _not_a_stream(call: Call) -> bool:
    return call.kind != "stream"


def _waits(call: Call) -> bool:
    # A system breaks off what waits on a pipe only for a process that handles signals, as git's do
    # not.
    return call.name in _WAITING and (call.kind != "stream" or call.own)


def _printed(call: Call) -> bool:
    return call.kind == "output" and call.name in _WRITES


def _piped(call: Call) -> bool:
    return call.kind in ("stream", "output") and call.name in _WRITES


def _always(_: Call) -> bool:
    return True


def _of_another(call: Call) -> bool:
    """Made by a process that the command started: by git."""
    return not call.own


FAULTS = {
    fault.name: fault
    for fault in (
        Fault(name="kill", signal=signal.SIGKILL, to="all", strikes=_always),
        Fault(name="kill-git", signal=signal.SIGKILL, to="caller", strikes=_of_another),
        Fault(name="kill-command", signal=signal.SIGKILL, to="command", strikes=_of_another),
        Fault(name="ENOSPC", errno=errno.ENOSPC, strikes=_takes_room),
        Fault(name="ENOSPC-on", errno=errno.ENOSPC, lasts=True, strikes=_fills_disk),
        Fault(name="EROFS-on", errno=errno.EROFS, lasts=True, strikes=_touches_disk),
        Fault(name="EACCES", errno=errno.EACCES, strikes=_named),
        Fault(name="EIO", errno=errno.EIO, strikes=_not_a_stream),
        Fault(name="EIO-on", errno=errno.EIO, lasts=True, strikes=_touches_disk),
        Fault(name="EINTR", errno=errno.EINTR, strikes=_waits),
        Fault(name="SIGINT", signal=signal.SIGINT, to="all", strikes=_always),
        Fault(name="SIGTERM", signal=signal.SIGTERM, to="command", strikes=_always),
        Fault(name="SIGHUP", signal=signal.SIGHUP, to="all", strikes=_always),
        Fault(name="EPIPE", errno=errno.EPIPE, signal=signal.SIGPIPE, to="caller", strikes=_piped),
        Fault(name="EPIPE-output", errno=errno.EPIPE, lasts=True, strikes=_printed),
    )
}
