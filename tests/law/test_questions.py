"""The law is asked by the fields of a kind, and by what was in force: before an amendment the old
law, then the new.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, assert_type

import pytest
import yaml

from nomicgen.files.game_files import read_game
from nomicgen.files.yaml_writing import write_front_matter
from nomicgen.formats.styled_text import without_style
from nomicgen.law.precedence import Law, Said
from nomicgen.law.provisions.adoption import Adoption
from nomicgen.law.provisions.ballot import Ballot, TieBreak
from nomicgen.law.provisions.cap import Cap
from nomicgen.law.provisions.changeable import Changeable
from nomicgen.law.provisions.effect import Effect
from nomicgen.law.provisions.sunset import Sunset
from nomicgen.law.provisions.victory import Victory
from nomicgen.law.replay.run import replay
from nomicgen.law.replay.state import Rule
from nomicgen.play.preview.as_text import preview_text
from nomicgen.play.preview.proposal import preview
from tests.ledger import Ledger, day
from tests.worked import decide, game_of, outcome_of

LAWS: dict[int, dict[str, Any]] = {
    101: {
        "ballot": {"debate": "2 days", "edits": "lapse"},
        "cap": {"mutable": "25"},
        "effect": {"after": "3 days"},
    },
    102: {
        "adoption": [{"needs": "majority"}, {"needs": "unanimous", "to": "repeal"}],
        "changeable": "always",
    },
    103: {"sunset": {"after": {"turns": "2"}, "becomes": "repealed"}, "victory": {"points": "100"}},
}


@pytest.fixture(scope="module")
def law() -> Law:
    records, played = Ledger.start(LAWS).play()
    return Law.of(played.initial, records.settings, None)


def test_a_field_is_asked_by_its_name_in_the_schema(law: Law) -> None:
    assert_type(law.says(Ballot.debate), Said[int] | None)
    assert_type(law.value(Ballot.debate), int | None)
    assert_type(law.value(Ballot.tie_break), TieBreak | None)
    assert_type(law.value(Ballot.edits), Literal["stand", "lapse", "forbidden"] | None)
    assert_type(law.value(Changeable.when), Literal["always", "texts"] | None)
    assert_type(law.value(Victory.points), Fraction | None)
    assert law.says(Ballot.debate) == Said(2, 101, 0)
    assert (law.value(Ballot.edits), law.value(Ballot.tie_break)) == ("lapse", None)
    assert (law.value(Changeable.when), law.value(Victory.points)) == ("always", Fraction(100))


def test_a_field_may_be_made_of_several_keys(law: Law) -> None:
    assert_type(law.value(Effect.moment), str | int | None)
    assert (law.value(Effect.moment), Effect(after=3).moment, Effect(when="at-once").moment) == (
        3,
        3,
        "at-once",
    )


def test_tiers_lists_and_what_is_a_rule_s_own(law: Law) -> None:
    assert_type(law.of_tier(Cap, "mutable"), Said[int] | None)
    assert_type(law.every(Adoption), tuple[tuple[Rule, Adoption], ...])
    assert law.of_tier(Cap, "mutable") == Said(25, 101, 0)
    assert law.of_tier(Cap, "immutable") is None
    assert [(rule.number, needs.needs) for rule, needs in law.every(Adoption)] == [
        (102, "majority"),
        (102, "unanimous"),
    ]
    (sunset,) = Ledger.start(LAWS).play()[1].initial.rules[103].law.of(Sunset)
    assert_type(sunset, Sunset)
    assert sunset.after.turns == 2


def test_nothing_but_a_field_is_asked(law: Law) -> None:
    with pytest.raises(AttributeError, match="debat"):
        law.says(Ballot.debat)  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="'debate' is no field of a kind of provision"):
        law.says("debate")
    with pytest.raises(TypeError, match="is no field"):
        law.value(Cap.tiers)
    with pytest.raises(TypeError, match=r"no rule decides adoption.needs alone"):
        law.says(Adoption.needs)


def test_a_provision_still_reads_its_own_keys() -> None:
    ballot = Ballot(debate=3)
    assert_type(ballot.debate, int | None)
    assert (ballot.debate, ballot.silence, ballot.over, ballot.said) == (3, None, (), ("debate",))


CASES: Mapping[str, dict[str, Any]] = yaml.load(
    Path(__file__).with_name("amended.yml").read_text("utf-8"), Loader=yaml.BaseLoader
)


def amendment(case: Mapping[str, Any]) -> str:
    block = yaml.safe_dump(
        {"provisions": case["amended"]}, sort_keys=False, default_flow_style=True, width=1000
    )
    return f"## Amend Rule 201/0\n\n```yaml rule\n{block}```\n\nAs it is read now."


def played(case: Mapping[str, Any]) -> Ledger:
    made = game_of({key: case[key] for key in ("provisions", "players", "files") if key in case})
    if "before" in case:
        decide(made, case["before"], 301, "01")
    votes = dict.fromkeys(("osprey", "quill", "tallow", "wren"), "for") | case.get("votes", {})
    made.proposal(
        302, "02-01", amendment(case), votes="....", more=votes, **case.get("adoption", {})
    )
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
    made.tree[path] = write_front_matter(
        {"author": "osprey", "status": "draft"}, f"Why.\n\n{amendment(case)}"
    )
    records, _ = read_game(made.tree)
    now = replay(records, day("02-01"))
    draft = records.proposal(path)
    assert draft is not None
    shown = preview_text(preview(draft, records, now, now.findings, day("02-01"), path))
    text = " ".join(" ".join(without_style(line) for line in shown).split())
    for line in case["preview"]:
        assert " ".join(line.split()) in text
    assert case["preview"]
