"""The clock, on a forge: nobody pays for a robot's delay, and what waits in a pull request is
waited for.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.cli.playing import proposal, run
from tests.pulls.pulling import (
    CLOSING,
    FOR,
    GIN,
    Forge,
    account,
    asked,
    branch,
    draft,
    forged,
    play,
    replies,
    sound,
)
from tests.support import GitRepo

pytestmark = pytest.mark.deep

Repo = Callable[..., GitRepo]
TURN = "turns/R1T1.yml"
PASSES: dict[int, Any] = {
    **CLOSING,
    201: {"turns": {"order": "seat", "proposals": 1, "passes_after": 3}},
    202: {},
}
ENDS: dict[int, Any] = {
    **CLOSING,
    111: {"deadline": {"for": "turn", "within": 3, "then": "ends"}},
    201: {"turns": {"order": "seat"}},
    202: {},
}


def begin(git_repo: Repo, law: dict[int, Any]) -> GitRepo:
    """A game in which Osprey's turn began on the second."""
    game = forged(git_repo(), law)
    run(game.path, "turn --on 2026-01-02 --commit")
    return game


def offer_end(game: GitRepo, forge: Forge, opened: str) -> None:
    """Osprey's pull request that ends the turn."""
    text = (game.path / TURN).read_text()
    head = branch(game, "over", {TURN: f"{text}ended: 2026-01-05\n"})
    forge.open(7, head, "osprey-gh", opened=opened)


@pytest.mark.nightly
def test_a_turn_does_not_end_by_itself_while_its_end_waits(git_repo: Repo, forge: Forge) -> None:
    game = begin(git_repo, ENDS)
    offer_end(game, forge, "2026-01-05T22:00:00Z")
    said = play(game, forge, "2026-01-06T01:00")
    assert (
        "turns/R1T1.yml has been due since 2026-01-05, and pull request 7, which was opened "
        "in time, may do it" in said
    )
    assert "ended:" not in (game.path / TURN).read_text()
    forge.close(7)
    play(game, forge, "2026-01-06T02:00")
    assert "ended: 2026-01-05\n" in (game.path / TURN).read_text()
    sound(game)


def test_a_pull_request_that_comes_too_late_is_not_waited_for(git_repo: Repo, forge: Forge) -> None:
    game = begin(git_repo, ENDS)
    offer_end(game, forge, "2026-01-06T00:30:00Z")
    run(game.path, f"plumbing pulls {forge.folder} --commit --on 2026-01-06T01:00")
    assert "ended: 2026-01-05\n" in (game.path / TURN).read_text()


@pytest.mark.nightly
def test_a_draft_that_was_put_forward_in_time_keeps_a_turn_from_passing(
    git_repo: Repo, forge: Forge
) -> None:
    game = begin(git_repo, PASSES)
    head = branch(game, "tea", {"proposals/tea.md": draft(author="osprey")})
    forge.open(7, head, "osprey-gh", opened="2026-01-04T12:00:00Z")
    forge.comment(7, "osprey-gh", "/open", "2026-01-04T12:00:00Z")
    play(game, forge, "2026-01-09T13:00")
    assert "turn: R1T1\n" in proposal(game)
    assert "passed" not in (game.path / TURN).read_text()
    sound(game)


WAITS: dict[int, Any] = {
    **CLOSING,
    201: {"turns": {"order": "seat"}},
    202: {},
    205: {"effect": "next-turn"},
}


def test_what_waits_takes_effect_with_a_turn_that_a_pull_request_begins(
    git_repo: Repo, forge: Forge
) -> None:
    game = begin(git_repo, WAITS)
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    for login in ("osprey-gh", "quill-gh", "wren-gh"):
        forge.comment(7, login, FOR, "2026-01-03T12:00:00Z")
    told = replies(forge)["7.md"]
    assert "- It takes effect at the start of the next turn (Rule 205).\n" in told
    play(game, forge, "2026-01-03T13:00")
    told = replies(forge)["7.md"]
    assert "- It takes effect when the next turn begins. The rules change then.\n" in told
    assert not (game.path / "rules/301.md").exists()
    run(game.path, "turn --end --on 2026-01-04 --commit")
    text = "player: quill\nbegan: 2026-01-05\n"
    head = branch(game, "mine", {"turns/R1T2.yml": text})
    forge.open(8, head, "quill-gh", opened="2026-01-05T12:00:00Z")
    play(game, forge, "2026-01-05T12:30")
    told = replies(forge)["8.md"]
    assert "### ✅ Nothing stands against this turn\n" in told
    assert "- `Rule 301/0 is enacted, mutable` — " in told
    assert "  - What to do: ``Play carries it out on its next run; at a shell, " in told
    game.git("merge", "--quiet", "--no-edit", "mine")
    forge.close(8)
    # It does not matter that the file of the proposal has no day yet: nothing else has to wait.
    asked(game, forge, 9, GIN, "gin")
    play(game, forge, "2026-01-05T13:00")
    assert "effective: 2026-01-05\n" in proposal(game)
    assert (game.path / "rules/301.md").exists()
    assert proposal(game, 302)
    assert "- It has been carried out. There is nothing more to do.\n" in replies(forge)["7.md"]
    sound(game)
    assert json.loads(run(game.path, "verify --strict --format json"))["faults"] == []


def test_a_run_by_hand_begins_the_next_turn(git_repo: Repo, forge: Forge) -> None:
    game = forged(git_repo(), {**WAITS, 203: {"stay": {"of": "next-turn"}}})
    forge.write()
    line = f"plumbing pulls {forge.folder} --commit --on 2026-01-02T13:00"
    assert run(game.path, line) == ""
    assert not (game.path / TURN).exists()
    assert "R1T1: the turn of osprey, from 2026-01-02T13:00\n" in run(
        game.path, f"{line} --by-hand"
    )
    assert run(game.path, f"{line} --by-hand") == "R1T1 of osprey goes on\n"
    run(game.path, "turn --end --on 2026-01-02T14:00 --commit")
    run(game.path, "judgement file --judge wren --title Tea --on 2026-01-02T15:00 --commit")
    said = run(game.path, f"{line.removesuffix('13:00')}16:00 --by-hand")
    assert said.startswith("R1T2 of quill cannot begin while Judgement 1 is pending")
    sound(game)


def test_what_waited_for_a_turn_gets_its_number_as_a_run_by_hand_begins_it(
    git_repo: Repo, forge: Forge
) -> None:
    game = begin(git_repo, PASSES)
    head = branch(game, "tea", {"proposals/tea.md": draft(author="quill")})
    forge.open(7, head, "quill-gh")
    forge.comment(7, "quill-gh", "/open", "2026-01-02T12:00:00Z")
    assert "It waits for quill's turn (R1T2)" in play(game, forge, "2026-01-02T13:00")
    run(game.path, "turn --end --on 2026-01-03 --commit")
    line = f"plumbing pulls {forge.folder} --commit --on 2026-01-03T14:00 --by-hand --replies "
    said = run(game.path, line + str(forge.folder.parent / "replies"))
    assert "R1T2: the turn of quill, from 2026-01-03T14:00\nproposals/tea.md is now " in said
    assert "turn: R1T2\n" in proposal(game)
    assert "❌" not in replies(forge)["7.md"]
    sound(game)


@pytest.mark.parametrize("label", ["open", "vote"])
def test_a_label_by_either_name_counts_as_in_time(git_repo: Repo, forge: Forge, label: str) -> None:
    game = begin(git_repo, PASSES)
    head = branch(game, "tea", {"proposals/tea.md": draft(author="osprey")})
    forge.open(7, head, "osprey-gh", labels=(label,), opened="2026-01-04T12:00:00Z")
    run(game.path, f"plumbing pulls {forge.folder} --commit --on 2026-01-07T13:00")
    assert "passed" not in (game.path / TURN).read_text()


@pytest.mark.parametrize("at", ["", "2026-01-07T12:00:00Z"])
def test_a_draft_that_nobody_put_forward_in_time_does_not(
    git_repo: Repo, forge: Forge, at: str
) -> None:
    game = begin(git_repo, PASSES)
    head = branch(game, "tea", {"proposals/tea.md": draft(author="osprey")})
    forge.open(7, head, "osprey-gh", opened="2026-01-04T12:00:00Z")
    if at:
        forge.comment(7, "osprey-gh", "/open", at)
    run(game.path, f"plumbing pulls {forge.folder} --commit --on 2026-01-07T13:00")
    assert "passed: true\n" in (game.path / TURN).read_text()


LARK = account("lark")["players/lark.yml"].replace("2026-01-01", "2026-01-03")
SILENT: dict[int, Any] = {
    111: {"deadline": {"for": "vote", "within": 3, "then": "inactive"}},
    105: {"ballot": {"silence": "waits"}},
    201: {},
    203: CLOSING[203],
}


@pytest.mark.parametrize("electorate", ["active", "players"])
def test_who_voted_on_the_forge_has_voted(git_repo: Repo, forge: Forge, electorate: str) -> None:
    game = forged(
        git_repo(), {**SILENT, 105: {"ballot": {"silence": "waits", "electorate": electorate}}}
    )
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    forge.comment(7, "quill-gh", FOR, "2026-01-03T12:00:00Z")
    run(game.path, "next --do --on 2026-01-06 --commit")
    for ident in ("osprey", "quill", "wren"):
        assert "inactive" not in (game.path / f"players/{ident}.yml").read_text()
    play(game, forge, "2026-01-06T13:30")
    assert "inactive" not in (game.path / "players/quill.yml").read_text()
    assert "inactive:\n  - since: 2026-01-05" in (game.path / "players/wren.yml").read_text()
    # Where only the active vote, nobody is waited for any more.
    assert ("status: adopted\n" in proposal(game)) is (electorate == "active")


@pytest.mark.nightly
def test_a_clock_never_empties_a_game(git_repo: Repo, forge: Forge) -> None:
    game = forged(git_repo(), SILENT)
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    (game.path / "proposals/301.md").write_text(
        "".join(
            line
            for line in proposal(game).splitlines(keepends=True)
            if not line.startswith("discussion")
        )
    )
    said = run(game.path, "next --on 2026-01-09")
    assert "then nobody active would be left, so the players decide" in said
    assert "--do" not in said


@pytest.mark.nightly
def test_what_has_long_been_due_is_named_and_then_written_one_step_a_run(
    git_repo: Repo, forge: Forge
) -> None:
    law: dict[int, Any] = {
        **CLOSING,
        111: {"deadline": {"for": "judgement", "within": 3, "then": "replaced"}},
    }
    game = forged(git_repo(), law)
    for title in ("Humming", "Singing"):
        run(game.path, f"judgement file --judge wren --title {title} --on 2026-01-03 --commit")
    forge.write()
    line = f"plumbing pulls {forge.folder} --commit --on 2026-02-09T13:00"
    said = run(game.path, line)
    for number in (1, 2):
        assert (
            f"judgements/{number}.md has been due since 2026-01-06, and what the rule says is "
            "written when" in said
        )
        assert "judge: wren" in (game.path / f"judgements/{number}.md").read_text()
    line += " --by-hand"
    said = run(game.path, line)
    assert "until 2026-01-06: somebody other than wren judges\n" in said
    assert (
        "judgements/2.md has been due since 2026-01-06, and what the rule says is written when"
        in said
    )
    assert "judge:" not in (game.path / "judgements/1.md").read_text()
    assert "judge: wren" in (game.path / "judgements/2.md").read_text()
    run(game.path, line)
    assert "judge:" not in (game.path / "judgements/2.md").read_text()
    sound(game)


def test_a_vote_that_waits_says_for_what_and_for_how_long(git_repo: Repo, forge: Forge) -> None:
    law: dict[int, Any] = {
        **SILENT,
        111: {
            "deadline": [
                {"for": "turn", "within": 2, "then": "ends", "idle": "inactive"},
                {"for": "resubmission", "within": 1},
            ]
        },
        201: {"ballot": {"resubmissions": 1, "electorate": "active"}},
    }
    game = forged(git_repo(), law)
    run(game.path, "turn R1T1 --player wren --on 2026-01-02 --commit")
    asked(game, forge)
    forge.comment(7, "wren-gh", FOR, "2026-01-02T14:00:00Z")
    play(game, forge, "2026-01-02T13:00")
    play(game, forge, "2026-01-02T15:00")
    assert (
        ", and ends when everybody has voted, or after 2026-01-04: then R1T1 ends, and osprey, "
        "quill are inactive (Rule 111).\n" in replies(forge)["7.md"]
    )
    for who in ("osprey", "quill"):
        forge.comment(7, f"{who}-gh", FOR, "2026-01-02T16:00:00Z")
    play(game, forge, "2026-01-03T13:00")
    assert (
        ". It may begin again until 2026-01-03 (Rule 111), and is counted after that.\n"
        in replies(forge)["7.md"]
    )


def test_who_joins_or_leaves_during_a_vote_is_counted_by_all_alike(
    git_repo: Repo, forge: Forge
) -> None:
    game = forged(git_repo())
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    game.commit("Lark joins", {"players/lark.yml": LARK})
    play(game, forge, "2026-01-03T13:00")
    comment = replies(forge)["7.md"]
    assert "In numbers: 3 of 4 needed.\n" in comment
    for words in ("These may vote", "Yet to vote"):
        assert f"- {words}: `lark`, `osprey`, `quill`, `wren`.\n" in comment
    for who in ("lark", "quill"):
        forge.comment(7, f"{who}-gh", FOR, "2026-01-03T14:00:00Z")
    game.commit("Lark leaves", {"players/lark.yml": f"{LARK}left: 2026-01-04\n"})
    play(game, forge, "2026-01-04T13:00")
    comment = replies(forge)["7.md"]
    assert "In numbers: 3 of 4 needed.\n" in comment
    assert "- So far: 2 for, 0 against.\n" in comment
    assert "- Yet to vote: `osprey`, `wren`.\n- 1 more vote in favour would pass it.\n" in comment


def test_a_missing_throw_holds_up_the_end_of_its_turn_and_nothing_else(
    git_repo: Repo, forge: Forge
) -> None:
    game = begin(git_repo, {**ENDS, 202: {"points": {"to": "player", "on": "turn", "die": 6}}})
    asked(game, forge)
    for who in ("osprey", "quill", "wren"):
        forge.comment(7, f"{who}-gh", FOR, "2026-01-03T12:00:00Z")
    forge.write()
    line = f"plumbing pulls {forge.folder} --commit --on"
    run(game.path, f"{line} 2026-01-02T13:00")
    said = run(game.path, f"{line} 2026-01-06T13:00", code=1)
    assert "osprey has to throw, and then R1T1 ends" in said
    assert "in a browser: a pull request of osprey's that adds `ended: 2026-01-05`" in said
    assert "status: adopted\n" in proposal(game)
    assert "ended:" not in (game.path / TURN).read_text()
