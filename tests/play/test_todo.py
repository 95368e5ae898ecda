"""What can be done now: every command of it can be typed, and what needs no choice is done once."""

from __future__ import annotations

import shlex
import tempfile
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicgen.cli.program import main
from nomicgen.files.file_editing import set_keys
from nomicgen.law.checks.run import ruleset_files
from nomicgen.model.front_matters import ActMatter, JudgementMatter, ProposalMatter
from nomicgen.model.records import Instrument, Player, Turn
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, load, load_tree
from nomicgen.play.mending.shown import as_shown
from nomicgen.play.move import Part, blocking_errors, verify_move
from nomicgen.play.possible_moves import do_next, whats_next
from nomicgen.play.refusal import Refused
from nomicgen.play.rulesets import NAMES, shipped
from nomicgen.play.tasks import Task
from tests.deep import examples, sampled
from tests.games import legal_games
from tests.ledger import Ledger, day
from tests.played import played

pytestmark = pytest.mark.deep

Tree = dict[str, bytes]
UNVOTED = ("decided", "effective", "seq")
UNOPENED = (*UNVOTED, "opened", "votes", "digest", "ballot", "earlier")


def days_of(name: str) -> list[Moment]:
    """The days on which something happens in the game that a ruleset brings along."""
    return sorted(
        {Moment(one.moment.day) for one in played(name).replay.effects if one.moment is not None}
    )


def truncated(name: str, day: Moment, *, votes: bool = True, behind: int = 0) -> Tree:
    """The files of a game as they were at the end of a day, `rules/` so many days behind that.

    Without `votes` what was open has none.
    """
    game = played(name)
    tree: Tree = {}
    for path, data in shipped(name).tree().items():
        one = None if path == "nomic.yml" or "/initial/" in path else game.records.at(path)
        kept = data if one is None else _kept(one, data, day, votes=votes)
        if kept is not None:
            tree[path] = kept
    then = Moment(day.day - timedelta(days=behind))
    return {**tree, **ruleset_files(load_tree(Path(name), tree, then).replay.current)}


def _kept(
    one: Instrument | Player | Turn, data: bytes, day: Moment, *, votes: bool
) -> bytes | None:
    """A file as it was at the end of a day; None where it was not there yet."""
    matter = one.matter

    def later(moment: Moment | None) -> bool:
        return moment is not None and day.day < moment.day

    if isinstance(matter, ProposalMatter):
        if later(matter.date):
            return None
        if later(matter.opened or matter.decided):
            return set_keys(data, {"status": "debate", **dict.fromkeys(UNOPENED)})
        if later(matter.decided):
            return set_keys(
                data,
                {"status": "open", **dict.fromkeys(UNVOTED), **({} if votes else {"votes": {}})},
            )
        return data
    if isinstance(matter, JudgementMatter | ActMatter):
        return None if later(matter.date) else data
    if isinstance(one, Turn):
        if later(one.matter.began):
            return None
        return (
            set_keys(data, dict.fromkeys(("ended", "dice", "passed")))
            if later(one.matter.ended)
            else data
        )
    return None if isinstance(one, Player) and later(one.matter.joined) else data


def written(tree: Tree, root: Path) -> Path:
    for path, data in tree.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return root


def free(game: Game, on: Moment) -> list[Task]:
    return [task for task in whats_next(game, on) if not task.needs_choice]


def key(task: Task) -> tuple[str, str]:
    return task.kind, task.path


def _typed(root: Path, *words: str) -> None:
    """Types a command; 1 says that something else is due, and that something stands against it."""
    done = CliRunner().invoke(main, ["-C", str(root), *words])
    assert done.exit_code in (0, 1), done.output


def holds(tree: Tree, on: Moment) -> set[str]:
    """Types each command that needs no choice, in a copy each; then does all of it, twice. Gives
    the kinds seen.
    """
    kinds: set[str] = set()
    with tempfile.TemporaryDirectory() as folder:
        given_ = written(tree, Path(folder, "given"))
        game = load(given_)
        for index, task in enumerate(free(game, on)):
            assert task.command is not None
            assert task.command.startswith("nomicgen ")
            root = written(tree, Path(folder, str(index)))
            _typed(root, *shlex.split(task.command)[1:])
            assert key(task) not in map(key, free(load(root), on)), task
            kinds.add(task.kind)
        _typed(given_, "next", "--do", "--on", str(on))
        after = load(given_)
        assert free(after, on) == []
        assert do_next(after, on).parts == []
        assert bool(kinds) is (after.tree != game.tree)
    return kinds


@pytest.mark.parametrize(
    ("name", "day"),
    sampled(((name, day) for name in NAMES for day in days_of(name)), every=40),
)
def test_what_is_free_can_be_typed_in_played_games(name: str, day: Moment) -> None:
    holds(truncated(name, day), day)


@pytest.mark.nightly
@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=examples(0.25))
@given(st.data())
def test_what_is_free_can_be_typed_on_any_day(name: str, data: st.DataObject) -> None:
    days = days_of(name)
    whole = [
        Moment(days[0].day + timedelta(days=n))
        for n in range((days[-1].day - days[0].day).days + 40)
    ]
    day = data.draw(st.sampled_from(whole))
    later = Moment(day.day + timedelta(days=data.draw(st.integers(0, 20))))
    holds(
        truncated(name, day, votes=data.draw(st.booleans()), behind=data.draw(st.integers(0, 9))),
        later,
    )


@pytest.mark.nightly
@pytest.mark.parametrize("every", sampled([3, 1], every=2))
def test_played_games_have_all_that_is_free(every: int) -> None:
    seen: set[str] = set()
    for name in NAMES:
        for moment in days_of(name)[1 % every :: every]:
            game = load_tree(Path(name), truncated(name, moment, behind=1), moment)
            seen |= {task.kind for task in whats_next(game, moment)}
    assert seen == {
        "apply", "begin", "close", "debate", "due", "end", "mend", "open", "pass", "propose",
        "put", "resolve", "throw",
        "vote",
    }  # fmt: skip


@pytest.mark.nightly
@settings(max_examples=examples(0.4))
@given(legal_games(moves=3), st.data())
def test_what_is_free_can_be_typed_in_any_game(made: Ledger, data: st.DataObject) -> None:
    paths = sorted(path for path in made.tree if path.startswith("proposals/"))
    if paths:
        # The last is open: the votes on it are those that decided it.
        path = paths[-1]
        made.tree[path] = set_keys(made.tree[path], {"status": "open", "decided": None})
    day = Moment.parse(f"2026-02-{data.draw(st.integers(4, 9)):02}")
    holds(made.applied(f"02-{day.day.day:02}").tree, day)


# Which errors keep a move from being made.


VOTE = {"adoption": {"needs": "unanimous", "of": "eligible"}}
STALE = "---\n{}status: {}\n---\n\nWhy not.\n\n## Repeal Rule 201/7\n"


def game(path: str, text: str) -> Game:
    made = Ledger.start({101: VOTE, 201: {}}).file(path, text)
    return load_tree(Path("game"), made.applied().tree, day("12-31"))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("proposals/lamps.md", STALE.format("", "draft")),
        ("proposals/301.md", STALE.format("number: 301\n", "debate")),
        ("proposals/lamps.md", "no front matter\n"),
    ],
)
def test_an_undecided_proposal_keeps_nobody_else(path: str, text: str) -> None:
    found = game(path, text)
    assert found.errors
    assert blocking_errors(found) == ()
    assert blocking_errors(found, {path}) == found.errors
    other = Part(
        writes={"proposals/tea.md": STALE.format("", "draft").replace("201/7", "201/0").encode()},
        subject="Tea",
    )
    assert verify_move(found, other).parts == (other,)
    with pytest.raises(Refused) as caught:
        verify_move(found, Part(writes={path: text.encode()}, subject="The same"))
    assert caught.value.findings == as_shown(found, found.errors)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("proposals/301.md", STALE.format("number: 301\ndecided: 2026-01-05\n", "adopted")),
        ("proposals/301.md", "no front matter\n"),
        ("judgements/1.md", "no front matter\n"),
        ("players/owl.yml", "nothing\n"),
        ("rules/999.md", "nothing\n"),
    ],
)
def test_errors_of_the_ledger_keep_everybody(path: str, text: str) -> None:
    made = Ledger.start({101: VOTE, 201: {}}).applied().file(path, text)
    found = load_tree(Path("game"), made.tree, day("12-31"))
    assert blocking_errors(found) == found.errors
    assert found.errors
