"""Starting: how long `--help` and TAB take over a program that only says hello, and commands over Python itself.

All are processes, as a shell starts them; the time is that of the processor, and of each the best of a few in turn.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from benchmarks.checking import best_of
from benchmarks.replay import Measure

__all__ = ["measures"]

_HELLO = """\
import click


@click.command()
def main():
    click.echo("hello")


main()
"""
_OVER_HELLO, _OVER_PASS = 1.5, 13.0


def measures(runs: int, game: Path) -> Iterator[Measure]:
    """What is measured in a small `game`, this repository's own."""
    program = which("nomicgen", path=str(Path(sys.executable).parent)) or "nomicgen"
    with TemporaryDirectory() as folder:
        hello = Path(folder) / "hello.py"
        hello.write_text(_HELLO)
        tab = {"_NOMICGEN_COMPLETE": "bash_complete", "COMP_WORDS": "nomicgen show 2", "COMP_CWORD": "2"}
        taken = best_of(
            {
                "hello": (sys.executable, str(hello)),
                "help": (program, "--help"),
                "tab": ("env", *(f"{key}={value}" for key, value in tab.items()), program),
                "pass": (sys.executable, "-c", "pass"),
                **{name: (program, "-C", str(game), *words) for name, words in _COMMANDS.items()},
            },
            runs,
        )
    yield Measure("--help over a program that says hello", taken["help"].cpu / taken["hello"].cpu, _OVER_HELLO)
    yield Measure("TAB, with the numbers of rules, over the same", taken["tab"].cpu / taken["hello"].cpu, _OVER_HELLO)
    for name in _COMMANDS:
        yield Measure(f"{name} over `python -c pass`", taken[name].cpu / taken["pass"].cpu, _OVER_PASS)


_COMMANDS = {"status": ("status",), "show": ("show", "203"), "check": ("check",)}
