"""What a reader meets in a browser: links, redlines, small screens, paper, both palettes, and
hostile texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tests.deep import sampled
from tests.site.conftest import Built
from tests.site.example import KINDS

pytestmark = [pytest.mark.browser, pytest.mark.deep]


@pytest.fixture(scope="module")
def address(harbour: Built, serve: Callable[[Path], str]) -> str:
    return serve(harbour.site)


@pytest.fixture(scope="module")
def hostile_address(hostile: Built, serve: Callable[[Path], str]) -> str:
    return serve(hostile.site)


@pytest.fixture
def plain_page(browser: Browser) -> Iterator[Page]:
    """A page without JavaScript."""
    context = browser.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()


@pytest.mark.nightly
def test_a_history_line_leads_to_its_commit(page: Page, address: str) -> None:
    page.goto(f"{address}rules/203/")
    line = page.locator(
        ".n-history .n-line", has_text="Amended (1) by Proposal 301 (Ada), Jun 10, 2020 (R1T1)"
    )
    href = line.get_by_role("link", name="Amended (1)").get_attribute("href") or ""
    assert href.startswith("https://github.com/example/harbour/commit/")
    sha = href.rpartition("/")[2]
    assert page.locator(".n-history li").nth(1).locator(".n-sha code").inner_text() == sha[:7]


@pytest.mark.nightly
def test_a_reference_leads_to_the_rule(page: Page, address: str) -> None:
    page.goto(f"{address}rules/204/")
    page.locator(".n-columns .n-law").first.get_by_role("link", name="Rule 203").click()
    assert page.url == f"{address}rules/203/"
    assert page.locator("h1").inner_text() == "Rule 203/1 · Adoption"


@pytest.mark.nightly
def test_a_pinned_reference_leads_to_the_revision_and_opens_it(page: Page, address: str) -> None:
    page.goto(f"{address}rules/207/")
    page.locator(".n-columns .n-law").first.get_by_role("link", name="Rule 203/0").click()
    assert page.url == f"{address}rules/203/#r0"
    text = page.locator("#r0 .n-law")
    text.wait_for(state="visible")
    assert text.inner_text() == "A rule-change is adopted if every eligible voter votes for it."


def test_a_redline_can_be_read(page: Page, address: str) -> None:
    page.goto(f"{address}rules/203/#r1")
    redline = page.get_by_role("group", name="From 203/0 to 203/1")
    assert redline.locator("del").all_inner_texts() == ["every eligible voter votes"]
    assert redline.locator("ins").all_inner_texts() == [
        "a simple majority of eligible voters vote",
        "The majority must be more than 15 % of all players.",
    ]
    style = "one => getComputedStyle(one).textDecorationLine"
    assert redline.locator("del").evaluate(style) == "line-through"
    assert redline.locator("ins").first.evaluate(style) == "underline"
    spoken = "one => getComputedStyle(one, '::before').content"
    assert redline.locator("del").evaluate(spoken) == '" [deleted: "'


@pytest.mark.nightly
def test_no_request_leaves_the_site(page: Page, address: str) -> None:
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    page.on("request", note)
    for path in KINDS.values():
        page.goto(f"{address}{path}")
    page.wait_for_load_state("networkidle")
    assert len(asked) > len(KINDS)
    assert [url for url in asked if not url.startswith((address, "data:"))] == []


def test_paper_has_the_law_and_no_navigation(page: Page, address: str) -> None:
    page.goto(f"{address}rules/304/")
    page.emulate_media(media="print", color_scheme="dark")
    for part in (".md-header", ".md-tabs", ".md-footer", ".n-crumbs", ".n-turn", ".n-actions"):
        assert not page.locator(part).first.is_visible(), part
    law = page.locator(".n-columns .n-law").first
    assert law.is_visible()
    reference = law.get_by_role("link", name="Rule 206")
    # Some versions of Chromium resolve attr() here, some do not.
    content = reference.evaluate("one => getComputedStyle(one, '::after').content")
    assert content in ('" [206/0]"', '" [" attr(data-revision) "]"')
    assert reference.get_attribute("data-revision") == "206/0"
    assert law.evaluate("one => getComputedStyle(one).color") == "rgb(0, 0, 0)"
    assert (
        page.locator("body").evaluate("one => getComputedStyle(one).backgroundColor")
        == "rgb(255, 255, 255)"
    )


def test_the_ruleset_can_be_filtered(page: Page, address: str) -> None:
    page.goto(f"{address}rules/")
    page.get_by_role("searchbox", name="Filter rules").fill("biscuits")
    assert page.get_by_role("status").filter(has_text="shown").inner_text() == "1 of 11 shown"
    assert page.locator("[data-nomic-item]:visible .n-name").all_inner_texts() == ["Snacks"]
    page.get_by_role("searchbox", name="Filter rules").fill("")
    assert page.locator("[data-nomic-item]:visible").count() == 9


def test_proposals_can_be_filtered_by_status_and_author(page: Page, address: str) -> None:
    page.goto(f"{address}proposals/")
    page.get_by_label("Status").select_option("adopted")
    assert page.locator("[data-nomic-item]:visible .n-num").all_inner_texts() == [
        "304",
        "303",
        "301",
    ]
    page.get_by_label("Author").select_option("ada")
    assert page.locator("[data-nomic-item]:visible .n-num").all_inner_texts() == ["301"]


@pytest.mark.nightly
def test_a_filtered_list_has_an_address_that_can_be_shared(page: Page, address: str) -> None:
    page.goto(f"{address}proposals/")
    page.get_by_label("Status").select_option("adopted")
    page.wait_for_url(f"{address}proposals/?status=adopted")
    page.get_by_role("searchbox", name="Filter by number").fill("rule 205")
    page.wait_for_url(f"{address}proposals/?words=rule+205&status=adopted")
    other = page.context.new_page()
    other.goto(page.url)
    assert other.get_by_label("Status").input_value() == "adopted"
    assert other.get_by_role("searchbox", name="Filter by number").input_value() == "rule 205"
    other.get_by_role("status").get_by_text(
        "2 of "
    ).first.wait_for()  # when the whole texts have been looked through
    assert other.locator("[data-nomic-item]:visible .n-num").all_inner_texts() == ["304", "303"]
    other.close()
    page.get_by_label("Status").select_option("")
    page.get_by_role("searchbox", name="Filter by number").fill("")
    page.wait_for_url(f"{address}proposals/")


@pytest.mark.nightly
def test_who_comes_back_finds_the_list_as_it_was(page: Page, address: str) -> None:
    page.goto(f"{address}proposals/")
    page.get_by_label("Rule", exact=True).select_option("205")
    assert page.locator("[data-nomic-item]:visible .n-num").all_inner_texts() == ["303", "302"]
    page.locator("[data-nomic-item]:visible :is(a.n-name, a.n-no)").first.click()
    page.wait_for_url(f"{address}proposals/303/")
    page.go_back()
    page.wait_for_url(f"{address}proposals/?rule=205")
    assert page.get_by_label("Rule", exact=True).input_value() == "205"
    assert page.locator("[data-nomic-item]:visible .n-num").all_inner_texts() == ["303", "302"]
    page.reload()
    assert page.locator("[data-nomic-item]:visible .n-num").all_inner_texts() == ["303", "302"]


def test_an_address_that_asks_for_what_is_not_there_shows_all(page: Page, address: str) -> None:
    page.goto(f"{address}proposals/?status=sunk&author=%3Cb%3E&h=storm#x")
    assert page.locator("[data-nomic-item]:visible").count() == 6
    page.get_by_label("Author").select_option("bo")
    page.wait_for_url(f"{address}proposals/?h=storm&author=bo#x")


def test_a_count_leads_to_the_filtered_list(page: Page, address: str) -> None:
    page.goto(f"{address}players/")
    entry = page.locator("[data-nomic-item]", has_text="Bo Ek")
    entry.get_by_role("link", name="2", exact=True).click()
    page.wait_for_url(f"{address}proposals/?author=bo")
    assert page.locator("[data-nomic-item]:visible .n-num").all_inner_texts() == ["draft", "302"]


def test_two_lists_of_one_page_are_filtered_apart(page: Page, address: str) -> None:
    page.goto(f"{address}scores/")
    page.get_by_role("searchbox", name="Filter by turn").fill("bo ek")
    page.wait_for_url(f"{address}scores/?turn-list-words=bo+ek")
    assert page.locator("#turn-list tbody tr:visible th").all_inner_texts() == ["R1T2"]
    assert page.locator("#awards tbody tr:visible").count() == 1
    page.get_by_role("searchbox", name="Filter by player, rule").fill("nobody")
    assert page.locator("#awards tbody tr:visible").count() == 0
    assert page.locator("#turn-list tbody tr:visible").count() == 1


def test_rules_that_are_gone_are_shown_when_they_are_asked_for(page: Page, address: str) -> None:
    page.goto(f"{address}rules/?state=repealed")
    assert page.locator("[data-nomic-item]:visible .n-name").all_inner_texts() == ["Snacks"]
    page.get_by_label("State").select_option("")
    assert page.locator("[data-nomic-item]:visible").count() == 9


def test_without_scripts_all_is_there_but_the_filters(plain_page: Page, address: str) -> None:
    plain_page.goto(f"{address}rules/")
    assert plain_page.locator("[data-nomic-item]:visible").count() == 9
    assert not plain_page.locator(".n-filter").is_visible()
    plain_page.goto(f"{address}rules/203/")
    assert plain_page.locator("#r1 ins").first.is_visible()


def test_the_keyboard_reaches_what_the_mouse_does(page: Page, address: str) -> None:
    page.goto(f"{address}rules/204/")
    link = page.locator(".n-columns .n-law").first.get_by_role("link", name="Rule 203")
    link.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert link.evaluate("one => one.matches(':focus-visible')")
    assert link.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}rules/203/")


def test_a_ruleset_is_downloaded_under_its_own_name(page: Page, address: str) -> None:
    page.goto(f"{address}ruleset/long/")
    with page.expect_download() as download:
        page.get_by_role("link", name="rules-l.md").click()
    assert download.value.suggested_filename == "rules-l.md"
    assert (
        Path(download.value.path())
        .read_text("utf-8")
        .startswith("# HARBOUR NOMIC RULESET (LONG FORMAT)\n---\n")
    )


@pytest.mark.parametrize(
    "path",
    sampled(
        [
            *(
                "rules/306/",
                "",
                "rules/",
                "ruleset/long/",
                "ruleset/short/",
                "proposals/",
                "proposals/306/",
            ),
            *("players/", "players/cy/", "players/dee/", "scores/"),
        ],
        every=6,
    ),
)
def test_a_hostile_text_does_nothing(page: Page, hostile_address: str, path: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{hostile_address}{path}")
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.hacked") is None
    assert [url for url in asked if "elsewhere" in url] == []
    assert (
        page.locator(
            ".nomic :is(script:not([src*='assets/']), iframe, object, embed, style, link, base)"
        ).count()
        == 0
    )
    active = """[...document.querySelectorAll(".nomic *")].flatMap(one =>
        [...one.attributes]).filter(
        one => one.name.startsWith("on") || /^\\s*(javascript|data|vbscript):/i.test(one.value)
    ).map(one => `${one.name}=${one.value}`)"""
    assert page.evaluate(active) == []


def test_a_hostile_text_is_shown_as_it_was_written(page: Page, hostile_address: str) -> None:
    page.goto(f"{hostile_address}rules/306/")
    assert (
        page.title()
        == "Rule 306/0 · Weather ‹script›window.hacked=8‹/script› & (( 7 * 7 )) - Harbour Nomic"
    )
    assert (
        page.locator("h1").inner_text()
        == "Rule 306/0 · Weather <script>window.hacked=8</script> & {{ 7 * 7 }}"
    )
    text = page.locator(".n-columns .n-law").first.inner_text()
    for words in (
        "then <script>window.hacked = 1</script> and",
        '<a href="#" onclick="window.hacked=4">raw</a>',
        "{{ config.site_name }} {% for x in y %} {# note #} and ``` fences ``` still prose: *not "
        "em* & <b>.",
        "{{ 7 * 7 }} </code></pre><script>window.hacked = 5</script>",
        'plain, [[TOC]] and --8<-- "nomic.yml"',
        "a picture (an image elsewhere)",
    ):
        assert words in text
    outside = page.locator('.n-law a[href^="https://elsewhere.example"]').first
    assert outside.get_attribute("rel") == "noopener nofollow ugc"


def test_a_hostile_title_does_nothing_in_the_search(page: Page, hostile_address: str) -> None:
    page.goto(hostile_address)
    page.keyboard.press("/")
    page.get_by_role("searchbox", name="Search").fill("weather")
    result = page.locator(".n-seek-dialog li", has_text="Rule 306")
    assert (
        result.locator("a").inner_text()
        == "Rule 306 Weather <script>window.hacked=8</script> & {{ 7 * 7 }}"
    )
    assert page.evaluate("window.hacked") is None
    assert page.locator(".n-seek-dialog :is(script, img)").count() == 0


# Every kind of page, on a small screen, and for those who cannot see it well.


@pytest.mark.parametrize("kind", sampled(KINDS, every=10))
def test_nothing_is_wider_than_a_small_screen(page: Page, address: str, kind: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{address}{KINDS[kind]}")
    assert page.evaluate("document.documentElement.scrollWidth") == 360


# The colours of what only a wide or only a narrow screen shows are tried in both schemes.
LOOKS = (("light", 1440), ("dark", 1440), ("light", 768), ("light", 360), ("dark", 360))


@pytest.mark.parametrize(
    ("kind", "scheme", "width"),
    sampled([(kind, *look) for look in LOOKS for kind in KINDS], every=41),
)
def test_everybody_can_read_it(
    browser: Browser,
    axe: Callable[[Page], list[str]],
    address: str,
    kind: str,
    scheme: str,
    width: int,
) -> None:
    context = browser.new_context(
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
        viewport={"width": width, "height": 900},
    )
    page = context.new_page()
    page.goto(f"{address}{KINDS[kind]}")
    palette = page.locator("body").get_attribute("data-md-color-scheme")
    found = axe(page)
    context.close()
    assert palette == ("slate" if scheme == "dark" else "default")
    assert found == []


@pytest.mark.parametrize(
    ("asked", "told", "near"),
    [
        ("rules/999/", "There is no Rule 999: there are numbers from 101 to ", "Rule "),
        ("rules/2033/", "There is no Rule 2033", "Rule 203 · Adoption"),
        (
            "proposals/350/",
            "There is no Proposal 350: there are numbers from 301 to 305.",
            "Proposal 305",
        ),
        ("players/adda/", "There is no adda.", "Ada"),
        ("judgements/x%3Cb%3E/", "There is no Judgement x<b>", "Judgement "),
        ("nothing/1/", "", ""),
    ],
)
def test_a_page_that_is_not_there_says_what_there_is(
    page: Page, address: str, harbour: Built, asked: str, told: str, near: str
) -> None:
    lost = (harbour.site / "404.html").read_text("utf-8").replace("/nomicgen/", "/")
    page.route(
        f"**/{asked}", lambda route: route.fulfill(status=404, body=lost, content_type="text/html")
    )
    page.goto(f"{address}{asked}")
    place = page.locator("[data-missing]")
    if not told:
        page.wait_for_load_state("networkidle")
        assert place.inner_text() == ""
        return
    expect(place).to_contain_text(told)
    link = place.get_by_role("link", name=near).first
    link.click()
    expect(page.locator("h1")).to_contain_text(near.partition(" ·")[0])
