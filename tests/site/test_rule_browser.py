"""A rule's page in a browser: who wrote a phrase, by mouse and by keyboard, and what is printed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.deep import sampled
from tests.site.conftest import Built
from tests.site.test_rule import words

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(harbour: Built, serve: Callable[[Path], str]) -> str:
    return serve(harbour.site)


@pytest.mark.nightly
def test_a_phrase_says_who_wrote_it(page: Page, address: str) -> None:
    page.goto(f"{address}rules/203/")
    place = page.locator(".n-past").bounding_box()
    phrase = page.locator('.n-law .n-by[data-by="1"]').first
    phrase.hover()
    card = page.locator(".n-author-card")
    card.wait_for()
    assert words(card.inner_html()).startswith(
        "203/1 Amended (1) by Proposal 301 (Ada), Jun 10, 2020 (R1T1) adopted 5–0"
    )
    assert page.locator(".n-past").bounding_box() == place
    lit = page.locator(".n-law .n-by--lit")
    assert lit.count() == page.locator('.n-main > .n-law .n-by[data-by="1"]').count()
    card.get_by_role("link", name="Proposal 301").click()
    assert page.url == f"{address}proposals/301/"


@pytest.mark.nightly
def test_a_phrase_can_be_reached_by_the_keyboard(page: Page, address: str) -> None:
    page.goto(f"{address}rules/203/")
    assert page.locator(".n-by[tabindex]").count() == 0
    page.locator(".n-authors > summary").focus()
    page.keyboard.press("Enter")
    phrase = page.locator(".n-by[tabindex]").first
    page.locator(".n-crumbs a").first.focus()
    # The day above the text has a stop for each of its parts.
    for _ in range(16):
        page.keyboard.press("Tab")
        if phrase.evaluate("one => one === document.activeElement"):
            break
    card = page.locator(".n-author-card")
    card.wait_for()
    page.keyboard.press("Enter")
    assert card.locator(":focus").count() == 1
    page.keyboard.press("Escape")
    assert card.is_hidden()
    assert phrase.evaluate("one => one === document.activeElement")


@pytest.mark.nightly
def test_only_what_a_reader_has_opened_is_printed(page: Page, address: str) -> None:
    page.goto(f"{address}rules/203/")
    underlined = "one => getComputedStyle(one).textDecorationLine"
    phrase, authors = page.locator(".n-law .n-by").first, page.locator(".n-authors")
    page.emulate_media(media="print")
    assert not authors.is_visible()
    assert phrase.evaluate(underlined) == "none"
    assert page.locator("#r1 .n-redline").is_visible()
    assert not page.locator("#r0").is_visible()
    page.emulate_media(media="screen")
    authors.locator("summary").click()
    page.emulate_media(media="print")
    assert authors.is_visible()
    assert phrase.evaluate(underlined) == "underline"


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", sampled(["light", "dark"], every=2))
def test_the_list_of_authors_is_accessible_and_fits(
    page: Page, address: str, axe: Callable[[Page], list[str]], scheme: str
) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(f"{address}rules/203/")
        page.locator(".n-authors > summary").click()
        number = "one => getComputedStyle(one, '::after').content"
        assert page.locator('.n-law .n-by-end[data-by="1"]').first.evaluate(number) == '"1"'
        page.locator('.n-law .n-by[data-by="1"]').first.click()
        page.locator(".n-author-card").wait_for()
        assert axe(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


# The law on a day: of one rule, at an address, and of all rules, found again by a filter and a
# jump.


OLD = "A rule-change is adopted if every eligible voter votes for it."


def test_a_rule_on_a_day_is_an_address(
    page: Page, address: str, axe: Callable[[Page], list[str]]
) -> None:
    page.goto(f"{address}rules/203/?on=2020-06-09")
    said, law = page.locator(".n-life-said"), page.locator(".n-main > .n-law")
    said.get_by_text("At the end of Jun 9, 2020").wait_for()
    assert law.inner_text() == OLD
    assert (
        said.get_by_role("link", name="Jun 9, 2020").get_attribute("href")
        == "../../../time/#2020-06-09"
    )
    assert axe(page) == []
    page.get_by_label("On", exact=True).fill("2020-06-10")
    page.get_by_label("On", exact=True).blur()
    page.wait_for_url(f"{address}rules/203/1/?on=2020-06-10")
    assert law.inner_text() != OLD
    page.get_by_role("button", name="One change earlier").click()
    page.wait_for_url(f"{address}rules/203/0/")
    assert page.get_by_label("On", exact=True).input_value() == ""
    page.goto(f"{address}rules/203/?on=2019-01-01")
    said.get_by_text("this rule did not exist yet").wait_for()
    page.goto(f"{address}rules/203/?on=2020-02-31x")
    assert said.get_by_text("At the end of").count() == 0


def test_a_rule_that_never_changed_has_a_day_too(page: Page, address: str) -> None:
    page.goto(f"{address}rules/101/?on=2020-06-09")
    page.get_by_text("At the end of Jun 9, 2020").wait_for()
    assert not page.get_by_role("slider").is_visible()


@pytest.mark.deep
def test_the_law_of_a_day_is_filtered_and_jumped_in_and_the_day_stays_in_view(
    page: Page, address: str, axe: Callable[[Page], list[str]]
) -> None:
    page.set_viewport_size({"width": 1280, "height": 700})
    page.goto(f"{address}time/#2020-06-09")
    page.get_by_text("Compare with another day, find words").click()
    shown = page.locator(".n-time-rule:visible")
    shown.first.wait_for()
    every = shown.count()
    page.get_by_label("Rules with").fill("every eligible")
    page.get_by_text("1 of ").wait_for()
    assert shown.locator("h3").all_inner_texts() == ["Rule 203/0 · Adoption"]
    page.get_by_label("Rules with").fill("nowhere")
    page.get_by_text(f"No result among {every} rules").wait_for()
    page.get_by_label("Rules with").fill("")
    page.locator(".n-time-count:empty").wait_for(state="attached")
    assert shown.count() == every
    page.get_by_label("Rules with").fill("203")
    page.keyboard.press("Enter")
    page.wait_for_function(  # the page scrolls there
        """() => {
            const rules = [...document.querySelectorAll(".n-time-rule")]
            const rule = rules.find((one) => one.innerText.includes("Adoption"))
            const bar = document.querySelector(".n-time-bar")
            return bar.getBoundingClientRect().y < rule.getBoundingClientRect().y
        }"""
    )
    place = page.locator(".n-time-rule", has_text="Adoption").bounding_box()
    bar = page.locator(".n-time-bar").bounding_box()
    assert place is not None
    assert bar is not None
    assert 0 <= bar["y"] < place["y"] < 700
    assert page.locator(".n-time-day").inner_text() == "Jun 9, 2020"
    page.mouse.wheel(0, 4000)
    page.wait_for_timeout(200)
    stuck = page.locator(".n-time-bar").bounding_box()
    assert stuck is not None
    assert 0 < stuck["y"] < 100
    assert axe(page) == []
