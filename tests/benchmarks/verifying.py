"""Verifying the history of a long game: how long it takes over reading and checking the game, and
over `git log --raw`.

A history cannot be verified without the ledger: what `nomicgen verify` does is to read the game as
HEAD has it, to replay and check it as `nomicgen check` does, and then to go through the history.
The times are those of the processor, of this process and of the git that it starts, each the best
of a few, in turn with those that they are compared with.
"""

from __future__ import annotations

import gc
import resource
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from nomicgen.play.load import check_game, load
from nomicgen.verify.history import verify
from tests.benchmarks.books import bind, write_book
from tests.benchmarks.replay import Measure

__all__ = ["measures"]

_OVER_CHECK, _GROWTH, _TIMES = 2.0, 11.0, 10


def measures(commits: int, rules: int, runs: int) -> Iterator[Measure]:
    """Everything that is measured of a game of so many commits and rules, and of one of ten times
    as many commits.
    """
    with TemporaryDirectory() as name:
        best = _best(_game(Path(name, "game"), commits, rules), runs)
        what = f"verify of {commits} commits"
        yield Measure(
            f"{what}: time over checking the game", best["verify"] / best["check"], _OVER_CHECK
        )
        yield Measure("  over git log --raw", best["verify"] / best["log"], None)
        yield Measure(
            "  without checking, over git log --raw",
            (best["verify"] - best["check"]) / best["log"],
            None,
        )
        yield Measure(f"{what}: time", 1000 * best["verify"], None, "ms")
        long = _best(_game(Path(name, "long"), commits * _TIMES, rules), min(runs, 2))
    yield Measure(
        f"verify of {commits * _TIMES} commits: time over checking",
        long["verify"] / long["check"],
        _OVER_CHECK,
    )
    yield Measure(
        f"verify: time of {commits * _TIMES} commits over {commits}",
        long["verify"] / best["verify"],
        _GROWTH,
    )
    yield Measure("  git log --raw by itself", long["log"] / best["log"], None)


def _game(folder: Path, commits: int, rules: int) -> Path:
    """A game of so many commits: its beginning, one for each instrument, and the turns at its
    end.
    """
    folder.mkdir()
    write_book(bind(rules, moves=commits - 2), folder)
    # As git does for whoever asks it now and then: else it would read the files again each time.
    subprocess.run(
        ("git", "-C", folder, "status", "--short"), check=True, stdout=subprocess.DEVNULL
    )
    return folder


def _best(root: Path, runs: int) -> dict[str, float]:
    """The seconds that each takes."""
    asked: dict[str, Callable[[], object]] = {
        "log": lambda: subprocess.run(
            ("git", "-C", root, "log", "--raw"), check=True, stdout=subprocess.DEVNULL
        ),
        "check": lambda: check_game(load(root)),
        "verify": lambda: verify(root),
    }
    taken: dict[str, list[float]] = defaultdict(list)
    for _ in range(runs):
        for name, ask in asked.items():
            taken[name].append(_cpu(ask))
    return {name: min(seconds) for name, seconds in taken.items()}


def _cpu(ask: Callable[[], object]) -> float:
    """Seconds of the processor, here and in the processes started."""
    gc.collect()
    start = _used()
    ask()
    return _used() - start


def _used() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)
