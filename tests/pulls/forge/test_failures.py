"""A run that ends in the middle, wherever that is, is made good by the next one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.pulls.forge.conftest import pushed
from tests.pulls.forge.forge import Forge
from tests.pulls.forge.runner import Runner
from tests.pulls.forge.test_play import opened, played

STEPS = (
    "play: Fetch the default branch with its history",
    "play: Play",
    "play: Hand the replies over",
    "answer / answer: Take the replies",
    "answer / answer: Post them",
    "publish / build: Build its site",
    "publish / deploy: Put the site in place",
)
ENDS = ("play: Play", "answer / answer: Post them")
"""Those after which a defeat may end otherwise than an adoption."""
VOTES = {
    "adopted": ("APPROVED", "CHANGES_REQUESTED"),
    "defeated": ("CHANGES_REQUESTED", "APPROVED"),
}


PULL = 101


@pytest.fixture(scope="module")
def voted(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Forge]:
    """A forge with a pull request, PULL, on which everybody has voted; nobody has looked at it
    since.
    """

    @cache
    def make(outcome: str) -> Forge:
        forge = pushed(template, tmp_path_factory.mktemp(outcome))
        assert opened(forge, Runner(forge)) == PULL
        most, one = VOTES[outcome]
        forge.review(PULL, "quill-writes", most)
        forge.review(PULL, "osprey-flies", most)
        forge.review(PULL, "wren-plays", one)
        return forge

    return make


def end(forge: Forge) -> tuple[object, ...]:
    """Everything that a run should leave behind, whenever and however often it ran."""
    pull = forge.pull(PULL)
    return (
        forge.bare("ls-tree", "-r", "main"),
        forge.subjects(),
        pull["state"],
        pull["merged_at"],
        forge.bodies(PULL),
    )


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("outcome", "step"),
    [*(("adopted", one) for one in STEPS), *(("defeated", one) for one in ENDS)],
)
def test_a_run_that_ends_after_a_step_is_made_good(
    voted: Callable[[str], Forge], tmp_path: Path, outcome: str, step: str
) -> None:
    forge = voted(outcome).copied(tmp_path)
    runner = Runner(forge)
    runner.breaks = step
    run = played(runner.start(forge.schedule()))
    if runner.breaks:
        pytest.fail(f"it never came to {step}:\n{run.log}")
    assert "failure" in run.results.values()
    again = played(runner.start(forge.schedule("41 4 * * *")))
    assert set(again.results.values()) == {"success"}, again.log
    made, sites = end(forge), len(runner.sites)
    assert f"status: {outcome}\n" in forge.file("proposals/301.md")
    assert made[1] == [
        f"{outcome.title()}: proposal 301, Tea",
        "Open the vote on proposal 301: Tea",
        "Register proposal 301: Tea",
        "Begin Tea",
    ]
    assert (made[2], made[3] is not None) == ("closed", outcome == "adopted")
    bodies = forge.bodies(PULL)
    assert f"Proposal 301 was {outcome}" in bodies[0]
    assert len(bodies) == (2 if outcome == "adopted" else 3)
    assert sites >= 1
    # And a third run finds nothing left to do.
    runner.start(forge.schedule())
    assert end(forge) == made


@pytest.mark.nightly
def test_every_call_of_the_forge_may_fail_once(
    voted: Callable[[str], Forge], tmp_path: Path
) -> None:
    forge = voted("defeated").copied(tmp_path)
    runner = Runner(forge)
    calls = [
        "GET .*/pulls[?]per_page",
        "GET .*/reviews",
        "GET .*/issues/.*/comments",
        "GET .*/pulls/.*/comments",
        "GET .*/reactions",
        "GET .*state=closed",
        "PATCH .*/issues/comments",
        "POST .*/comments",
        "PATCH .*/pulls",
    ]
    forge.save({**forge.load(), "trouble": calls})
    for _ in range(len(calls) + 1):
        runner.start(forge.schedule())
    assert forge.load()["trouble"] == []
    assert "status: defeated\n" in forge.file("proposals/301.md")
    assert forge.pull(PULL)["state"] == "closed"
    bodies = forge.bodies(PULL)
    assert [body.splitlines()[0].split(" ")[0] for body in bodies] == ["<!--", "<!--", "Proposal"]


@pytest.mark.nightly
def test_whatever_writes_to_the_branch_waits_for_its_turn(
    voted: Callable[[str], Forge], tmp_path: Path
) -> None:
    forge = voted("adopted").copied(tmp_path)
    runner = Runner(forge)
    for event in (
        forge.dispatch(),
        forge.schedule(),
        forge.label(PULL, "vote"),
        forge.comment(PULL, "x", "/VOTE"),
    ):
        runner.start(event)
    groups = {
        run.group
        for run in runner.runs
        if run.workflow == "play.yml" and run.jobs["play"].result != "skipped"
    }
    assert groups == {"nomicgen-base"}
