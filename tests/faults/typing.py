"""Types a command in a child of this process, which has everything imported already."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from nomicgen.cli.program import main
from nomicgen.play.voting import ballots
from nomicgen.repository import lock
from nomicgen.repository.retry import retry_while
from tests.support import known_token

__all__ = ["child", "typed"]


def _at_once(attempt: Callable[[], None], held: type[Exception], _: float) -> None:
    retry_while(attempt, held, 0.0)


def child(place: Path, words: Sequence[str]) -> int:
    """What the interpreter would do with `nomicgen words`, in this process; gives its exit
    status.
    """
    os.environ["TMPDIR"] = str(place / "tmp")
    tempfile.tempdir = None
    # The same token whenever it is typed again, or no two runs could be compared.
    ballots._new_token = known_token
    status = 1
    try:
        main(list(words), prog_name="nomicgen")
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        error = sys.exc_info()[1]
        if error is not None:
            traceback.print_exception(error)
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        print("Exception ignored at the end", file=sys.__stderr__)
        status = 120
    return status


def typed(place: Path, words: Sequence[str], *, is_patient: bool = True) -> tuple[int, str]:
    """Types a command, and nothing goes wrong; gives its exit status and what it printed.

    One that is not patient does not wait for another that holds the game.
    """
    output = os.memfd_create("output")
    pid = os.fork()
    if pid == 0:
        status = 255
        try:
            os.dup2(output, 1)
            os.dup2(output, 2)
            if not is_patient:
                pytest.MonkeyPatch().setattr(lock, "retry_while", _at_once)
            status = child(place, words)
        finally:
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    said = os.pread(output, 1 << 20, 0).decode(errors="replace")
    os.close(output)
    return status, said
