"""Long lists in pages: what stays where it is, what a page weighs, and filters that look through
all of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Page

from nomicgen.model.values import Moment
from nomicgen.play.game_history import game_history_of
from nomicgen.play.load import load
from nomicgen.site.build import pages
from nomicgen.site.parts.further_pages import ListPage, list_pages
from nomicgen.site.render import asset
from tests.benchmarks.agora import write_agora
from tests.site.small import LANTERN, ON, small_history

BUDGET = 250_000
FRAME = 18_000
"""Bytes of a page, and of what the theme puts about ours."""
PRINTED = {"ruleset/long.md", "cards.md"}
"""Pages that are there to be printed whole."""


def built(files: dict[str, str], folder: Path) -> Path:
    """The pages of a game as bare documents, with the scripts of lists, at the addresses of the
    site.
    """
    for path, text in pages(small_history(files), today=ON).items():
        if path.endswith(".md"):
            stem = path.removesuffix(".md").removesuffix("index").rstrip("/")
            file = folder / stem / "index.html"
            root = "../" * (stem.count("/") + bool(stem))
            body = text.split("---\n", 2)[2]
            text = (
                f"<!doctype html><meta charset=utf-8>{body}<script "
                f'src="{root or "./"}assets/nomic.js" defer></script>'
            )
        else:
            file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    (folder / "assets" / "nomic.js").write_text(asset("nomic.js"), "utf-8")
    return folder


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of lists that hold next to nothing, and so a long list of a short one."""
    monkeypatch.setattr("nomicgen.site.parts.further_pages._MOST", 2)
    monkeypatch.setattr("nomicgen.site.pages.ruleset_page._FEW", 2)


def test_what_is_new_moves_nothing_that_has_an_address() -> None:
    def paged(count: int) -> dict[str, tuple[int, int]]:
        newest_first = range(count, 0, -1)
        return {
            one.path: (one.items[-1], one.items[0])
            for one in list_pages("proposals/index.md", newest_first, str)
        }

    assert paged(200) == {"proposals/index.md": (1, 200)}
    further = {"proposals/list_1.md": (1, 100), "proposals/list_2.md": (101, 200)}
    assert (
        paged(350)
        == {"proposals/index.md": (201, 350)} | {"proposals/list_1.md": (1, 100)} | further
    )
    assert paged(450) == {
        "proposals/index.md": (301, 450),
        **further,
        "proposals/list_3.md": (201, 300),
    }
    assert list_pages("acts/index.md", [], str) == [
        ListPage(path="acts/index.md", name="", items=[])
    ]


def test_what_is_large_has_a_page_of_its_own() -> None:
    sizes = [70, 1, 200, 1, 70]
    made = list_pages("history.md", sizes, str, lambda size: size)
    assert [one.items for one in made] == [[70, 1, 200], [1, 70]]


@pytest.mark.nightly
def test_no_page_of_a_game_of_agoras_size_weighs_more_than_it_may(tmp_path: Path) -> None:
    write_agora(tmp_path / "agora", 1)
    made = pages(game_history_of(load(tmp_path / "agora")), today=Moment.of(date(2026, 11, 22)))
    sizes = {
        path: len(text.encode()) + FRAME for path, text in made.items() if path.endswith(".md")
    }
    assert {
        path: size for path, size in sizes.items() if size > BUDGET and path not in PRINTED
    } == {}
    assert {"proposals/list_9.md", "history/list_9.md", "rules/list_repealed_2.md"} <= sizes.keys()


@pytest.mark.usefixtures("short")
def test_every_item_stands_on_one_page() -> None:
    made = pages(small_history(LANTERN), today=ON)
    lists = [path for path in made if re.fullmatch(r"proposals/(?:index|list_\d+)\.md", path)]
    assert len(lists) > 1
    numbers = [
        one for path in lists for one in re.findall(r'<span class="n-num">(\d+)</span>', made[path])
    ]
    assert sorted(numbers) == ["301", "302", "303", "304", "305"]
    assert sum("n-filter" in made[path] for path in lists) == 1
    days = [
        day
        for path in made
        if path.startswith("history")
        for day in re.findall(r'data-day="([^"]*)"', made[path])
    ]
    assert len(days) == len(set(days)) == 18


@pytest.mark.deep
@pytest.mark.browser
@pytest.mark.usefixtures("short")
def test_a_filter_looks_through_the_further_pages(
    page: Page, tmp_path: Path, serve: Callable[[Path], str]
) -> None:
    address = serve(built(dict(LANTERN), tmp_path))
    page.goto(f"{address}proposals/")
    shown = page.locator("[data-nomic-item]:visible .n-num")
    newest = shown.all_inner_texts()
    assert 0 < len(newest) < 5
    page.get_by_label("Status").select_option("defeated")
    page.get_by_text("1 of 5 shown").wait_for()
    assert shown.all_inner_texts() == ["305"]
    assert not page.locator(".n-leaves").is_visible()
    page.get_by_role("searchbox").fill("nowhere")
    assert page.get_by_role("status").first.inner_text().startswith("No result among 5")
    page.get_by_role("searchbox").fill("")
    page.get_by_label("Status").select_option("")
    assert shown.all_inner_texts() == newest
    page.goto(f"{address}proposals/?words=enact")
    page.get_by_text("1 of 5 shown").wait_for()
    page.locator(
        "[data-nomic-item]:visible .n-no a, [data-nomic-item]:visible a.n-no, "
        "[data-nomic-item]:visible a.n-name"
    ).first.click()
    page.wait_for_url(f"{address}proposals/301/")


@pytest.mark.browser
@pytest.mark.usefixtures("short")
def test_a_period_has_an_address_and_leads_to_what_it_changed(
    page: Page, tmp_path: Path, serve: Callable[[Path], str]
) -> None:
    address = serve(built(dict(LANTERN), tmp_path))
    page.goto(f"{address}history/")
    assert not page.get_by_role("link", name="What this changed in the law").is_visible()
    page.get_by_label("From").fill("2021-01-06")
    page.get_by_label("Until").fill("2021-01-20")
    page.wait_for_url(f"{address}history/?from=2021-01-06&until=2021-01-20")
    page.get_by_text("3 of 25 shown").wait_for()
    days = page.locator(".n-days section[id]:visible")
    assert [one.get_attribute("id") for one in days.all()] == [
        "2021-01-20",
        "2021-01-07",
        "2021-01-06",
    ]
    law = page.get_by_role("link", name="What this changed in the law")
    assert law.get_attribute("href") == "../time/#2021-01-05..2021-01-20&only"
    page.goto(f"{address}history/#2021-01-03")
    page.wait_for_url(f"{address}history/?from=2021-01-03&until=2021-01-03")
    page.get_by_text("1 of 25 shown").wait_for()
    page.get_by_role("link", name="last 7 days").click()
    page.wait_for_url(f"{address}history/?from=2021-02-23")
    page.get_by_text("4 of 25 shown").wait_for()


@pytest.mark.browser
def test_headings_count_what_is_shown(
    page: Page, tmp_path: Path, serve: Callable[[Path], str]
) -> None:
    page.goto(f"{serve(built(dict(LANTERN), tmp_path))}rules/")
    count = page.locator("h2 [data-nomic-count]").first
    assert count.inner_text() == "5"
    page.get_by_role("searchbox").fill("lamps")
    assert count.inner_text() == "1 of 5"
    page.get_by_role("searchbox").fill("")
    assert count.inner_text() == "5"
