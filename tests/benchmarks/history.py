"""The history of all rules of a long game: how long it takes over `git log --raw`, and over a log
per file of a rule.

The game is read and replayed beforehand: measured is what `nomicgen rule history` and `nomicgen
rule blame` do besides, and what a site does, which also needs the commit of every other file. The
times are those of the processor, of this process and of the git that it starts, each the best of a
few, in turn with those that they are compared with.

Git compares two folders entry by entry. Of a game ten times as long with as many rules, `rules/` is
as large as before and `proposals/` ten times as large: of the rules alone a history grows as the
game does, of everything it grows faster.
"""

from __future__ import annotations

import gc
import resource
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from nomicgen.play.game_history import game_history_of
from nomicgen.play.load import Game, load
from tests.benchmarks.books import bind, write_book
from tests.benchmarks.replay import Measure

__all__ = ["measures"]

_OVER_LOG, _FASTER, _GROWTH, _TIMES = 2.0, 50.0, 11.0, 10


def measures(commits: int, rules: int, runs: int) -> Iterator[Measure]:
    """Everything that is measured of a game of so many commits and rules, and of one of ten times
    as many commits.
    """
    with TemporaryDirectory() as name:
        game = _game(Path(name, "game"), commits, rules)
        best = _best(game, runs)
        files = _files(game.root)
        each = _cpu(lambda: _logs(game.root, files))
        what = f"history of {commits} commits"
        yield Measure(
            f"{what}: all rules, over git log --raw", best["rules"] / best["log"], _OVER_LOG
        )
        yield Measure(
            "  of every file as well, as for a site", best["files"] / best["log"], _OVER_LOG
        )
        yield Measure(
            f"{what}: so many times as fast as {len(files)} logs",
            each / best["rules"],
            None,
            least=_FASTER,
        )
        yield Measure("  time of all rules", 1000 * best["rules"], None, "ms")
        yield Measure("  time of git log --raw", 1000 * best["log"], None, "ms")
        long = _best(_game(Path(name, "long"), commits * _TIMES, rules), min(runs, 3))
    what = f"history: all rules, time of {commits * _TIMES} commits over {commits}"
    yield Measure(what, long["rules"] / best["rules"], _GROWTH)
    yield Measure("  over git log --raw", long["rules"] / long["log"], _OVER_LOG)
    yield Measure(
        "  of every file as well, over git log --raw", long["files"] / long["log"], _OVER_LOG
    )
    yield Measure("  git log --raw by itself", long["log"] / best["log"], None)


def _game(folder: Path, commits: int, rules: int) -> Game:
    """A game of so many commits: its beginning, one for each instrument, and the turns at its
    end.
    """
    folder.mkdir()
    write_book(bind(rules, moves=commits - 2), folder)
    # As git does for whoever asks it now and then: else it would read the files again each time.
    subprocess.run(
        ("git", "-C", folder, "status", "--short"), check=True, stdout=subprocess.DEVNULL
    )
    return load(folder)


def _best(game: Game, runs: int) -> dict[str, float]:
    """The seconds that each takes."""
    asked: dict[str, Callable[[], object]] = {
        "log": lambda: _git(game.root, "log", "--raw"),
        "rules": lambda: game_history_of(game, rules_only=True),
        "files": lambda: game_history_of(game),
    }
    taken: dict[str, list[float]] = defaultdict(list)
    for _ in range(runs):
        for name, ask in asked.items():
            taken[name].append(_cpu(ask))
    return {name: min(seconds) for name, seconds in taken.items()}


def _files(root: Path) -> list[str]:
    """Every file that a rule ever had."""
    output = _git(
        root, "log", "--format=", "--name-only", "--no-renames", "--", "rules", ":!rules/initial"
    )
    return sorted({path for path in output.decode().splitlines() if path})


def _logs(root: Path, files: list[str]) -> None:
    """What one does without us: asks git for each file by itself."""
    for path in files:
        _git(root, "log", "--format=%H %cI %aN %s", "--", path)


def _git(root: Path, *arguments: str) -> bytes:
    return subprocess.run(
        ("git", "-C", root, *arguments), check=True, stdout=subprocess.PIPE
    ).stdout


def _cpu(ask: Callable[[], object]) -> float:
    """Seconds of the processor, here and in the processes started; without the garbage collector,
    as a game is read.
    """
    gc.collect()
    gc.disable()
    start = _used()
    ask()
    end = _used()
    gc.enable()
    return end - start


def _used() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)
