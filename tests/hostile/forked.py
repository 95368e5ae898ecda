"""Runs commands in children of one process that has loaded them: each within limits, and none a
start of Python.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import TracebackType
from typing import IO, NoReturn, Self

SECONDS = 25
"""Of processor time: several times what the slowest takes."""
MEMORY = 1 << 30


class Forked:
    """Commands run by `python -m tests.hostile.forked`."""

    def __init__(self) -> None:
        pipe = subprocess.PIPE
        self._there = subprocess.Popen(
            [sys.executable, "-m", __name__], stdin=pipe, stdout=pipe, text=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        with self._there as there:
            assert there.stdin is not None
            there.stdin.close()

    def run(
        self, root: Path, *arguments: str, given: str = os.devnull, out: str | None = None
    ) -> tuple[int, str]:
        """How a command ends, and what it says; `mkdocs` is a command as well. `given` is a file
        for its stdin, `out` one for its stdout.
        """
        assert self._there.stdin is not None
        assert self._there.stdout is not None
        self._there.stdin.write(json.dumps([str(root), arguments, given, out]) + "\n")
        self._there.stdin.flush()
        code, said = json.loads(self._there.stdout.readline())
        assert "Traceback" not in said, said[-2000:]
        assert re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", said) is None
        assert code in (0, 1, 2), (code, said[-2000:])
        return code, said


def _main() -> None:
    import_module("nomicgen.site.mkdocs.plugin")
    for module in iter_modules(import_module("nomicgen.cli").__path__):
        import_module(f"nomicgen.cli.{module.name}")
    asked, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    for line in asked:
        with tempfile.TemporaryFile() as said:
            child = os.fork()
            if not child:
                root, arguments, given, out = json.loads(line)
                _carry_out(root, arguments, given, out, said)
            _, status = os.waitpid(child, 0)
            said.seek(0)
            text = said.read().decode(errors="backslashreplace")
            answers.write(json.dumps([os.waitstatus_to_exitcode(status), text]) + "\n")
            answers.flush()


def _carry_out(
    root: str, arguments: list[str], given: str, out: str | None, said: IO[bytes]
) -> NoReturn:
    """Ends as the command ends."""
    os.chdir(root)
    os.dup2(os.open(given, os.O_RDONLY), 0)
    os.dup2(said.fileno() if out is None else os.open(out, os.O_WRONLY), 1)
    os.dup2(said.fileno(), 2)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    if arguments[0] == "mkdocs":
        import_module("mkdocs.__main__").cli(arguments[1:], prog_name="mkdocs")
    else:
        import_module("nomicgen.cli.program").main(arguments, prog_name="nomicgen")
    sys.exit(0)


if __name__ == "__main__":
    _main()
