"""What cannot be done yet is offered to nobody: the site says what a proposal waits for, as `nomicgen next` does."""

from __future__ import annotations

import html
import re

import pytest

from nomicgen.model.values import Moment
from nomicgen.play.load import Game, load
from nomicgen.play.possible_moves import whats_next
from nomicgen.site.pages.home_page import home_pages
from nomicgen.site.pages.instruments_page import instrument_pages
from nomicgen.site.publishing.publication import publication_of
from nomicgen.site.site_view import Site
from tests.site.small import site_of
from tests.support import ROOT

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
