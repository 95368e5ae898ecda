"""Stops a process, and all that it starts, at each of its system calls that write, and lets the
caller decide.

The kernel does it (seccomp's user notification, Linux 5.8 and later): no library is stood before
another, so that git's own processes, and what the C library calls within itself, are stopped as
well. No privilege is needed.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import platform
import select
import signal
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

__all__ = ["Answer", "Call", "Ended", "Kind", "trapped"]

Kind = Literal["path", "file", "stream", "output"]

_ARCH, _SECCOMP = {"x86_64": (0xC000003E, 317), "aarch64": (0xC00000B7, 277)}.get(
    platform.machine(), (0, 0)
)
# For each call its number on x86-64 (None where aarch64 alone is meant) and on aarch64, and where
# its path or its descriptor stands among its arguments.
_NUMBERS: dict[str, tuple[int | None, int | None, int]] = {
    "write": (1, 64, 0),
    "pwrite64": (18, 68, 0),
    "writev": (20, 66, 0),
    "pwritev": (296, 70, 0),
    "pwritev2": (328, 287, 0),
    "sendfile": (40, 71, 0),
    "copy_file_range": (326, 285, 2),
    "ftruncate": (77, 46, 0),
    "fallocate": (285, 47, 0),
    "fsync": (74, 82, 0),
    "fdatasync": (75, 83, 0),
    "sync_file_range": (277, 84, 0),
    "fchmod": (91, 52, 0),
    "fchown": (93, 55, 0),
    "flock": (73, 32, 0),
    "open": (2, None, 0),
    "openat": (257, 56, 1),
    "creat": (85, None, 0),
    "truncate": (76, 45, 0),
    "rename": (82, None, 0),
    "renameat": (264, 38, 1),
    "renameat2": (316, 276, 1),
    "link": (86, None, 1),
    "linkat": (265, 37, 3),
    "symlink": (88, None, 1),
    "symlinkat": (266, 36, 2),
    "unlink": (87, None, 0),
    "unlinkat": (263, 35, 1),
    "mkdir": (83, None, 0),
    "mkdirat": (258, 34, 1),
    "rmdir": (84, None, 0),
    "chmod": (90, None, 0),
    "fchmodat": (268, 53, 1),
    "chown": (92, None, 0),
    "lchown": (94, None, 0),
    "fchownat": (260, 54, 1),
    "mknod": (133, None, 0),
    "mknodat": (259, 33, 1),
    "utimensat": (280, 88, 1),
}
_ON_DESCRIPTORS = frozenset(list(_NUMBERS)[: list(_NUMBERS).index("open")])
_COLUMN = 0 if platform.machine() == "x86_64" else 1
_CALLS = {
    numbers[_COLUMN]: name for name, numbers in _NUMBERS.items() if numbers[_COLUMN] is not None
}
_FLAGS_AT = {"open": 1, "openat": 2}
_TO_WRITE = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC

_NEW_LISTENER, _NO_NEW_PRIVILEGES, _SET_FILTER = 8, 38, 1
_RECEIVE, _SEND = 0xC0502100, 0xC0182101
_CONTINUE = 1
_PATIENCE = 60


@dataclass(frozen=True, slots=True)
class Call:
    """A call that waits: its name, who makes it, what is written to, and whether that takes room.

    `own` says that the command itself makes it, and not a process that it started.
    """

    name: str
    pid: int
    kind: Kind
    target: str
    makes: bool
    own: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """What becomes of a call: an error, or none; `before` is done first (a signal, a look at the
    disk).
    """

    errno: int = 0
    before: Callable[[], object] | None = None


@dataclass(slots=True)
class Ended:
    """How a process ended: its exit status (-9 where it was killed), what it printed, the calls
    that it made.
    """

    status: int = 0
    output: str = ""
    calls: list[Call] = field(default_factory=list)


def trapped(action: Callable[[], int], decide: Callable[[int, Call], Answer | None]) -> Ended:
    """Runs `action` in a child, in a process group of its own; `decide` is asked at each call,
    counted from 0.
    """
    ours, theirs = socket.socketpair()
    output = os.memfd_create("output")
    child = os.fork()
    if child == 0:
        ours.close()
        _become(action, theirs, output)
    theirs.close()
    ended = Ended()
    try:
        _, handles, _, _ = socket.recv_fds(ours, 1, 1)
        if not handles:
            raise OSError(
                "this system does not let a process watch its children's calls (seccomp user "
                "notification)"
            )
        _serve(handles[0], child, decide, ended.calls)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        ended.status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        ended.output = os.pread(output, 1 << 20, 0).decode(errors="replace")
        os.close(output)
        ours.close()
    return ended


def _become(action: Callable[[], int], channel: socket.socket, output: int) -> None:
    """Turns this process into the one that is watched. Does not return."""
    status = 255
    try:
        os.setpgid(0, 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        _listen(channel)
        status = action()
    finally:
        os._exit(status)


def _listen(channel: socket.socket) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    raw = _program()
    text = ctypes.create_string_buffer(raw)
    program = ctypes.create_string_buffer(
        struct.pack("HxxxxxxQ", len(raw) // 8, ctypes.addressof(text))
    )
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0:
        listener = libc.syscall(_SECCOMP, _SET_FILTER, _NEW_LISTENER, program)
        if listener >= 0:
            socket.send_fds(channel, [b"x"], [listener])
            os.close(listener)
    channel.close()


def _program() -> bytes:
    """The filter: the calls of `_CALLS` are asked about, opening only where it is to write."""

    def step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
        return struct.pack("HBBI", code, yes, no, value)

    load, equal, any_bit, give = 0x20, 0x15, 0x45, 0x06
    ask, allow = step(give, 0x7FC00000), step(give, 0x7FFF0000)
    parts = [step(load, 4), step(equal, _ARCH, 1, 0), allow, step(load, 0)]
    for number, name in _CALLS.items():
        assert number is not None
        if name in _FLAGS_AT:
            argument = 16 + 8 * _FLAGS_AT[name]
            parts += [
                step(equal, number, 0, 4),
                step(load, argument),
                step(any_bit, _TO_WRITE, 0, 1),
                ask,
                allow,
            ]
        else:
            parts += [step(equal, number, 0, 1), ask]
    return b"".join((*parts, allow))


def _serve(
    listener: int, child: int, decide: Callable[[int, Call], Answer | None], calls: list[Call]
) -> None:
    waiting = select.poll()
    waiting.register(listener, select.POLLIN)
    try:
        while True:
            events = waiting.poll(1000 * _PATIENCE)
            if not events:
                raise TimeoutError(f"the command hangs at {calls[-1:]}")
            if not events[0][1] & select.POLLIN:
                return
            _answer(listener, child, decide, calls)
    finally:
        os.close(listener)


def _answer(
    listener: int, child: int, decide: Callable[[int, Call], Answer | None], calls: list[Call]
) -> None:
    notice = bytearray(80)
    # Whoever waited may have been killed meanwhile.
    with suppress(FileNotFoundError):
        fcntl.ioctl(listener, _RECEIVE, notice, True)
        ident, pid, _, number, _, _, *arguments = struct.unpack("QIIiIQ6Q", notice)
        call = _call(_CALLS[number], pid, arguments, own=pid == child)
        answer = None
        if call is not None:
            calls.append(call)
            answer = decide(len(calls) - 1, call)
        if answer is not None and answer.before is not None:
            answer.before()
        failing = answer.errno if answer is not None else 0
        reply = struct.pack("QqiI", ident, 0, -failing, 0 if failing else _CONTINUE)
        fcntl.ioctl(listener, _SEND, bytearray(reply), True)


def _call(name: str, pid: int, arguments: list[int], *, own: bool) -> Call | None:
    """The call as it is counted; None for what writes to a device."""
    argument = arguments[_NUMBERS[name][2]]
    if name not in _ON_DESCRIPTORS:
        target = _text(pid, argument)
        flags = arguments[_FLAGS_AT[name]] if name in _FLAGS_AT else 0
        makes = bool(flags & os.O_CREAT) or name.startswith(
            ("mk", "link", "symlink", "rename", "creat")
        )
        if target.startswith("/dev/") and not target.startswith("/dev/shm/"):
            return None
        return Call(name, pid, "path", target, makes, own)
    try:
        target = str(Path(f"/proc/{pid}/fd/{argument}").readlink())
    except OSError:
        return None
    if target.startswith("/memfd:output"):
        return Call(name, pid, "output", "output", True, own)
    if target.startswith(("pipe:", "socket:")):
        return Call(name, pid, "stream", target.partition(":")[0], False, own)
    if target.startswith("/dev/") and not target.startswith("/dev/shm/"):
        return None
    return Call(
        name,
        pid,
        "file",
        target,
        name not in ("fsync", "fdatasync", "flock", "fchmod", "fchown"),
        own,
    )


def _text(pid: int, address: int) -> str:
    """The string at an address of another process."""
    try:
        with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
            memory.seek(address)
            return (
                memory.read(4096 - address % 4096 or 1).partition(b"\0")[0].decode(errors="replace")
            )
    except (OSError, OverflowError):
        return "?"
