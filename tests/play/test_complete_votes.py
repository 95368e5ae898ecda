"""A complete vote can always be ended, whatever has been decided since it opened."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from nomicgen.files.documents import read_instrument
from nomicgen.law.sentences import sentences
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, load, load_tree, overlay
from nomicgen.play.move import Move
from nomicgen.play.preview.previewing import preview_of
from nomicgen.play.proposing import proposal_of, register
from nomicgen.play.refusal import Refused
from nomicgen.play.resolving import resolve
from nomicgen.play.voting.voting import cast_vote, open_vote
from nomicgen.play.whole_files import (
    NEW_TEXT,
    DraftFrame,
    amendment,
    can_be_carried_out,
    files_changing,
)
from tests.cli.playing import begun
from tests.deep import examples
from tests.ledger import PLAYERS, Ledger, day
from tests.support import GitRepo

pytestmark = pytest.mark.deep

RULES: dict[int, dict[str, Any]] = {
    101: {},
    102: {"entrenchment": {"immutable": ["transmute"]}},
    201: {},
    202: {"adoption": {"needs": "majority"}},
    203: {},
    204: {"ballot": {"silence": "ignored"}},
    205: {"effect": "at-once"},
    206: {"numbering": {"enacted": "proposal", "amended": "proposal", "taken": "next-free"}},
    207: {"cap": {"mutable": 8}},
    208: {"points": {"to": "author", "on": "adopted", "amount": 10}},
}
ON = day("02-01")


def amended(number: int, provisions: str) -> str:
    block = f"```yaml rule\nprovisions: {provisions}\n```"
    return f"## Amend Rule {number}/0\n\n{block}\n\nThe text of {number} is another now."


CHANGES = [
    amended(201, "{}"),
    amended(203, "{}"),
    "## Amend Rule 203/0\n\nAnother text of 203.",
    "## Repeal Rule 203/0",
    "## Repeal Rule 201/0",
    "## Repeal Rule 202/0",
    "## Transmute Rule 203/0 to immutable",
    "## Transmute Rule 101/0 to mutable",
    "## Retitle Rule 203/0: Another title",
    "## Mark Rule 203/0\n\n```yaml rule\nvoid: true\n```",
    "## Enact Rule: Tea\n\nThere is tea.",
    "## Enact Rule: Tea\n\nThere is tea.\n\n## Enact Rule: Ale\n\nThere is ale.",
    amended(202, "{}"),
    amended(202, "{adoption: {needs: unanimous}}"),
    amended(202, "{adoption: {needs: majority, to: enact}}"),
    amended(204, "{ballot: {silence: waits}}"),
    amended(204, "{ballot: {abstention: forbidden}}"),
    amended(204, "{ballot: {electorate: active, closes_after: 3 days}}"),
    amended(204, "{ballot: {silence: against, quorum: majority}}"),
    amended(204, "{ballot: {debate: 5 days}}"),
    amended(204, "{ballot: {signed: true}}"),
    amended(205, "{effect: {impossible: that}}"),
    amended(205, "{effect: {after: 2 days}}"),
    amended(205, "{effect: {own_day: false}}"),
    amended(206, "{numbering: {enacted: next}}"),
    amended(207, "{cap: {mutable: 8, immutable: 2}}"),
    amended(207, "{floor: {mutable: 7}}"),
    amended(203, "{changeable: always}"),
]
"""What one proposal may do; the second of two of them is often overtaken by the first."""
PROPOSALS = st.lists(st.sampled_from(CHANGES), min_size=1, max_size=2, unique=True).map("\n\n".join)


def made(move: Move, on: Moment) -> Game:
    return load_tree(Path(), move.after.tree, on, move.after)


def opened(bodies: list[str], votes: str, *, on: Moment = ON, step: int = 0) -> tuple[Game, Moment]:
    """A game in which everybody has voted on all of these proposals, each put forward `step` days
    after the last.
    """
    ledger = Ledger.start(RULES).applied()
    game = load_tree(Path(), ledger.tree, on)
    words = {"f": "for", "a": "against", "-": "abstain"}
    cast = {PlayerId(who): words[vote] for who, vote in zip(PLAYERS, votes, strict=True)}
    for index, body in enumerate(bodies):
        text = f"---\ntitle: T{index}\nauthor: wren\nstatus: draft\n---\n\nWhy not.\n\n{body}\n"
        game = load_tree(Path(), {**game.tree, f"proposals/t{index}.md": text.encode()}, on, game)
        game = made(register(game, f"t{index}", on), on)
        game = made(open_vote(game, 301 + index, on), on)
        game = made(cast_vote(game, 301 + index, cast, on), on)
        on = Moment(on.day + timedelta(days=step))
        game = load_tree(Path(), game.tree, on, game)
    return game, on


def ended(game: Game, number: int, on: Moment) -> Game:
    after = made(resolve(game, number, on), on)
    assert proposal_of(after, number).matter.status in ("adopted", "defeated")
    assert [error for error in after.errors if error.span.file == f"proposals/{number}.md"] == []
    return after


@pytest.mark.nightly
@given(
    st.lists(PROPOSALS, min_size=2, max_size=3),
    st.sampled_from(["ffff", "fffa", "ff-a", "faaa"]),
    st.integers(0, 1),
    st.integers(0, 1),
    st.data(),
)
@settings(max_examples=examples(1.5))
def test_every_complete_vote_ends(
    bodies: list[str], votes: str, step: int, later: int, data: st.DataObject
) -> None:
    """Each of the votes ends in any order, on its day; nothing is wrong afterwards."""
    try:
        game, on = opened(bodies, votes, step=step)
    except Refused:
        assume(False)
    statuses = []
    for number in data.draw(st.permutations([301 + index for index in range(len(bodies))])):
        game = ended(game, number, on)
        statuses.append(proposal_of(game, number).matter.status)
        on = Moment(on.day + timedelta(days=later))
        game = load_tree(Path(), game.tree, on, game)
    event(
        f"{', '.join(statuses)}; overtaken: "
        f"{sum(one.slug == 'change-overtaken' for one in game.findings) > 0}"
    )
    assert [
        error for error in game.errors if error.slug not in ("rules-differ", "rules-missing")
    ] == []


def test_the_preview_of_a_vote_that_another_has_overtaken_says_what_its_end_will_be() -> None:
    game, on = opened([amended(203, "{}"), "## Amend Rule 203/0\n\nAnother text of 203."], "ffff")
    game = ended(game, 301, on)
    shown = preview_of(game, "proposals/302.md")
    assert shown.legal
    assert [finding.slug for finding in shown.findings if finding.is_error] == []
    assert "change-overtaken" in [finding.slug for finding in shown.findings]
    assert shown.rules == ()
    assert shown.summary == ("Its instruction to amend Rule 203/0 cannot be carried out.",)
    ended(game, 302, on)


def test_the_preview_has_what_is_carried_out_where_the_law_lets_a_change_fall_alone() -> None:
    bodies = [
        amended(205, "{effect: {impossible: that}}"),
        amended(203, "{}"),
        "## Amend Rule 203/0\n\nAnother text of 203.\n\n## Retitle Rule 201/0: Tea",
    ]
    game, on = opened(bodies, "ffff", step=1)
    game = ended(ended(game, 301, on), 302, on)
    shown = preview_of(game, "proposals/303.md")
    assert shown.legal
    assert [rule.words for rule in shown.rules] == [("retitled",)]
    assert proposal_of(ended(game, 303, on), 303).matter.status == "adopted"


# Whole files for what a player may want: each holds the text and the provisions in force, and can
# be carried out.


PATH = "proposals/tea.md"


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """A game by Suber's set that has just begun."""
    repo = begun(GitRepo(tmp_path_factory.mktemp("whole") / "game"))
    return load(repo.path, Moment.parse("2026-01-05"))


@pytest.mark.nightly
def test_every_rule_has_files_that_can_be_carried_out(game: Game) -> None:
    frame = DraftFrame.of(PATH, "Tea", "osprey", "Tea helps.")
    for rule in game.replay.current:
        files = [
            one for one in files_changing(game, [rule], frame) if can_be_carried_out(game, one)
        ]
        assert files
        for one in files:
            laid = overlay(game, {one.path: one.text.encode()})
            (instruction,) = laid.records.instruments[PATH].instructions
            if instruction.verb == "amend":
                assert instruction.text in (rule.text, NEW_TEXT)
                assert instruction.block is None or instruction.block.provisions == rule.provisions
                asked = {one.slug for one in preview_of(laid, PATH).findings} & {
                    "provisions-kept",
                    "text-cut",
                }
                assert instruction.text == NEW_TEXT or not asked
                assert all(f"# {said}\n" in one.text for said in sentences(rule.law))
        is_entrenched = rule.tier == "immutable"
        assert (
            any(one.label.startswith(f"to make Rule {rule.number} mutable") for one in files)
            is is_entrenched
        )
        assert (
            any(one.label == f"to change a part of Rule {rule.number}" for one in files)
            is not is_entrenched
        )


def test_no_file_repeals_the_rule_by_which_all_is_changed(game: Game) -> None:
    frame = DraftFrame.of(PATH, "Tea", "osprey")
    rule = game.replay.current.once_numbered(203)
    assert rule is not None
    said = {one.label: can_be_carried_out(game, one) for one in files_changing(game, [rule], frame)}
    assert said == {
        "to change a part of Rule 203": True,
        "to replace all of Rule 203": True,
        "to repeal Rule 203": False,
    }


def test_a_comment_in_a_block_is_one_of_yaml(game: Game) -> None:
    rule = game.replay.current.once_numbered(203)
    assert rule is not None
    written = amendment(rule, "Tea.", {"adoption": {"needs": "majority"}})
    assert "# Rule-changes need the votes of more than half of eligible voters.\n" in written
    instrument, wrong = read_instrument(
        PATH, f"---\ntitle: Tea\nstatus: draft\n---\n\n{written}\n".encode()
    )
    assert wrong == ()
    assert instrument is not None
    assert instrument.instructions[0].block is not None
    assert instrument.instructions[0].block.provisions == {"adoption": {"needs": "majority"}}
    assert "```yaml rule\nprovisions: {}\n```" in amendment(rule, "Tea.", {})
