"""Moves in a long game: what each takes over a check of the same game, and what one more instrument
costs a move.

Both are processes as a person starts them, and take turns; the time is that of the processor, of
each the best of a few. What a move wrote is taken back before the next. The slope is that of a vote
on a past day, which looks at four states of the game, over reading and parsing a file as
`parsing.py` does.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from nomicgen.files.game_files import read_game
from nomicgen.files.instructions import instructions_digest
from nomicgen.law.checks.run import ruleset_files
from nomicgen.law.replay.run import replay
from tests.benchmarks.checking import Taken, best_of
from tests.benchmarks.games import generate
from tests.benchmarks.replay import Measure

__all__ = ["Written", "last_day", "measures", "write_game"]

_OVER_CHECK, _OVER_READING = 1.3, 5.0
_RULES = 100
_PAST = "vote on a past day"
_VOTERS = (
    "anvil",
    "briar",
    "cinder",
    "dapple",
    "ember",
    "finch",
    "gorse",
    "heron",
    "islet",
    "juniper",
)
_TEA = "## Enact Rule: Tea\n\nThere is tea.\n"


@dataclass(frozen=True, slots=True)
class Written:
    """A game on disk: its files as they were, and the commands that are measured on it, by name."""

    root: Path
    files: dict[str, bytes]
    commands: dict[str, tuple[str, ...]]

    def restore(self) -> None:
        """Takes back what a move wrote."""
        there = {
            file.relative_to(self.root).as_posix(): file
            for file in self.root.rglob("*")
            if file.is_file()
        }
        for path, file in there.items():
            if path not in self.files:
                file.unlink()
        for path, data in self.files.items():
            if path not in there or there[path].read_bytes() != data:
                (self.root / path).write_bytes(data)


def measures(instruments: int, runs: int) -> Iterator[Measure]:
    """What is measured on a game of so many instruments, and on one of a quarter of them, each with
    its last turn.
    """
    instruments -= instruments % 16
    with TemporaryDirectory() as name:
        taken: dict[int, dict[str, Taken]] = {}
        counts: dict[int, int] = {}
        for size in (instruments // 4, instruments):
            game = write_game(Path(name, str(size)), size)
            counts[size] = len(game.files)
            taken[size] = best_of(game.commands, runs, game.restore)
        few, many = taken.values()
        for what, one in many.items():
            if what not in ("check", "parsing"):
                ratio = one.cpu / many["check"].cpu
                yield Measure(
                    f"{what} in a game of {instruments}: time over its check", ratio, _OVER_CHECK
                )
        reading, files = (
            many["parsing"].cpu - few["parsing"].cpu,
            counts[instruments] - counts[instruments // 4],
        )
        moving = (many[_PAST].cpu - few[_PAST].cpu) / (instruments - instruments // 4)
        yield Measure(
            "one more instrument: a vote's time over reading a file",
            moving / (reading / files),
            _OVER_READING,
        )
        yield Measure("  of it a check's", (many["check"].cpu - few["check"].cpu) / reading, None)


def write_game(root: Path, size: int) -> Written:
    """A game with a draft, a proposal that is debated, and one whose votes are all cast."""
    tree = generate(size, _RULES)
    numbers = [int(path[10:-3]) for path in tree if path.startswith("proposals/")]
    first = max(numbers) + 1
    last = last_day(tree)
    votes = "".join(f"  {one}: for\n" for one in _VOTERS)
    digest = instructions_digest(_TEA.encode())
    debated = f"number: {first}\ntitle: Tea\nauthor: anvil\ndate: {last}\nstatus: debate\n"
    voted = (
        f"number: {first + 1}\ntitle: Tea\nauthor: anvil\ndate: {last}\nstatus: open\n"
        f"opened: {last}\nvotes:\n{votes}"
    )
    tree["proposals/tea.md"] = (
        f"---\ntitle: Tea\nauthor: anvil\nstatus: draft\n---\n\n{_TEA}".encode()
    )
    tree[f"proposals/{first}.md"] = f"---\n{debated}---\n\n{_TEA}".encode()
    tree[f"proposals/{first + 1}.md"] = f"---\n{voted}digest: {digest}\n---\n\n{_TEA}".encode()
    tree |= ruleset_files(replay(read_game(tree)[0]).current)
    for path, data in tree.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    move = (sys.executable, "-m", "nomicgen", "-C", str(root))
    commands = {
        "parsing": (sys.executable, "-m", "tests.benchmarks.parsing", str(root)),
        "check": (*move, "check"),
        "vote": (*move, "vote", str(first), "for", "--player", "briar"),
        _PAST: (
            *move,
            "vote",
            str(first),
            "for",
            "--player",
            "briar",
            "--on",
            str(last + timedelta(days=1)),
        ),
        "register": (*move, "register", "tea"),
        "resolve": (*move, "proposal", "resolve", str(first + 1)),
    }
    return Written(root, tree, commands)


def last_day(tree: dict[str, bytes]) -> date:
    days = (
        line[6:]
        for data in tree.values()
        for line in data.decode().split("\n")
        if line.startswith("date: ")
    )
    return date.fromisoformat(max(days))
