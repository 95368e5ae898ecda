"""A rule's lifeline and quotations of its words, in a browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from playwright.sync_api import Browser, Page, expect

from tests.deep import sampled
from tests.site.conftest import Built

pytestmark = [pytest.mark.browser, pytest.mark.deep]

INITIAL = "A rule-change is adopted if every eligible voter votes for it."
AMENDED = (
    "A rule-change is adopted if a simple majority of eligible voters vote for it. "
    "The majority must be more than 15 % of all players."
)
LAW = ".n-main > .n-law"
SELECT = """([from, to]) => {
    const walker = document.createTreeWalker(document.querySelector(".n-main > .n-law"),
        NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    let place = 0;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const end = place + node.data.length;
        if (place <= from && from < end) range.setStart(node, from - place);
        if (place < to && to <= end) range.setEnd(node, to - place);
        place = end;
    }
    getSelection().removeAllRanges();
    getSelection().addRange(range);
}"""


@pytest.fixture(scope="module")
def address(harbour: Built, serve: Callable[[Path], str]) -> str:
    return serve(harbour.site)


def test_the_slider_leads_to_the_page_of_a_revision(page: Page, address: str) -> None:
    page.goto(f"{address}rules/203/")
    expect(page.locator(LAW)).to_have_text(AMENDED)
    moment = page.get_by_role("slider", name="Changes of this rule")
    moment.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".n-life-said")).to_have_text("203/0 Initial mutable Rule 203, Jun 1, 2020")
    page.wait_for_url(f"{address}rules/203/0/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Rule 203/0 · Adoption")
    expect(page.locator(LAW)).to_have_text(INITIAL)
    expect(page.locator(".n-badge--bad")).to_have_text("not in force")
    expect(page.locator(".n-badge--good")).to_have_count(0)
    expect(page.locator(".n-banner")).to_have_text(
        "You read 203/0, in force from Jun 1, 2020 to Jun 10, 2020. Replaced by 203/1, by Proposal "
        "301. The text in force is 203/1."
    )
    expect(moment).to_be_focused()
    page.keyboard.press("End")
    page.wait_for_url(f"{address}rules/203/1/")
    expect(page.locator(".n-life-said")).to_have_text(
        "203/1 Amended (1) by Proposal 301 (Ada), Jun 10, 2020 (R1T1) adopted 5–0"
    )
    page.locator(".n-life").get_by_role("button", name="One change earlier").click()
    page.wait_for_url(f"{address}rules/203/0/")


@pytest.mark.parametrize(
    ("asked", "page_of", "said"),
    [
        ("rules/203/?at=203/0", "rules/203/0/", "203/0 Initial"),
        ("rules/203/?at=203/1", "rules/203/?at=203/1", "203/1 Amended (1)"),
        (
            "rules/203/?on=2020-06-05",
            "rules/203/0/?on=2020-06-05",
            "At the end of Jun 5, 2020: 203/0",
        ),
        (
            "rules/203/?on=2020-06-10",
            "rules/203/?on=2020-06-10",
            "At the end of Jun 10, 2020: 203/1",
        ),
        (
            "rules/203/0/?on=2020-06-10",
            "rules/203/1/?on=2020-06-10",
            "At the end of Jun 10, 2020: 203/1",
        ),
        ("rules/303/?at=103/0", "rules/103/0/", "103/0 Initial"),
    ],
)
def test_an_address_of_the_past_leads_to_its_page(
    page: Page, address: str, asked: str, page_of: str, said: str
) -> None:
    page.goto(f"{address}{asked}")
    page.wait_for_url(f"{address}{page_of}")
    expect(page.locator(".n-life-said")).to_contain_text(said)
    ref = page.get_by_role("heading", level=1).inner_text().split()[1]
    assert ref in said.replace("Jun 10, 2020: ", "")
    assert ref in page.locator(".n-citation").inner_text()
    assert ref in page.locator(".n-badge--number").inner_text()


def test_of_a_day_before_a_rule_stood_no_text_is_shown(page: Page, address: str) -> None:
    page.goto(f"{address}rules/203/?on=2019-01-01")
    page.wait_for_url(f"{address}rules/203/0/?on=2019-01-01")
    expect(page.locator(".n-life-said")).to_have_text(
        "At the end of Jan 1, 2019: this rule did not exist yet. Its first text is 203/0."
    )
    assert page.locator(LAW).is_hidden()


def test_a_printed_past_has_its_own_heading_and_address(page: Page, address: str) -> None:
    page.goto(f"{address}rules/203/?on=2020-06-05")
    page.wait_for_url(f"{address}rules/203/0/?on=2020-06-05")
    page.emulate_media(media="print")
    expect(page.locator(".n-printed")).to_contain_text("rules/203/0/?on=2020-06-05")
    assert page.get_by_role("heading", level=1).is_visible()
    assert page.locator(".n-banner").is_visible()


@pytest.mark.nightly
def test_where_there_are_too_many_for_pages_the_address_shows_one_alone(
    harbour: Built,
    page: Page,
    serve: Callable[[Path], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("nomicgen.site.site_view.MOST_PAGES", 3)
    build(load_config(str(harbour.game / "mkdocs.yml"), site_dir=str(tmp_path / "site")))
    assert not (tmp_path / "site/rules/203/0").exists()
    address = serve(tmp_path / "site")
    page.goto(f"{address}rules/203/?at=203/0")
    page.wait_for_url(f"{address}rules/203/#r0")
    expect(page.locator("#r0")).to_contain_text(INITIAL)
    expect(page.locator("#r0 .n-alone")).to_have_text(
        "This text is not in force. The rule as it stands"
    )
    for gone in ("heading", "banner"):
        assert page.get_by_role(gone, name="Rule 203/1 · Adoption").count() == 0
    assert page.locator(".n-main").is_hidden()
    page.get_by_role("link", name="The rule as it stands").click()
    expect(page.locator(LAW)).to_have_text(AMENDED)


@pytest.mark.nightly
def test_any_two_revisions_are_compared_and_have_an_address(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1000, "height": 800})
    page.goto(f"{address}rules/203/")
    page.get_by_label("Compare with").select_option("203/0")
    expect(page.locator(f"{LAW} del")).to_have_text("every eligible voter votes")
    expect(page.locator(f"{LAW} ins").first).to_have_text(
        "a simple majority of eligible voters vote"
    )
    expect(page.locator(".n-life-said")).to_have_text("Compared: − 203/0 + 203/1")
    assert page.locator(".n-authors").is_hidden()
    page.wait_for_url(f"{address}rules/203/?with=203/0")
    page.reload()
    expect(page.locator(f"{LAW} del")).to_have_count(1)
    assert page.get_by_label("Compare with").input_value() == "0"
    page.get_by_role("button", name="No comparison").click()
    expect(page.locator(LAW)).to_have_text(AMENDED)
    page.wait_for_url(f"{address}rules/203/")
    page.goto(f"{address}rules/203/?at=203/0..203/1")
    expect(page.locator(f"{LAW} del")).to_have_text("every eligible voter votes")
    # Where there is room, they stand side by side.
    page.set_viewport_size({"width": 1400, "height": 800})
    page.reload()
    expect(page.locator(f"{LAW} .n-was mark")).to_have_text("every eligible voter votes")
    expect(page.locator(f"{LAW} > :not(.n-was) mark").first).to_have_text(
        "a simple majority of eligible voters vote"
    )


@pytest.mark.nightly
def test_renumberings_and_repeals_are_moments_of_a_life(page: Page, address: str) -> None:
    page.goto(f"{address}rules/103/0/")
    page.get_by_role("button", name="One change later").click()
    page.wait_for_url(f"{address}rules/303/0/")
    said = page.locator(".n-life-said")
    expect(said).to_contain_text("303/0 Transmuted to mutable by Proposal 303")
    said.get_by_role("link", name="Proposal 303").click()
    assert page.url == f"{address}proposals/303/"
    page.goto(f"{address}rules/205/")
    expect(page.locator(".n-life-said")).to_contain_text(
        "Repealed by Proposal 303 (Cy <b>Bold</b>)"
    )
    page.get_by_role("button", name="One change earlier").click()
    page.wait_for_url(f"{address}rules/205/0/")
    expect(page.locator(".n-life-said")).to_contain_text("Initial mutable Rule 205")
    expect(page.locator(".n-banner")).to_contain_text(
        "Repealed, by Proposal 303. The rule was repealed."
    )


def test_an_unknown_moment_is_said_to_be_unknown(page: Page, address: str) -> None:
    page.goto(f"{address}rules/203/?at=203/7")
    expect(page.locator(".n-life-said")).to_have_text(
        "This rule has no 203/7 in its history: it is shown as it stands."
    )
    expect(page.locator(LAW)).to_have_text(AMENDED)


def test_without_scripts_the_page_has_its_list_of_revisions(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}rules/203/?at=203/0")
    assert page.locator(".n-life").is_hidden()
    assert page.locator("#revisions").is_visible()
    context.close()


def test_words_that_are_selected_can_be_quoted(page: Page, address: str) -> None:
    page.goto(f"{address}rules/203/")
    page.evaluate(
        """Object.defineProperty(navigator, "clipboard", {
            value: { writeText: async text => { window.copied = text; } },
        })"""
    )
    # From within "simple" to within "majority": whole words are quoted.
    page.evaluate(SELECT, [AMENDED.index("simple") + 2, AMENDED.index("majority") + 3])
    page.get_by_role("button", name="Copy quotation").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = "https://nomicgen.github.io/nomicgen/rules/203/?quote=203/1:simple%20majority"
    assert (
        page.evaluate("window.copied") == f"“simple majority” — Rule 203/1, Harbour Nomic, {link}"
    )
    page.goto(f"{address}rules/203/?quote=203/1:simple%20majority")
    expect(page.locator(".n-quote")).to_contain_text(
        "These words stand, in Rule 203/1, the text in force."
    )
    expect(page.locator(".n-quoted")).to_have_text("simple majority")


@pytest.mark.nightly
def test_a_quotation_says_until_when_it_stood_and_what_replaced_it(
    page: Page, address: str
) -> None:
    page.goto(f"{address}rules/203/?quote=203/0:every+eligible+voter")
    box = page.locator(".n-quote")
    expect(box).to_contain_text(
        "These words stood until Proposal 301 (Ada), Jun 10, 2020 (R1T1), adopted 5–0."
    )
    expect(box.locator("ins")).to_have_text("a simple majority of eligible voters vote")
    box.get_by_role("link", name="Show 203/0").click()
    page.wait_for_url(f"{address}rules/203/0/?quote=203/0:every%20eligible%20voter")
    expect(page.locator(".n-quoted")).to_have_text("every eligible voter")
    page.goto(f"{address}rules/203/?quote=203/0:if")
    expect(box).to_contain_text("These words stand")
    page.goto(f"{address}rules/205/?quote=205/0:brings the biscuits")
    expect(box).to_contain_text("These words stood until the rule was repealed by Proposal 303")
    page.goto(f"{address}rules/103/?quote=103/0:{quote('Proposals are…is amended.')}")
    expect(box).to_contain_text("These words stand, in Rule 303/0")
    page.goto(f"{address}rules/303/?quote=303/0:keeps its number")
    expect(box).to_contain_text("These words stand, in Rule 303/0")


def test_a_quotation_is_read_as_text(page: Page, address: str) -> None:
    page.goto(f"{address}rules/203/?quote=203/0:{quote('<img src=x onerror=alert(1)>(')}")
    expect(page.locator(".n-quote q")).to_have_text("<img src=x onerror=alert(1)>(")
    expect(page.locator(".n-quote")).to_contain_text("This page finds no such words in Rule 203/0.")


@pytest.mark.deep
@pytest.mark.parametrize("path", sampled(["rules/206/", "rules/304/"], every=2))
def test_a_text_of_many_kinds_of_blocks_is_compared_with_itself(
    page: Page, address: str, path: str
) -> None:
    page.goto(f"{address}{path}")
    found = page.evaluate(
        """async address => {
            await nomicWords.load(address);
            const law = document.querySelector(".n-main > .n-law");
            const other = document.createElement("div");
            const words = law.innerHTML.replace("points", "pounds").replace("wind", "gale");
            other.innerHTML = "<p>Before.</p>" + words;
            const same = nomicWords.mark(law.cloneNode(true), law.cloneNode(true));
            const marked = nomicWords.mark(law, other);
            const come = [...marked.querySelectorAll("ins")].map(one => one.textContent);
            return [same.querySelectorAll("ins, del").length, come];
        }""",
        page.locator(".n-main").get_attribute("data-life"),
    )
    assert found[0] == 0
    assert found[1][0] == "Before."
    assert {"pounds", "gale"} & set(found[1])


def test_deleted_words_are_parted_from_their_neighbours(page: Page, address: str) -> None:
    page.goto(f"{address}rules/203/")
    pairs = [
        ("It is half. So it is. Enough.", "It is half. Enough.", "It is half. So it is. Enough."),
        ("First. Then all.", "Then all.", "First. Then all."),
        ("All agree.", "Most agree.", "AllMost agree."),
    ]
    for old, new, expected in pairs:
        found = page.evaluate(
            """async ([old, fresh, address]) => {
                await nomicWords.load(address);
                const [was, is] = [old, fresh].map(words => {
                    const made = document.createElement("div");
                    made.innerHTML = `<p>${words}</p>`;
                    return made;
                });
                return nomicWords.mark(was, is).textContent;
            }""",
            [old, new, page.locator(".n-main").get_attribute("data-life")],
        )
        assert found == expected


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", sampled(["light", "dark"], every=2))
def test_a_past_text_is_accessible_and_fits(
    page: Page, address: str, axe: Callable[[Page], list[str]], scheme: str
) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    for width in (1280, 768, 360):
        page.set_viewport_size({"width": width, "height": 800})
        for asked in (
            "at=203/0..203/1",
            "at=203/0",
            "quote=203/0:every+eligible+voter",
            "quote=203/0:if",
        ):
            page.goto(f"{address}rules/203/?{asked}")
            page.locator(".n-quote, .n-law :is(ins, mark), .n-banner").first.wait_for()
            assert axe(page) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width
