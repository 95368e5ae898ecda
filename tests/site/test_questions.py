"""A reader's questions, each answered from the first page in so many clicks at most (filling a
field is one).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.site.conftest import Built

pytestmark = pytest.mark.browser


class Reader:
    """Someone with a mouse at the first page, whose clicks are counted."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.clicks = page, 0
        page.goto(address)

    def click(self, place: Locator) -> None:
        self.clicks += 1
        place.click()

    def fill(self, place: Locator, words: str) -> None:
        self.clicks += 1
        place.fill(words)

    def go(self, name: str | re.Pattern[str], within: str = "main") -> None:
        """Follows the first link of that name."""
        exact = isinstance(name, str)
        self.click(self.page.locator(within).get_by_role("link", name=name, exact=exact).first)

    def tab(self, name: str) -> None:
        """Follows a link of the site's navigation."""
        self.go(name, "nav.md-tabs")

    def sees(self, words: str | re.Pattern[str], place: str = ".nomic") -> None:
        expect(self.page.locator(place).first).to_contain_text(words)


@pytest.fixture
def reader(page: Page, harbour: Built, serve: Callable[[Path], str]) -> Reader:
    return Reader(page, serve(harbour.site))


@pytest.mark.deep
def test_what_does_rule_203_say_now_and_since_when(reader: Reader) -> None:
    reader.tab("Ruleset")
    reader.go("Adoption")
    reader.sees("if a simple majority of eligible voters vote for it", ".n-law")
    reader.sees("in force since Jun 10, 2020", ".n-badges")
    assert reader.clicks <= 2


def test_what_did_rule_203_say_on_a_day_and_who_changed_it(reader: Reader) -> None:
    reader.go("The law as it stood on any day")
    reader.fill(reader.page.get_by_label("At the end of"), "2020-06-09")
    rule = reader.page.locator(".n-time-rule").filter(has_text="Rule 203/0 · Adoption")
    expect(rule).to_contain_text("A rule-change is adopted if every eligible voter votes for it.")
    expect(rule).to_contain_text("Proposal 301")
    assert reader.clicks <= 2


def test_who_wrote_a_phrase(reader: Reader) -> None:
    reader.tab("Ruleset")
    reader.go("Adoption")
    reader.page.wait_for_load_state("networkidle")  # its script listens by then
    reader.click(reader.page.locator(".n-law").first.get_by_text("simple majority").first)
    card = reader.page.locator(".n-author-card")
    expect(card).to_contain_text("Proposal 301")
    expect(card).to_contain_text("Ada")
    expect(card).to_contain_text("5")
    assert reader.clicks <= 3


@pytest.mark.deep
def test_why_did_a_proposal_fail(reader: Reader) -> None:
    reader.tab("Proposals")
    reader.go("No more biscuits")
    reader.sees("Rule 203/1", ".n-vote")
    reader.sees("more than half", ".n-vote")
    assert reader.clicks <= 2


@pytest.mark.deep
def test_who_has_yet_to_vote(reader: Reader) -> None:
    expect(reader.page.locator(".n-cards").first).to_contain_text(
        "Yet to vote: Bo Ek, Cy <b>Bold</b>"
    )
    assert reader.clicks == 0


@pytest.mark.nightly
def test_what_has_a_player_done(reader: Reader) -> None:
    reader.tab("Players")
    reader.go("Bo Ek")
    reader.sees("Proposal 302")
    reader.sees("defeated")
    assert reader.clicks <= 2


@pytest.mark.deep
def test_how_many_points_has_a_player_and_why(reader: Reader) -> None:
    reader.go("All scores")
    row = reader.page.locator("#awards tr").filter(has_text="Bo Ek")
    expect(row).to_contain_text("−10")
    expect(row).to_contain_text("Rule 206")
    assert reader.clicks <= 1


@pytest.mark.nightly
def test_how_do_judges_read_a_rule(reader: Reader) -> None:
    reader.tab("Ruleset")
    reader.go("Adoption")
    reader.sees("construes 203/0; since amended, now 203/1", ".n-aside")
    reader.go(re.compile("Judgement 1"), ".n-aside")
    reader.sees("No. Rule 203 counts those who were eligible when the vote opened.")
    assert reader.clicks <= 3


@pytest.mark.nightly
def test_what_became_of_a_number(reader: Reader) -> None:
    reader.tab("Ruleset")
    reader.click(reader.page.get_by_text("Former numbers"))
    reader.go("Numbers", "details.n-group[open]")
    reader.sees("Rule 303")
    reader.go(re.compile("Rule 303"))
    expect(reader.page.locator("h1")).to_contain_text("Rule 303")
    assert reader.clicks <= 4


@pytest.mark.nightly
def test_which_commit_brought_it(reader: Reader) -> None:
    reader.tab("History")
    shown = reader.page.locator(".n-sha").first
    assert re.fullmatch(
        r"https://github\.com/example/harbour/commit/[0-9a-f]{40}",
        shown.get_attribute("href") or "",
    )
    assert reader.clicks <= 1


@pytest.mark.deep
def test_what_happened_on_a_day(reader: Reader) -> None:
    reader.tab("History")
    day = reader.page.locator("[id='2020-07-12']")
    expect(day).to_contain_text("Rule 304/0 enacted")
    assert reader.clicks <= 1


@pytest.mark.nightly
def test_how_can_i_change_a_rule(reader: Reader) -> None:
    reader.tab("Ruleset")
    reader.go("Adoption")
    reader.sees("by more than half of eligible voters", ".n-ways")
    link = reader.page.get_by_role("link", name="Amend it")
    assert (link.get_attribute("href") or "").endswith("propose/?rule=203&way=amend")
    assert reader.clicks <= 2
