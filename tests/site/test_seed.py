"""Nomic IV, imported and published: the second game that the site is made for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page

from nomicgen.cli.program import main
from tests.site.conftest import Build


@pytest.fixture(scope="module")
def nomic_4(shared: Path, build: Build, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site of the seed."""
    root = tmp_path_factory.mktemp("nomic-4") / "game"
    seed = shared / "seeds" / "nomic-4-long-format.md"
    result = CliRunner().invoke(main, ["import", "long", str(seed), "--into", str(root), "--commit"])
    assert result.exit_code == 0, result.output
    return build(root)[0]


def test_every_rule_of_the_seed_has_a_page(nomic_4: Path) -> None:
    assert len([path for path in (nomic_4 / "rules").iterdir() if path.is_dir()]) == 57


@pytest.mark.deep
@pytest.mark.browser
def test_an_imported_history_leads_to_its_own_repository(
    nomic_4: Path, page: Page, serve: Callable[[Path], str], axe: Callable[[Page], list[str]]
) -> None:
    page.goto(f"{serve(nomic_4)}rules/203/")
    line = page.locator(".n-history .n-line", has_text="Amended (1) by Proposal 329 (Alekosen), Jul 27, 2020")
    address = line.get_by_role("link", name="Amended (1)").get_attribute("href")
    assert address is not None
    assert address.startswith("https://github.com/dmouscher/nomic/blob/f743617b92")
    assert axe(page) == []
