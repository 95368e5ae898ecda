"""What git prints, read as it comes: within a time, and from both its streams, so that neither
fills up.

GitPython starts the process. It is not read by GitPython: that waits for ever where much stands on
stderr, its time limit counts the whole time and so ends a slow git that is alive, and what it ends
leaves its locks behind.
"""

from __future__ import annotations

import os
import select
import subprocess
from typing import TYPE_CHECKING

from nomicgen.repository.errors import TooMuch

if TYPE_CHECKING:
    from nomicgen.repository.gitpython import Git

_PIECE = 1 << 16
_MOST_SAID = 1 << 16
# Who was stopped (Ctrl+Z) finds all time gone on waking, and the program has only just woken, too.
_GRACE = 2.0


class NoOutput(Exception):
    """The program has printed nothing for longer than is waited for; `seconds` says how long."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class ProcessOutput:
    """What a process prints; closing it ends a process that is still at work.

    Reading raises NoOutput where nothing comes on either stream for `patience` seconds.
    """

    def __init__(self, started: Git.AutoInterrupt, patience: float) -> None:
        if started.proc is None:
            raise ValueError("a process that has ended")
        # GitPython ends the process when `started` is forgotten.
        self._started = started
        process = self._process = started.proc
        self._patience = patience
        self._out, self._err = (
            stream.fileno() for stream in (process.stdout, process.stderr) if stream is not None
        )
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        self._complains = True
        self._stderr = bytearray()

    @property
    def stderr(self) -> str:
        """What it has complained of, of a great deal only the beginning."""
        return self._stderr.decode(errors="replace")

    def whole(self, most: int) -> bytes:
        """All that it prints. Raises TooMuch for more than `most` bytes: a few objects of git can
        name millions.
        """
        pieces: list[bytes] = []
        left = most
        while True:
            self._await(self._out)
            piece = os.read(self._out, _PIECE)
            if not piece:
                return b"".join(pieces)
            pieces.append(piece)
            left -= len(piece)
            if left < 0:
                raise TooMuch(f"a list of files of more than {most >> 20} MiB")

    def end(self) -> int:
        """Return the status with which it ends, once it has said what it had to say.

        Nothing more of its output is read.
        """
        self._poll.unregister(self._out)
        if self._process.stdout is not None:
            self._process.stdout.close()
        while self._complains:
            self._await(self._err)
        try:
            return self._process.wait(self._patience)
        except subprocess.TimeoutExpired as error:
            raise NoOutput(self._patience) from error

    def close(self) -> None:
        if self._process.poll() is None:
            # Git takes its locks away when it is asked to end.
            self._process.terminate()
            try:
                self._process.wait(_GRACE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()

    def _await(self, wanted: int) -> None:
        """Wait until there is something to read, or its end; keep what is said meanwhile."""
        handles: list[int] = []
        while wanted not in handles:
            events = self._poll.poll(1000 * self._patience) or self._poll.poll(1000 * _GRACE)
            if not events:
                raise NoOutput(self._patience)
            handles = [handle for handle, _ in events]
            if self._err in handles:
                self._listen()

    def _listen(self) -> None:
        piece = os.read(self._err, _PIECE)
        if not piece:
            self._complains = False
            self._poll.unregister(self._err)
        self._stderr += piece[: _MOST_SAID - len(self._stderr)]
