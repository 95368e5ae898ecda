"""The first page: what can be done now, with its buttons, and what is new since a reader last
looked.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from nomicgen.site.data.recent_changes import NEWS
from tests.deep import sampled
from tests.site.conftest import Built
from tests.site.test_rule import made, rule, words

pytestmark = pytest.mark.deep

# A visit that ended long ago, before the last changes of the law and the last votes.
EARLIER = """() => {
    const key = Object.keys(localStorage).find(one => one.startsWith("nomic:"));
    const state = JSON.parse(localStorage[key]);
    const votes = { "proposals/301.md": false, "proposals/302.md": true };
    Object.assign(state.seen, { all: 1, day: "2020-06-12", votes });
    localStorage[key] = JSON.stringify({ ...state, at: 0 });
}"""


@pytest.fixture
def fresh(browser: Browser, harbour: Built, serve: Callable[[Path], str]) -> Iterator[Page]:
    """The first page, in a browser that was never there."""
    context = browser.new_context()
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda one: asked.append(f"{one.method} {urlsplit(one.url).query}"))
    page.goto(serve(harbour.site))
    # Not `wait_for_function`: when it asks a second time, the site's own policy refuses it.
    deadline = time.monotonic() + 30
    while not page.evaluate("Object.keys(localStorage).some(key => key.startsWith('nomic:'))"):
        assert time.monotonic() < deadline, "the first page never wrote down that it was visited"
        page.wait_for_timeout(20)
    yield page
    # Nothing of what the browser keeps leaves it.
    assert set(asked) == {"GET "}
    context.close()


def test_what_can_be_done_is_listed_with_its_buttons(made: Mapping[str, str]) -> None:
    home = made["index.md"]
    tasks = home.partition('<ul class="n-tasks">')[2].partition("</ul>")[0]
    told = [
        " ".join(re.sub(r"<[^>]*>", " ", one).split()) for one in tasks.split("<li data-who")[1:]
    ]
    assert told == [
        '="bo"> Register Draft turnout · Turnout Bo Ek At a shell nomicgen register turnout',
        '=""> End the vote on Proposal 305 · Louder tides as it stands anybody At a shell '
        "nomicgen proposal resolve 305",
    ]
    places = {
        text: urlsplit(href)
        for href, text in re.findall(r'<a class="n-button"[^>]* href="([^"]*)">([^<]*)</a>', home)
    }
    assert set(places) == {"Join", "Propose a change"}
    assert places["Propose a change"].path == "propose/"
    assert places["Join"].path == "/example/harbour/new/main"
    join = parse_qs(places["Join"].query.replace("&amp;", "&"))
    assert join["filename"] == ["players/your-id.yml"]
    assert join["value"] == [
        "name: Your name\njoined: 2020-10-01\naccounts: {github: your-account}\n"
    ]


def test_the_news_name_the_rules_that_changed(made: Mapping[str, str]) -> None:
    news = json.loads(made[NEWS])
    assert news["all"] == 4
    assert news["changes"][1] == {
        "file": "proposals/303.md",
        "name": "Proposal 303 · Numbers are ours",
        "url": "proposals/303/",
        "rules": ["api/v1/rules/303.json", "api/v1/rules/205.json"],
    }
    assert news["votes"][-1] == {
        "file": "proposals/305.md",
        "name": "Proposal 305 · Louder tides",
        "url": "proposals/305/",
        "open": True,
        "said": "open 2–1",
        "awaited": ["Bo Ek", "Cy <b>Bold</b>"],
    }


@pytest.mark.browser
def test_a_first_visit_has_no_news(fresh: Page) -> None:
    assert fresh.locator(".n-since").count() == 0
    fresh.reload()
    fresh.wait_for_load_state("networkidle")
    assert fresh.locator(".n-since").count() == 0


@pytest.mark.nightly
@pytest.mark.browser
def test_who_comes_back_reads_what_is_new_until_it_is_put_away(fresh: Page) -> None:
    fresh.evaluate(EARLIER)
    fresh.reload()
    since = fresh.get_by_role("region", name="Since you last looked")
    expect(since).to_contain_text("Jun 12, 2020")
    expect(since.locator("ul").first).to_have_text(
        "Proposal 305 · Louder tides; awaited: Bo Ek, Cy <b>Bold</b>"
    )
    expect(since.locator("ul").nth(1)).to_contain_text(
        "Proposal 302 · No more biscuits: defeated 1–2"
    )
    expect(since.locator("article")).to_have_count(4)
    gone = since.locator("article", has_text="Rule 205/0")
    expect(gone.locator("del")).to_contain_text("Whoever loses a vote brings the biscuits.")
    mended = since.locator("article", has_text="Rule 204/1")
    expect(mended.locator("ins")).to_have_text("closed")
    # The same visit goes on, wherever the reader was meanwhile.
    fresh.reload()
    expect(since).to_be_visible()
    since.get_by_role("button", name="Put away").click()
    expect(since).to_have_count(0)
    fresh.reload()
    expect(fresh.get_by_text("Nothing new since you last looked, on")).to_be_visible()
    assert since.count() == 0


@pytest.mark.browser
def test_a_browser_that_keeps_nothing_shows_the_page(
    browser: Browser, harbour: Built, serve: Callable[[Path], str]
) -> None:
    context = browser.new_context()
    context.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('kept shut'); } })"
    )
    page = context.new_page()
    page.goto(serve(harbour.site))
    expect(page.locator("#now")).to_be_visible()
    assert page.locator(".n-since").count() == 0
    context.close()


@pytest.mark.browser
def test_what_is_new_has_scores_judgements_and_drafts_and_stands_on_the_history(
    fresh: Page,
) -> None:
    fresh.evaluate(
        """() => {
            const key = Object.keys(localStorage).find(one => one.startsWith("nomic:"));
            const state = JSON.parse(localStorage[key]);
            const scores = { ...state.seen.scores, "Ada": "1" };
            Object.assign(state.seen, { judgements: {}, drafts: {}, scores });
            localStorage[key] = JSON.stringify({ ...state, me: "bo", at: 0 });
        }"""
    )
    scores = fresh.evaluate(
        "fetch('assets/news.json').then(one => one.json()).then(one => one.scores)"
    )
    fresh.goto(f"{fresh.url}history/")
    since = fresh.get_by_role("region", name="Since you last looked")
    expect(since).to_contain_text("Judgement 2 · A slip in Rule 204: ")
    expect(since).to_contain_text("Draft turnout · Turnout")
    if scores:
        expect(since).to_contain_text(f"Ada: {scores['Ada']}, was 1")
    assert since.get_by_role("heading", level=3).all_inner_texts() == [
        *("Judgements", "Drafts", *(["Scores"] if scores else []))
    ]
    # Who reads is kept.
    fresh.goto(fresh.url.replace("history/", ""))
    assert fresh.get_by_label("Who are you?").input_value() == "bo"
    expect(fresh.get_by_role("heading", name="What you can do now")).to_be_visible()
    waits = fresh.locator("[data-waits]")
    assert "n-mine" in (waits.first.get_attribute("class") or "")


@pytest.mark.nightly
@pytest.mark.browser
@pytest.mark.parametrize("scheme", sampled(["light", "dark"], every=2))
def test_news_are_accessible_and_fit(
    fresh: Page, axe: Callable[[Page], list[str]], scheme: str
) -> None:
    fresh.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    fresh.evaluate(EARLIER)
    for width in (1280, 768, 360):
        fresh.set_viewport_size({"width": width, "height": 800})
        fresh.reload()
        fresh.locator(".n-since").wait_for()
        assert axe(fresh) == []
        assert fresh.evaluate("document.documentElement.scrollWidth") <= width


# A vote whose time is over, and that nobody has counted.


DAYS = "provisions:\n  adoption: {needs: majority, of: cast}\n  ballot: {closes_after: 3}\n"
CHANGE = "## Repeal Rule 203/0"
DIGEST = hashlib.sha256(f"{CHANGE}\n".encode()).hexdigest()
GAME = {
    "rules/initial/105.md": rule(105, "Votes last three days.", DAYS),
    "rules/initial/203.md": rule(203, "For now."),
    "proposals/301.md": (
        "---\nnumber: 301\ntitle: Away\nauthor: wren\ndate: 2020-05-15\nstatus: open\n"
        "opened: 2020-05-16\n"
        f"votes:\n  wren: for\ndigest: {DIGEST}\n---\n\nAway with it.\n\n{CHANGE}\n"
    ),
}


def on(day: str) -> Mapping[str, str]:
    return {path: words(page) for path, page in made(GAME, day).items() if path.endswith(".md")}


def test_a_vote_that_goes_on_waits_for_voters() -> None:
    site = on("2020-05-18")
    assert "open since May 16, 2020 until May 19, 2020" in site["index.md"]
    assert "Yet to vote: Quill" in site["index.md"]
    assert "Yet to vote 1Quill" in site["proposals/301.md"]
    assert "over since" not in site["index.md"].lower()


def test_a_vote_that_is_over_waits_to_be_resolved() -> None:
    site = on("2020-11-22")
    assert "over since May 19, 2020, waits to be resolved" in site["index.md"]
    assert "Over since May 19, 2020: it waits to be resolved." in site["proposals/301.md"]
    assert "Did not vote 1Quill" in site["proposals/301.md"]
    assert "over, to be resolved" in site["proposals/index.md"]
    for page in ("index.md", "proposals/301.md", "proposals/index.md", "players/wren.md"):
        assert "Yet to vote" not in site[page]
        assert "until May 19" not in site[page]
        assert "open for votes" not in site[page].replace("No proposal is open for votes", "")


def test_of_a_vote_on_a_pull_request_nothing_is_counted() -> None:
    address = "https://github.com/us/tea/pull/7"
    told = GAME["proposals/301.md"].replace("votes:\n  wren: for", f"discussion: {address}")
    site = made({**GAME, "proposals/301.md": told}, "2020-05-18")
    for page in ("index.md", "proposals/301.md"):
        said = words(site[page])
        assert "The votes are on its pull request." in said
        assert f'href="{address}"' in site[page]
        for count in ("for, ", "Yet to vote", "would pass it", "What it needs", "not met yet"):
            assert count not in said
