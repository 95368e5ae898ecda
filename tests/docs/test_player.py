"""The player's guide: short enough to be read, with a picture of what happens to a proposal."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from tests.docs.typed import GUIDE, fences
from tests.support import ROOT

FOLDER = GUIDE / "player"
PAGES = sorted(FOLDER.glob("*.md"))
MOST_WORDS = 3000


def words(page: Path) -> int:
    """How many words a page has, without what stands in fences."""
    text = page.read_text("utf-8")
    lines = text.splitlines()
    for fence in fences(text):
        for number in range(fence.line - 1, fence.line + fence.content.count("\n") + 1):
            lines[number] = ""
    return len(" ".join(lines).split())


def test_words_in_fences_are_not_counted(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    shown = "````text\n```\nnot this\n```\n````\n"
    page.write_text(f"# One two\n\n{shown}\n- three\n\n  ```sh\n  nor this\n  ```\n", "utf-8")
    assert words(page) == len(["#", "One", "two", "-", "three"])


def test_the_players_guide_is_short() -> None:
    counted = {page.name: words(page) for page in PAGES}
    assert sum(counted.values()) <= MOST_WORDS, counted


def test_the_players_guide_begins_with_a_picture_of_a_proposals_way() -> None:
    nav = re.search(r"- For players:\n((?: +- \S+\n)+)", (ROOT / "mkdocs.yml").read_text("utf-8"))
    assert nav is not None
    named = yaml.safe_load(nav[1])
    assert sorted(named) == [f"guide/player/{page.name}" for page in PAGES]
    first = (ROOT / "docs" / named[0]).read_text("utf-8")
    assert re.findall(r"<li><strong>(\w+)</strong>", first) == ["Draft", "Debate", "Vote", "Decided", "Rule"]
    assert '<ol class="way">' in first
    assert ".way" in (GUIDE / "guide.css").read_text("utf-8")
