"""Starting: how long `--help`, TAB and commands take over a program that only says hello.

All are processes, as a shell starts them; the time is that of the processor, and of each the best
of a few in turn.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from tests.benchmarks.checking import best_of
from tests.benchmarks.replay import Measure

__all__ = ["measures"]

_HELLO = """\
import click


@click.command()
def main():
    click.echo("hello")


main()
"""
_HELP, _COMMAND = 1.5, 6.0


def measures(runs: int, game: Path) -> Iterator[Measure]:
    """What is measured in a small `game`, this repository's own."""
    program = which("nomicgen", path=str(Path(sys.executable).parent)) or "nomicgen"
    with TemporaryDirectory() as folder:
        hello = Path(folder) / "hello.py"
        hello.write_text(_HELLO)
        tab = {
            "_NOMICGEN_COMPLETE": "bash_complete",
            "COMP_WORDS": "nomicgen show 2",
            "COMP_CWORD": "2",
        }
        taken = best_of(
            {
                "hello": (sys.executable, str(hello)),
                "help": (program, "--help"),
                "tab": ("env", *(f"{key}={value}" for key, value in tab.items()), program),
            },
            runs,
        )
        own = _own({name: ("-C", str(game), *words) for name, words in _COMMANDS.items()}, runs)
    yield Measure(
        "--help over a program that says hello", taken["help"].cpu / taken["hello"].cpu, _HELP
    )
    yield Measure(
        "TAB, with the numbers of rules, over the same",
        taken["tab"].cpu / taken["hello"].cpu,
        _HELP,
    )
    for name in _COMMANDS:
        over = own[name] / taken["hello"].cpu
        yield Measure(
            f"{name}, without git's processes, over a program that says hello", over, _COMMAND
        )


_COMMANDS = {
    "status": ("status",),
    "show": ("show", "203"),
    "check": ("check",),
    "vote": ("vote", "314", "for", "--player", "wren", "--dry-run"),
}
_TIMED = """\
import resource, sys

try:
    from nomicgen.cli.program import main

    main(sys.argv[2:])
finally:
    taken = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(taken.ru_utime + taken.ru_stime, file=open(sys.argv[1], "w"))
"""


def _own(commands: Mapping[str, tuple[str, ...]], runs: int) -> dict[str, float]:
    """The best time of each command in a process of its own, in seconds, without the processes that
    it starts.
    """
    taken: dict[str, list[float]] = {name: [] for name in commands}
    variables = {
        name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    }
    with TemporaryDirectory() as folder:
        for _ in range(runs):
            for name, words in commands.items():
                file = Path(folder) / "taken"
                # It says what the processes took that it started.
                line = (sys.executable, "-c", _TIMED, str(file), *words)
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                subprocess.run(line, check=True, stdout=subprocess.DEVNULL, env=variables)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                whole = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                taken[name].append(whole - float(file.read_text()))
    return {name: min(times) for name, times in taken.items()}
