"""No help names a command that the same state refuses: every such command is filled in and
typed.
"""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from nomicgen.files.file_editing import set_keys
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.play.load import load_tree
from nomicgen.play.refusal import Refused
from nomicgen.play.resolving import resolve, withdraw
from nomicgen.play.rulesets import shipped
from nomicgen.play.voting.voting import resubmit
from tests.deep import sampled
from tests.explain_pages import ON, read_page, replay_example
from tests.play.obeying import commands_of, obeyed
from tests.play.test_complete_votes import CHANGES, opened
from tests.play.test_complete_votes import ON as VOTED
from tests.played import loaded
from tests.test_explain import OF_GAME

pytestmark = pytest.mark.deep

GAMES = ("suber", "paranomic", "pokey", "nomic-iv", "discordian")


def written(tree: dict[str, object], root: Path) -> Path:
    for path, data in tree.items():
        if isinstance(data, bytes):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
    return root


def refusals(answers: list[tuple[str, int, str]]) -> list[str]:
    """What was refused; `check` and `next` say with 1 that something is wrong, which is no
    refusal.
    """
    return [
        f"{typed}: {said}"
        for typed, code, said in answers
        if code > (typed in ("check", "next --do"))
    ]


def test_what_a_text_names() -> None:
    assert [*commands_of("run `nomicgen apply`, or `nomicgen apply --commit`")] == [
        "apply",
        "apply --commit",
    ]
    assert [*commands_of("`nomicgen vote 303 for|against --player ID`")] == [
        "vote 303 for --player quill"
    ]
    assert [
        *commands_of(
            "edit it, then `nomicgen proposal resubmit 303`; or `nomicgen proposal resubmit`"
        )
    ] == []


@pytest.mark.parametrize("slug", OF_GAME)
def test_of_an_example(slug: str, tmp_path: Path) -> None:
    found = replay_example(read_page(slug), tmp_path / "game")
    assert refusals(obeyed(tmp_path / "game", [one.help for one in found], ON)) == []


def complete(first: str, second: str) -> tuple[dict[str, object], list[str | None]]:
    """A game in which one of two complete votes has ended, and what is said then of the other."""
    game, on = opened([first, second], "ffff")
    after = resolve(game, 301, on).after
    after = load_tree(Path(), after.tree, on, after)
    said: list[str | None] = [one.help for one in after.findings]
    for move in (withdraw, resubmit, resolve):
        try:
            move(after, 302, on)
        except Refused as refused:
            said += [refused.remedy, *(one.help for one in refused.findings)]
    return dict(after.tree), said


PAIRS = [pair for pair in permutations(CHANGES, 2) if "203/0" in pair[0] and "203/0" in pair[1]]


@pytest.mark.parametrize(("first", "second"), sampled(PAIRS, every=24))
def test_of_a_vote_that_another_has_overtaken(first: str, second: str, tmp_path: Path) -> None:
    tree, said = complete(first, second)
    answers = obeyed(written(tree, tmp_path), said, str(VOTED))
    assert refusals(answers) == []
    assert "proposal resolve 302" in [typed for typed, _, _ in answers] or not any(
        "propose it again" in (one or "") for one in said
    )


def reopened() -> list[tuple[str, int]]:
    """Each proposal of the scripted games that was decided by vote."""
    return [
        (name, proposal.number or 0)
        for name in GAMES
        for proposal in loaded(shipped(name).tree(), name).records.of_kind("proposal")
        if proposal.matter.status in ("adopted", "defeated") and proposal.matter.opened is not None
    ]


@pytest.mark.parametrize(("name", "number"), sampled(reopened(), every=24))
def test_of_a_played_game_as_a_vote_ends(name: str, number: int, tmp_path: Path) -> None:
    """The game on the day on which a proposal was decided, which is open still; nothing later has
    happened.
    """
    whole = loaded(shipped(name).tree(), name)
    matter = next(one.matter for one in whole.records.of_kind("proposal") if one.number == number)
    assert isinstance(matter, ProposalMatter)
    decided = matter.decided
    assert decided is not None
    tree = dict(whole.tree)
    for instrument in whole.records.instruments.values():
        if instrument.number == number and instrument.kind == "proposal":
            data = tree[instrument.path]
            assert isinstance(data, bytes)
            gone = {"status": "open", "decided": None, "effective": None, "seq": None}
            tree[instrument.path] = set_keys(data, gone)
        elif instrument.decided is None or not instrument.decided.precedes(decided):
            tree.pop(instrument.path)
    for turn in whole.records.turns.values():
        path = f"turns/{turn.ident}.yml"
        if turn.matter.began is not None and not turn.matter.began.precedes(decided):
            tree.pop(path)
        elif turn.matter.ended is not None and not turn.matter.ended.precedes(decided):
            data = tree[path]
            assert isinstance(data, bytes)
            tree[path] = set_keys(data, {"ended": None, "dice": None})
    for player in whole.records.players.values():
        if player.matter.joined is not None and decided.precedes(player.matter.joined):
            tree.pop(f"players/{player.ident}.yml")
    game = load_tree(tmp_path, tree, decided)
    said = [one.help for one in game.findings]
    for move in (withdraw, resubmit, resolve):
        try:
            move(game, number, decided)
        except Refused as refused:
            said += [refused.remedy, *(one.help for one in refused.findings)]
    assert refusals(obeyed(written(dict(tree), tmp_path), said, str(decided))) == []
