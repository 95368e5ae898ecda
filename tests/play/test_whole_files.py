"""Whole files for what a player may want: each holds the text and the provisions in force, and can be carried out."""

from __future__ import annotations

import pytest

from nomicgen.files.documents import read_instrument
from nomicgen.law.sentences import sentences
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, load, overlay
from nomicgen.play.preview.previewing import preview_of
from nomicgen.play.whole_files import NEW_TEXT, DraftFrame, amendment, can_be_carried_out, files_changing
from tests.cli.playing import begun
from tests.support import GitRepo

PATH = "proposals/tea.md"


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """A game by Suber's set that has just begun."""
    repo = begun(GitRepo(tmp_path_factory.mktemp("whole") / "game"))
    return load(repo.path, Moment.parse("2026-01-05"))


def test_every_rule_has_files_that_can_be_carried_out(game: Game) -> None:
    frame = DraftFrame.of(PATH, "Tea", "osprey", "Tea helps.")
    for rule in game.replay.current:
        files = [one for one in files_changing(game, [rule], frame) if can_be_carried_out(game, one)]
        assert files
        for one in files:
            laid = overlay(game, {one.path: one.text.encode()})
            (instruction,) = laid.records.instruments[PATH].instructions
            if instruction.verb == "amend":
                assert instruction.text in (rule.text, NEW_TEXT)
                assert instruction.block is None or instruction.block.provisions == rule.provisions
                assert "provisions-kept" not in {one.slug for one in preview_of(laid, PATH).findings}
                assert all(f"# {said}\n" in one.text for said in sentences(rule.law))
        is_entrenched = rule.tier == "immutable"
        assert any(one.label.startswith(f"to make Rule {rule.number} mutable") for one in files) is is_entrenched
        assert any(one.label == f"to change a part of Rule {rule.number}" for one in files) is not is_entrenched


def test_no_file_repeals_the_rule_by_which_all_is_changed(game: Game) -> None:
    frame = DraftFrame.of(PATH, "Tea", "osprey")
    rule = game.replay.current.named(203)
    assert rule is not None
    said = {one.label: can_be_carried_out(game, one) for one in files_changing(game, [rule], frame)}
    assert said == {
        "to change a part of Rule 203": True,
        "to replace all of Rule 203": True,
        "to repeal Rule 203": False,
    }


def test_a_comment_in_a_block_is_one_of_yaml(game: Game) -> None:
    rule = game.replay.current.named(203)
    assert rule is not None
    written = amendment(rule, "Tea.", {"adoption": {"needs": "majority"}})
    assert "# Rule-changes need the votes of more than half of eligible voters.\n" in written
    instrument, wrong = read_instrument(PATH, f"---\ntitle: Tea\nstatus: draft\n---\n\n{written}\n".encode())
    assert wrong == ()
    assert instrument is not None
    assert instrument.instructions[0].block is not None
    assert instrument.instructions[0].block.provisions == {"adoption": {"needs": "majority"}}
    assert "```yaml rule\nprovisions: {}\n```" in amendment(rule, "Tea.", {})
