"""What `rulesets show` says of the rulesets that ship: every sentence has its line, and what it claims is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from nomicgen.law.kinds import kinds
from nomicgen.law.precedence import Law
from nomicgen.law.reading import parse_provisions
from nomicgen.law.replay.state import Rule
from nomicgen.model.findings import CODES
from nomicgen.play.enforcement import enforced_of_ruleset, our_rule, sentences_of, table_of
from nomicgen.play.rulesets import NAMES
from tests.cli.playing import run
from tests.played import played

PEOPLE = ("players", "shown")


@pytest.mark.parametrize("name", NAMES)
def test_every_sentence_has_a_line_in_the_order_of_the_text(name: str) -> None:
    for rule in enforced_of_ruleset(name):
        rows = table_of(name)[int(rule.ref.partition("/")[0])]
        assert [
            (said.text, row["says"])
            for said, row in zip(rule.said, rows, strict=True)
            if words(said.text)[: len(words(row["says"]))] != words(row["says"])
        ] == []
        assert [said for said in rule.said if said.by in PEOPLE and said.finding] == []


def words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text)


def test_a_ruleset_that_begins_a_game_has_all_its_rules() -> None:
    for name in ("suber", "paranomic", "nomic-iv"):
        assert sorted(table_of(name)) == sorted(rule.number for rule in played(name).replay.initial)
    assert set(table_of("pokey")) - set(table_of("suber")) == {301, 305, 308, 312, 313}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_enforced_is_said_by_a_provision_that_makes_a_difference(name: str) -> None:
    game = played(name)
    initial = game.replay.initial
    law = Law.of(initial, game.records.settings, None)
    for rule in enforced_of_ruleset(name):
        for said in rule.said:
            if said.by in PEOPLE:
                continue
            assert said.by in kinds(), said
            assert said.finding == "" or said.finding in CODES, said
            held = our_rule(name, said.rule)
            if said.by not in (held.provisions or {}):
                assert said.why, said  # by what the program does where no rule says other
                continue
            begun = initial.named(held.number)
            if begun is not None and begun.ref == held.ref:
                without = initial.replaced(begun, begun_without(begun, said.by))
                other = Law.of(without, game.records.settings, None)
                assert (law.fields, law.listed) != (other.fields, other.listed), said


def begun_without(rule: Rule, kind: str) -> Rule:
    left = {key: value for key, value in (rule.provisions or {}).items() if key != kind}
    return replace(rule, provisions=left, law=parse_provisions(left, None)[0])


def test_sentences_are_told_apart() -> None:
    text = "One. Two!\n\n- Three? “Four.” Five\n2. Rule 203/0 is no. 5 of the set, e.g. here."
    assert sentences_of(text) == [
        "One.",
        "Two!",
        "Three?",
        "“Four.”",
        "Five",
        "Rule 203/0 is no. 5 of the set, e.g. here.",
    ]


def test_the_table_is_printed() -> None:
    said = run(Path(), "rulesets show suber")
    assert (
        "Rule 209/0: The ceiling\n  There are never more than 25 mutable rules.\n    enforced by `cap`, a breach is"
        in said
    )
    assert re.search(r"\n[0-9]+ sentences: [0-9]+ enforced, [0-9]+ shown, [0-9]+ left to the players\n\Z", said)
