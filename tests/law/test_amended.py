"""What a proposal amends of the law: a played game obeys the old law before, and the new law afterwards.

A case of `amended.yml` says the `provisions` of Rule 201, and those that Proposal 302 gives it, `amended`: everybody
adopts that on 2026-02-01. `before` and `after` say what Proposals 301 and 303 hold, and how they were voted on: Osprey
puts them forward on 2026-01-02 and 2026-03-02, and their votes run from the third to the sixth of the month. `gives`
has how each vote ends (`301 adopted: …`), every finding, and some of the effects; `preview` lines of the preview of
Proposal 302.
`players` and `files` are as in `tests/worked.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from nomicgen.files.game_files import read_game
from nomicgen.files.yaml_writing import write_front_matter
from nomicgen.formats.styled_text import unstyled
from nomicgen.law.replay.run import replay
from nomicgen.play.preview.as_text import preview_text
from nomicgen.play.preview.proposal import preview
from tests.ledger import Ledger, day
from tests.worked import decide, game_of, outcome_of

CASES: Mapping[str, dict[str, Any]] = yaml.load(
    Path(__file__).with_name("amended.yml").read_text("utf-8"), Loader=yaml.BaseLoader
)


def amendment(case: Mapping[str, Any]) -> str:
    block = yaml.safe_dump({"provisions": case["amended"]}, sort_keys=False, default_flow_style=True, width=1000)
    return f"## Amend Rule 201/0\n\n```yaml rule\n{block}```\n\nAs it is read now."


def played(case: Mapping[str, Any]) -> Ledger:
    made = game_of({key: case[key] for key in ("provisions", "players", "files") if key in case})
    if "before" in case:
        decide(made, case["before"], 301, "01")
    votes = dict.fromkeys(("osprey", "quill", "tallow", "wren"), "for") | case.get("votes", {})
    made.proposal(302, "02-01", amendment(case), votes="....", more=votes, **case.get("adoption", {}))
    decide(made, case["after"], 303, "03")
    return made


@pytest.mark.parametrize("name", CASES)
def test_a_game_obeys_the_old_law_before_and_the_new_law_after(name: str) -> None:
    case = CASES[name]
    told, effects = outcome_of(played(case), 301, 303)
    wanted = [" ".join(line.split()) for line in case["gives"]]
    assert [line for line in wanted if line not in effects] == told


@pytest.mark.parametrize("name", CASES)
def test_a_preview_says_what_an_amendment_changes(name: str) -> None:
    case = CASES[name]
    made = game_of({key: case[key] for key in ("provisions", "players") if key in case})
    path = "proposals/try.md"
    made.tree[path] = write_front_matter({"author": "osprey", "status": "draft"}, f"Why.\n\n{amendment(case)}")
    records, _ = read_game(made.tree)
    now = replay(records, day("02-01"))
    draft = records.proposal(path)
    assert draft is not None
    shown = preview_text(preview(draft, records, now, now.findings, day("02-01"), path))
    text = " ".join(" ".join(unstyled(line) for line in shown).split())
    for line in case["preview"]:
        assert " ".join(line.split()) in text
    assert case["preview"]
