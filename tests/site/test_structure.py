"""How pages are built for whoever reads them: whole words in links, one link an entry, ways past
what repeats.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.deep import sampled
from tests.links import html_pages
from tests.site.conftest import Built
from tests.site.engines import Both

pytestmark = [pytest.mark.browser, pytest.mark.deep]

# Words of links that stand on more than one line. A word may end at a hyphen, a slash or a place
# made for it.
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
                const isTorn = Math.max(...tops) - Math.min(...tops) > 4;
                if (isTorn) found.push(`${word[0]} of ${link.textContent.trim()}`);
            }
        }
    }
    return found;
}"""

# Whether the focus is on an element, in it or behind it.
PAST = """there => {
    const here = document.activeElement;
    return there === here || there.contains(here) || (there.compareDocumentPosition(here) & 4) > 0;
}"""
Serve = Callable[[Path], str]


@pytest.fixture(scope="module")
def address(harbour: Built, serve: Serve) -> str:
    return serve(harbour.site)


@pytest.mark.nightly
@pytest.mark.parametrize("width", sampled((360, 768, 1440), every=3))
def test_no_link_breaks_inside_a_word(page: Page, harbour: Built, address: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    broken = {}
    for path in sorted(html_pages(harbour.site)):
        page.goto(f"{address}{path}")
        if found := page.evaluate(BROKEN):
            broken[path] = found
    assert broken == {}


@pytest.mark.nightly
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


@pytest.mark.parametrize("engine", ["mkdocs", "zensical"])
@pytest.mark.parametrize(
    "path",
    sampled(["rules/203/", "", "proposals/301/", "players/bo/", "ruleset/long/"], every=5),
)
def test_a_keyboard_gets_past_what_repeats(
    page: Page, harbour_by_both: Both, serve: Serve, engine: str, path: str
) -> None:
    site = harbour_by_both.zensical if engine == "zensical" else harbour_by_both.mkdocs
    page.goto(f"{serve(site)}{path}")
    page.keyboard.press("Tab")
    seen = page.evaluate("document.activeElement.textContent.trim()")
    assert seen == "Skip to content"
    assert page.get_by_role("link", name="Skip to content").bounding_box()
    links = page.locator(".n-skips a")
    for link in links.all():
        link.focus()
        page.keyboard.press("Enter")
        there = (link.get_attribute("href") or "").removeprefix("#")
        assert page.evaluate("location.hash") == f"#{there}"
        page.keyboard.press("Tab")
        assert page.locator(f"#{there}").evaluate(PAST), there
    assert links.count() == 5 - (page.locator("#n-contents").count() == 0)


@pytest.mark.nightly
@pytest.mark.parametrize("engine", ["mkdocs", "zensical"])
def test_the_tab_of_a_list_is_marked_on_what_it_lists(
    page: Page, harbour_by_both: Both, serve: Serve, engine: str
) -> None:
    address = serve(harbour_by_both.zensical if engine == "zensical" else harbour_by_both.mkdocs)
    for path, tab in (
        ("", "Home"),
        ("rules/", "Ruleset"),
        ("rules/203/", "Ruleset"),
        ("proposals/301/", "Proposals"),
        ("judgements/1/", "Judgements"),
        ("players/bo/", "Players"),
        ("ruleset/long/", "Ruleset"),
        ("time/", "Time machine"),
    ):
        page.goto(f"{address}{path}")
        assert page.locator(".md-tabs__item--active").all_inner_texts() == [tab], path


def test_a_long_page_has_its_contents(page: Page, address: str) -> None:
    page.goto(f"{address}ruleset/long/")
    contents = page.get_by_role("navigation", name="Contents of this page")
    contents.locator("summary").click()
    contents.get_by_role("link", name="Adoption").click()
    assert page.evaluate("location.hash") == "#rule-203"


def test_paper_has_its_day_and_contents_and_no_heading_alone(page: Page, address: str) -> None:
    page.goto(f"{address}ruleset/long/")
    lead = page.locator(".n-lead")
    assert (
        lead.inner_text()
        == "The law as it stands, since Aug 14, 2020, when Judgement 2 changed it last."
    )
    assert not page.locator(".n-printed").is_visible()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    printed = page.locator(".n-printed")
    assert printed.is_visible()
    assert re.fullmatch(
        rf"Printed on \w+ \d+, \d{{4}}, from {re.escape(address)}ruleset/long/",
        printed.inner_text(),
    )
    assert (
        page.get_by_role("navigation", name="Contents of this page")
        .get_by_role("link", name="Weather")
        .is_visible()
    )
    for path in ("ruleset/long/", "rules/303/", "proposals/301/", "history/", "scores/"):
        page.goto(f"{address}{path}")
        alone = page.locator(".nomic :is(h1, h2, h3, h4, .n-era)").evaluate_all(
            "all => all.filter(one => getComputedStyle(one).breakAfter !== 'avoid').map(one => "
            "one.textContent)"
        )
        assert alone == [], path


# The pages of both engines look the same: compared picture by picture.


PATHS = ("", "rules/203/", "rules/", "proposals/301/", "players/bo/", "ruleset/long/", "history/")
LOOKS = [
    (path, width, scheme) for path in PATHS for width in (1280, 360) for scheme in ("light", "dark")
]
# The share of pixels of two pictures that differ by more than what the smoothing of letters may do.
DIFFERENT = """async ([one, other]) => {
    const pixels = async (data) => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [image.width, image.height];
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height).data;
    };
    const [left, right] = [await pixels(one), await pixels(other)];
    if (left.length !== right.length) return 1;
    let count = 0;
    for (let at = 0; at < left.length; at += 4) {
        count += [0, 1, 2].some((part) => Math.abs(left[at + part] - right[at + part]) > 24);
    }
    return count / (left.length / 4);
}"""


@pytest.mark.nightly
@pytest.mark.parametrize(("path", "width", "scheme"), sampled(LOOKS, every=9))
def test_both_engines_look_the_same(
    browser: Browser,
    harbour_by_both: Both,
    serve: Callable[[Path], str],
    path: str,
    width: int,
    scheme: str,
) -> None:
    pictures = []
    for site in (harbour_by_both.mkdocs, harbour_by_both.zensical):
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="reduce",
        )
        page = context.new_page()
        for _ in range(
            2
        ):  # the first page that a browser opens may be shown before its faces are there
            page.goto(f"{serve(site)}{path}")
            page.wait_for_load_state("networkidle")
        pictures.append(base64.b64encode(page.screenshot()).decode())
        context.close()
    blank = browser.new_page()
    share = blank.evaluate(DIFFERENT, pictures)
    blank.close()
    assert share < 0.001, f"{share:.2%} of the pixels differ"
