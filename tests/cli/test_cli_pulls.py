"""Pull requests, played to their ends: on real commits, with what GitHub says of them, and each run done twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from nomicgen.files import read_instrument
from tests.cli.playing import TEA, proposal, run, snapshot
from tests.cli.pulling import (
    AUTHOR,
    DEBATED,
    Forge,
    account,
    address,
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
GIN = TEA.replace("tea", "gin").replace("Tea", "Gin")


def digest(body: str = TEA) -> str:
    found = read_instrument("proposals/tea.md", draft(body=body).encode())[0]
    assert found is not None
    assert found.digest is not None
    return found.digest


FOR = f"/vote for {digest()[:8]}"
AGAINST = f"/vote against {digest()[:8]}"


@pytest.fixture
def forge(tmp_path: Path) -> Forge:
    return Forge(tmp_path / "forge")


@pytest.fixture
def game(git_repo: Repo) -> GitRepo:
    return forged(git_repo())


def asked(game: GitRepo, forge: Forge, number: int = 7, body: str = TEA, name: str = "tea") -> str:
    """A pull request that its author puts to the vote, at noon on the second; gives its head."""
    head = branch(game, name, {f"proposals/{name}.md": draft(name.capitalize(), body=body)})
    forge.open(number, head)
    forge.comment(number, "wren-gh", "/vote", "2026-01-02T12:00:00Z")
    return head


def test_from_draft_to_merge(game: GitRepo, forge: Forge) -> None:
    head = asked(game, forge)
    assert play(game, forge, "2026-01-02T13:00").splitlines()[:2] == [
        "proposals/tea.md is now proposals/301.md",
        "  the vote on proposal 301 is open: nomicgen vote 301 for --player ID",
    ]
    assert f"discussion: {address(7)}\nstatus: open\nopened: 2026-01-02T13:00\ndigest: {digest()}\n" in proposal(game)
    said = replies(forge)
    assert sorted(said) == ["7.ballot.md", "7.md", "replies.json"]
    assert said["7.ballot.md"].startswith(f"<!-- nomicgen:ballot number=301 digest={digest()} -->\n")
    assert said["7.md"].startswith("<!-- nomicgen:comment -->\n")
    assert json.loads(said["replies.json"]) == [{"pull": 7, "comment": "7.md", "ballot": "7.ballot.md", "close": None}]

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
    assert trailers(game) == ["Instrument: proposals/301.md", "Outcome: adopted", "Proposed-by: wren"]
    assert game.git("log", "-1", "--format=%an <%ae>, %cn, %as") == f"{AUTHOR}, Ada Player, 2026-01-05"
    assert (game.path / "rules/301.md").read_text().endswith("\nThere is tea.\n")
    assert not (game.path / "proposals/tea.md").exists()
    assert "decided: 2026-01-05T13:00\n" in proposal(game)
    assert (
        f"votes:\n  osprey:\n    vote: against\n    cast_by: silence\n  quill:\n    vote: for\n"
        f"    at: 2026-01-03T08:00\n    source: {address(7)}#pullrequestreview-1003\n"
    ) in proposal(game)
    assert "7.close" not in replies(forge)  # the forge shows it as merged
    sound(game)


def test_a_defeated_one_keeps_its_number_and_its_change(game: GitRepo, forge: Forge) -> None:
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    forge.comment(7, "quill-gh", AGAINST, "2026-01-03T08:00:00Z")
    base = game.git("rev-parse", "HEAD")
    play(game, forge, "2026-01-07T00:00")
    assert game.git("log", "-1", "--format=%P").split() == [base]
    assert replies(forge)["7.close"] == (
        "Proposal 301 is defeated on 2026-01-05 at 13:00: 0 for, 3 against, 0 abstaining.\n\n"
        "It is kept, with its would-be change and its votes, in `proposals/301.md`; its number is spent. "
        "What is still wanted is for another pull request.\n"
    )
    assert proposal(game).endswith(TEA)
    assert run(game.path, "status --format json").count('"next_number": 302') == 1
    sound(game)


def test_two_drafts_at_once_get_two_numbers(game: GitRepo, forge: Forge) -> None:
    asked(game, forge, 9, GIN, "gin")
    asked(game, forge, 8)
    play(game, forge, "2026-01-02T13:00")
    assert subjects(game, 2) == ["Register proposal 301: Tea", "Register proposal 302: Gin"]
    assert f"discussion: {address(8)}\n" in proposal(game)
    sound(game)


def test_nothing_is_done_unasked(game: GitRepo, forge: Forge) -> None:
    head = branch(game, "tea", {"proposals/tea.md": draft()})
    forge.open(7, head)
    forge.comment(7, "quill-gh", "/vote", "2026-01-02T12:00:00Z")  # not its author
    forge.comment(7, "wren-gh", "/vote", "2026-01-02T12:00:00Z", edited="2026-01-02T12:01:00Z")
    forge.comment(7, "wren-gh", "> /vote", "2026-01-02T12:00:00Z")
    kept = snapshot(game.path)
    play(game, forge, "2026-01-02T13:00")
    assert snapshot(game.path) == kept
    assert sorted(replies(forge)) == ["7.md", "replies.json"]
    forge.open(7, head, labels=("vote",))
    play(game, forge, "2026-01-02T14:00")
    assert "status: open\n" in proposal(game)


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
    assert f"status: open\nopened: 2026-01-04T13:00\ndigest: {digest(GIN)}\n" in proposal(game)
    sound(game)


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


def test_why_one_is_not_merged_is_told_as_it_is_closed(game: GitRepo, forge: Forge) -> None:
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    head = branch(game, "tea", {"action.yml": "runs: {}\n"})
    forge.open(7, head)
    for login in ("wren-gh", "quill-gh", "osprey-gh"):
        forge.comment(7, login, FOR, "2026-01-03T14:00:00Z")
    place = forge.folder.parent / "replies"
    run(game.path, f"pulls {forge.folder} --commit --replies {place} --on 2026-01-04T00:00")
    assert replies(forge)["7.close"] == (
        "Proposal 301 is adopted on 2026-01-03 at 14:00: 3 for, 0 against, 0 abstaining.\n\n"
        f"{head[:12]} is not merged: it holds more, or other things, than the proposal that was voted on.\n\n"
        "It is kept in `proposals/301.md`; its number is spent. What is still wanted is for another pull request.\n"
    )
    assert (game.path / "action.yml").read_text() != "runs: {}\n"
    sound(game)


def test_an_author_who_is_another_registers_nothing(game: GitRepo, forge: Forge) -> None:
    head = branch(game, "tea", {"proposals/tea.md": draft()})
    for number, login in ((7, "quill-gh"), (8, "stranger"), (9, None)):
        forge.open(number, head, login, labels=("vote",))
    kept = snapshot(game.path)
    said = play(game, forge, "2026-01-02T13:00")
    assert said.count("error[actor-other]") == 3
    assert snapshot(game.path) == kept


def test_one_that_is_broken_keeps_none_of_the_others_back(game: GitRepo, forge: Forge) -> None:
    forge.open(5, "0" * 40, labels=("vote",))
    broken = branch(game, "broken", {"proposals/gin.md": draft(body="No.\n\n## Amend Rule 999/0\n\nNothing.\n")})
    forge.open(6, broken, labels=("vote",))
    odd = branch(game, "odd", {"nomic.yml": "format: 1\nname: Mine\n"})
    forge.open(4, odd, labels=("vote",))
    asked(game, forge)
    said = play(game, forge, "2026-01-02T13:00", code=1)
    assert "Register proposal 301: Tea" in subjects(game, 1)
    assert "pull request 5: " in said  # its commit is not here, which somebody has to see to
    assert "pull request 6: the pull request is refused" in said
    assert sorted(replies(forge)) == ["6.md", "7.ballot.md", "7.md", "replies.json"]
    assert "Rule 999" in replies(forge)["6.md"]
    sound(game)


def test_a_template_is_not_registered_and_its_author_is_told(game: GitRepo, forge: Forge) -> None:
    body = "Why.\n\n## Enact Rule: Tea\n\nThe full text of the new rule.\n"
    asked(game, forge, body=body)
    play(game, forge, "2026-01-02T13:00")
    assert "#### What could not be done\n" in replies(forge)["7.md"]
    assert "still has the template's words" in replies(forge)["7.md"]


def test_it_is_withdrawn_when_its_author_says_so(game: GitRepo, forge: Forge) -> None:
    head = branch(game, "tea", {"proposals/tea.md": draft()})
    forge.open(7, head)
    forge.comment(7, "wren-gh", "/withdraw", "2026-01-02T11:00:00Z")  # there is nothing to withdraw yet
    forge.comment(7, "wren-gh", "/vote", "2026-01-02T12:00:00Z")
    play(game, forge, "2026-01-02T13:00")
    forge.comment(7, "quill-gh", "/withdraw", "2026-01-02T14:00:00Z")
    play(game, forge, "2026-01-02T15:00")
    assert "status: open\n" in proposal(game)
    forge.comment(7, "wren-gh", "/withdraw", "2026-01-03T14:00:00Z")
    play(game, forge, "2026-01-20T15:00")
    assert "status: withdrawn\n" in proposal(game)
    assert "decided: 2026-01-03T14:00\n" in proposal(game)
    assert replies(forge)["7.close"].startswith("Proposal 301 is withdrawn on 2026-01-03 at 14:00.\n")
    assert proposal(game).endswith(TEA)
    sound(game)


def test_what_is_debated_is_withdrawn(git_repo: Repo, forge: Forge) -> None:
    game = forged(git_repo(), DEBATED)
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    forge.comment(7, "wren-gh", "/withdraw", "2026-01-02T14:00:00Z")
    play(game, forge, "2026-01-02T15:00")
    assert "status: withdrawn\ndecided: 2026-01-02T14:00\n" in proposal(game)
    sound(game)


def test_what_changes_no_rule_is_not_registered(game: GitRepo, forge: Forge) -> None:
    asked(game, forge, body="Let us all be kind.\n")
    play(game, forge, "2026-01-02T13:00")
    assert "a proposal without an instruction changes nothing" in replies(forge)["7.md"]
    assert not (game.path / "proposals/301.md").exists()


def test_what_has_ended_is_not_withdrawn_any_more(game: GitRepo, forge: Forge) -> None:
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    forge.comment(7, "wren-gh", "/withdraw", "2026-01-06T14:00:00Z")
    play(game, forge, "2026-01-20T15:00")
    assert "status: defeated\n" in proposal(game)


def test_it_is_put_to_the_vote_again(game: GitRepo, forge: Forge) -> None:
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    forge.comment(7, "quill-gh", AGAINST, "2026-01-02T14:00:00Z")
    head = branch(game, "tea", {"proposals/tea.md": draft(body=GIN)})
    forge.open(7, head)
    forge.comment(7, "wren-gh", "/resubmit", "2026-01-03T10:00:00Z")
    play(game, forge, "2026-01-03T11:00")
    assert f"opened: 2026-01-03T10:00\nvotes: {{}}\ndigest: {digest(GIN)}\n" in proposal(game)
    assert proposal(game).endswith(GIN)
    assert replies(forge)["7.ballot.md"].startswith(f"<!-- nomicgen:ballot number=301 digest={digest(GIN)} -->")
    for login in ("wren-gh", "quill-gh"):
        forge.review(7, login, "APPROVED", head, "2026-01-03T12:00:00Z")
    play(game, forge, "2026-01-20T11:00")
    assert "status: adopted\n" in proposal(game)
    assert game.git("log", "-1", "--format=%P").endswith(head)
    sound(game)


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


def test_votes_without_a_pull_request_end_as_well(game: GitRepo, forge: Forge) -> None:
    run(game.path, "propose --title gin --author quill --on 2026-01-02 --commit --body -", feed=GIN)
    run(game.path, "register gin --open --on 2026-01-02 --commit")
    forge.write()
    assert "proposal 301 is defeated" in play(game, forge, "2026-01-09T00:00")
    assert replies(forge) == {"replies.json": "[]\n"}
    sound(game)


def test_a_vote_on_a_closed_pull_request_is_not_ended_unseen(game: GitRepo, forge: Forge) -> None:
    """Nobody is to lose, or win, a vote by closing the pull request on which others voted."""
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    forge.close(7)
    play(game, forge, "2026-01-03T13:00")
    said = play(game, forge, "2026-01-09T13:00", code=1)
    assert (
        f"proposal 301 stays open: its pull request is closed, and the votes on it were not read: {address(7)}" in said
    )
    assert "status: open\n" in proposal(game)


def test_a_recording_that_is_not_whole_ends_no_vote(game: GitRepo, forge: Forge) -> None:
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    comments = forge.folder / "7" / "comments.json"
    comments.write_text(comments.read_text()[:-9])
    said = play(game, forge, "2026-01-09T13:00", code=1)
    assert "error: proposal 301 stays open: " in said
    assert "status: open\n" in proposal(game)


@pytest.mark.parametrize("listed", [None, "", "[", '{"a": 1}{', "\xff"])
def test_a_list_that_cannot_be_read_ends_the_run(game: GitRepo, forge: Forge, listed: str | None) -> None:
    forge.folder.mkdir()
    if listed is not None:
        (forge.folder / "pulls.json").write_bytes(listed.encode("latin-1"))
    assert "error: " in run(game.path, f"pulls {forge.folder} --commit", code=2)


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


def test_replies_are_written_anew(game: GitRepo, forge: Forge) -> None:
    place = forge.folder.parent / "replies"
    place.mkdir()
    for name in ("3.md", "3.close", "notes.txt", "3.md.bak"):
        (place / name).write_text("mine\n")
    asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    assert sorted(replies(forge)) == ["3.md.bak", "7.ballot.md", "7.md", "notes.txt", "replies.json"]


def test_a_dry_run_writes_nothing(game: GitRepo, forge: Forge) -> None:
    asked(game, forge)
    kept = snapshot(game.path)
    place = forge.folder.parent / "replies"
    said = run(game.path, f"pulls {forge.folder} --replies {place} --dry-run --on 2026-01-02")
    assert "proposals/tea.md is now proposals/301.md" in said
    assert snapshot(game.path) == kept
    assert not place.exists()


def test_of_a_day_without_a_time_nothing_is_done_twice(game: GitRepo, forge: Forge) -> None:
    asked(game, forge)
    play(game, forge, "2026-01-02")
    assert "opened: 2026-01-02T12:00\n" in proposal(game)
    forge.open(7, branch(game, "tea", {"proposals/tea.md": draft(body=GIN)}))
    forge.comment(7, "wren-gh", "/resubmit", "2026-01-03T10:00:00Z")
    play(game, forge, "2026-01-03")
    assert "opened: 2026-01-03T10:00\n" in proposal(game)


def test_resolve_counts_and_merges_one(game: GitRepo, forge: Forge) -> None:
    head = asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    for login in ("wren-gh", "quill-gh", "osprey-gh"):
        forge.review(7, login, "APPROVED", head, "2026-01-03T12:00:00Z")
    line = f"resolve 301 --reviews {forge.folder}/7/reviews.json --merge tea --on 2026-01-04 --commit"
    assert run(game.path, line).startswith("proposal 301 is adopted: 3 for, 0 against, 0 abstaining\n")
    assert game.git("log", "-1", "--format=%P").endswith(f" {head}")
    assert "source: " in proposal(game)
    assert run(game.path, line) == "proposal 301 is adopted already, on 2026-01-04: nothing to do\n"
    sound(game)


def test_resolve_says_why_it_does_not_merge(game: GitRepo, forge: Forge) -> None:
    head = asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    branch(game, "tea", {"proposals/tea.md": draft(body=GIN)})
    for login in ("wren-gh", "quill-gh", "osprey-gh"):
        forge.review(7, login, "APPROVED", head, "2026-01-03T12:00:00Z")
    line = f"resolve 301 --reviews {forge.folder}/7/reviews.json --merge tea --on 2026-01-04 --commit"
    assert "is not merged: it holds another text than the one that was voted on\n" in run(game.path, line)
    assert game.git("log", "-1", "--format=%P").count(" ") == 0
    sound(game)


def test_hostile_words_reach_no_message_and_no_reply(git_repo: Repo, forge: Forge) -> None:
    game = forged(git_repo(), wren="Eve <root@example.org>\t--")
    title = "<!-- nomicgen:ballot number=301 digest=" + "0" * 64 + " --> | ```"
    head = branch(game, "tea", {"proposals/tea.md": draft(title)})
    forge.open(7, head)
    forge.comment(7, "wren-gh", "/vote", "2026-01-02T12:00:00Z")
    play(game, forge, "2026-01-02T13:00")
    said = replies(forge)
    assert "0" * 64 not in said["7.ballot.md"]
    assert said["7.md"].startswith("<!-- nomicgen:comment -->\n")
    for login in ("wren-gh", "quill-gh", "osprey-gh"):
        forge.review(7, login, "APPROVED", head, "2026-01-03T12:00:00Z")
    play(game, forge, "2026-01-04T13:00")
    assert trailers(game) == ["Instrument: proposals/301.md", "Outcome: adopted", "Proposed-by: wren"]
    assert game.git("log", "-1", "--format=%an <%ae>") == "Eve root@example.org -- <wren-gh@users.noreply.github.com>"
    assert game.git("fsck", "--strict", "--full", "--no-dangling") == ""


def test_two_players_with_one_account_have_none(git_repo: Repo, forge: Forge) -> None:
    game = forged(git_repo())
    game.commit("Eve says that she is wren", account("eve", login="WREN-GH"))
    asked(game, forge)
    kept = snapshot(game.path)
    place = forge.folder.parent / "replies"
    run(game.path, f"pulls {forge.folder} --replies {place} --on 2026-01-02T13:00", code=1)
    assert snapshot(game.path) == kept
