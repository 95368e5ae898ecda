"""Proposals that say themselves when they take effect, typed in a real repository."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from nomicgen.files.file_editing import set_keys
from tests.cli.playing import (
    EVERYONE,
    MAJORITY,
    TEA,
    begun,
    proposal,
    refused,
    registered,
    run,
    vote,
)
from tests.pulls.pulling import CLOSING, address, branch, draft, forged, sound
from tests.support import GitRepo

Repo = Callable[..., GitRepo]
FREE: Mapping[int, Mapping[str, Any]] = {201: {}, 107: {}, 205: {}, 203: MAJORITY}
"""No rule says when a proposal takes effect."""
NEXT_TURN: Mapping[int, Mapping[str, Any]] = {107: {}, 205: {"effect": "next-turn"}, 203: MAJORITY}


def opened(game: GitRepo, commences: str) -> GitRepo:
    """A proposal that says when it commences, with the votes of all."""
    run(
        game.path,
        f"propose --title tea --author osprey --on 2026-01-02 --commences {commences} --commit "
        "--body -",
        feed=TEA,
    )
    run(game.path, "register tea --on 2026-01-02 --commit")
    run(game.path, "vote 301 for --on 2026-01-03 --commit", *EVERYONE)
    return game


def test_the_day_is_written_into_the_draft(git_repo: Repo) -> None:
    game = begun(git_repo(), FREE)
    line = (
        "propose --title tea --author osprey --on 2026-01-02 --commences 2026-02-01T18:30 --body -"
    )
    run(game.path, line, feed=TEA)
    head = (
        "title: tea\nauthor: osprey\ndate: 2026-01-02\ncommences: 2026-02-01T18:30\nstatus: draft\n"
    )
    assert (game.path / "proposals/tea.md").read_text() == f"---\n{head}---\n\n{TEA}"


@pytest.mark.nightly
def test_an_adopted_proposal_takes_effect_on_its_own_day(git_repo: Repo) -> None:
    game = opened(begun(git_repo(), FREE), "2026-02-01")
    said = run(game.path, "proposal resolve 301 --on 2026-01-03 --commit")
    assert "  it takes effect on 2026-02-01: nomicgen apply\n" in said
    assert (
        "status: adopted\nopened: 2026-01-03\nballot: b000000001\ndecided: 2026-01-03\n"
        "effective: 2026-02-01\n" in proposal(game)
    )
    assert not (game.path / "rules/301.md").exists()
    assert run(game.path, "check --on 2026-01-31").endswith(" nothing is wrong\n")
    run(game.path, "apply --on 2026-02-01 --commit")
    assert (game.path / "rules/301.md").exists()
    assert run(game.path, "check --on 2026-02-01").endswith(" nothing is wrong\n")


@pytest.mark.deep
@pytest.mark.parametrize("day", ["2026-01-01", "2026-01-03", "2026-01-03T18:00"])
def test_a_day_that_has_come_means_at_once(git_repo: Repo, day: str) -> None:
    game = opened(begun(git_repo(), FREE), day)
    assert "takes effect" not in run(game.path, "proposal resolve 301 --on 2026-01-03 --commit")
    assert "decided: 2026-01-03\neffective: 2026-01-03\n" in proposal(game)
    assert (game.path / "rules/301.md").exists()


@pytest.mark.deep
def test_a_rule_that_says_when_goes_before_a_proposal_that_does(git_repo: Repo) -> None:
    game = opened(begun(git_repo(), {201: {}, 203: MAJORITY}), "2026-02-01")
    said = run(game.path, "proposal preview 301 --on 2026-01-03")
    assert "It says that it takes effect on 2026-02-01, but Rule 205 says when it does.\n" in said
    run(game.path, "proposal resolve 301 --on 2026-01-03 --commit")
    assert "decided: 2026-01-03\neffective: 2026-01-03\n" in proposal(game)


@pytest.mark.deep
def test_with_the_next_turn_it_still_waits_for_the_turn(git_repo: Repo) -> None:
    game = opened(begun(git_repo(), NEXT_TURN), "2026-02-01")
    assert "when the next turn begins" in run(
        game.path, "proposal resolve 301 --on 2026-01-03 --commit"
    )
    assert "\neffective:" not in proposal(game)


@pytest.mark.deep
def test_where_no_rule_says_whose_turn_is_next_a_turn_can_still_be_begun(git_repo: Repo) -> None:
    game = opened(begun(git_repo(), {**NEXT_TURN, 201: {}}), "2026-02-01")
    run(game.path, "proposal resolve 301 --on 2026-01-03 --commit")
    said = run(game.path, "next --on 2026-01-03")
    assert (
        "the next turn can begin, for which Proposal 301 waits; no rule says whose turn it is:\n"
        "  nomicgen turn R1T1 --player ID --on 2026-01-03\n" in said
    )
    run(game.path, "turn R1T1 --player wren --on 2026-01-03 --commit")
    assert (game.path / "rules/301.md").exists()
    assert "for which" not in run(game.path, "next --on 2026-01-03")


@pytest.mark.deep
def test_while_nobody_is_active_the_next_turn_waits_for_somebody(git_repo: Repo) -> None:
    game = opened(begun(git_repo(), NEXT_TURN), "2026-02-01")
    run(game.path, "proposal resolve 301 --on 2026-01-03 --commit")
    for player in ("osprey", "quill", "wren"):
        run(game.path, f"player rest {player} --on 2026-01-04 --commit")
    waits = "Proposal 301 waits, is nobody's: no player who takes turns is active\n"
    said = run(game.path, "next --on 2026-01-05")
    assert f"{waits}  `nomicgen player return ID` ends an absence\n" in said
    run(game.path, "player return wren --on 2026-01-06 --commit")
    assert "of wren can begin: nomicgen turn" in run(game.path, "next --on 2026-01-07")


@pytest.mark.deep
def test_a_preview_tells_the_day(git_repo: Repo) -> None:
    game = opened(begun(git_repo(), FREE), "2026-02-01")
    assert "It takes effect on 2026-02-01, by its own words.\n" in run(
        game.path, "proposal preview 301 --on 2026-01-03"
    )
    assert "by its own words" not in run(game.path, "proposal preview 301 --on 2026-02-01")
    assert (
        json.loads(run(game.path, "proposal preview 301 --format json"))["commences"]
        == "2026-02-01"
    )


@pytest.mark.deep
@pytest.mark.parametrize("changed", ["2026-02-02", None])
def test_the_day_is_voted_on(git_repo: Repo, changed: str | None) -> None:
    game = opened(begun(git_repo(), {**FREE, 105: {"ballot": {"resubmissions": 2}}}), "2026-02-01")
    path = game.path / "proposals/301.md"
    path.write_bytes(set_keys(path.read_bytes(), {"commences": changed}))
    said = refused(game.path, "proposal resolve 301 --on 2026-01-04", code=1)
    assert "error[digest-differs]: " in said
    assert run(game.path, "proposal resubmit 301 --on 2026-01-04").startswith(
        "the vote on proposal 301 begins anew, as ballot 301-b000000002; 3 votes are kept"
    )
    assert "0 errors" in run(game.path, "check --on 2026-01-04")


@pytest.mark.deep
def test_a_day_that_comes_while_it_is_open_is_found(git_repo: Repo) -> None:
    game = begun(git_repo(), FREE)
    registered(game, 301, "2026-01-02")
    vote(game, "for --player osprey", 3)
    path = game.path / "proposals/301.md"
    path.write_bytes(set_keys(path.read_bytes(), {"commences": "2026-02-01"}))
    said = run(game.path, "check --on 2026-01-03", code=1)
    assert (
        "error[digest-differs]: title, argument, instructions or `commences` changed after the "
        "vote opened\n" in said
    )


@pytest.mark.nightly
def test_a_pull_request_brings_its_day_along(git_repo: Repo) -> None:
    game = forged(git_repo())

    def pushed(key: str) -> str:
        branch(game, "tea", {"proposals/tea.md": draft().replace("status:", f"{key}status:")})
        return run(
            game.path, f"register --from tea --discussion {address(7)} --on 2026-01-02 --commit"
        )

    pushed("commences: 2026-02-01\n")
    assert "commences: 2026-02-01\n" in proposal(game)
    assert "is brought up to date" in pushed("commences: 2026-02-02\n")
    assert "commences: 2026-02-02\n" in proposal(game)
    assert "is this draft already" in pushed("commences: 2026-02-02\n")
    assert "is brought up to date" in pushed("")
    assert "commences" not in proposal(game)
    sound(game)


# Proposals that would change nothing: none gets a number, and the command writes none.


WHY = "Nobody has ever won by it.\n"
PROSE = "Nobody should sing in the square after midnight.\n"


def test_the_body_is_the_argument_of_the_changes_that_are_asked_for(game: GitRepo) -> None:
    run(
        game.path,
        "propose --title end --author osprey --repeal 211 --on 2026-01-02 --commit --body -",
        feed=WHY,
    )
    said = (game.path / "proposals/end.md").read_text("utf-8")
    assert said.endswith("---\n\nNobody has ever won by it.\n\n## Repeal Rule 211/0\n")
    run(game.path, "register end --on 2026-01-02 --commit")
    run(
        game.path,
        "propose --title some --author wren --amend 203 --on 2026-01-03 --body -",
        feed=WHY,
    )
    said = (game.path / "proposals/some.md").read_text("utf-8")
    assert "\n\nNobody has ever won by it.\n\n## Amend Rule 203/0\n" in said


def test_a_body_without_changes_gets_the_template_of_a_new_rule(game: GitRepo) -> None:
    run(game.path, "propose --title hours --author wren --on 2026-01-02 --body -", feed=PROSE)
    said = (game.path / "proposals/hours.md").read_text("utf-8")
    assert said.endswith(f"\n{PROSE}\n## Enact Rule: hours\n\nThe full text of the new rule.\n")
    assert "still has the template's words" in refused(game.path, "register hours --on 2026-01-02")


@pytest.mark.deep
@pytest.mark.parametrize(
    "option", ["--enact", "--amend 203", "--repeal 211", "--transmute 110 mutable"]
)
def test_changes_are_said_in_the_body_or_by_options(option: str, game: GitRepo) -> None:
    said = refused(
        game.path, f"propose --title tea --author wren --on 2026-01-02 {option} --body -", feed=TEA
    )
    assert (
        f"error: the body already says what changes, and so does {option.split(maxsplit=1)[0]}\n"
        in said
    )


@pytest.mark.deep
def test_prose_gets_no_number(game: GitRepo) -> None:
    game.commit(
        "Hours",
        {"proposals/hours.md": f"---\ntitle: Hours\nauthor: wren\nstatus: draft\n---\n\n{PROSE}"},
    )
    said = refused(game.path, "register hours --on 2026-01-02", code=1)
    assert "error[instruction-missing]: this proposal would change nothing" in said
    assert "error: a proposal that changes nothing gets no number\n" in said
    assert "`## Enact Rule: Title`" in said
    shown = run(game.path, "proposal preview hours --on 2026-01-02", code=1)
    assert "this proposal would change nothing" in shown


@pytest.mark.deep
def test_a_pull_request_of_prose_is_refused_before_it_gets_a_number(
    git_repo: Callable[..., GitRepo],
) -> None:
    game = forged(git_repo(), CLOSING)
    head = branch(game, "hours", {"proposals/hours.md": draft("Hours", body=PROSE)})
    said = run(
        game.path, "check --base main --head hours --actor github:wren-gh --on 2026-01-02", code=1
    )
    assert "error[instruction-missing]" in said
    told = run(
        game.path,
        "proposal preview --base main --head hours --format markdown --on 2026-01-02",
        code=1,
    )
    assert "legal" not in told.splitlines()[1]
    assert "instruction-missing" in told
    took = run(game.path, f"register --from {head} --on 2026-01-02", code=1)
    assert "error[instruction-missing]" in took
