"""Proposals that would change nothing: none gets a number, and the command writes none."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.playing import TEA, refused, run
from tests.pulls.pulling import CLOSING, branch, draft, forged
from tests.support import GitRepo

WHY = "Nobody has ever won by it.\n"
PROSE = "Nobody should sing in the square after midnight.\n"


def test_the_body_is_the_argument_of_the_changes_that_are_asked_for(game: GitRepo) -> None:
    run(game.path, "propose --title end --author osprey --repeal 211 --on 2026-01-02 --commit --body -", feed=WHY)
    said = (game.path / "proposals/end.md").read_text("utf-8")
    assert said.endswith("---\n\nNobody has ever won by it.\n\n## Repeal Rule 211/0\n")
    run(game.path, "register end --on 2026-01-02 --commit")
    run(game.path, "propose --title some --author wren --amend 203 --on 2026-01-03 --body -", feed=WHY)
    said = (game.path / "proposals/some.md").read_text("utf-8")
    assert "\n\nNobody has ever won by it.\n\n## Amend Rule 203/0\n" in said


def test_a_body_without_changes_gets_the_template_of_a_new_rule(game: GitRepo) -> None:
    run(game.path, "propose --title hours --author wren --on 2026-01-02 --body -", feed=PROSE)
    said = (game.path / "proposals/hours.md").read_text("utf-8")
    assert said.endswith(f"\n{PROSE}\n## Enact Rule: hours\n\nThe full text of the new rule.\n")
    assert "still has the template's words" in refused(game.path, "register hours --on 2026-01-02")


@pytest.mark.deep
@pytest.mark.parametrize("option", ["--enact", "--amend 203", "--repeal 211", "--transmute 110 mutable"])
def test_changes_are_said_in_the_body_or_by_options(option: str, game: GitRepo) -> None:
    said = refused(game.path, f"propose --title tea --author wren --on 2026-01-02 {option} --body -", feed=TEA)
    assert f"error: the body already says what changes, and so does {option.split(maxsplit=1)[0]}\n" in said


@pytest.mark.deep
def test_prose_gets_no_number(game: GitRepo) -> None:
    game.commit("Hours", {"proposals/hours.md": f"---\ntitle: Hours\nauthor: wren\nstatus: draft\n---\n\n{PROSE}"})
    said = refused(game.path, "register hours --on 2026-01-02", code=1)
    assert "error[instruction-missing]: this proposal would change nothing" in said
    assert "error: a proposal that changes nothing gets no number\n" in said
    assert "`## Enact Rule: Title`" in said
    shown = run(game.path, "proposal preview hours --on 2026-01-02", code=1)
    assert "this proposal would change nothing" in shown


@pytest.mark.deep
def test_a_pull_request_of_prose_is_refused_before_it_gets_a_number(git_repo: Callable[..., GitRepo]) -> None:
    game = forged(git_repo(), CLOSING)
    head = branch(game, "hours", {"proposals/hours.md": draft("Hours", body=PROSE)})
    said = run(game.path, "check --base main --head hours --actor github:wren-gh --on 2026-01-02", code=1)
    assert "error[instruction-missing]" in said
    told = run(game.path, "proposal preview --base main --head hours --format markdown --on 2026-01-02", code=1)
    assert "legal" not in told.splitlines()[1]
    assert "instruction-missing" in told
    took = run(game.path, f"register --from {head} --on 2026-01-02", code=1)
    assert "error[instruction-missing]" in took
