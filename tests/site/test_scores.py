"""The page of scores and turns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from nomicgen.cli.program import main
from nomicgen.model.values import Moment
from nomicgen.play.game_history import game_history_of
from nomicgen.play.load import load
from nomicgen.site.pages.scores_page import score_pages
from tests.site.example import TODAY, build_game, load_history
from tests.site.small import LANTERN, site_of, small_history, words
from tests.support import GitRepo


def rows(page: str, anchor: str) -> list[str]:
    body = page.split(f'<h2 id="{anchor}">', 1)[1].split("<tbody>", 1)[1].split("</tbody>", 1)[0]
    return [words(one) for one in re.findall(r"<tr.*?</tr>", body, re.DOTALL)]


def lead(page: str) -> str:
    return words(page.split('<p class="n-lead">')[1].split("</p>", maxsplit=1)[0])


@pytest.fixture(scope="module")
def lantern() -> str:
    return dict(score_pages(site_of(small_history(LANTERN))))["scores.md"]


def test_standings_have_places_that_equals_share(tmp_path: Path, lantern: str) -> None:
    assert rows(lantern, "standings") == [
        "1 Ada 20 +10 playing",
        "2 Index 10 +10 playing",
        "— Cy 1/2 — left",
        "— Eve 0 — joins later",
        "3 Bo &lt;b&gt; −1/2 −1 inactive",
        "— Robin −3 −3 bot",
    ]
    assert words(lantern.split('id="standings"')[1].split("</thead>", maxsplit=1)[0]).endswith(
        "Place Player Points Since R1T2 State"
    )
    harbour = dict(score_pages(site_of(load_history(build_game(GitRepo(tmp_path))), TODAY)))[
        "scores.md"
    ]
    assert rows(harbour, "standings") == [
        "1 Ada 0 playing",
        "1 Cy &lt;b&gt;Bold&lt;/b&gt; 0 playing",
        "1 Dee 0 playing",
        "1 Eli &amp; Co 0 playing",
        "5 Bo Ek −10 playing",
    ]
    assert rows(harbour, "turns")[0] == "R1T5 Eli &amp; Co Sep 18, 2020 being played Proposal 305 —"


def test_the_winner_and_the_goal_are_said_with_their_rule(lantern: str) -> None:
    assert lead(lantern) == (
        "Ada won on Feb 2, 2021, with 20 points or more (Rule 208). 20 points still win (Rule 208)."
    )
    assert '(<a class="n-ref" href="../rules/208/">Rule 208</a>)' in lantern
    early = {path: text for path, text in LANTERN.items() if path != "proposals/302.md"}
    early["proposals/303.md"] = early["proposals/303.md"].replace("301/1", "301/0")
    assert (
        lead(dict(score_pages(site_of(small_history(early))))["scores.md"])
        == "20 points win (Rule 208)."
    )


def test_every_point_has_its_reason_and_where_it_came_from(lantern: str) -> None:
    assert rows(lantern, "points") == [
        "Feb 27, 2021 Index +10 10 proposal 303 adopted, as its author Proposal 303 Rule 206",
        "Feb 3, 2021 Bo &lt;b&gt; −1 −1/2 a nap R1T2 Rule 206",
        "Feb 2, 2021 Ada +10 20 proposal 302 adopted, as its author Proposal 302 Rule 206",
        "Feb 2, 2021 Robin −3 −3 soot Candlemas Rule 206",
        "Jan 6, 2021 Bo &lt;b&gt; +1/2 1/2 for grace Proposal 301 Rule 206",
        "Jan 6, 2021 Cy +1/2 1/2 for grace Proposal 301 Rule 206",
        "Jan 6, 2021 Ada +10 10 proposal 301 adopted, as its author Proposal 301 Rule 206",
    ]
    assert (
        '<td><a class="n-turn-id" title="round 1, turn 2" href="../scores/#R1T2">R1T2</a></td>'
        in lantern
    )
    assert re.findall(r'data-player="([^"]*)" data-rule="([^"]*)"', lantern) == [
        ("index", "206"),
        ("bo", "206"),
        ("ada", "206"),
        ("robin", "206"),
        ("bo", "206"),
        ("cy", "206"),
        ("ada", "206"),
    ]


def test_points_of_which_no_rule_speaks_come_from_their_file() -> None:
    unsaid = {
        path: text
        for path, text in LANTERN.items()
        if path not in ("rules/initial/206.md", "proposals/304.md")
    }
    page = dict(score_pages(site_of(small_history(unsaid))))["scores.md"]
    assert rows(page, "points") == [
        "Feb 3, 2021 Bo &lt;b&gt; −1 −1/2 a nap R1T2 its file",
        "Feb 2, 2021 Robin −3 −3 soot Candlemas its file",
        "Jan 6, 2021 Bo &lt;b&gt; +1/2 1/2 for grace Proposal 301 its file",
        "Jan 6, 2021 Cy +1/2 1/2 for grace Proposal 301 its file",
    ]
    assert re.findall(r'data-player="([^"]*)" data-rule="([^"]*)"', page) == [
        ("bo", ""),
        ("robin", ""),
        ("bo", ""),
        ("cy", ""),
    ]


def test_turns_are_listed_with_what_came_of_them(lantern: str) -> None:
    assert rows(lantern, "turns") == [
        "R1T2 Bo &lt;b&gt; Feb 1, 2021 Feb 3, 2021 passed Proposal 302 — −1",
        "R1T1 Ada Jan 5, 2021 Jan 7, 2021 Proposal 301 4 —",
    ]
    assert re.findall(r'<tr id="([^"]*)"', lantern) == ["R1T2", "R1T1"]


def test_a_game_without_points_has_a_page_that_says_so() -> None:
    files: Mapping[str, str] = {
        "nomic.yml": LANTERN["nomic.yml"],
        "players/ada.yml": LANTERN["players/ada.yml"],
    }
    page = dict(score_pages(site_of(small_history(files))))["scores.md"]
    assert lead(page) == "No points have been given yet."
    assert rows(page, "standings") == ["1 Ada 0 playing"]
    for anchor in ("points", "turns", "course"):
        assert f'id="{anchor}"' not in page


@pytest.fixture(scope="module")
def pokey(tmp_path_factory: pytest.TempPathFactory) -> str:
    game = tmp_path_factory.mktemp("pokey") / "game"
    done = CliRunner().invoke(main, ["init", str(game), "--ruleset", "pokey", "--played"])
    assert done.exit_code == 0, done.output
    today = Moment.parse("2025-04-01")
    return dict(score_pages(site_of(game_history_of(load(game, today)), today)))["scores.md"]


def test_a_shipped_game_that_was_played(pokey: str) -> None:
    assert lead(pokey) == "100 points win (Rule 208)."
    assert rows(pokey, "standings") == [
        "1 brindle 52 — playing",
        "1 quarry 52 — playing",
        "3 tinder 48 ±0 playing",
        "4 moss 32 — playing",
        "5 gannet 23 — playing",
    ]
    assert rows(pokey, "points")[:2] == [
        "Mar 22, 2025 tinder +5 48 turn R4T5, a throw of 5 R4T5 Rule 202",
        "Mar 22, 2025 tinder −5 43 proposal 320 defeated, as its author Proposal 320 Rule 316",
    ]
    assert len(rows(pokey, "points")) == 80
    assert rows(pokey, "turns")[:2] == [
        "R5T1 brindle Mar 20, 2025 being played Proposal 321 — —",
        "R4T5 tinder Mar 17, 2025 Mar 22, 2025 Proposal 320 5 +5",
    ]
