"""Reading, replaying and checking long games: how the time grows with the length, and what memory
the longest takes.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from nomicgen.files.game_files import read_game
from nomicgen.law.checks.run import check, ruleset_files
from nomicgen.law.replay.run import replay
from tests.benchmarks.games import generate

__all__ = ["Measure", "growth", "measures", "memory", "table"]

_GROWTH, _MEMORY = 4.4, 200.0


@dataclass(frozen=True, slots=True)
class Measure:
    """What was measured, and what it may be: at most `most`, or at least `least`.

    Both are None where it only explains another; `unit` may be empty.
    """

    what: str
    measured: float
    most: float | None
    unit: str = ""
    least: float | None = None

    @property
    def holds(self) -> bool:
        is_below = self.least is not None and self.measured < self.least
        return not is_below and (self.most is None or self.measured <= self.most)


def measures(instruments: int, rules: int, runs: int) -> Iterator[Measure]:
    """Everything that is measured on a game of so many instruments, and on one of a quarter of
    them.
    """
    yield from growth(instruments, rules, runs)
    yield from memory(instruments, rules)


def growth(instruments: int, rules: int, runs: int) -> Iterator[Measure]:
    """The time that a game takes over that of a game a quarter as long; each the best of so many
    runs, in turn.
    """
    best: dict[tuple[str, int], float] = defaultdict(lambda: float("inf"))
    games = {size: _with_rules(generate(size, rules)) for size in (instruments // 4, instruments)}
    for _ in range(runs):
        for size, tree in games.items():
            for what, seconds in _times(tree).items():
                best[what, size] = min(best[what, size], seconds)
    limits = {"reading and replay": _GROWTH, "reading": None, "replay": None, "checks": _GROWTH}
    for what, most in limits.items():
        ratio = best[what, instruments] / best[what, instruments // 4]
        yield Measure(f"{what}: time of {instruments} over {instruments // 4}", ratio, most)


def _with_rules(tree: dict[str, bytes]) -> dict[str, bytes]:
    """A game's files with `rules/` as the ledger gives it."""
    return tree | ruleset_files(replay(read_game(tree)[0]).current)


def _times(tree: Mapping[str, bytes]) -> dict[str, float]:
    """Seconds of this process, to which others do not add; without the garbage collector, as a game
    is loaded.
    """
    gc.collect()
    gc.disable()
    start = process_time()
    records, _ = read_game(tree)
    read = process_time()
    played = replay(records)
    replayed = process_time()
    check(records, played)
    done = process_time()
    gc.enable()
    return {
        "reading and replay": replayed - start,
        "reading": read - start,
        "replay": replayed - read,
        "checks": done - replayed,
    }


def memory(instruments: int, rules: int) -> Iterator[Measure]:
    """The peak memory of a fresh process that reads a game's files from disk and replays them, in
    MiB.
    """
    with TemporaryDirectory() as folder:
        for path, data in generate(instruments, rules).items():
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        command = [sys.executable, "-m", "tests.benchmarks.memory", folder]
        peaks = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    yield Measure(
        f"reading and replay of {instruments}: peak memory", peaks["replay"], _MEMORY, "MiB"
    )
    yield Measure("  of it the program", peaks["program"], None, "MiB")
    yield Measure(
        "  of it the files and their records", peaks["reading"] - peaks["program"], None, "MiB"
    )
    yield Measure("  of it the replay", peaks["replay"] - peaks["reading"], None, "MiB")


def table(found: list[Measure]) -> str:
    """What was measured and at most what it may be, line by line; what is above is said so, and
    what is below.
    """
    rows = [("what", "measured", "at most")]
    rows += [(one.what, _shown(one.measured, one.unit), _limit(one)) for one in found]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = (
        " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def _limit(one: Measure) -> str:
    if one.least is not None:
        least = f"at least {_shown(one.least, one.unit)}"
        return least if one.holds else f"{least}: below"
    most = "" if one.most is None else _shown(one.most, one.unit)
    return most if one.holds else f"{most}: above"


def _shown(number: float, unit: str) -> str:
    return f"{number:.0f} {unit}" if unit else f"{number:.2f}"
