"""The search: what is asked for comes first, on every game that ships; what it weighs; how it
looks.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType

import pytest
from playwright.sync_api import Page, Route

from nomicgen.history.game_history import GameHistory
from nomicgen.play.rulesets import NAMES
from nomicgen.play.start import Founding, begin
from nomicgen.site.build import pages
from nomicgen.site.data.search import SEARCH, plain_words, words_of
from nomicgen.site.render import asset
from tests.deep import sampled
from tests.played import ON
from tests.site.conftest import Built
from tests.site.small import LANTERN, small_history

pytestmark = pytest.mark.deep

SHELL = """<!doctype html><html lang=en><meta charset=utf-8><title>Shell</title>
<button type=button data-nomic-search="assets/search.js">Search</button>
<script src="assets/nomic.js" defer></script>"""
Ask = Callable[[str], list[tuple[str, str]]]


def game_history_of(ruleset: str) -> GameHistory:
    """The history of the game that was played under a ruleset that ships."""
    after = begin(Path(ruleset), ON, Founding(), ruleset=ruleset, played=True).after.tree
    texts = {path: data.decode() for path, data in after.items() if isinstance(data, bytes)}
    return small_history(
        {path: text for path, text in texts.items() if path.endswith((".md", ".yml"))}, ON
    )


def shell(game_history: GameHistory, folder: Path, written: dict[str, str] | None = None) -> Path:
    """A folder with the search of a game, and one page that opens it."""
    made = pages(game_history, today=ON, written=MappingProxyType(written or {}))
    wanted = {path: text for path, text in made.items() if path.startswith(SEARCH)}
    for path, text in {
        **wanted,
        "assets/search.js": asset("search.js"),
        "assets/nomic.js": asset("nomic.js"),
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    (folder / "index.html").write_text(SHELL, "utf-8")
    return folder


def asking(page: Page) -> Ask:
    """Asks the search of a page that is open; gives the address and the words of each result."""
    page.keyboard.press("/")
    field = page.get_by_role("searchbox", name="Search")

    def ask(words: str) -> list[tuple[str, str]]:
        field.fill("")
        page.locator(".n-seek-said:empty").wait_for(state="attached")
        field.fill(words)
        page.locator(".n-seek-said:not(:empty)").wait_for()
        found = page.locator(".n-seek-dialog li a").all()
        return [(one.get_attribute("href") or "", one.inner_text()) for one in found]

    return ask


@pytest.mark.nightly
@pytest.mark.browser
@pytest.mark.parametrize("ruleset", sampled(NAMES, every=len(NAMES)))
def test_a_rule_that_has_the_word_is_first_on_every_game_that_ships(
    ruleset: str, page: Page, tmp_path: Path, serve: Callable[[Path], str]
) -> None:
    game_history = game_history_of(ruleset)
    address = serve(shell(game_history, tmp_path))
    page.goto(address)
    ask = asking(page)
    rules = {
        rule.number: (rule.title or "", rule.text or "") for rule in game_history.replay.current
    }
    titles = [word for title, _ in rules.values() for word in words_of(title) if len(word) > 3]
    texts = Counter(
        word for _, text in rules.values() for word in words_of(plain_words(text)) if len(word) > 4
    )
    queries = [*dict.fromkeys(titles)][:20]
    queries += [word for word, _ in texts.most_common() if word not in queries][: 30 - len(queries)]
    assert len(queries) >= 20
    for query in queries:
        href, _ = ask(query)[0]
        number = int(href.removeprefix(f"{address}rules/").rstrip("/"))
        said = words_of(" ".join(rules[number]))
        assert query in said or any(word.startswith(query) for word in said), (query, href)
        if query in titles:
            assert any(word.startswith(query) for word in words_of(rules[number][0])), (query, href)
    for number in rules:
        assert ask(str(number))[0][0] == f"{address}rules/{number}/"
    for one in game_history.records.of_kind("proposal"):
        if one.number is not None:
            assert ask(f"proposal {one.number}")[0][0] == f"{address}proposals/{one.number}/"


@pytest.mark.nightly
@pytest.mark.browser
def test_a_number_leads_to_its_rule_and_a_revision_to_its_text(
    page: Page, tmp_path: Path, serve: Callable[[Path], str]
) -> None:
    folder = shell(small_history(LANTERN), tmp_path)
    for path in ("rules/301", "proposals/301"):
        (folder / path).mkdir(parents=True)
        (folder / path / "index.html").write_text(SHELL, "utf-8")
    address = serve(folder)
    page.goto(address)
    assert [words for _, words in asking(page)("301")] == ["Rule 301 Lamps", "Proposal 301"]
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}rules/301/")
    page.goto(address)
    assert asking(page)("rule 301/1")[0][0] == f"{address}rules/301/#r1"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}rules/301/#r1")


@pytest.mark.nightly
@pytest.mark.browser
def test_other_forms_of_a_word_are_found_and_so_is_what_a_person_wrote(
    page: Page, tmp_path: Path, serve: Callable[[Path], str]
) -> None:
    written = {
        "guide/oil.md": "---\ntitle: 'On oil'\n---\n\n# Ignored\n\n"
        "Of [Olé](x.md) <!-- hidden --> and <b class='x'>**wicks**</b\n>.\n",
        "guide/secret.md": "---\nsearch:\n  exclude: true\n---\n\nWicks.\n",
        "history.md": "# Our own history\n\nWritten by hand.\n",
    }
    page.goto(serve(shell(small_history(LANTERN), tmp_path, written)))
    ask = asking(page)
    assert [words for _, words in ask("wick")] == ["On oil"]
    assert page.locator(".n-seek-dialog li p").inner_text() == "Of Olé and wicks."
    assert [words for _, words in ask("ole")] == ["On oil"]
    assert [words for _, words in ask("history")] == ["Our own history"]
    assert ask("lamping")[0][1] == "Rule 301 Lamps"
    assert ask("bo <b>")[0][1] == "Bo <b>"
    assert ask("hidden") == []
    assert page.locator(".n-seek-said").inner_text() == "No result for “hidden”."
    # A question is its telling words; where no page has them all, those that miss one come; a slip
    # is named.
    assert ask("How many lamps are there?")[0][1] == "Rule 301 Lamps"
    assert ask("lamps zebra")[0][1] == "Rule 301 Lamps"
    assert ask("lapms") == []
    page.get_by_role("button", name="lamps", exact=True).click()
    page.locator(".n-seek-dialog li a").first.wait_for()
    assert page.locator(".n-seek-dialog li a").first.inner_text() == "Rule 301 Lamps"


@pytest.mark.browser
def test_nothing_that_is_typed_before_the_search_is_there_is_lost(
    page: Page, tmp_path: Path, serve: Callable[[Path], str]
) -> None:
    address = serve(shell(small_history(LANTERN), tmp_path))
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.route("**/search.js", hold)
    page.goto(address)
    page.keyboard.type("/lamps")
    page.wait_for_timeout(100)
    (route,) = waiting
    route.continue_()
    page.locator(".n-seek-dialog li a").first.wait_for()
    assert page.locator(".n-seek-dialog input").input_value() == "lamps"


@pytest.mark.nightly
@pytest.mark.browser
def test_ten_results_fit_a_screen_and_nothing_is_loaded_before_it_is_asked_for(
    harbour: Built, page: Page, serve: Callable[[Path], str], axe: Callable[[Page], list[str]]
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{serve(harbour.site)}rules/203/")
    page.wait_for_load_state("networkidle")
    assert [one for one in asked if "search" in one] == []
    found = asking(page)("rule")
    assert len(found) == 20
    assert found[0][1].startswith("Rule ")
    last = page.locator(".n-seek-dialog li").nth(9).bounding_box()
    assert last is not None
    assert last["y"] + last["height"] <= 900
    assert page.locator("li a").first.evaluate("one => getComputedStyle(one).fontSize") in (
        "14px",
        "16px",
    )
    assert axe(page) == []
    page.set_viewport_size({"width": 360, "height": 800})
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert axe(page) == []
    page.locator(".n-seek-dialog li a").first.focus()
    page.keyboard.press("Escape")
    assert not page.locator(".n-seek-dialog").is_visible()


def test_files_are_parted_by_their_size() -> None:
    many = {
        f"notes/{at}.md": f"# Note {at}\n\n{' '.join(f'w{at}x{one}' for one in range(400))}\n"
        for at in range(150)
    }
    made = pages(small_history(LANTERN), today=ON, written=many)
    index = json.loads(made[f"{SEARCH}/index.json"])
    assert index["words"] > 8
    parts = {path: text for path, text in made.items() if path.startswith(f"{SEARCH}/")}
    assert len(parts) == 1 + index["words"] + len(index["pages"])
    assert max(len(text) for path, text in parts.items() if "/pages/" in path) < 70_000
    assert len(parts[f"{SEARCH}/index.json"]) < 2_000
    rows = [json.loads(made[f"{SEARCH}/pages/{at}.json"]) for at in range(len(index["pages"]))]
    assert [sum(map(len, rows[:at])) for at in range(len(rows))] == index["pages"]
    assert sum(count for _, count in index["kinds"]) == sum(map(len, rows))
