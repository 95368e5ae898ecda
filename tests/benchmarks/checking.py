"""Checking a long archive: how long it takes over reading and parsing its files, and how that
grows.

Both are processes as a person starts them, so that Python and the modules are loaded. The time is
that of the processor, of the process and of the git that it starts; of each the best of a few, in
turn with the other. `parsing.py` is the other: the same files, read and parsed with libyaml, and no
more. The game is generated, of the size and shape of Agora's (`agora.py`); whoever has its rules
data measures that as well.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.agora import import_agora, write_agora
from tests.benchmarks.replay import Measure

__all__ = ["Taken", "best_of", "measures"]

_OVER_PARSING, _GROWTH = 3.3, 11.0


@dataclass(frozen=True, slots=True)
class Taken:
    """Seconds."""

    cpu: float
    wall: float


def measures(runs: int, times: int = 10, data: Path | None = None) -> Iterator[Measure]:
    """What is measured of a game like Agora's, of one so many `times` its size (1: none), and of
    its own `data`.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_agora(folder / "once")
        yield from _over_parsing(folder / "once", "a game like Agora's", runs)
        if data is not None:
            import_agora(data, folder / "own")
            yield from _over_parsing(folder / "own", "Agora's own game", runs)
        if times > 1:
            write_agora(folder / "many", times)
            shutil.rmtree(folder / "many" / ".git")
            few, many = _best_two(
                {"few": _check(folder / "once"), "many": _check(folder / "many")}, max(2, runs // 3)
            )
            yield Measure(
                f"check: time of {times} times a game like Agora's over it",
                many.cpu / few.cpu,
                _GROWTH,
            )
            yield Measure("  by the clock", many.wall / few.wall, None)


def _over_parsing(game: Path, what: str, runs: int) -> Iterator[Measure]:
    """In its repository, where git is asked as well, and then without it."""
    parsing = (sys.executable, "-m", "tests.benchmarks.parsing", str(game))
    least, versioned = _best_two({"parsing": parsing, "check": _check(game)}, runs)
    shutil.rmtree(game / ".git")
    other, plain = _best_two({"parsing": parsing, "check": _check(game)}, runs)
    yield Measure(
        f"check of {what}: time over parsing its files", plain.cpu / other.cpu, _OVER_PARSING
    )
    yield Measure("  by the clock", plain.wall / other.wall, None)
    yield Measure(
        "  in a repository, where git is asked what is not committed",
        versioned.cpu / least.cpu,
        None,
    )
    yield Measure(f"check of {what}: time", plain.cpu, None, "s")


def _check(game: Path) -> tuple[str, ...]:
    return sys.executable, "-m", "nomicgen", "-C", str(game), "check"


def _best_two(commands: dict[str, tuple[str, ...]], runs: int) -> list[Taken]:
    return list(best_of(commands, runs).values())


def best_of(
    commands: dict[str, tuple[str, ...]], runs: int, restore: Callable[[], None] | None = None
) -> dict[str, Taken]:
    """The best time of each command, by its name; they take turns. After each, `restore` takes back
    what it did.
    """
    taken: dict[str, list[Taken]] = defaultdict(list)
    for _ in range(runs):
        for name, command in commands.items():
            taken[name].append(_run(command))
            if restore is not None:
                restore()
    return {
        name: Taken(min(one.cpu for one in found), min(one.wall for one in found))
        for name, found in taken.items()
    }


def _run(command: tuple[str, ...]) -> Taken:
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Taken(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall)
