"""Votes with a quorum, with weights, and with voters that are settled when the vote opens, typed in a repository."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.cli.playing import MAJORITY, begun, refused, registered, run, vote, votes
from tests.pulls.tally.tallying import at, ballot, reasons, said, tally
from tests.support import GitRepo

Repo = Callable[..., GitRepo]


@pytest.fixture
def play(git_repo: Repo) -> Callable[..., GitRepo]:
    def begin(ballot: Any, files: Any = None) -> GitRepo:
        game = begun(git_repo(), {201: {}, 105: {"ballot": ballot}, 111: {}, 203: MAJORITY}, files=files)
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
        "  Rule 105: 1 ballot; more than half of eligible voters (3): more than 1.5 needed\n"
        "  nomicgen proposal resolve 301   ends it as it stands\n"
    )
    assert (
        "A proposal is adopted only with the ballots of more than half of eligible voters. That is 2 of 3 must vote."
        in (" ".join(run(game.path, "proposal preview 301 --on 2026-01-03").split()))
    )


@pytest.mark.deep
def test_votes_are_printed_with_their_weights(play: Callable[..., GitRepo]) -> None:
    strong = "name: Osprey\njoined: 2026-01-01\nstrength:\n  - votes: 3\n    since: 2026-01-01\n"
    game = play({"weights": "strength"}, {"players/osprey.yml": strong})
    assert vote(game, "for --player osprey", 3).startswith("proposal 301: 3 for, 0 against; waiting for quill, wren\n")
    shown = run(game.path, "proposal preview 301 --on 2026-01-03")
    assert "may vote: osprey (3 votes), quill, wren\n" in shown
    assert "3 of 5 needed" in shown
    assert run(game.path, "proposal resolve 301 --on 2026-01-03 --commit").startswith(
        "proposal 301 is adopted: 3 for, 0 against"
    )
    assert run(game.path, "check --strict --on 2026-01-04").endswith("nothing is wrong\n")


@pytest.mark.deep
def test_who_joins_or_leaves_after_the_opening_changes_nothing(play: Callable[..., GitRepo]) -> None:
    game = play({"electorate_at": "opening", "everyone_votes": True})
    vote(game, "for --player osprey", 3)
    run(game.path, "player join kestrel --name Kestrel --on 2026-01-04 --commit --account kestrel-k")
    assert refused(game.path, "vote 301 for --player kestrel --on 2026-01-05") == (
        "error: kestrel may not vote on 2026-01-05: by Rule 105 it is settled since 2026-01-03 who may\n"
        "help: eligible are osprey, quill, wren\n"
    )
    made = tally(game, [said("kestrel-k", f"/vote for {ballot(game)}", at(5))])
    assert reasons(made) == [
        "kestrel voted, but was not an eligible voter on 2026-01-03, when the vote opened (Rule 105)"
    ]
    run(game.path, "player leave wren --on 2026-01-05 --commit")
    assert refused(game.path, "vote 301 for --player wren --on 2026-01-06").endswith("eligible are osprey, quill\n")
    assert vote(game, "against --player quill", 6).startswith("proposal 301: 1 for, 1 against; everyone voted")
    out = run(game.path, "proposal resolve 301 --on 2026-01-06 --commit")
    assert "1 for; more than half of eligible voters (3): more than 1.5 needed (not met)" in out
    assert run(game.path, "check --strict --on 2026-01-06").endswith("nothing is wrong\n")
