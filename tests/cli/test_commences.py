"""Proposals that say themselves when they take effect, typed in a real repository."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from nomicgen.files.file_editing import set_keys
from tests.cli.playing import EVERYONE, MAJORITY, TEA, begun, proposal, refused, registered, run, vote
from tests.pulls.pulling import address, branch, draft, forged, sound
from tests.support import GitRepo

Repo = Callable[..., GitRepo]
FREE: Mapping[int, Mapping[str, Any]] = {201: {}, 107: {}, 205: {}, 203: MAJORITY}
"""No rule says when a proposal takes effect."""
NEXT_TURN: Mapping[int, Mapping[str, Any]] = {107: {}, 205: {"effect": "next-turn"}, 203: MAJORITY}


def opened(game: GitRepo, commences: str) -> GitRepo:
    """A proposal that says when it commences, with the votes of all."""
    run(
        game.path,
        f"propose --title tea --author osprey --on 2026-01-02 --commences {commences} --commit --body -",
        feed=TEA,
    )
    run(game.path, "register tea --on 2026-01-02 --commit")
    run(game.path, "vote 301 for --on 2026-01-03 --commit", *EVERYONE)
    return game


def test_the_day_is_written_into_the_draft(git_repo: Repo) -> None:
    game = begun(git_repo(), FREE)
    line = "propose --title tea --author osprey --on 2026-01-02 --commences 2026-02-01T18:30 --body -"
    run(game.path, line, feed=TEA)
    head = "title: tea\nauthor: osprey\ndate: 2026-01-02\ncommences: 2026-02-01T18:30\nstatus: draft\n"
    assert (game.path / "proposals/tea.md").read_text() == f"---\n{head}---\n\n{TEA}"


@pytest.mark.deep
def test_an_adopted_proposal_takes_effect_on_its_own_day(git_repo: Repo) -> None:
    game = opened(begun(git_repo(), FREE), "2026-02-01")
    said = run(game.path, "proposal resolve 301 --on 2026-01-03 --commit")
    assert "  it takes effect on 2026-02-01: nomicgen apply\n" in said
    assert (
        "status: adopted\nopened: 2026-01-03\nballot: b000000001\ndecided: 2026-01-03\neffective: 2026-02-01\n"
        in proposal(game)
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
    assert "when the next turn begins" in run(game.path, "proposal resolve 301 --on 2026-01-03 --commit")
    assert "\neffective:" not in proposal(game)


@pytest.mark.deep
def test_a_preview_tells_the_day(git_repo: Repo) -> None:
    game = opened(begun(git_repo(), FREE), "2026-02-01")
    assert "It takes effect on 2026-02-01, by its own words.\n" in run(
        game.path, "proposal preview 301 --on 2026-01-03"
    )
    assert "by its own words" not in run(game.path, "proposal preview 301 --on 2026-02-01")
    assert json.loads(run(game.path, "proposal preview 301 --format json"))["commences"] == "2026-02-01"


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
    assert "error[digest-differs]: the title, the argument or the instructions changed after the vote opened\n" in said


@pytest.mark.deep
def test_a_pull_request_brings_its_day_along(git_repo: Repo) -> None:
    game = forged(git_repo())

    def pushed(key: str) -> str:
        branch(game, "tea", {"proposals/tea.md": draft().replace("status:", f"{key}status:")})
        return run(game.path, f"register --from tea --discussion {address(7)} --on 2026-01-02 --commit")

    pushed("commences: 2026-02-01\n")
    assert "commences: 2026-02-01\n" in proposal(game)
    assert "is brought up to date" in pushed("commences: 2026-02-02\n")
    assert "commences: 2026-02-02\n" in proposal(game)
    assert "is this draft already" in pushed("commences: 2026-02-02\n")
    assert "is brought up to date" in pushed("")
    assert "commences" not in proposal(game)
    sound(game)
