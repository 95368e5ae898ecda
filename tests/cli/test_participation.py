"""Votes with a quorum, with weights, and with voters that are settled when the vote opens, typed in
a repository.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nomicgen.files.file_editing import set_keys
from tests.cli.playing import (
    EVERYONE,
    MAJORITY,
    TEA,
    begun,
    refused,
    registered,
    run,
    snapshot,
    vote,
    votes,
)
from tests.pulls.tally.tallying import at, ballot, reasons, said, tally
from tests.support import GitRepo

Repo = Callable[..., GitRepo]


@pytest.fixture
def play(git_repo: Repo) -> Callable[..., GitRepo]:
    def begin(ballot: Any, files: Any = None) -> GitRepo:
        game = begun(
            git_repo(), {201: {}, 105: {"ballot": ballot}, 111: {}, 203: MAJORITY}, files=files
        )
        registered(game, 301, "2026-01-02")
        return game

    return begin


@pytest.mark.deep
def test_a_vote_by_proposing_is_kept_as_one_that_nobody_cast(play: Callable[..., GitRepo]) -> None:
    game = play({"author_votes_for": True, "quorum": {"at_least": 3}})
    vote(game, "for --player quill", 3)
    assert (
        vote(game, "for --player wren", 3)
        == "proposal 301: 3 for, 0 against; everyone voted: nomicgen proposal resolve 301\n"
    )
    out = run(game.path, "proposal resolve 301 --on 2026-01-04 --commit")
    assert out.startswith("proposal 301 is defeated: 3 for, 0 against, 0 abstaining\n")
    assert "  Rule 105: 2 ballots; at least 3 ballots (3): 3 needed (not met)\n" in out
    assert "osprey:\n    vote: for\n    cast_by: silence\n" in votes(game)
    assert run(game.path, "check --strict --on 2026-01-04").endswith("nothing is wrong\n")


def test_what_a_quorum_still_lacks_is_said(play: Callable[..., GitRepo]) -> None:
    game = play({"quorum": {"more_than": "50%"}})
    assert vote(game, "for --player osprey", 3) == (
        "proposal 301: 1 for, 0 against; waiting for quill, wren\n"
        "  1 more vote in favour would pass it\n"
        "  Rule 105: 1 ballot; more than half of eligible voters (3): more than 1.5, so at least "
        "2 needed\n"
        "  nomicgen proposal resolve 301   ends it as it stands\n"
    )
    assert (
        "A proposal is adopted only with the ballots of more than half of eligible voters. In "
        "numbers: 2 of 3 must vote."
        in (" ".join(run(game.path, "proposal preview 301 --on 2026-01-03").split()))
    )


@pytest.mark.deep
def test_votes_are_printed_with_their_weights(play: Callable[..., GitRepo]) -> None:
    strong = "name: Osprey\njoined: 2026-01-01\nstrength:\n  - votes: 3\n    since: 2026-01-01\n"
    game = play({"weights": "strength"}, {"players/osprey.yml": strong})
    assert vote(game, "for --player osprey", 3).startswith(
        "proposal 301: 3 for, 0 against; waiting for quill, wren\n"
    )
    shown = run(game.path, "proposal preview 301 --on 2026-01-03")
    assert "may vote: osprey (3 votes), quill, wren\n" in shown
    assert "3 of 5 needed" in shown
    assert run(game.path, "proposal resolve 301 --on 2026-01-03 --commit").startswith(
        "proposal 301 is adopted: 3 for, 0 against"
    )
    assert run(game.path, "check --strict --on 2026-01-04").endswith("nothing is wrong\n")


@pytest.mark.nightly
def test_who_joins_or_leaves_after_the_opening_changes_nothing(
    play: Callable[..., GitRepo],
) -> None:
    game = play({"electorate_at": "opening", "everyone_votes": True})
    vote(game, "for --player osprey", 3)
    run(
        game.path, "player join kestrel --name Kestrel --on 2026-01-04 --commit --account kestrel-k"
    )
    assert refused(game.path, "vote 301 for --player kestrel --on 2026-01-05") == (
        "error: kestrel may not vote on 2026-01-05: by Rule 105, the voters are fixed since "
        "2026-01-03\n"
        "help: eligible are osprey, quill, wren\n"
    )
    made = tally(game, [said("kestrel-k", f"/vote for {ballot(game)}", at(5))])
    assert reasons(made) == [
        "kestrel voted, but was not an eligible voter on 2026-01-03, when the vote opened (Rule "
        "105)"
    ]
    run(game.path, "player leave wren --on 2026-01-05 --commit")
    assert refused(game.path, "vote 301 for --player wren --on 2026-01-06").endswith(
        "eligible are osprey, quill\n"
    )
    assert vote(game, "against --player quill", 6).startswith(
        "proposal 301: 1 for, 1 against; everyone voted"
    )
    out = run(game.path, "proposal resolve 301 --on 2026-01-06 --commit")
    assert (
        "1 for; more than half of eligible voters (3): more than 1.5, so at least 2 needed (not "
        "met)" in out
    )
    assert run(game.path, "check --strict --on 2026-01-06").endswith("nothing is wrong\n")


# A vote ends although one change of its proposal is impossible: typed in a real repository.


TWO = f"{TEA}\n## Repeal Rule 213/0\n"


def voted(repo: GitRepo, impossible: str) -> None:
    """Rule 213 is there when the vote opens, and repealed by another proposal before it ends."""
    begun(repo, {107: {}, 108: {}, 205: {"effect": {"impossible": impossible}}, 203: MAJORITY})
    for title, body in (("tea", TWO), ("less", "Less.\n\n## Repeal Rule 213/0\n")):
        run(
            repo.path,
            f"propose --title {title} --author osprey --on 2026-01-02 --commit --body -",
            feed=body,
        )
        run(repo.path, f"register {title} --on 2026-01-02 --commit")
    run(repo.path, "vote 301 for --on 2026-01-03 --commit --player osprey --player quill")
    run(repo.path, "vote 302 for --on 2026-01-03 --commit", *EVERYONE)
    run(repo.path, "proposal resolve 302 --on 2026-01-03 --commit")


@pytest.mark.nightly
def test_one_change_falls_and_the_vote_goes_on(git_repo: Repo) -> None:
    repo = git_repo()
    voted(repo, "that")
    falls = "warning[change-overtaken]: this change is dropped, and the others are carried out: "
    assert falls in run(repo.path, "check --on 2026-01-04")
    run(repo.path, "vote 301 for --player wren --on 2026-01-04 --commit")
    told = run(repo.path, "proposal resolve 301 --on 2026-01-04 --dry-run")
    assert "Repeal Rule 213/0" in told
    run(repo.path, "proposal resolve 301 --on 2026-01-04 --commit")
    assert (repo.path / "rules/301.md").exists()
    said = run(repo.path, "check --on 2026-01-04")
    assert falls in said
    assert "error" not in said.replace("0 errors", "")


@pytest.mark.deep
def test_unsaid_the_proposal_is_adopted_and_nothing_of_it_is_carried_out(git_repo: Repo) -> None:
    repo = git_repo()
    voted(repo, "all")
    why = "there is no Rule 213 any more: it was repealed"
    said = run(repo.path, "check --on 2026-01-04")
    assert (
        f"warning[change-overtaken]: if this is adopted, none of its changes is carried out: {why}"
        in said
    )
    run(repo.path, "vote 301 for --player wren --on 2026-01-04 --commit")
    rules = snapshot(repo.path / "rules")
    said = run(repo.path, "proposal resolve 301 --on 2026-01-04 --commit")
    assert f"  adopted, and none of its changes is carried out: {why}\n" in said
    assert "if you still want the change, propose it again\n" in said
    assert snapshot(repo.path / "rules") == rules
    assert "error" not in run(repo.path, "check --on 2026-01-04").replace("0 errors", "")


def test_of_two_amendments_of_one_rule_the_second_changes_nothing(git_repo: Repo) -> None:
    """Both votes are complete; whichever ends first, the other can end, and is neither withdrawn
    nor voted on again.
    """
    repo = begun(git_repo(), {107: {}, 108: {}, 201: {}, 203: MAJORITY, 206: {}})
    for number, word in ((301, "gin"), (302, "tea")):
        body = f"More.\n\n## Amend Rule 206/0\n\nThere is {word}.\n"
        run(
            repo.path,
            f"propose --title {word} --author osprey --on 2026-01-02 --commit --body -",
            feed=body,
        )
        run(repo.path, f"register {word} --on 2026-01-02 --commit")
        run(repo.path, f"vote {number} for --on 2026-01-03 --commit", *EVERYONE)
    run(repo.path, "proposal resolve 302 --on 2026-01-04 --commit")
    why = "Rule 206/0 is not the revision in force, which is 206/1"
    warning = (
        f"warning[change-overtaken]: if this is adopted, none of its changes is carried out: {why}"
    )
    assert warning in run(repo.path, "check --on 2026-01-04")
    said = run(repo.path, "proposal resolve 301 --on 2026-01-04 --commit")
    assert (
        "  adopted, and none of its changes is carried out: Rule 206/0 is not the revision in force"
        in said
    )
    again = "nomicgen propose --title TITLE --author osprey --amend 206"
    assert f"propose it again: `{again}`\n" in said
    assert "There is tea." in run(repo.path, "show 206")
    said = run(repo.path, "check --on 2026-01-05")
    assert said.startswith("proposals/301.md:")
    assert "0 errors" in said
    run(
        repo.path,
        again.removeprefix("nomicgen ").replace("TITLE", "gin-again"),
        "--on",
        "2026-01-05",
        "--commit",
    )


def test_a_draft_with_an_impossible_change_is_not_registered(git_repo: Repo) -> None:
    repo = begun(
        git_repo(), {107: {}, 108: {}, 205: {"effect": {"impossible": "that"}}, 203: MAJORITY}
    )
    run(repo.path, "propose --title tea --author osprey --on 2026-01-02 --body -", feed=TEA)
    path = repo.path / "proposals/tea.md"
    path.write_bytes(set_keys(path.read_bytes(), {}) + b"\n## Repeal Rule 999/0\n")
    assert "error[rule-unknown]" in refused(repo.path, "register tea --on 2026-01-02", code=1)
