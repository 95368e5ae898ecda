"""How often a move reads: the tree once, each file once, and what it changes once more for each
state that it tries.

`check` and `next` try the next step of each proposal, to say what stands against it, and what that
changes counts too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from nomicgen.cli.program import main
from nomicgen.files import game_files as reading
from nomicgen.law.replay.fold import Fold
from nomicgen.play.refusal import Refused
from tests.benchmarks.moving import last_day, write_game
from tests.deep import sampled

_MOST = 3
"""A state that is tried, and then verified with what else is written."""
_TRYING = {"check", "next"}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return write_game(tmp_path_factory.mktemp("game"), 60).files


def _undecided(files: dict[str, bytes]) -> tuple[str, str]:
    """The numbers of the proposal in debate, and of the one that is voted on."""
    numbers = sorted(
        int(path[10:-3])
        for path in files
        if path[10:-3].isdigit() and path.startswith("proposals/")
    )
    return str(numbers[-2]), str(numbers[-1])


def _commands(files: dict[str, bytes]) -> dict[str, tuple[str, ...]]:
    last, (debated, voted) = last_day(files), _undecided(files)
    next_day = str(last + timedelta(days=1))
    judgements = sum(1 for path in files if path.startswith("judgements/"))
    return {
        "check": ("check",),
        "vote": ("vote", debated, "for", "--player", "briar"),
        "vote on a past day": ("vote", debated, "for", "--player", "briar", "--on", next_day),
        "register": ("register", "tea"),
        "register on a past day": ("register", "tea", "--on", next_day),
        "resolve": ("proposal", "resolve", voted),
        "resolve on a past day": ("proposal", "resolve", voted, "--on", next_day),
        "withdraw": ("proposal", "withdraw", voted),
        "propose": ("propose", "--title", "More tea", "--author", "anvil", "--enact"),
        "judge": ("judgement", "file", "--judge", "briar", "--rule", "101"),
        "overrule": ("judgement", "overrule", str(judgements), "--by", "briar"),
        "join": ("player", "join", "kestrel", "--name", "Kestrel"),
        "leave": ("player", "leave", "anvil"),
        "turn": ("turn",),
        "apply": ("apply",),
        "next": ("next", "--do"),
    }


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each file was parsed, `tree` was read, and an event was taken."""
    counts: Counter[str] = Counter()

    def counting(real: Callable[..., Any], key: str | None = None) -> Callable[..., Any]:
        def counted(*arguments: Any, **named: Any) -> Any:
            counts[key or arguments[0]] += 1
            return real(*arguments, **named)

        return counted

    for folder, read in reading._READERS.items():
        monkeypatch.setitem(reading._READERS, folder, counting(read))
    load = import_module("nomicgen.play.load")
    monkeypatch.setattr(load, "read_tree", counting(load.read_tree, "tree"))
    monkeypatch.setattr(Fold, "take", counting(Fold.take, "event"))
    return counts


@pytest.mark.deep
@pytest.mark.parametrize(
    "name",
    sampled(_commands({"proposals/1.md": b"date: 2026-01-01", "proposals/2.md": b""}), every=4),
)
def test_a_command_parses_each_file_once(
    name: str, files: dict[str, bytes], tmp_path: Path, counted: Counter[str]
) -> None:
    for path, data in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    done = CliRunner().invoke(main, ["-C", str(tmp_path), *_commands(files)[name]])
    assert done.exit_code == 0, done.output
    after = {
        file.relative_to(tmp_path).as_posix(): file.read_bytes()
        for file in tmp_path.rglob("*")
        if file.is_file()
    }
    changed = {path for path in files.keys() | after.keys() if files.get(path) != after.get(path)}
    assert counted.pop("tree") == 1
    counted.pop("event")
    tried = {f"proposals/{number}.md" for number in _undecided(files)} if name in _TRYING else set()
    assert {path for path, times in counted.items() if times > 1} <= changed | tried
    assert max(counted.values()) <= _MOST


# Moves, and their refusal.


def test_a_refusal_passes_through_what_it_is_raised_in() -> None:
    @contextmanager
    def around() -> Iterator[None]:
        yield

    with pytest.raises(Refused) as caught, around():
        raise Refused("there is nothing to do", "wait")
    assert (caught.value.message, caught.value.remedy) == ("there is nothing to do", "wait")
