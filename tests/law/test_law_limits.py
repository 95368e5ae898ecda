"""Caps and floors that change: none may be adopted that the rules break as they stand."""

from __future__ import annotations

from tests.ledger import UNANIMOUS, Ledger

RULES = {101: {}, 201: UNANIMOUS, 202: {"cap": {"mutable": "9"}}, 203: {}, 204: {"cap": {"mutable": "3"}}}


def amended(said: str, number: int = 202) -> Ledger:
    body = f"## Amend Rule {number}/0\n\n```yaml rule\nprovisions: {said}\n```\n\nOtherwise."
    return Ledger.start(RULES).proposal(301, "02-01", body)


def test_a_cap_below_what_stands_is_refused() -> None:
    made = amended("{cap: {mutable: 3}}").applied()
    (found,) = made.findings()
    assert (found.slug, found.rule, str(found.span)) == ("cap-exceeded", 202, "proposals/301.md:18:1")
    assert found.message == "Rule 202 would allow 3 mutable rules, and this leaves 4"
    assert found.help == "repeal or transmute 1 of them first, or let it allow more"
    assert made.numbers() == ["101/0*", "201/0", "202/0", "203/0", "204/0"]
    assert amended("{cap: {mutable: 4}}").slugs() == []


def test_a_floor_above_what_stands_is_refused() -> None:
    (found,) = amended("{floor: {immutable: 2}, cap: {mutable: 9}}").applied().findings()
    assert (found.slug, found.rule) == ("floor-broken", 202)
    assert found.message == "Rule 202 would demand 2 immutable rules, and this leaves 1"
    assert found.help == "enact 1 more first, or let it demand fewer"
    assert amended("{floor: {immutable: 1}, cap: {mutable: 9}}").slugs() == []


def test_a_cap_that_another_kept_out_of_force() -> None:
    made = Ledger.start(RULES).proposal(301, "02-01", "## Enact Rule\n\nOne more.")
    made.proposal(302, "02-02", "## Repeal Rule 202/0")
    (found,) = made.applied().findings()
    assert (found.slug, found.rule, str(found.span)) == ("cap-exceeded", 204, "proposals/302.md:18:1")
    assert Ledger.start(RULES).proposal(301, "02-01", "## Repeal Rule 202/0").slugs() == []


def test_a_cap_may_come_closer_to_what_stands() -> None:
    crowded = {**RULES, 202: {"cap": {"mutable": "2"}}}
    body = "## Amend Rule 202/0\n\n```yaml rule\nprovisions: {cap: {mutable: 3}}\n```\n\nOtherwise."
    made = Ledger.start(crowded).proposal(301, "02-01", body).applied()
    assert [(one.slug, one.span.file) for one in made.findings()] == [("cap-exceeded", "rules/initial/202.md")]
    assert made.numbers() == ["101/0*", "201/0", "202/1", "203/0", "204/0"]


def test_an_initial_set_keeps_its_own_floor() -> None:
    made = Ledger.start({101: {"floor": {"immutable": "2", "mutable": "1"}}, 201: UNANIMOUS})
    (found,) = made.applied().findings()
    assert (found.slug, found.rule, found.span.file) == ("floor-broken", 101, "rules/initial/101.md")
    assert found.message == "the game begins with 1 immutable rule; Rule 101 demands 2"
