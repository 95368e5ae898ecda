"""What the shipped rulesets leave open: the page's table is what their provisions say."""

from __future__ import annotations

import re

import pytest

from nomicgen.law.precedence import Law
from nomicgen.law.provisions.ballot import Ballot
from nomicgen.model.settings import Settings
from nomicgen.play.rulesets import shipped
from tests.played import played
from tests.support import ROOT

PAGE = (ROOT / "docs/guide/why/open.md").read_text("utf-8")
ROWS = [re.split(r" *\| *", line.strip("| ")) for line in PAGE.splitlines() if line.startswith("| ") and "`" in line]


def test_the_table_has_every_field_of_a_ballot() -> None:
    assert sorted(row[1].strip("`") for row in ROWS[1:]) == sorted(set(Ballot.keys) - {"over", "under"})


@pytest.mark.parametrize("column", [2, 3, 4])
def test_the_table_names_the_rule_that_settles_each(column: int) -> None:
    name = ROWS[0][column].strip("`")
    game = played(name)
    tiers = Settings.read({"format": 1, "name": name, **shipped(name).settings})
    law = Law.of(game.replay.initial, tiers, None)
    for row in ROWS[1:]:
        said = law.says("ballot", row[1].strip("`"))
        shown = "–"
        if said is not None:
            mutable = game.replay.initial.rules[said.rule].tier == "mutable"
            shown = str(said.rule) if mutable else f"**{said.rule}**"
        assert (row[1], row[column]) == (row[1], shown)
