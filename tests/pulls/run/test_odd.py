"""Pull requests and what goes wrong with them: days missed, recordings that are not whole, hostile
words.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.playing import proposal, run, snapshot
from tests.pulls.pulling import (
    FOR,
    GIN,
    Forge,
    account,
    address,
    asked,
    branch,
    draft,
    forged,
    play,
    replies,
    sound,
    subjects,
    trailers,
)
from tests.support import GitRepo

Repo = Callable[..., GitRepo]


@pytest.mark.nightly
def test_a_week_missed_changes_nothing(git_repo: Repo, tmp_path: Path) -> None:
    """The same comments, seen every day or all at once, make the same game."""
    games = []
    for name, days in (("daily", range(3, 13)), ("late", range(12, 13))):
        game = forged(git_repo(name))
        forge = Forge(tmp_path / f"forge-{name}")
        first = asked(game, forge)
        second = asked(game, forge, 8, GIN, "gin")
        play(game, forge, "2026-01-02T13:00")
        forge.comment(7, "quill-gh", FOR, "2026-01-03T08:00:00Z")
        forge.review(7, "wren-gh", "APPROVED", first, "2026-01-04T08:00:00Z")
        forge.review(8, "quill-gh", "APPROVED", second, "2026-01-04T08:00:00Z")
        forge.review(7, "osprey-gh", "APPROVED", first, "2026-01-06T08:00:00Z")  # too late
        for day in days:
            play(game, forge, f"2026-01-{day:02}T09:00")
        assert "status: adopted\n" in proposal(game)
        assert "status: defeated\n" in proposal(game, 302)
        sound(game)
        games.append(game)
    assert snapshot(games[0].path) == snapshot(games[1].path)
    assert subjects(games[0], 2) == subjects(games[1], 2)


@pytest.mark.deep
def test_votes_without_a_pull_request_end_as_well(game: GitRepo, forge: Forge) -> None:
    run(game.path, "propose --title gin --author quill --on 2026-01-02 --commit --body -", feed=GIN)
    run(game.path, "register gin --open --on 2026-01-02 --commit")
    forge.write()
    assert "proposal 301 is defeated" in play(game, forge, "2026-01-09T00:00")
    assert replies(forge) == {"replies.json": "[]\n"}
    sound(game)


@pytest.mark.deep
def test_a_vote_on_a_closed_pull_request_is_not_ended_unseen(game: GitRepo, forge: Forge) -> None:
    """Nobody is to lose, or win, a vote by closing the pull request on which others voted."""
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    forge.close(7)
    play(game, forge, "2026-01-03T13:00")
    said = play(game, forge, "2026-01-09T13:00", code=1)
    assert (
        "proposal 301 stays open: its pull request is closed, and the votes on it were not "
        f"read: {address(7)}" in said
    )
    assert "status: open\n" in proposal(game)


@pytest.mark.nightly
def test_a_recording_that_is_not_whole_ends_no_vote(game: GitRepo, forge: Forge) -> None:
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    comments = forge.folder / "7" / "comments.json"
    comments.write_text(comments.read_text()[:-9])
    said = play(game, forge, "2026-01-09T13:00", code=1)
    assert "error: proposal 301 stays open: " in said
    assert "status: open\n" in proposal(game)


@pytest.mark.parametrize("listed", [None, "", "[", '{"a": 1}{', "\xff"])
def test_a_list_that_cannot_be_read_ends_the_run(
    game: GitRepo, forge: Forge, listed: str | None
) -> None:
    forge.folder.mkdir()
    if listed is not None:
        (forge.folder / "pulls.json").write_bytes(listed.encode("latin-1"))
    assert "error: " in run(game.path, f"plumbing pulls {forge.folder} --commit", code=2)


@pytest.mark.deep
def test_what_is_no_pull_request_is_passed_over(game: GitRepo, forge: Forge) -> None:
    asked(game, forge)
    good = forge.pulls[7]
    odd = [
        None,
        {},
        {**good, "number": "../../etc"},
        {**good, "number": True},
        {**good, "number": -1},
        {**good, "html_url": "x\n"},
        {**good, "head": {"sha": "--upload-pack=x"}},
        {**good, "head": None},
        {**good, "number": 12, "state": "closed"},
    ]
    (forge.folder / "pulls.json").write_text(json.dumps([odd, [good]]))
    said = play(game, forge, "2026-01-02T13:00", code=1)
    assert "is no pull request as GitHub lists it" in said
    assert "status: open\n" in proposal(game)


@pytest.mark.deep
def test_replies_are_written_anew(game: GitRepo, forge: Forge) -> None:
    place = forge.folder.parent / "replies"
    place.mkdir()
    for name in ("3.md", "3.close", "notes.txt", "3.md.bak"):
        (place / name).write_text("mine\n")
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    assert sorted(replies(forge)) == [
        "3.md.bak",
        "7.ballot.md",
        "7.md",
        "notes.txt",
        "replies.json",
    ]


def test_a_dry_run_writes_nothing(game: GitRepo, forge: Forge) -> None:
    asked(game, forge)
    kept = snapshot(game.path)
    place = forge.folder.parent / "replies"
    said = run(
        game.path, f"plumbing pulls {forge.folder} --replies {place} --dry-run --on 2026-01-02"
    )
    assert "proposals/tea.md is now proposals/301.md" in said
    assert snapshot(game.path) == kept
    assert not place.exists()


@pytest.mark.nightly
def test_of_a_day_without_a_time_nothing_is_done_twice(game: GitRepo, forge: Forge) -> None:
    asked(game, forge)
    play(game, forge, "2026-01-02")
    assert "opened: 2026-01-02T12:00\n" in proposal(game)
    forge.open(7, branch(game, "tea", {"proposals/tea.md": draft(body=GIN)}))
    forge.comment(7, "wren-gh", "/resubmit", "2026-01-03T10:00:00Z")
    play(game, forge, "2026-01-03")
    assert "opened: 2026-01-03T10:00\n" in proposal(game)


@pytest.mark.nightly
def test_resolve_counts_and_merges_one(game: GitRepo, forge: Forge) -> None:
    head = asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    for login in ("wren-gh", "quill-gh", "osprey-gh"):
        forge.review(7, login, "APPROVED", head, "2026-01-03T12:00:00Z")
    line = (
        f"proposal resolve 301 --reviews {forge.folder}/7/reviews.json --merge tea --on "
        "2026-01-04 --commit"
    )
    assert run(game.path, line).startswith(
        "proposal 301 is adopted: 3 for, 0 against, 0 abstaining\n"
    )
    assert game.git("log", "-1", "--format=%P").endswith(f" {head}")
    assert "source: " in proposal(game)
    assert run(game.path, line) == "proposal 301 is adopted already, on 2026-01-04: nothing to do\n"
    sound(game)


@pytest.mark.deep
def test_resolve_says_why_it_does_not_merge(game: GitRepo, forge: Forge) -> None:
    head = asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    branch(game, "tea", {"proposals/tea.md": draft(body=GIN)})
    for login in ("wren-gh", "quill-gh", "osprey-gh"):
        forge.review(7, login, "APPROVED", head, "2026-01-03T12:00:00Z")
    line = (
        f"proposal resolve 301 --reviews {forge.folder}/7/reviews.json --merge tea --on "
        "2026-01-04 --commit"
    )
    assert "is not merged: it holds another text than the one that was voted on\n" in run(
        game.path, line
    )
    assert game.git("log", "-1", "--format=%P").count(" ") == 0
    sound(game)


@pytest.mark.nightly
def test_hostile_words_reach_no_message_and_no_reply(git_repo: Repo, forge: Forge) -> None:
    game = forged(git_repo(), wren="Eve <root@example.org>\t--")
    title = "<!-- nomicgen:ballot number=301 digest=" + "0" * 64 + " --> | ```"
    head = branch(game, "tea", {"proposals/tea.md": draft(title)})
    forge.open(7, head)
    forge.comment(7, "wren-gh", "/open", "2026-01-02T12:00:00Z")
    play(game, forge, "2026-01-02T13:00")
    said = replies(forge)
    assert "0" * 64 not in said["7.ballot.md"]
    assert said["7.md"].startswith("<!-- nomicgen:comment -->\n")
    for login in ("wren-gh", "quill-gh", "osprey-gh"):
        forge.review(7, login, "APPROVED", head, "2026-01-03T12:00:00Z")
    play(game, forge, "2026-01-04T13:00")
    assert trailers(game) == [
        "Instrument: proposals/301.md",
        "Outcome: adopted",
        "Proposed-by: wren",
    ]
    assert (
        game.git("log", "-1", "--format=%an <%ae>")
        == "Eve root@example.org -- <wren-gh@users.noreply.github.com>"
    )
    assert game.git("fsck", "--strict", "--full", "--no-dangling") == ""


def test_two_players_with_one_account_have_none(git_repo: Repo, forge: Forge) -> None:
    game = forged(git_repo())
    game.commit("Eve says that she is wren", account("eve", login="WREN-GH"))
    asked(game, forge)
    kept = snapshot(game.path)
    place = forge.folder.parent / "replies"
    run(game.path, f"plumbing pulls {forge.folder} --replies {place} --on 2026-01-02T13:00", code=1)
    assert snapshot(game.path) == kept


def test_a_vote_on_another_pull_request_is_answered_there(game: GitRepo, forge: Forge) -> None:
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    forge.open(8, branch(game, "gin", {"proposals/gin.md": draft("Gin", body=GIN)}))
    forge.comment(8, "quill-gh", FOR, "2026-01-02T14:00:00Z")
    play(game, forge, "2026-01-02T15:00")
    told = "quill-gh voted here on Proposal 301, whose votes are counted on another pull request"
    assert f"- ❌ `{told}`\n  - What to do: `vote on {address(7)}`\n" in replies(forge)["8.md"]
    forge.comment(7, "quill-gh", FOR, "2026-01-02T16:00:00Z")
    forge.comment(8, "wren-gh", "/open", "2026-01-02T17:00:00Z")
    play(game, forge, "2026-01-02T18:00")
    assert "voted here on" not in replies(forge)["8.md"]
    assert f"it is for the ballot {FOR.split()[-1]}: write " in replies(forge)["8.md"]
