"""What rules let players do, as comments: `/second` does what `nomicgen do second` does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nomicgen.law.judging_kind import deed_kinds
from tests.cli.playing import proposal, run
from tests.pulls.pulling import (
    CLOSING,
    GIN,
    Forge,
    address,
    asked,
    branch,
    draft,
    forged,
    play,
    replies,
    sound,
    subjects,
)
from tests.support import GitRepo

pytestmark = pytest.mark.deep

Repo = Callable[..., GitRepo]
SECONDED: dict[int, Any] = {**CLOSING, 111: {"seconding": {"seconds": 1}}}


@pytest.fixture
def waiting(git_repo: Repo, forge: Forge) -> GitRepo:
    """A game in which votes wait for a second, and a proposal of Wren's that waits for one."""
    game = forged(git_repo(), SECONDED)
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    assert "status: debate\n" in proposal(game)
    return game


def test_a_vote_that_waits_for_a_second_opens_after_the_debate(
    git_repo: Repo, forge: Forge
) -> None:
    debated = {111: {"seconding": {"seconds": 1}, "ballot": {"debate": 2}}}
    asked(forged(game := git_repo(), {**CLOSING, **debated}), forge)
    run(game.path, f"plumbing pulls {forge.folder} --commit --on 2026-01-02T13:00")
    head = game.git("rev-parse", "tea")
    shown = f"proposal preview --base main --head {head} --discussion {address(7)}"
    said = run(game.path, f"{shown} --format markdown --on 2026-01-02T13:00")
    assert "it opens by itself then, on 2026-01-04 at 13:00 at the earliest.\n" in said


@pytest.mark.nightly
def test_a_comment_seconds_and_the_vote_opens(waiting: GitRepo, forge: Forge) -> None:
    said = replies(forge)["7.md"]
    assert (
        "- It waits until 1 more player seconds it (Rule 111).\n"
        "- To second it, comment `/second`. These may: `osprey`, `quill`.\n"
    ) in said.partition("<details>")[0]
    assert "- Its author has asked for the vote: it opens by itself then.\n" in said
    forge.comment(7, "quill-gh", "Good.\n\n/second", "2026-01-02T14:00:00Z")
    said = play(waiting, forge, "2026-01-02T15:00")
    assert "quill seconds Proposal 301" in said
    assert subjects(waiting, 2) == [
        "quill seconds Proposal 301",
        "Open the vote on proposal 301: Tea",
    ]
    assert "deeds:\n  - do: second\n    by: quill\n    at: 2026-01-02T14:00\n" in proposal(waiting)
    assert "status: open\n" in proposal(waiting)
    assert "/second" not in replies(forge)["7.md"]
    assert "What could not be done" not in replies(forge)["7.md"]
    sound(waiting)


@pytest.mark.nightly
def test_a_comment_elsewhere_names_the_proposal(waiting: GitRepo, forge: Forge) -> None:
    forge.open(8, branch(waiting, "gin", {"proposals/gin.md": draft("Gin", body=GIN)}))
    forge.comment(8, "quill-gh", "/second 301", "2026-01-02T14:00:00Z")
    play(waiting, forge, "2026-01-02T15:00")
    assert "by: quill\n" in proposal(waiting)


@pytest.mark.parametrize(
    ("login", "body", "why"),
    [
        ("wren-gh", "/second", "wren is the author of proposal 301: nobody seconds their own"),
        ("passer-by", "/second", "passer-by comments `/second`, and no player has this account"),
        ("quill-gh", "/second 302", "proposal 302 is not there"),
        ("quill-gh", f"/second {'9' * 4400}", "say which proposal it is about, by its number"),
    ],
)
def test_what_is_unlawful_is_answered(
    waiting: GitRepo, forge: Forge, login: str, body: str, why: str
) -> None:
    forge.comment(7, login, body, "2026-01-02T14:00:00Z")
    play(waiting, forge, "2026-01-02T15:00")
    assert "deeds:" not in proposal(waiting)
    said = replies(forge)["7.md"]
    assert "What could not be done" in said
    assert why in said


def test_what_comes_before_its_number_is_told_so(git_repo: Repo, forge: Forge) -> None:
    game = forged(git_repo(), SECONDED)
    forge.open(7, branch(game, "tea", {"proposals/tea.md": draft()}))
    forge.comment(7, "quill-gh", "/second", "2026-01-02T10:00:00Z")
    play(game, forge, "2026-01-02T11:00")
    assert (
        "quill-gh comments `/second`, and the proposal has no number yet" in replies(forge)["7.md"]
    )
    forge.comment(7, "wren-gh", "/open", "2026-01-02T12:00:00Z")
    play(game, forge, "2026-01-02T13:00")
    assert "deeds:" not in proposal(game)
    said = replies(forge)["7.md"]
    assert "quill-gh commented `/second` before Proposal 301 got its number" in said
    assert "  - What to do: ``comment `/second` again``\n" in said


def test_a_deed_about_a_judgement_asks_no_proposal_of_its_number(
    git_repo: Repo, forge: Forge
) -> None:
    laws: dict[int, Any] = {
        **CLOSING,
        104: {"numbering": {"first": 1}},
        111: {"stay": {"of": "next-turn"}},
        201: {"turns": {"order": "seat"}},
    }
    game = forged(git_repo(), laws)
    run(game.path, "turn --on 2026-01-02 --commit")
    line = "judgement file --title Tea --judge wren --called-by osprey"
    run(game.path, f"{line} --commit --on 2026-01-02")
    forge.open(7, branch(game, "tea", {"proposals/tea.md": draft()}))
    forge.comment(7, "quill-gh", "/waive 1", "2026-01-02T11:00:00Z")
    forge.comment(7, "wren-gh", "/open", "2026-01-02T12:00:00Z")
    play(game, forge, "2026-01-02T13:00")
    play(game, forge, "2026-01-02T14:00")
    assert "number: 1\n" in proposal(game, 1)
    assert "by: quill\n" in (game.path / "judgements/1.md").read_text("utf-8")
    assert "/waive" not in replies(forge)["7.md"]


@pytest.mark.nightly
def test_a_game_without_such_a_rule_takes_such_a_comment_for_words(
    game: GitRepo, forge: Forge
) -> None:
    asked(game, forge)
    forge.comment(7, "quill-gh", "/second\n\n/sing", "2026-01-02T12:30:00Z")
    play(game, forge, "2026-01-02T13:00")
    assert "deeds:" not in proposal(game)
    assert "no rule in force lets players second" in replies(forge)["7.md"]


@pytest.mark.nightly
def test_a_second_of_an_earlier_text_is_kept_beside_it(waiting: GitRepo, forge: Forge) -> None:
    forge.comment(7, "quill-gh", "/second", "2026-01-02T14:00:00Z")
    play(waiting, forge, "2026-01-02T15:00")
    forge.open(7, branch(waiting, "tea", {"proposals/tea.md": draft("Gin", body=GIN)}))
    forge.comment(
        7, "osprey-gh", "/second", "2026-01-02T16:00:00Z"
    )  # too late for the vote that is open
    forge.comment(7, "wren-gh", "/resubmit", "2026-01-02T17:00:00Z")
    play(waiting, forge, "2026-01-02T18:00")
    text = proposal(waiting)
    assert "status: debate\n" in text
    assert "earlier:\n  - opened: 2026-01-02T15:00\n    ended: 2026-01-02T18:00\n" in text
    assert "\ndeeds:" not in text
    assert (
        "    deeds:\n      - do: second\n        by: quill\n        at: 2026-01-02T14:00\n" in text
    )
    sound(waiting)
    forge.comment(7, "quill-gh", "/second", "2026-01-02T19:00:00Z")
    play(waiting, forge, "2026-01-02T20:00")
    assert "status: open\nopened: 2026-01-02T20:00\n" in proposal(waiting)
    sound(waiting)
    assert run(waiting.path, "verify").endswith(": nothing is wrong\n")


def test_no_deed_has_the_name_of_an_order() -> None:
    assert {"open", "vote", "resubmit", "withdraw", "machinery"}.isdisjoint(deed_kinds())
