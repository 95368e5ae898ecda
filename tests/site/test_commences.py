"""What the site says of a proposal that names the day of its own effect."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping

import pytest

from nomicgen.model.values import Moment
from nomicgen.play.load import Game, load
from nomicgen.play.possible_moves import whats_next
from nomicgen.site.data.files import data_files
from nomicgen.site.pages.home_page import home_pages
from nomicgen.site.pages.instruments_page import instrument_pages
from nomicgen.site.publishing.publication import publication_of
from nomicgen.site.site_view import Site
from tests.site.small import LANTERN, site_of, small_archive
from tests.site.test_players import facts
from tests.support import ROOT


def _facts(files: Mapping[str, str], number: int) -> dict[str, str]:
    pages = dict(instrument_pages(site_of(small_archive(files)), "proposal"))
    return facts(pages[f"proposals/{number}.md"].split("<h2>Dates</h2>")[1])


def test_the_page_of_a_proposal_tells_the_day() -> None:
    assert _facts(LANTERN, 304)["Takes effect"] == "on Apr 1, 2021, by its own words"
    adopted = _facts(LANTERN, 303)
    assert adopted["In effect"] == "Mar 10, 2021, by its own words"
    assert "Takes effect" not in adopted
    assert _facts(LANTERN, 302)["In effect"] == "Feb 2, 2021"


def test_a_rule_goes_before_the_day() -> None:
    rule = LANTERN["rules/initial/208.md"].replace("{victory:", "{effect: at-once, victory:")
    said = _facts({**LANTERN, "rules/initial/208.md": rule}, 304)["Takes effect"]
    assert said == "on Apr 1, 2021, by its own words, but Rule 208 says when it does"


def test_the_document_of_a_proposal_has_the_day() -> None:
    documents = dict(data_files(site_of(small_archive(LANTERN))))
    said = {number: json.loads(documents[f"api/v1/proposals/{number}.json"])["commences"] for number in (302, 303, 304)}
    assert said == {302: None, 303: "2021-03-10", 304: "2021-04-01"}
    strength = json.loads(documents["api/v1/players/ada.json"])["strength"]
    assert [(one["votes"], one["since"], one["until"]) for one in strength] == [
        (3, "2021-01-05", None),
        (0, "2021-01-07", "2021-01-08"),
    ]


def test_the_page_of_a_proposal_says_how_long_it_waits() -> None:
    rule = LANTERN["rules/initial/208.md"].replace("{victory:", "{effect: {after: 7 days}, victory:")
    open_one = LANTERN["proposals/304.md"].replace("commences: 2021-04-01\n", "")
    said = _facts({**LANTERN, "rules/initial/208.md": rule, "proposals/304.md": open_one}, 304)["Takes effect"]
    assert said == "7 days after the decision (Rule 208)"


# What cannot be done yet is offered to nobody: the site says what a proposal waits for, as `nomicgen next` does.


DAY = Moment.parse("2026-11-20")
PATH = "proposals/winter-recess.md"
WAITS = "Legal. It waits for osprey's turn (R4T2), and then gets its number"


@pytest.fixture(scope="module")
def game() -> Game:
    """The house, in Marl's turn, with a draft of Osprey's."""
    return load(ROOT, DAY)


@pytest.fixture(scope="module")
def site(game: Game) -> Site:
    return site_of(publication_of(game), DAY)


def told(text: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())


def test_the_first_page_says_what_a_draft_waits_for(site: Site) -> None:
    ((_, home),) = home_pages(site)
    said = told(home)
    assert f"Draft winter-recess · Winter recess : {WAITS}" in said
    assert "Register Draft winter-recess" not in said
    assert "nomicgen register" not in said


def test_the_draft_s_own_page_says_the_same(site: Site) -> None:
    pages = dict(instrument_pages(site, "proposal"))
    page = pages["proposals/draft-winter-recess.md"]
    assert f"It has no number yet, and may still change. {WAITS}." in told(page)


def test_they_are_the_words_of_next(game: Game, site: Site) -> None:
    (task,) = [task for task in whats_next(game) if task.path == PATH]
    assert (task.what, task.command) == (f"{PATH}: {WAITS}", None)
    assert site.archive.hindered == {PATH: WAITS}
