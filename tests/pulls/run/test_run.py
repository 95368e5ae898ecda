"""Pull requests, played to their ends: on real commits, with what GitHub says of them, and each run
done twice.
"""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.cli.playing import TEA, proposal, run, snapshot
from tests.pulls.pulling import (
    AGAINST,
    AUTHOR,
    BALLOT,
    DEBATED,
    FOR,
    GIN,
    Forge,
    address,
    asked,
    branch,
    digest,
    draft,
    forged,
    play,
    replies,
    sound,
    subjects,
    trailers,
)
from tests.support import GitRepo

pytestmark = pytest.mark.deep

Repo = Callable[..., GitRepo]


def test_from_draft_to_merge(game: GitRepo, forge: Forge) -> None:
    head = asked(game, forge)
    assert play(game, forge, "2026-01-02T13:00").splitlines()[:2] == [
        "proposals/tea.md is now proposals/301.md",
        f"  the vote on proposal 301 is open, as ballot {BALLOT}: nomicgen vote 301 for --player "
        "ID",
    ]
    assert (
        f"discussion: {address(7)}\nstatus: open\nopened: 2026-01-02T13:00\nballot: b000000001\n"
        f"digest: {digest()}\n" in proposal(game)
    )
    said = replies(forge)
    assert sorted(said) == ["7.ballot.md", "7.md", "replies.json"]
    assert said["7.ballot.md"].startswith(f"<!-- nomicgen:ballot {BALLOT} digest={digest()} -->\n")
    assert said["7.md"].startswith("<!-- nomicgen:comment -->\n")
    assert json.loads(said["replies.json"]) == [
        {"pull": 7, "comment": "7.md", "ballot": "7.ballot.md", "close": None}
    ]

    forge.comment(7, "github-actions[bot]", said["7.ballot.md"], "2026-01-02T13:01:00Z", kind="Bot")
    forge.review(7, "quill-gh", "APPROVED", head, "2026-01-03T08:00:00Z")
    forge.comment(7, "wren-gh", FOR, "2026-01-03T09:00:00Z")
    kept = game.git("rev-parse", "HEAD")
    assert "commit" not in play(game, forge, "2026-01-03T13:00")
    assert game.git("rev-parse", "HEAD") == kept
    assert sorted(replies(forge)) == ["7.md", "replies.json"]

    base = game.git("rev-parse", "HEAD")
    assert "proposal 301 is adopted: 2 for, 1 against" in play(game, forge, "2026-01-09T00:01")
    assert game.git("log", "-1", "--format=%P").split() == [base, head]
    assert trailers(game) == [
        "Instrument: proposals/301.md",
        "Outcome: adopted",
        "Proposed-by: wren",
    ]
    assert (
        game.git("log", "-1", "--format=%an <%ae>, %cn, %as") == f"{AUTHOR}, Ada Player, 2026-01-05"
    )
    assert (game.path / "rules/301.md").read_text().endswith("\nThere is tea.\n")
    assert not (game.path / "proposals/tea.md").exists()
    assert "decided: 2026-01-05T13:00\n" in proposal(game)
    assert (
        f"votes:\n  osprey:\n    vote: against\n    cast_by: silence\n  quill:\n    vote: for\n"
        f"    at: 2026-01-03T08:00\n    source: {address(7)}#pullrequestreview-1003\n"
    ) in proposal(game)
    assert "7.close" not in replies(forge)  # the forge shows it as merged
    sound(game)


@pytest.mark.nightly
def test_a_defeated_one_keeps_its_number_and_its_change(game: GitRepo, forge: Forge) -> None:
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    forge.comment(7, "quill-gh", AGAINST, "2026-01-03T08:00:00Z")
    base = game.git("rev-parse", "HEAD")
    play(game, forge, "2026-01-07T00:00")
    assert game.git("log", "-1", "--format=%P").split() == [base]
    assert replies(forge)["7.close"] == (
        "Proposal 301 is defeated on 2026-01-05 at 13:00: 0 for, 3 against, 0 abstaining.\n\n"
        "It is kept in `proposals/301.md`, with its number, text and votes. "
        "To try again, open another pull request.\n"
    )
    assert proposal(game).endswith(TEA)
    assert run(game.path, "status --format json").count('"next_number": 302') == 1
    sound(game)


@pytest.mark.nightly
def test_two_drafts_at_once_get_two_numbers(game: GitRepo, forge: Forge) -> None:
    asked(game, forge, 9, GIN, "gin")
    asked(game, forge, 8)
    play(game, forge, "2026-01-02T13:00")
    assert subjects(game, 2) == ["Register proposal 301: Tea", "Register proposal 302: Gin"]
    assert f"discussion: {address(8)}\n" in proposal(game)
    sound(game)


@pytest.mark.nightly
def test_nothing_is_done_unasked(game: GitRepo, forge: Forge) -> None:
    head = branch(game, "tea", {"proposals/tea.md": draft()})
    forge.open(7, head)
    forge.comment(7, "quill-gh", "/open", "2026-01-02T12:00:00Z")  # not its author
    forge.comment(7, "wren-gh", "/open", "2026-01-02T12:00:00Z", edited="2026-01-02T12:01:00Z")
    forge.comment(7, "wren-gh", "> /open", "2026-01-02T12:00:00Z")
    kept = snapshot(game.path)
    play(game, forge, "2026-01-02T13:00")
    assert snapshot(game.path) == kept
    assert sorted(replies(forge)) == ["7.md", "replies.json"]
    forge.open(7, head, labels=("open",))
    play(game, forge, "2026-01-02T14:00")
    assert "status: open\n" in proposal(game)


@pytest.mark.nightly
@pytest.mark.parametrize("how", ["comment", "label"])
def test_what_asked_for_a_vote_before_still_does_and_is_told_its_new_name(
    game: GitRepo, forge: Forge, how: str
) -> None:
    head = branch(game, "tea", {"proposals/tea.md": draft()})
    forge.open(7, head, labels=("vote",) if how == "label" else ())
    if how == "comment":
        forge.comment(7, "wren-gh", "/vote", "2026-01-02T12:00:00Z")
    play(game, forge, "2026-01-02T14:00")
    assert "status: open\n" in proposal(game)
    assert replies(forge)["7.md"].count("To ask for the vote, comment `/open`, or set") == 1
    forge.open(7, head, labels=("open",))
    play(game, forge, "2026-01-02T15:00")
    assert "To ask for the vote, comment `/open`, or set" not in replies(forge)["7.md"]


@pytest.mark.nightly
def test_a_debate_is_waited_for_and_brought_up_to_date(git_repo: Repo, forge: Forge) -> None:
    game = forged(git_repo(), DEBATED)
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    assert "status: debate\n" in proposal(game)
    forge.open(7, branch(game, "tea", {"proposals/tea.md": draft("Gin", body=GIN)}))
    play(game, forge, "2026-01-03T13:00")
    assert subjects(game, 1) == ["Bring proposal 301 up to date: Gin"]
    assert proposal(game).endswith(GIN)
    play(game, forge, "2026-01-04T12:59")
    assert "status: debate\n" in proposal(game)
    assert sorted(replies(forge)) == ["7.md", "replies.json"]
    assert "What could not be done" not in replies(forge)["7.md"]
    play(game, forge, "2026-01-04T13:00")
    assert (
        "status: open\nopened: 2026-01-04T13:00\nballot: b000000001\n"
        f"digest: {digest('Gin', GIN)}\n" in proposal(game)
    )
    sound(game)


@pytest.mark.nightly
def test_a_text_that_is_swapped_is_neither_voted_on_nor_merged(game: GitRepo, forge: Forge) -> None:
    first = asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    forge.review(7, "quill-gh", "APPROVED", first, "2026-01-03T08:00:00Z")
    swapped = branch(game, "tea", {"proposals/tea.md": draft(body=GIN)})
    forge.open(7, swapped)
    forge.review(7, "osprey-gh", "APPROVED", swapped, "2026-01-03T09:00:00Z")
    play(game, forge, "2026-01-03T13:00")
    assert "There is tea." in proposal(game)
    assert "it is on another text" in replies(forge)["7.md"]
    forge.comment(7, "wren-gh", FOR, "2026-01-03T14:00:00Z")
    said = play(game, forge, "2026-01-06T00:00")
    assert "proposal 301 is adopted: 2 for, 1 against" in said
    why = f"{swapped[:12]} is not merged: it holds another text than the one that was voted on"
    assert why in said
    assert game.git("log", "-1", "--format=%P").count(" ") == 0
    sound(game)


@pytest.mark.nightly
def test_why_one_is_not_merged_is_told_as_it_is_closed(game: GitRepo, forge: Forge) -> None:
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    head = branch(game, "tea", {".github/nomicgen/action.yml": "runs: {}\n"})
    forge.open(7, head)
    for login in ("wren-gh", "quill-gh", "osprey-gh"):
        forge.comment(7, login, FOR, "2026-01-03T14:00:00Z")
    place = forge.folder.parent / "replies"
    run(
        game.path, f"plumbing pulls {forge.folder} --commit --replies {place} --on 2026-01-04T00:00"
    )
    assert replies(forge)["7.close"] == (
        "Proposal 301 is adopted on 2026-01-03 at 14:00: 3 for, 0 against, 0 abstaining.\n\n"
        f"{head[:12]} is not merged: it holds other things than the proposal that was voted on.\n\n"
        "It is kept in `proposals/301.md`, with its number, text and votes. "
        "There is nothing more to do.\n"
    )
    assert (game.path / ".github/nomicgen/action.yml").read_text() != "runs: {}\n"
    sound(game)


@pytest.mark.deep
def test_an_author_who_is_another_registers_nothing(game: GitRepo, forge: Forge) -> None:
    head = branch(game, "tea", {"proposals/tea.md": draft()})
    for number, login in ((7, "quill-gh"), (8, "stranger"), (9, None)):
        forge.open(number, head, login, labels=("open",))
    kept = snapshot(game.path)
    said = play(game, forge, "2026-01-02T13:00", code=1)
    assert said.count("error[actor-other]") == 1
    assert "pull request 8: no player of this game has the account stranger" in said
    assert (
        "pull request 9: no player of this game has the account of its author, which is gone"
        in said
    )
    assert snapshot(game.path) == kept


@pytest.mark.nightly
def test_one_that_is_broken_keeps_none_of_the_others_back(game: GitRepo, forge: Forge) -> None:
    forge.open(5, "0" * 40, labels=("open",))
    broken = branch(
        game, "broken", {"proposals/gin.md": draft(body="No.\n\n## Amend Rule 999/0\n\nNothing.\n")}
    )
    forge.open(6, broken, labels=("open",))
    odd = branch(game, "odd", {"nomic.yml": "format: 1\nname: Mine\n"})
    forge.open(4, odd, labels=("open",))
    asked(game, forge)
    said = play(game, forge, "2026-01-02T13:00", code=1)
    assert "Register proposal 301: Tea" in subjects(game, 1)
    assert "pull request 5: " in said  # its commit is not here, which somebody has to see to
    assert "pull request 6: the pull request is refused" in said
    assert sorted(replies(forge)) == ["6.md", "7.ballot.md", "7.md", "keeper.txt", "replies.json"]
    assert replies(forge)["keeper.txt"] == "pull request 5 was not read\n"
    assert "Rule 999" in replies(forge)["6.md"]
    sound(game)


def test_a_template_is_not_registered_and_its_author_is_told(game: GitRepo, forge: Forge) -> None:
    body = "Why.\n\n## Enact Rule: Tea\n\nThe full text of the new rule.\n"
    asked(game, forge, body=body)
    play(
        game, forge, "2026-01-02T13:00", code=1
    )  # something could not be done, and no keeper has to see to it
    assert "keeper.txt" not in replies(forge)
    assert "### ❌ This proposal cannot get its number yet\n" in replies(forge)["7.md"]
    assert "still has the template's words" in replies(forge)["7.md"]


@pytest.mark.nightly
def test_it_is_withdrawn_when_its_author_says_so(game: GitRepo, forge: Forge) -> None:
    head = branch(game, "tea", {"proposals/tea.md": draft()})
    forge.open(7, head)
    forge.comment(
        7, "wren-gh", "/withdraw", "2026-01-02T11:00:00Z"
    )  # there is nothing to withdraw yet
    forge.comment(7, "wren-gh", "/open", "2026-01-02T12:00:00Z")
    play(game, forge, "2026-01-02T13:00")
    forge.comment(7, "quill-gh", "/withdraw", "2026-01-02T14:00:00Z")
    play(game, forge, "2026-01-02T15:00")
    assert "status: open\n" in proposal(game)
    forge.comment(7, "wren-gh", "/withdraw", "2026-01-03T14:00:00Z")
    play(game, forge, "2026-01-20T15:00")
    assert "status: withdrawn\n" in proposal(game)
    assert "decided: 2026-01-03T14:00\n" in proposal(game)
    assert replies(forge)["7.close"].startswith(
        "Proposal 301 is withdrawn on 2026-01-03 at 14:00.\n"
    )
    assert proposal(game).endswith(TEA)
    sound(game)


@pytest.mark.nightly
def test_what_is_debated_is_withdrawn(git_repo: Repo, forge: Forge) -> None:
    game = forged(git_repo(), DEBATED)
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    forge.comment(7, "wren-gh", "/withdraw", "2026-01-02T14:00:00Z")
    play(game, forge, "2026-01-02T15:00")
    assert "status: withdrawn\ndecided: 2026-01-02T14:00\n" in proposal(game)
    sound(game)


def test_what_may_not_be_withdrawn_stays_and_is_voted_on(git_repo: Repo, forge: Forge) -> None:
    never = {**DEBATED, 104: {"ballot": {"withdrawal": "never"}}}
    game = forged(git_repo(), never)
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    forge.comment(7, "wren-gh", "/withdraw", "2026-01-02T14:00:00Z")
    said = play(game, forge, "2026-01-02T15:00", code=1)
    assert "Proposal 301 cannot be withdrawn; Rule 104 never allows that" in said
    assert "if you are against it now, vote against it" in replies(forge)["7.md"]
    assert "dates-disorder" not in play(game, forge, "2026-01-04T15:00", code=1)
    assert "status: open\n" in proposal(game)
    for login in ("wren-gh", "quill-gh", "osprey-gh"):
        forge.comment(7, login, FOR, "2026-01-04T16:00:00Z")
    run(game.path, f"plumbing pulls {forge.folder} --commit --on 2026-01-04T17:00", code=1)
    play(game, forge, "2026-01-04T18:00")
    assert "status: adopted\n" in proposal(game)


def test_a_judge_who_forgot_the_status_or_the_ruling_is_told_to_write_it(
    game: GitRepo, forge: Forge
) -> None:
    asks = "--judge wren --called-by quill --rule 203 --title Votes --on 2026-01-02 --commit"
    run(game.path, f"judgement file {asks}")
    pending = (game.path / "judgements/1.md").read_text()
    for text, says in (
        (f"{pending.rstrip()}\n\n## Ruling\n\nNo.\n", "stays pending: in place of `status: p"),
        (f"{pending.rstrip()}\n\nHm.\n", "stays pending: write the heading `## Ruling`"),
        (pending.replace("pending", "upheld"), "is given, and rules nothing: below the question"),
    ):
        head = branch(game, "ruling", {"judgements/1.md": text})
        shown = f"--base main --head {head} --actor github:wren-gh --format markdown"
        said = run(game.path, f"proposal preview {shown} --on 2026-01-03")
        assert f"The judgement {says}" in said
        assert "### ⚠️ Nothing stands against this judgement, but it leaves something" in said
    upheld = {"judgements/1.md": pending.replace("pending", "upheld")}
    forge.open(7, branch(game, "upheld", upheld))
    forge.comment(7, "wren-gh", "/vote", "2026-01-03T12:00:00Z")  # there is no vote to ask for
    play(game, forge, "2026-01-03T13:00", code=1)
    assert "is given, and rules nothing" in replies(forge)["7.md"]
    assert "To ask for the vote" not in replies(forge)["7.md"]


def test_what_changes_no_rule_is_not_registered(game: GitRepo, forge: Forge) -> None:
    asked(game, forge, body="Let us all be kind.\n")
    play(game, forge, "2026-01-02T13:00", code=1)
    assert "this proposal would change nothing" in replies(forge)["7.md"]
    assert not (game.path / "proposals/301.md").exists()


@pytest.mark.nightly
def test_what_has_ended_is_not_withdrawn_any_more(game: GitRepo, forge: Forge) -> None:
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    forge.comment(7, "wren-gh", "/withdraw", "2026-01-06T14:00:00Z")
    play(game, forge, "2026-01-20T15:00")
    assert "status: defeated\n" in proposal(game)


def test_what_did_not_count_is_told_when_the_vote_ends(game: GitRepo, forge: Forge) -> None:
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    for login in ("wren-gh", "quill-gh", "osprey-gh"):
        forge.comment(7, login, AGAINST, "2026-01-02T14:00:00Z")
    forge.comment(7, "quill-gh", f"I vote for it now: {FOR}", "2026-01-02T13:30:00Z")
    there = forge.folder.parent / "replies"
    once = f"plumbing pulls {forge.folder} --commit --replies {there} --on 2026-01-02T15:00"
    run(game.path, once)
    assert "status: defeated\n" in proposal(game)
    said = replies(forge)["7.md"].partition("Votes that do not count")[2]
    assert "  - `quill-gh`: " in said
    assert "vote again" not in said


def test_a_request_that_errors_hold_up_is_still_answered(game: GitRepo, forge: Forge) -> None:
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    forge.open(7, branch(game, "tea", {"proposals/tea.md": draft(body=GIN)}))
    forge.comment(7, "wren-gh", "/resubmit", "2026-01-03T10:00:00Z")
    game.commit("Slip", {"players/osprey.yml": "joined: 2026-01-01\nhat: red\n"})
    there = forge.folder.parent / "replies"
    once = f"plumbing pulls {forge.folder} --commit --replies {there} --on 2026-01-03T11:00"
    run(game.path, once, code=1)
    assert "the game has errors, so nothing was written" in replies(forge)["7.md"]


@pytest.mark.nightly
def test_it_is_put_to_the_vote_again(game: GitRepo, forge: Forge) -> None:
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    forge.comment(7, "quill-gh", AGAINST, "2026-01-02T14:00:00Z")
    head = branch(game, "tea", {"proposals/tea.md": draft(body=GIN)})
    forge.open(7, head)
    forge.comment(7, "wren-gh", "/resubmit", "2026-01-03T10:00:00Z")
    play(game, forge, "2026-01-03T11:00")
    assert (
        f"opened: 2026-01-03T11:00\nballot: b000000002\nvotes: {{}}\ndigest: {digest('Tea', GIN)}\n"
        in proposal(game)
    )
    assert proposal(game).endswith(GIN)
    assert replies(forge)["7.ballot.md"].startswith(
        f"<!-- nomicgen:ballot 301-b000000002 digest={digest('Tea', GIN)} -->"
    )
    for login in ("wren-gh", "quill-gh"):
        forge.review(7, login, "APPROVED", head, "2026-01-03T12:00:00Z")
    play(game, forge, "2026-01-20T11:00")
    assert "status: adopted\n" in proposal(game)
    assert game.git("log", "-1", "--format=%P").endswith(head)
    sound(game)
