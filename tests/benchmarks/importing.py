"""Importing a game that was kept as the commits of a repository: how long it takes over `git log
-p` of its files.

Two times are told apart. The work is what the command does, from reading the repository to the last
file written, in a process that has imported another archive before: its modules are loaded, and it
knows none of the texts. The whole is the command as a person runs it, with Python's start and the
loading of modules, which an archive of any length pays once. Each figure is the best of a few, in
turn with those that it is compared with, and of the processor: of the import and of the git that it
starts. `python -m tests.benchmarks.importing ARCHIVE PATTERN OTHER INTO` measures the work once.

Nothing is deleted before the end: for a minute ext4 passes over what was deleted, entry by entry,
whenever a file is made, and each run would pay for the one before it.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from nomicgen.cli.program import main
from tests.benchmarks.archives import PATTERNS, Layout, make_archive
from tests.benchmarks.replay import Measure

__all__ = ["measures"]

_GROWTH, _TIMES = 11.0, 10
_OVER_LOG: dict[Layout, float] = {"files": 6.0, "one": 5.0}
_NAMES: dict[Layout, str] = {"files": "a file a rule", "one": "one file"}


@dataclass(frozen=True, slots=True)
class _Taken:
    """Seconds."""

    cpu: float
    wall: float


def measures(commits: int, rules: int, runs: int) -> Iterator[Measure]:
    """What an import of so many commits and rules takes in both layouts, and of ten times as
    much.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        for layout in PATTERNS:
            make_archive(folder / f"{layout}-other", commits // 5, rules // 5, layout, seed=2)
            make_archive(folder / layout, commits, rules, layout)
            yield from _over_log(
                folder, layout, f"import of {commits} commits, {_NAMES[layout]}", runs
            )
        make_archive(folder / "files-long", commits * _TIMES, rules * _TIMES, "files")
        make_archive(folder / "one-long", commits * _TIMES, rules, "one")
        few, many = f"{commits}/{rules}", f"{commits * _TIMES}"
        yield from _growth(
            folder,
            "files",
            f"import, a file a rule: work of {many}/{rules * _TIMES} over {few}",
            runs,
        )
        # With ten times the rules as well, each of ten times as many versions of the one file is
        # ten times as long.
        yield from _growth(
            folder, "one", f"import, one file: work of {many}/{rules} over {few}", runs
        )


def _over_log(folder: Path, layout: Layout, what: str, runs: int) -> Iterator[Measure]:
    taken: dict[str, list[_Taken]] = defaultdict(list)
    for run in range(runs):
        taken["log"].append(_log(folder / layout, layout))
        taken["work"].append(_work(folder, layout, layout, f"{run}"))
        taken["whole"].append(_whole(folder, layout, folder / "whole" / f"{layout}-{run}"))
    cpu, wall = (
        {one: min(getattr(run, kind) for run in taken[one]) for one in taken}
        for kind in ("cpu", "wall")
    )
    yield Measure(f"{what}: work over git log -p", cpu["work"] / cpu["log"], _OVER_LOG[layout])
    yield Measure("  by the clock", wall["work"] / wall["log"], None)
    yield Measure(
        "  the whole process, with Python's start and imports", cpu["whole"] / cpu["log"], None
    )
    yield Measure("  by the clock", wall["whole"] / wall["log"], None)
    yield Measure("  time of git log -p", cpu["log"] * 1000, None, "ms")
    yield Measure("  time of the work", cpu["work"] * 1000, None, "ms")
    yield Measure("  time of the whole process", cpu["whole"] * 1000, None, "ms")


def _growth(folder: Path, layout: Layout, what: str, runs: int) -> Iterator[Measure]:
    taken: dict[str, list[_Taken]] = defaultdict(list)
    for run in range(min(runs, 2)):
        for source in (layout, f"{layout}-long"):
            taken[source].append(_work(folder, source, layout, f"grown-{run}"))
    taken["log"] = [_log(folder / f"{layout}-long", layout)]
    cpu = {one: min(run.cpu for run in found) for one, found in taken.items()}
    yield Measure(what, cpu[f"{layout}-long"] / cpu[layout], _GROWTH)
    yield Measure("  over git log -p", cpu[f"{layout}-long"] / cpu["log"], None)


def _log(archive: Path, layout: Layout) -> _Taken:
    """`git log -p` of the rules' files, all of its output read."""
    return _timed("git", "-C", str(archive), "log", "-p", "--", PATTERNS[layout])


def _whole(folder: Path, layout: Layout, into: Path) -> _Taken:
    return _timed(
        *(sys.executable, "-m", "nomicgen"), *_arguments(folder / layout, PATTERNS[layout], into)
    )


def _timed(*command: str) -> _Taken:
    start, before = time.perf_counter(), _used()
    subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return _Taken(cpu=_used() - before, wall=time.perf_counter() - start)


def _work(folder: Path, source: str, layout: Layout, run: str) -> _Taken:
    """In a process of its own: what one import knows of texts, the next would not have to find
    out.
    """
    command = (sys.executable, "-m", "tests.benchmarks.importing")
    arguments = (
        folder / source,
        PATTERNS[layout],
        folder / f"{layout}-other",
        folder / "work" / f"{source}-{run}",
    )
    done = subprocess.run((*command, *map(str, arguments)), check=True, stdout=subprocess.PIPE)
    return _Taken(**json.loads(done.stdout.splitlines()[-1]))


def _arguments(archive: Path, pattern: str, into: Path) -> tuple[str, ...]:
    name = "file-a-rule" if "*" in pattern else "headings"
    return "import", "git", str(archive), "--map", name, "--path", pattern, "--into", str(into)


def _used() -> float:
    """Seconds of the processor that this process has taken so far, and the processes that it
    started.
    """
    found = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in found)


def _main(archive: str, pattern: str, other: str, into: str) -> None:
    main(_arguments(Path(other), pattern, Path(into, "other")), standalone_mode=False)
    start, before = time.perf_counter(), _used()
    main(_arguments(Path(archive), pattern, Path(into, "game")), standalone_mode=False)
    print(json.dumps({"cpu": _used() - before, "wall": time.perf_counter() - start}))


if __name__ == "__main__":
    _main(*sys.argv[1:])
