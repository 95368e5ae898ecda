"""The law on a day: of one rule, at an address, and of all rules, found again by a filter and a jump."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.site.conftest import Built

pytestmark = pytest.mark.browser
OLD = "A rule-change is adopted if every eligible voter votes for it."


@pytest.fixture(scope="module")
def address(harbour: Built, serve: Callable[[Path], str]) -> str:
    return serve(harbour.site)


def test_a_rule_on_a_day_is_an_address(page: Page, address: str, axe: Callable[[Page], list[str]]) -> None:
    page.goto(f"{address}rules/203/?on=2020-06-09")
    said, law = page.locator(".n-life-said"), page.locator(".n-main > .n-law")
    said.get_by_text("At the end of Jun 9, 2020").wait_for()
    assert law.inner_text() == OLD
    assert said.get_by_role("link", name="Jun 9, 2020").get_attribute("href") == "../../time/#2020-06-09"
    assert axe(page) == []
    page.get_by_label("On", exact=True).fill("2020-06-10")
    page.wait_for_url(f"{address}rules/203/?on=2020-06-10")
    assert law.inner_text() != OLD
    page.get_by_role("button", name="One change earlier").click()
    page.wait_for_url(f"{address}rules/203/?at=203/0")
    assert page.get_by_label("On", exact=True).input_value() == ""
    page.goto(f"{address}rules/203/?on=2019-01-01")
    said.get_by_text("this rule did not stand yet").wait_for()
    page.goto(f"{address}rules/203/?on=2020-02-31x")
    assert said.get_by_text("At the end of").count() == 0


def test_a_rule_that_never_changed_has_a_day_too(page: Page, address: str) -> None:
    page.goto(f"{address}rules/101/?on=2020-06-09")
    page.get_by_text("At the end of Jun 9, 2020").wait_for()
    assert not page.get_by_role("slider").is_visible()


def test_the_law_of_a_day_is_filtered_and_jumped_in_and_the_day_stays_in_view(
    page: Page, address: str, axe: Callable[[Page], list[str]]
) -> None:
    page.set_viewport_size({"width": 1280, "height": 700})
    page.goto(f"{address}time/#2020-06-09")
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
