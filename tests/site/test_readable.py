"""Every kind of page, on a small screen, and for those who cannot see it well."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.deep import sampled
from tests.site.conftest import Built
from tests.site.example import KINDS

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(harbour: Built, serve: Callable[[Path], str]) -> str:
    return serve(harbour.site)


@pytest.mark.parametrize("kind", sampled(KINDS, every=10))
def test_nothing_is_wider_than_a_small_screen(page: Page, address: str, kind: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{address}{KINDS[kind]}")
    assert page.evaluate("document.documentElement.scrollWidth") == 360


# The colours of what only a wide or only a narrow screen shows are tried in both schemes.
LOOKS = (("light", 1440), ("dark", 1440), ("light", 768), ("light", 360), ("dark", 360))


@pytest.mark.parametrize(
    ("kind", "scheme", "width"), sampled([(kind, *look) for look in LOOKS for kind in KINDS], every=41)
)
def test_everybody_can_read_it(
    browser: Browser, axe: Callable[[Page], list[str]], address: str, kind: str, scheme: str, width: int
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
