"""The player's guide: short enough to be read, with a picture of what happens to a proposal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from nomicgen.law.precedence import Law
from nomicgen.law.provisions.ballot import Ballot
from nomicgen.model.settings import Settings
from nomicgen.play.rulesets import shipped
from tests.docs.typed import GUIDE, fences
from tests.played import played
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
    assert re.findall(r"<li><strong>([\w ]+)</strong>", first) == [
        "Draft",
        "Debate",
        "Vote",
        "Decided",
        "Carried out",
    ]
    assert '<ol class="way">' in first
    assert ".way" in (GUIDE / "guide.css").read_text("utf-8")


# What the shipped rulesets leave open: the page's table is what their provisions say.


PAGE = (ROOT / "docs/guide/why/open.md").read_text("utf-8")
ROWS = [
    re.split(r" *\| *", line.strip("| "))
    for line in PAGE.splitlines()
    if line.startswith("| ") and "`" in line
]


def test_the_table_has_every_field_of_a_ballot() -> None:
    assert sorted(row[1].strip("`") for row in ROWS[1:]) == sorted(
        set(Ballot.keys) - {"over", "under"}
    )


@pytest.mark.parametrize("column", [2, 3, 4])
def test_the_table_names_the_rule_that_settles_each(column: int) -> None:
    name = ROWS[0][column].strip("`")
    game = played(name)
    tiers = Settings.read({"format": 1, "name": name, **shipped(name).settings})
    law = Law.of(game.replay.initial, tiers, None)
    for row in ROWS[1:]:
        said = law.says(getattr(Ballot, row[1].strip("`")))
        shown = "–"
        if said is not None:
            mutable = game.replay.initial.rules[said.rule].tier == "mutable"
            shown = str(said.rule) if mutable else f"**{said.rule}**"
        assert (row[1], row[column]) == (row[1], shown)
