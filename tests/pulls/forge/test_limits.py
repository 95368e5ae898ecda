"""What Play reads and fetches: nothing of strangers, nothing without end, and what it leaves out it
says.
"""

from __future__ import annotations

import os
import re
import subprocess

import pytest

from tests.pulls.forge.conftest import Playing, draft
from tests.pulls.forge.runner import Run
from tests.pulls.forge.test_play import DONE, PUBLISHED, ballot, opened, played
from tests.pulls.forge.test_pull_request import only
from tests.support import ROOT

pytestmark = pytest.mark.deep


def summary(run: Run) -> str:
    file = run.folder / "play" / "summary.md"
    return file.read_text("utf-8") if file.is_file() else ""


def was_fetched(run: Run, sha: str) -> bool:
    line = ["git", "cat-file", "-e", f"{sha}^{{commit}}"]
    return (
        subprocess.run(line, cwd=run.folder / "play" / "workspace", capture_output=True).returncode
        == 0
    )


def test_of_strangers_nothing_is_asked_and_nothing_fetched(playing: Playing) -> None:
    forge, runner = playing
    ours, _ = forge.open("Wren-Plays", {"proposals/tea.md": draft()})
    newcomer, event = forge.open("tallow-wick", {"players/tallow.yml": "name: Tallow\n"})
    stranger, _ = forge.open("stranger", {"proposals/cocoa.md": draft("Cocoa")})
    # A newcomer is answered all the same, by the workflow that judges.
    assert only(runner.start(event)).results["answer / answer"] == "success"
    forge.comment(stranger, "stranger", "/open")
    closed, _ = forge.open("stranger", {"proposals/milk.md": draft("Milk")})
    state = forge.load()
    state["pulls"][str(closed)]["state"] = "closed"
    forge.save({**state, "calls": []})
    run = played(runner.start(forge.schedule()))
    assert run.results["play"] == "success", run.log
    calls = [call for call in forge.load()["calls"] if call.startswith("GET")]
    assert [call for call in calls if f"/{newcomer}" in call or f"/{stranger}" in call] == []
    kinds = ("pulls/{}/reviews", "issues/{}/comments", "pulls/{}/comments", "issues/{}/timeline")
    assert {call for call in calls if f"/{ours}/" in call} == {
        f"GET repos/us/game/{one.format(ours)}" for one in kinds
    }
    assert was_fetched(run, forge.pull(ours)["head"]["sha"])
    for number in (newcomer, stranger, closed):
        assert not was_fetched(run, forge.pull(number)["head"]["sha"])
    said = f"not read, no player has the account of pull requests {newcomer}, {stranger}"
    assert f"::notice::{said}\n" in run.log
    assert summary(run) == f"- {said}\n"


@pytest.mark.nightly
def test_votes_are_read_whoever_opened_the_pull_request(playing: Playing) -> None:
    """The author's account has changed since: the vote on the proposal goes on."""
    forge, runner = playing
    number = opened(forge, runner)
    line = ballot(forge, number)
    forge.push(
        {
            "players/wren.yml": "name: Wren\naccounts:\n  github: wren-elsewhere\n"
            "joined: 2026-01-01\norder: 3\n"
        }
    )
    for login in ("osprey-flies", "quill-writes", "wren-elsewhere"):
        run = played(runner.start(forge.comment(number, login, f"/vote for {line}")))
        assert run.results["play"] == "success", run.log
    assert "status: adopted\n" in forge.file("proposals/301.md")


@pytest.mark.nightly
def test_what_is_too_large_is_neither_judged_nor_fetched(playing: Playing) -> None:
    forge, runner = playing
    small, _ = forge.open("quill-writes", {"proposals/cocoa.md": draft("Cocoa", "quill")})
    large: dict[str, str | bytes | None] = {
        "proposals/tea.md": draft(),
        "images/tea.png": os.urandom(33 << 20),
    }
    number, event = forge.open("wren-plays", large)
    head = forge.pull(number)["head"]["sha"]
    run = only(runner.start(event))
    assert run.results == {"check": "failure", "answer": "skipped"}
    assert f"::error::{head} brings more than 32 MiB, and is not judged\n" in run.log
    forge.comment(number, "wren-plays", "/open")
    run = played(runner.start(forge.comment(small, "quill-writes", "/open")))
    # Somebody has to see to it, and all the rest is done.
    assert run.results == {**DONE, **PUBLISHED, "play": "failure"}, run.log
    assert "title: Cocoa\n" in forge.file("proposals/301.md")
    assert not was_fetched(run, head)
    assert (
        summary(run)
        == f"- pull request {number}: {head} brings more than 32 MiB, and was not fetched\n"
    )


@pytest.mark.nightly
def test_only_the_forge_s_own_word_says_that_a_pull_request_is_gone(playing: Playing) -> None:
    forge, runner = playing
    number = opened(forge, runner)
    state = forge.load()
    state["pulls"][str(number)]["state"] = "closed"
    forge.save({**state, "trouble": [f"GET .*/pulls/{number}$"]})
    forge.later(days=30)
    before = forge.tip
    run = played(runner.start(forge.schedule()))
    assert run.results == {"play": "failure", "answer": "skipped", "publish": "skipped"}
    assert "gh: HTTP 502" in run.log
    assert "its pull request is closed" not in run.log
    assert forge.tip == before
    # And one that is gone keeps nothing from being done.
    state = forge.load()
    del state["pulls"][str(number)]
    forge.save(state)
    run = played(runner.start(forge.schedule()))
    assert run.results["play"] == "success", run.log
    assert "gh: Not Found (HTTP 404)" in run.log


@pytest.mark.nightly
def test_the_token_that_may_not_push_is_told_once(playing: Playing) -> None:
    forge, runner = playing
    number, event = forge.open("wren-plays", {"proposals/tea.md": draft()})
    runner.start(event)
    guard = forge.origin / "hooks" / "pre-receive"
    before = guard.read_text()
    guard.write_text('#!/bin/sh\necho "this token may not push"; echo "::warning::pwned"; exit 1\n')
    run = played(runner.start(forge.comment(number, "wren-plays", "/open")))
    assert run.results == {"play": "failure", "answer": "skipped", "publish": "skipped"}
    assert run.log.count("this token may not push") == 1
    assert "has moved" not in run.log
    assert "::error::main does not take the commits, and git says why above" in run.log
    guard.write_text(before)
    assert played(runner.start(forge.dispatch())).results == DONE | PUBLISHED


@pytest.mark.nightly
def test_a_commit_that_the_forge_has_no_more_is_told(playing: Playing) -> None:
    forge, runner = playing
    number, _ = forge.open("wren-plays", {"proposals/tea.md": draft()})
    forge.review(number, "quill-writes", "APPROVED")
    state = forge.load()
    state["reviews"][str(number)][0]["commit_id"] = "1" * 40
    forge.save(state)
    run = played(runner.start(forge.schedule()))
    assert summary(run) == f"- pull request {number}: the forge no longer has {'1' * 40}\n"
    assert run.results["play"] == "success", run.log


# What CONTRIBUTING tells players to write is what the game takes.


WORDS = (ROOT / "nomicgen/scaffold/github/CONTRIBUTING.md").read_text("utf-8")


def block(language: str, holding: str = "") -> str:
    """The one block of a language that holds some words, without the blanks in front that a list
    needs.
    """
    blocks = re.findall(rf"^( *)```{language}\n(.*?)^ *```$", WORDS, re.MULTILINE | re.DOTALL)
    (found,) = (one for one in blocks if holding in one[1])
    return re.sub(rf"^{found[0]}", "", found[1], flags=re.MULTILINE)


@pytest.mark.nightly
def test_joining_as_it_is_told_is_a_player_s_pull_request(playing: Playing) -> None:
    forge, runner = playing
    text = block("yaml", "name: Wren").replace("wren-plays", "newcomer").replace("Wren", "Tallow")
    number, event = forge.open("newcomer", {"players/tallow.yml": text})
    run = only(runner.start(event))
    assert run.results["check"] == "success", run.log
    assert "player" in forge.bodies(number)[0].splitlines()[1]


@pytest.mark.nightly
def test_the_draft_that_is_told_goes_all_the_way(playing: Playing) -> None:
    forge, runner = playing
    number, event = forge.open("wren-plays", {"proposals/quiet-hours.md": block("markdown")})
    run = only(runner.start(event))
    assert run.results["check"] == "success", run.log
    ask = block("text")
    assert (
        played(runner.start(forge.comment(number, "wren-plays", ask))).results["play"] == "success"
    )
    forge.later(days=2)
    runner.start(forge.schedule())
    ballot = re.search(r"nomicgen:ballot (301-[0-9a-z]{10}) ", forge.bodies(number)[1])
    assert ballot is not None
    lines = re.findall(
        r"`(/vote (?:for|against|abstain) )301-k7q2m4x9ta`", WORDS.replace("\n", " ")
    )
    assert [line.split()[1] for line in lines] == ["for", "against", "abstain"]
    for login, line in (
        ("wren-plays", lines[0]),
        ("osprey-flies", lines[1]),
        ("quill-writes", lines[0]),
    ):
        run = played(runner.start(forge.comment(number, login, f"{line}{ballot[1]}")))
        assert run.results["play"] == "success", run.log
    assert "status: adopted\n" in forge.file("proposals/301.md")
