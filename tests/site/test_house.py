"""The project's own site, the guide with it, as a reader opens it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from nomicgen.repository.git_state import inspect
from tests.deep import sampled
from tests.support import ROOT, mkdocs_build

pytestmark = pytest.mark.deep

PAGES = (
    "",
    "rules/",
    "rules/312/",
    "rules/203/",
    "rules/206/",
    "proposals/309/",
    "proposals/303/",
    "judgements/2/",
    "players/",
    "players/wren/",
    "scores/",
    "guide/",
    "guide/player/what-happens/",
    "guide/player/tutorial/",
    "guide/reference/files/",
    "guide/reference/findings/revision-stale/",
)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of this repository, built as `make site` builds it."""
    site = tmp_path_factory.mktemp("house") / "site"
    done = mkdocs_build(ROOT, site, "--strict", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    return site


@pytest.mark.nightly
@pytest.mark.browser
@pytest.mark.parametrize(
    ("path", "scheme"),
    sampled([(path, scheme) for path in PAGES for scheme in ("light", "dark")], every=29),
)
def test_every_kind_of_page_is_accessible_and_fits(
    house: Path,
    page: Page,
    serve: Callable[[Path], str],
    axe: Callable[[Page], list[str]],
    path: str,
    scheme: str,
) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{serve(house)}{path}")
    assert axe(page) == []
    page.set_viewport_size({"width": 360, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.nightly
@pytest.mark.browser
def test_a_reader_follows_the_law_through_its_numbers(
    house: Path, page: Page, serve: Callable[[Path], str]
) -> None:
    page.goto(f"{serve(house)}rules/312/")
    lines = page.locator(
        ".n-history .n-line", has_text="Amended (1) by Proposal 305 (osprey), Oct 8, 2026 (R2T1)"
    )
    state = inspect(ROOT)
    if state.present and not state.shallow:
        address = lines.first.get_by_role("link", name="Amended (1)").get_attribute("href")
        assert address is not None
        assert address.startswith("https://github.com/nomicgen/nomicgen/commit/")
    else:
        assert (
            page.get_by_text("shallow" if state.present else "no commit can be named").count() == 1
        )
    page.get_by_role("link", name="Rule 109", exact=True).first.click()
    assert page.url.endswith("/rules/109/")
    page.goto(f"{serve(house)}proposals/305/")
    assert "vote of every eligible voter" in page.locator("del").all_inner_texts()[1]
    assert (
        "votes of more than half of the eligible voters" in page.locator("ins").all_inner_texts()[1]
    )
