"""The time machine in a browser: the law of any moment, what has become of it, and an address that
says which.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.deep import sampled
from tests.site.conftest import Built

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(harbour: Built, serve: Callable[[Path], str]) -> str:
    return f"{serve(harbour.site)}time/"


@pytest.fixture
def plain_page(browser: Browser) -> Iterator[Page]:
    """A page without JavaScript."""
    context = browser.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()


def visit(page: Page, address: str) -> None:
    """Opens an address anew, and waits until every text is there."""
    page.goto("about:blank")
    page.goto(address)
    settle(page)
    page.locator(".n-time-more").evaluate("one => { one.open = true; }")


def settle(page: Page) -> None:
    page.evaluate(
        "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )
    page.locator(".n-time-rule").first.wait_for(state="attached")
    expect(page.locator(".n-time-waiting")).to_have_count(0)


def said(page: Page) -> list[str]:
    return page.locator(".n-time-said p").all_inner_texts()


def counts(page: Page) -> list[str]:
    """The rows of the table that says what became of the rules."""
    rows = page.locator(".n-time-counts tr").all()
    return [" ".join(row.locator("th, td").all_inner_texts()) for row in rows]


def rules(page: Page) -> list[str]:
    # What is out of sight has no inner text: it is laid out when a reader comes near.
    return page.locator(".n-time-rule h3").all_text_contents()


def rule(page: Page, ref: str) -> Any:
    return page.locator(".n-time-rule").filter(has=page.get_by_role("heading", name=f"Rule {ref}"))


def fragment(page: Page) -> str:
    return str(page.evaluate("location.hash"))


# What is shown


def test_the_ruleset_of_a_day(page: Page, address: str) -> None:
    visit(page, f"{address}#2020-07-01")
    assert said(page) == [
        "The ruleset as it stood at the end of Jul 1, 2020, after Proposal 301: 9 rules."
    ]
    assert counts(page) == [
        *(
            "the same 6",
            "amended 1",
            "renumbered, retitled or moved 1",
            "repealed 1",
            "enacted since 1",
        ),
    ]
    assert (
        page.locator(".n-time-counts caption").inner_text()
        == "What has become of the rules by today"
    )
    assert page.locator(".n-time-rules h2").all_inner_texts() == [
        "Immutable rules 3",
        "Mutable rules 6",
    ]
    refs = " ".join(one.partition(" · ")[0].removeprefix("Rule ") for one in rules(page))
    assert refs == "101/0 102/0 103/0 201/0 203/1 204/0 205/0 206/0 207/0"
    old = rule(page, "204/0")
    assert old.locator(".n-law").inner_text() == (
        "An adopted rule-change takes effect as soon as the vote that adopted it has ended; see "
        "Rule 203."
    )
    assert (
        old.locator(".n-time-since").inner_text()
        == "Since then amended (1) by Judgement 2 (Dee), Aug 14, 2020."
    )
    # Out of view it is not drawn.
    gone = rule(page, "205/0").locator(".n-time-since").text_content() or ""
    assert gone.startswith("Since then repealed by Proposal 303")
    assert page.locator(".n-time-about").inner_text() == (
        "Last change before then: Proposal 301 “A floor under the majority” (Ada), Jun 10, 2020: "
        "amended Rule 203/1."
    )


@pytest.mark.deep
def test_every_name_leads_somewhere(page: Page, address: str) -> None:
    visit(page, f"{address}#2020-07-01")
    found = (
        rule(page, "204/0")
        .locator("h3 a, .n-law .n-ref, .n-time-since a")
        .evaluate_all("all => all.map(one => [one.textContent, one.getAttribute('href')])")
    )
    assert found == [
        ["Rule 204/0", "../rules/204/#r0"],
        ["Rule 203", "../rules/203/"],
        ["Judgement 2", "../judgements/2/"],
        ["Dee", "../players/dee/"],
        ["Aug 14, 2020", "#2020-08-14"],
    ]
    rule(page, "204/0").get_by_role("link", name="Rule 204/0").click()
    page.wait_for_url("**/rules/204/#r0")
    assert page.locator("#r0").count() == 1


@pytest.mark.nightly
def test_the_initial_set_and_after_an_instrument(page: Page, address: str) -> None:
    visit(page, f"{address}#initial")
    assert said(page)[0].startswith(
        "The ruleset as it stood at the beginning (Jun 1, 2020): 9 rules."
    )
    assert counts(page)[0] == "the same 5"
    visit(page, f"{address}#proposals/303")
    assert said(page)[0].startswith(
        "The ruleset as it stood right after Proposal 303 (Jul 2, 2020): 8 rules."
    )
    assert "Rule 303/0 · Numbers" in rules(page)
    assert page.get_by_label("Right after").input_value() == "proposals/303"
    assert page.get_by_label("At the end of").input_value() == "2020-07-02"
    visit(page, f"{address}#judgements/2")
    assert said(page) == [
        "The ruleset as it stood right after Judgement 2 (Aug 14, 2020): 9 rules."
    ]
    assert counts(page) == ["the same 9"]


@pytest.mark.deep
def test_today_is_what_is_shown_when_nothing_is_asked(page: Page, address: str) -> None:
    visit(page, address)
    assert said(page) == ["The ruleset as it stands today, after Judgement 2: 9 rules."]
    assert page.locator(".n-time-since").count() == 0


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (
            "2020-05-31",
            "On May 31, 2020 the game had not begun: it began on Jun 1, 2020. This is the "
            "initial set.",
        ),
        (
            "2020-13-01",
            "“2020-13-01” is no day and no instrument of this game. This is the ruleset as it "
            "stands today.",
        ),
        (
            "2021-02-29",
            "“2021-02-29” is no day and no instrument of this game. This is the ruleset as it "
            "stands today.",
        ),
        (
            "proposals/302",
            "No instrument “proposals/302” has changed the law. This is the ruleset as it stands "
            "today.",
        ),
        (
            "<b>x</b>",
            "“<b>x</b>” is no day and no instrument of this game. This is the ruleset as it "
            "stands today.",
        ),
        (
            "%E0%A4%A",
            "“%E0%A4%A” is no day and no instrument of this game. This is the ruleset as it "
            "stands today.",
        ),
        (
            "2020-07-01..yesterday",
            "“yesterday” is no day and no instrument of this game. This is the ruleset as it "
            "stands today.",
        ),
    ],
)
def test_what_cannot_be_shown_is_said(page: Page, address: str, asked: str, answer: str) -> None:
    visit(page, f"{address}#{asked}")
    notice, shown = said(page)
    assert notice == answer
    assert shown.startswith("The ruleset as it st")
    assert page.locator(".n-time-rule").count() >= 9


@pytest.mark.deep
def test_a_day_that_the_site_does_not_know_yet(page: Page, address: str) -> None:
    visit(page, f"{address}#9999-12-31")
    assert said(page)[0].endswith(", and not yet that of Dec 31, 9999.")
    assert said(page)[1].endswith("after Judgement 2: 9 rules.")


# Differences


@pytest.mark.deep
def test_differences_to_today(page: Page, address: str) -> None:
    visit(page, f"{address}#2020-07-01..today")
    amended = rule(page, "204/0").get_by_role("group", name="From 204/0 to 204/1")
    assert (amended.locator("del").all_inner_texts(), amended.locator("ins").all_inner_texts()) == (
        ["ended"],
        ["closed"],
    )
    badges = {
        ref: rule(page, ref).locator(".n-badges li").all_text_contents()
        for ref in ("103/0", "205/0", "304/0")
    }
    assert badges == {
        "103/0": ["changed", "Foundations", "then mutable", "then Rule 303"],
        "205/0": ["repealed", "Play"],
        "304/0": ["new", "Play"],
    }
    assert rule(page, "205/0").locator(".n-redline del").count() == 1
    come = rule(page, "304/0").locator(".n-redline")
    expect(come.locator("p").first).to_contain_text(
        "storm is any wind that keeps the ferry in the harbour."
    )
    # What is compared is the text as it is shown: with its list, and no mark of how it was typed.
    assert come.locator("li ins").count() >= 2
    expect(come).not_to_contain_text("**")
    assert rule(page, "201/0").locator(".n-redline").count() == 0
    page.get_by_label("Only rules that differ").check()
    settle(page)
    assert fragment(page) == "#2020-07-01..today&only"
    assert [one.split()[1] for one in rules(page)] == ["103/0", "204/0", "205/0", "304/0"]


@pytest.mark.nightly
def test_two_days_are_compared_the_earlier_first(page: Page, address: str) -> None:
    for asked in ("2020-06-30..2020-07-31", "2020-07-31..2020-06-30"):
        visit(page, f"{address}#{asked}")
        assert said(page) == [
            "The ruleset as it stood at the end of Jun 30, 2020, after Proposal 301: 9 rules."
        ]
        assert counts(page) == [
            *("the same 7", "renumbered, retitled or moved 1", "repealed 1", "enacted since 1"),
        ]
        caption = page.locator(".n-time-counts caption").inner_text()
        assert caption == "What has become of the rules by the end of Jul 31, 2020"
        assert page.get_by_label("Compare with").input_value() == "2020-07-31"
        assert page.get_by_label(
            "Show differences from the law at the end of Jul 31, 2020"
        ).is_checked()
        assert rule(page, "204/0").locator(".n-time-since").count() == 0


# Controls and the address


@pytest.mark.nightly
def test_every_control_is_in_the_address_and_back_undoes_it(page: Page, address: str) -> None:
    visit(page, address)
    page.get_by_label("At the end of").fill("2020-07-05")
    page.get_by_label("Show differences from today").check()
    page.get_by_label("Compare with").fill("2020-08-30")
    page.get_by_label("Right after").select_option("proposals/301")
    settle(page)
    assert fragment(page) == "#proposals/301..2020-08-30"
    shown = said(page), rules(page)
    for expected in ("#2020-07-05..2020-08-30", "#2020-07-05..today", "#2020-07-05", ""):
        page.go_back()
        settle(page)
        assert fragment(page) == expected
    assert said(page) == ["The ruleset as it stands today, after Judgement 2: 9 rules."]
    for _ in range(4):
        page.go_forward()
    settle(page)
    assert (said(page), rules(page)) == shown
    visit(page, f"{address}#proposals/301..2020-08-30")
    assert (said(page), rules(page)) == shown


@pytest.mark.nightly
def test_steps_and_the_slider_go_from_change_to_change(page: Page, address: str) -> None:
    visit(page, f"{address}#2020-07-05")
    page.get_by_role("button", name="Before").click()
    assert fragment(page) == "#proposals/301"
    page.get_by_role("button", name="Before").press("Enter")
    assert fragment(page) == "#initial"
    settle(page)
    before = page.get_by_role("button", name="Before")
    assert before.get_attribute("aria-disabled") == "true"
    before.click(force=True)
    assert fragment(page) == "#initial"
    assert before.evaluate("one => one === document.activeElement")
    slider = page.get_by_role("slider", name="Moment")
    length = page.evaluate("history.length")
    slider.focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    settle(page)
    assert fragment(page) == "#proposals/303"
    assert slider.get_attribute("aria-valuetext") == "right after Proposal 303 (Jul 2, 2020)"
    assert slider.evaluate("one => one === document.activeElement")
    assert page.evaluate("history.length") == length
    page.get_by_role("button", name="Today").click()
    assert fragment(page) == "#today"


@pytest.mark.nightly
def test_a_date_that_is_typed_is_one_step_back(page: Page, address: str) -> None:
    visit(page, f"{address}#initial")
    length = page.evaluate("history.length")
    day = page.get_by_label("At the end of")
    day.focus()
    # The year passes through 0002, 0020 and 0202.
    page.keyboard.type("07052020")
    settle(page)
    assert fragment(page) == "#2020-07-05"
    assert day.input_value() == "2020-07-05"
    assert day.evaluate("one => one === document.activeElement")
    assert page.evaluate("history.length") == length + 1


@pytest.mark.nightly
def test_a_date_in_the_text_goes_to_that_day_and_keeps_the_reader_in_place(
    page: Page, address: str
) -> None:
    visit(page, f"{address}#2020-07-01")
    rule(page, "204/0").get_by_role("link", name="Aug 14, 2020").click()
    settle(page)
    assert fragment(page) == "#2020-08-14"
    assert said(page)[0].startswith(
        "The ruleset as it stood at the end of Aug 14, 2020, after Judgement 2"
    )
    assert page.evaluate("document.activeElement.className") == "n-time-said"


@pytest.mark.deep
def test_what_cannot_be_loaded_is_said(page: Page, address: str) -> None:
    page.route("**/texts/1.json", lambda route: route.fulfill(status=404))
    page.goto(address)
    page.get_by_text("Some texts could not be loaded").wait_for()
    assert page.locator(".n-time-rule").count() == 9
    page.route("**/timeline.json", lambda route: route.abort())
    page.goto("about:blank")
    page.goto(address)
    page.get_by_text("The history of the rules could not be loaded").wait_for()


# For everybody


def test_without_scripts_the_page_says_where_else_to_look(plain_page: Page, address: str) -> None:
    plain_page.goto(address)
    assert not plain_page.locator("#time").is_visible()
    notice = plain_page.locator("noscript")
    assert "Going back in time needs JavaScript." in notice.inner_text()
    links = notice.locator("a").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    assert links[:3] == ["../history/", "../rules/", "../history/#2020-08-14"]
    assert notice.locator("li").first.inner_text() == "2020-08-14"


@pytest.mark.parametrize(
    ("scheme", "asked"),
    sampled(
        [
            (scheme, asked)
            for scheme in ("light", "dark")
            for asked in ("", "#2020-07-01..today", "#nonsense")
        ],
        every=4,
    ),
)
def test_no_violations(
    page: Page, address: str, axe: Callable[[Page], list[str]], scheme: Any, asked: str
) -> None:
    page.emulate_media(color_scheme=scheme)
    visit(page, f"{address}{asked}")
    assert axe(page) == []


@pytest.mark.deep
@pytest.mark.parametrize("asked", sampled(["#2020-07-01..today", ""], every=2))
def test_a_small_screen_needs_no_scrolling_sideways(page: Page, address: str, asked: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    visit(page, f"{address}{asked}")
    assert page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.deep
def test_paper_has_the_law_of_that_day_alone(page: Page, address: str) -> None:
    visit(page, f"{address}#2020-07-01")
    page.emulate_media(media="print")
    for part in (".n-time-form", ".n-time-bar", ".n-time-since", ".md-header"):
        assert not page.locator(part).first.is_visible(), part
    assert page.locator(".n-time-said").is_visible()
    last = page.locator(".n-time-rule").last
    assert last.evaluate("one => getComputedStyle(one).contentVisibility") == "visible"
    reference = last.locator(".n-law a[data-revision]").first
    assert reference.evaluate("one => getComputedStyle(one, '::after').content") == "none"


@pytest.mark.deep
def test_a_hostile_game_does_nothing(
    page: Page, hostile: Built, serve: Callable[[Path], str]
) -> None:
    visit(page, f"{serve(hostile.site)}time/#initial..today")
    assert page.evaluate("window.hacked") is None
    assert (
        page.locator(".n-time-rules :is(script, iframe, object, embed, style, link, base)").count()
        == 0
    )
    assert page.locator("#time [onclick], #time [onerror], #time [style]").count() == 0


@pytest.mark.browser
def test_each_printed_sheet_says_which_game_and_day_it_is_of(
    page: Page, serve: Callable[[Path], str], harbour: Built, tmp_path: Path
) -> None:
    if shutil.which("pdftotext") is None:
        pytest.skip("reads sheets with pdftotext, of Debian's poppler-utils")
    page.goto(f"{serve(harbour.site)}time/#2020-06-09")
    page.locator(".n-time-rule").first.wait_for()
    page.pdf(path=tmp_path / "day.pdf", format="A5")
    run = subprocess.run(
        ["pdftotext", "-layout", tmp_path / "day.pdf", "-"], capture_output=True, check=True
    )
    *sheets, rest = run.stdout.decode().split("\f")
    assert len(sheets) > 1
    assert rest == ""
    for sheet in sheets:
        assert "Jun 9, 2020" in sheet.splitlines()[0]
        assert "Harbour Nomic" in sheet.splitlines()[0]
