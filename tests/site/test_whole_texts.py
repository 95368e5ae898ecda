"""A list's filter looks into whole texts, and the search has the law first and the guide apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.cli.playing import run

pytestmark = pytest.mark.browser

# What is asked of the set that ships, and the rule that comes first.
ASKED = {
    "208": "Rule 208",
    "rule 203": "Rule 203",
    "judge": "Rule 212",
    "die": "Rule 202",
    "winning": "Rule 112",
    "transmutation": "Rule 109",
    "precedence": "Rule 211",
    "debate": "Rule 111",
    "consolation": "Rule 204",
    "fine": "Rule 206",
    "eligible": "Rule 105",
}
OTHERS = {
    "inactive": "Rule 207",
    "rule 206": "Rule 206",
    "turn": "Rule 201",
    "precedence": "Rule 214",
    "winning": "Rule 216",
    "points": "Rule 213",
    "resubmission": "Rule 210",
    "immutable": "Rule 109",
    "judge": "Rule 215",
}
"""What is asked of Nomic IV's."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("whole"), "suber")


def built(folder: Path, ruleset: str) -> Path:
    """The site of a new game."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    root, game = folder / "club", f"--ruleset {ruleset} --player wren --player quill"
    run(folder, f"init {root} {game} --forge none --on 2026-01-01 --commit")
    (root / "docs" / "voting.md").write_text(
        "# Voting by hand\n\nHow voting is done: voting, voting, voting.\n", "utf-8"
    )
    config = load_config(str(root / "mkdocs.yml"), site_dir=str(root / "site"))
    build(config)
    return root / "site"


def test_a_filter_finds_every_rule_that_has_the_words(page: Page, site: Path, serve: Callable[[Path], str]) -> None:
    page.goto(f"{serve(site)}rules/")
    page.get_by_role("searchbox").first.fill("voting")
    page.get_by_text("14 of 29 shown").wait_for()
    page.get_by_role("searchbox").first.fill("sympathy")
    page.get_by_text("1 of 29 shown").wait_for()
    page.get_by_role("searchbox").first.fill("nowhere to be found")
    page.get_by_text("No result among 29").wait_for()


def first_found(page: Page, asked: Iterable[str]) -> dict[str, str]:
    """The number of the first answer to each question, in the search that is open."""
    field, first = page.locator("dialog input"), page.locator("dialog li a").first
    found = {}
    for words in asked:
        field.fill("")
        page.locator("dialog li").first.wait_for(state="detached")
        field.fill(words)
        first.wait_for()
        found[words] = first.locator(".n-num").inner_text()
    return found


def test_the_search_of_another_game_has_its_law_first(page: Page, tmp_path: Path, serve: Callable[[Path], str]) -> None:
    page.goto(f"{serve(built(tmp_path, 'nomic-iv'))}index.html")
    page.locator("#n-search").click()
    assert first_found(page, OTHERS) == OTHERS


def test_the_search_has_the_law_first_and_the_guide_apart(page: Page, site: Path, serve: Callable[[Path], str]) -> None:
    page.goto(f"{serve(site)}index.html")
    page.locator("#n-search").click()
    assert first_found(page, ASKED) == ASKED
    field = page.locator("dialog input")
    field.fill("voting")
    page.get_by_role("button", name="In the guide: 1").click()
    page.get_by_role("button", name="Back to the game").wait_for()
    assert page.locator("dialog li").all_inner_texts()[0].startswith("Voting by hand")
