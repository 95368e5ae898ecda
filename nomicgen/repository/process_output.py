"""The output of git, read as it comes: from both streams, so that neither fills up, and with a
limit on the time in which nothing comes.

GitPython only starts the process. If it also read the output, it would wait for ever where git says
much on stderr. Its own time limit counts the whole time, so it would end a git that works slowly;
and a git that it ends leaves locks behind.
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
_MOST_SAID = 1 << 16  # bytes kept of stderr
# After a stop (Ctrl+Z) the time is over at once, though git has only just gone on as well: it gets
# these seconds more. Git has as long to end when it is asked to.
_GRACE = 2.0


class NoOutput(Exception):
    """The program has printed nothing for `seconds`, which is as long as is waited."""

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
        self._has_stderr = True  # until that stream ends
        self._stderr = bytearray()

    @property
    def stderr(self) -> str:
        """What the process said on stderr; if that is long, only the beginning."""
        return self._stderr.decode(errors="replace")

    def read_all(self, most: int) -> bytes:
        """Return all that the process prints. Raises TooMuch for more than `most` bytes: a small
        repository can list millions of files.
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
                raise TooMuch(f"git prints more than {most >> 20} MiB of it")

    def end(self) -> int:
        """Wait until the process ends, and return its status. Only stderr is still read."""
        self._poll.unregister(self._out)
        if self._process.stdout is not None:
            self._process.stdout.close()
        while self._has_stderr:
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
        """Wait until `wanted` can be read, or has ended; keep what comes on stderr meanwhile."""
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
            self._has_stderr = False
            self._poll.unregister(self._err)
        self._stderr += piece[: _MOST_SAID - len(self._stderr)]
