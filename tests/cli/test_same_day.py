"""Who joins, leaves or rests on the day on which a vote was decided: typed in a real repository."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nomicgen.model.values import Moment
from nomicgen.play.load import load
from tests.cli.playing import TEA, begun, passed, run
from tests.support import GitRepo, once

Repo = Callable[..., GitRepo]
ON = "2026-01-04"
MOVES = [
    "player leave quill",
    "player leave osprey",
    "player rest wren",
    "player join newt",
]


def decided(repo: GitRepo, ruleset: str) -> GitRepo:
    def play(new: GitRepo) -> None:
        passed(begun(new, ruleset=ruleset, law={201: {}} if ruleset == "suber" else None), 301, TEA, ON)

    return once(("decided", ruleset), repo, play)


@pytest.mark.parametrize("ruleset", ["suber", "paranomic"])
@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize("time", ["", "T20:00"])
def test_on_the_day_of_a_decided_vote(git_repo: Repo, ruleset: str, move: str, time: str) -> None:
    game = decided(git_repo(), ruleset)
    before = load(game.path, Moment.parse(ON)).replay
    run(game.path, f"{move} --on {ON}{time} --commit")
    after = load(game.path, Moment.parse(ON))
    assert after.errors == ()
    (was,), (tally,) = before.tallies.values(), after.replay.tallies.values()
    assert (tally.for_, tally.against, tally.adopted) == (was.for_, was.against, was.adopted)
    assert after.replay.awards == before.awards
