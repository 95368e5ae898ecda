"""What CONTRIBUTING tells players to write is what the game takes."""

from __future__ import annotations

import re

import pytest

from tests.pulls.forge.conftest import Playing
from tests.pulls.forge.test_play import played
from tests.pulls.forge.test_pull_request import only
from tests.support import ROOT

WORDS = (ROOT / "nomicgen/scaffold/github/CONTRIBUTING.md").read_text("utf-8")


def block(language: str, holding: str = "") -> str:
    """The one block of a language that holds some words, without the blanks in front that a list needs."""
    blocks = re.findall(rf"^( *)```{language}\n(.*?)^ *```$", WORDS, re.MULTILINE | re.DOTALL)
    (found,) = (one for one in blocks if holding in one[1])
    return re.sub(rf"^{found[0]}", "", found[1], flags=re.MULTILINE)


def test_joining_as_it_is_told_is_a_player_s_pull_request(playing: Playing) -> None:
    forge, runner = playing
    text = block("yaml", "name: Wren").replace("wren-plays", "newcomer").replace("Wren", "Tallow")
    number, event = forge.open("newcomer", {"players/tallow.yml": text})
    run = only(runner.start(event))
    assert run.results["check"] == "success", run.log
    assert "player" in forge.bodies(number)[0].splitlines()[1]


@pytest.mark.deep
def test_the_draft_that_is_told_goes_all_the_way(playing: Playing) -> None:
    forge, runner = playing
    number, event = forge.open("wren-plays", {"proposals/quiet-hours.md": block("markdown")})
    run = only(runner.start(event))
    assert run.results["check"] == "success", run.log
    ask = block("text")
    assert played(runner.start(forge.comment(number, "wren-plays", ask))).results["play"] == "success"
    forge.later(days=2)
    runner.start(forge.schedule())
    ballot = re.search(r"nomicgen:ballot (301-[0-9a-z]{10}) ", forge.bodies(number)[1])
    assert ballot is not None
    lines = re.findall(r"`(/vote (?:for|against|abstain) )301-k7q2m4x9ta`", WORDS.replace("\n", " "))
    assert [line.split()[1] for line in lines] == ["for", "against", "abstain"]
    for login, line in (("wren-plays", lines[0]), ("osprey-flies", lines[1]), ("quill-writes", lines[0])):
        run = played(runner.start(forge.comment(number, login, f"{line}{ballot[1]}")))
        assert run.results["play"] == "success", run.log
    assert "status: adopted\n" in forge.file("proposals/301.md")


@pytest.mark.deep
def test_the_other_headings_are_instructions(playing: Playing) -> None:
    forge, runner = playing
    headings = re.findall(r"`(## (?:Amend|Repeal|Transmute) Rule [^`]+)`", WORDS)
    assert len(headings) == 3
    for heading in headings:
        # The examples' numbers are of a game that has gone on; here the rules are as they began.
        text = re.sub(r"/\d", "/0", heading)
        body = f"Why not.\n\n{text}\n" + ("\nAll of it is new.\n" if "Amend" in heading else "")
        draft = f"---\ntitle: Other\nauthor: wren\nstatus: draft\n---\n\n{body}"
        _, event = forge.open("wren-plays", {"proposals/other.md": draft})
        run = only(runner.start(event))
        assert run.results["check"] == "success", f"{text}\n{run.log}"
