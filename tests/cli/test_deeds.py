"""What rules let players do besides proposing and voting, and what they must have done by a day."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.cli.playing import MAJORITY, begun, refused, registered, run
from tests.support import GitRepo

Repo = Callable[..., GitRepo]
SECONDED: dict[int, Any] = {111: {"seconding": {"seconds": 1}}, 201: {}, 203: MAJORITY}


def write_draft(game: GitRepo, name: str, changes: str) -> None:
    path = game.path / f"proposals/{name}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"---\nauthor: wren\nstatus: draft\n---\n\nSo.\n\n{changes}\n")


@pytest.fixture
def seconded(git_repo: Repo) -> GitRepo:
    game = begun(git_repo(), SECONDED)
    registered(game, 301, "2026-01-02")
    return game


def test_a_vote_waits_for_a_second(seconded: GitRepo) -> None:
    assert refused(seconded.path, "vote 301 for --player wren --on 2026-01-02") == (
        "error: Rule 111 asks for 1 other player to second it before the vote opens, and there are "
        "none\n"
        "help: `nomicgen do second 301 --player ID` records another player's second\n"
    )
    lines = run(seconded.path, "next --on 2026-01-02").splitlines()
    waits = "301 waits until 1 more player seconds it (Rule 111)"
    assert waits in lines
    assert any("can second proposal 301" in line for line in lines)
    assert run(seconded.path, "do second 301 --player wren --on 2026-01-02 --commit").startswith(
        "wren seconds Proposal 301"
    )
    assert "deeds:" in (seconded.path / "proposals/301.md").read_text()
    run(seconded.path, "vote 301 for --player wren --on 2026-01-02 --commit")
    assert run(seconded.path, "check").endswith("nothing is wrong\n")


def test_a_new_number_says_what_its_vote_waits_for(git_repo: Repo) -> None:
    game = begun(git_repo(), SECONDED)
    write_draft(game, "tea", "## Enact Rule: Tea\n\nTea is served.")
    assert (
        "before the vote opens, and there are none; then nomicgen vote 301 for --player ID opens "
        "the vote\n"
    ) in run(game.path, "register tea --on 2026-01-02")


def test_who_may_not_second(seconded: GitRepo) -> None:
    author = "osprey"
    assert f"{author} is the author of proposal 301" in refused(
        seconded.path, f"do second 301 --player {author} --on 2026-01-02"
    )
    run(seconded.path, "do second 301 --player wren --on 2026-01-02 --commit")
    assert "wren has seconded proposal 301 already" in refused(
        seconded.path, "do second 301 --player wren --on 2026-01-02"
    )
    assert refused(seconded.path, "do sekond 301 --player quill --on 2026-01-02") == (
        "error: no rule in force lets players sekond\n"
        "help: perhaps second is meant; the rules let players do `second` (second a proposal "
        "before its vote opens), "
        "`waive` (let the next turn begin before a judgement is given)\n"
    )


def test_a_second_is_of_one_text(seconded: GitRepo) -> None:
    run(seconded.path, "do second 301 --player wren --on 2026-01-02 --commit")
    run(seconded.path, "vote 301 against --player wren --on 2026-01-03 --commit")
    assert run(seconded.path, "proposal resubmit 301 --on 2026-01-04 --commit").startswith(
        "proposal 301 is in debate again; 1 vote is kept under `earlier`\n"
        "  these had voted, and vote again: wren\n"
        "  Rule 111 asks for 1 other player to second it before the vote opens, and there are "
        "none: `nomicgen do second 301 --player ID` records another player's second\n"
    )
    assert "that could be done from 2026-01-04" in refused(
        seconded.path, "do second 301 --player quill --on 2026-01-03"
    )
    run(seconded.path, "do second 301 --player wren --on 2026-01-04 --commit")
    run(seconded.path, "vote 301 for --player wren --on 2026-01-04 --commit")
    assert run(seconded.path, "check").endswith("nothing is wrong\n")


def test_a_preview_names_what_must_come_before_the_vote(git_repo: Repo) -> None:
    game = begun(git_repo(), SECONDED)
    write_draft(game, "tea", "## Enact Rule: Tea\n\nTea is served.")
    assert "before its vote can open: Rule 111 asks for 1 other player" in run(
        game.path, "proposal preview tea --on 2026-01-02"
    )


def test_a_game_without_such_a_rule_lets_nobody_second(game: GitRepo) -> None:
    registered(game, 301, "2026-01-02")
    assert refused(game.path, "do second 301 --player wren --on 2026-01-02") == (
        "error: no rule in force lets players second\n"
        "help: the rules let players do `waive` (let the next turn begin before a judgement is "
        "given)\n"
    )


def test_a_late_judge_is_replaced(git_repo: Repo) -> None:
    clock: dict[str, Any] = {
        "deadline": {"for": "judgement", "within": "3 days", "then": "replaced"}
    }
    game = begun(git_repo(), {111: clock, 201: {}, 203: MAJORITY})
    run(game.path, "judgement file --judge wren --title Humming --on 2026-01-03 --commit")
    before = run(game.path, "next --on 2026-01-04")
    assert (
        "Judgement 1 waits for wren's ruling, until 2026-01-06 (Rule 111), and then somebody "
        "other than wren" in before
    )
    run(game.path, "next --do --on 2026-01-04 --commit")
    assert "judge: wren" in (game.path / "judgements/1.md").read_text()
    said = run(game.path, "next --do --on 2026-01-08 --commit")
    assert "until 2026-01-06: somebody other than wren judges" in said
    text = (game.path / "judgements/1.md").read_text()
    assert "judge:" not in text
    assert "late:" in text
    assert "deadline-missed" not in run(game.path, "check")


def test_a_rule_keeps_a_mark_until_somebody_confirms_its_provisions(git_repo: Repo) -> None:
    game = begun(git_repo(), {201: {}, 203: {"cap": {"mutable": 90}, **MAJORITY}})
    write_draft(game, "caps", "## Amend Rule 203/0\n\nThere are few rules.")
    run(game.path, "register caps --on 2026-01-02 --commit")
    for player in ("osprey", "quill", "wren"):
        run(game.path, f"vote 301 for --player {player} --on 2026-01-04 --commit")
    run(game.path, "proposal resolve 301 --on 2026-01-04 --commit")
    assert "provisions-unconfirmed" in run(game.path, "check")
    assert "The text is newer." in run(game.path, "show 301")
    assert run(game.path, "rule confirm 301 --commit").startswith(
        "the provisions of Rule 301/1 are confirmed"
    )
    assert run(game.path, "check").endswith("nothing is wrong\n")
    assert "The text is newer." not in run(game.path, "show 301")
