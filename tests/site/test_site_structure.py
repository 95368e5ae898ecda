"""How pages are built for whoever reads them: whole words in links, one link an entry, ways past what repeats."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.deep import sampled
from tests.links import html_pages
from tests.site.conftest import Built

pytestmark = pytest.mark.browser

# Words of links that stand on more than one line. A word may end at a hyphen, a slash or a place made for it.
BROKEN = """() => {
    const found = [];
    for (const link of document.querySelectorAll("a")) {
        if (!link.checkVisibility()) continue;
        const walker = document.createTreeWalker(link, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            for (const word of node.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
                const range = document.createRange();
                range.setStart(node, word.index);
                range.setEnd(node, word.index + word[0].length);
                const tops = [...range.getClientRects()].map(one => one.top);
                if (Math.max(...tops) - Math.min(...tops) > 4) found.push(`${word[0]} of ${link.textContent.trim()}`);
            }
        }
    }
    return found;
}"""


@pytest.fixture(scope="module")
def address(harbour: Built, serve: Callable[[Path], str]) -> str:
    return serve(harbour.site)


@pytest.mark.parametrize("width", sampled((360, 768, 1440), every=3))
def test_no_link_breaks_inside_a_word(page: Page, harbour: Built, address: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    broken = {}
    for path in sorted(html_pages(harbour.site)):
        page.goto(f"{address}{path}")
        if found := page.evaluate(BROKEN):
            broken[path] = found
    assert broken == {}


def test_an_entry_of_a_list_is_one_link_with_its_title(page: Page, address: str) -> None:
    for path, title, there in (
        ("rules/", "Adoption", "rules/203/"),
        ("proposals/", "Louder tides", "proposals/305/"),
        ("judgements/", "What a voter is", "judgements/1/"),
    ):
        page.goto(f"{address}{path}")
        entry = page.locator(".n-list li", has=page.get_by_role("link", name=title, exact=True))
        assert entry.locator(":scope > a").count() == 0
        entry.scroll_into_view_if_needed()
        box = entry.locator(".n-num").bounding_box()
        assert box
        # The number can be clicked too.
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_url(f"{address}{there}")
