"""Odd games that once passed the checker though they broke their rules, or were blamed though they
kept them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nomicgen.play.advancing import advance
from nomicgen.play.load import load_tree
from tests.ledger import VOIDING, Ledger, day

MAJORITY: dict[str, Any] = {"adoption": {"needs": "majority"}}
GUARDED: dict[str, Any] = {"entrenchment": {"sacred": [], "immutable": ["transmute"]}}


def law(block: str) -> str:
    return f"```yaml rule\n{block}\n```\n\n"


def voids(number: int, day_: str) -> str:
    return (
        f"Is it in force?\n\n## Ruling\n\nNot then.\n\n## Mark Rule {number}/0\n\n"
        f"{law(f'void: {day_}')}"
    )


@pytest.mark.parametrize("share", ["2/3", "100%", "1/2"])
@pytest.mark.parametrize(
    ("of", "abstention", "votes"), [("cast", None, "...."), ("eligible", "ignored", "----")]
)
def test_no_share_is_reached_where_nobody_counts(
    share: str, of: str, abstention: str | None, votes: str
) -> None:
    ballot: dict[str, Any] = {"ballot": {"abstention": abstention}} if abstention else {}
    rules: dict[int, Any] = {
        203: {"adoption": {"needs": {"at_least": share}, "of": of}},
        204: ballot,
    }
    made = Ledger.start(rules).proposal(301, "02-01", "## Enact Rule\n\nTea.", votes=votes)
    assert made.slugs() == ["votes-few"]
    made.proposal(301, "02-01", "## Enact Rule\n\nTea.", votes=votes, status="defeated")
    assert made.slugs() == []


def test_a_rule_that_will_be_void_leaves_no_stricter_cap_behind() -> None:
    rules = {
        150: {"cap": {"mutable": "5"}},
        203: {**MAJORITY, **VOIDING},
        208: {},
        209: {"cap": {"mutable": "2"}},
    }
    made = Ledger.start(rules).judgement(1, "02-01", voids(150, "2026-03-01"), under=203)
    assert made.told() == [
        "cap-exceeded judgements/1.md:15:1: from 2026-03-01 on, when a rule becomes void: "
        "this would leave 3 mutable rules; Rule 209 would allow 2 (Rule 209)"
    ]
    made = Ledger.start({**rules, 209: {"cap": {"mutable": "3"}}}).judgement(
        1, "02-01", voids(150, "2026-03-01"), under=203
    )
    assert made.slugs() == []
    # What comes into the tier before that day would be too much on it.
    assert made.proposal(301, "02-10", "## Enact Rule\n\nTea.").slugs() == ["cap-exceeded"]


def test_a_rule_that_will_be_void_leaves_some_rule_that_can_be_changed() -> None:
    rules = {150: {"changeable": "always"}, 203: {**MAJORITY, **VOIDING}}
    made = Ledger.start(rules).judgement(1, "02-01", voids(203, "2026-03-01"), under=203)
    assert made.slugs() == ["change-ossifies"]
    assert made.numbers() == ["150/0*", "203/0"]


@pytest.mark.parametrize("own", [False, True])
def test_an_authority_leads_into_no_protected_tier(own: bool) -> None:
    authority = {"authority": {"by": "act", "to": ["transmute"]}}
    made = Ledger.start(
        {101: GUARDED, 203: MAJORITY, 204: authority, 205: {}},
        tiers=["sacred", "immutable", "mutable"],
    )
    number = 204 if own else 205
    made.act("up", "02-01", f"Up.\n\n## Transmute Rule {number}/0 to sacred\n", under=204)
    assert made.told() == [
        "tier-protected acts/up.md:9:1: the rule would be sacred; Rule 101 forbids the "
        "transmutation of sacred rules "
        "(it allows: nothing) (Rule 101)"
    ]


def test_the_first_law_of_a_game_does_not_reach_back() -> None:
    made = Ledger.start({203: {}}).proposal(301, "02-01", "## Enact Rule\n\nTea.")
    assert made.slugs() == ["law-unread"]
    made.file(
        "proposals/law.md",
        f"---\nauthor: wren\nstatus: draft\n---\n\n## Enact Rule\n\n{law(_MAJORITY)}Half.\n",
    )
    assert made.slugs() == ["law-unread"]
    made.proposal(302, "02-02", f"## Enact Rule\n\n{law(_MAJORITY)}More than half.")
    del made.tree["proposals/law.md"]
    assert made.slugs() == []
    assert made.proposal(303, "02-03", "## Enact Rule\n\nMilk.", votes="ffaa").slugs() == [
        "votes-few"
    ]


_MAJORITY = "provisions: {adoption: {needs: majority}}"


def test_what_waits_for_a_turn_waits_for_the_first() -> None:
    made = Ledger.start({203: MAJORITY, 204: {"effect": "next-turn"}, 210: {}})
    made.proposal(301, "01-03", "## Amend Rule 210/0\n\nTea.")
    assert made.numbers() == ["203/0", "204/0", "210/0"]
    assert made.slugs() == []
    made.proposal(301, "01-03", "## Amend Rule 210/0\n\nTea.", effective=day("01-05")).turn(
        "R1T1", "wren", "01-05"
    )
    assert made.numbers() == ["203/0", "204/0", "210/1"]
    assert made.slugs() == []


def test_what_another_overtakes_before_its_effect_changes_nothing_and_is_no_error() -> None:
    made = Ledger.start({203: MAJORITY, 204: {"effect": "next-turn"}, 210: {}}).turn(
        "R1T1", "wren", "01-02", "01-10"
    )
    made.turn("R1T2", "quill", "01-11")
    made.proposal(301, "01-03", "## Amend Rule 210/0\n\nTea.", turn="R1T1", effective=day("01-11"))
    made.proposal(302, "01-04", "## Amend Rule 210/0\n\nMilk.", turn="R1T1", effective=day("01-11"))
    assert made.told() == [
        "change-overtaken proposals/302.md:20:1: decided on 2026-01-04, and impossible on "
        "2026-01-11: Rule 210/0 is not the revision in force, which is 210/1"
    ]
    assert made.play()[1].current.rules[210].text == "Tea."
    # What was stale when it was decided already is an error as ever.
    made.proposal(303, "01-12", "## Amend Rule 210/0\n\nMilk.", turn="R1T2").turn(
        "R1T3", "wren", "01-13"
    )
    made.proposal(303, "01-12", "## Amend Rule 210/0\n\nMilk.", turn="R1T2", effective=day("01-13"))
    assert made.slugs() == ["change-overtaken", "revision-stale"]


SUNSET = {"sunset": {"after": {"date": "2026-12-01"}, "becomes": "repealed"}}


@pytest.mark.parametrize("target", ["210", "212"])
def test_a_rule_with_a_sunset_may_let_others_act(target: str) -> None:
    allowed = {"authority": {"by": "act", "to": ["repeal"]}}
    made = Ledger.start({203: MAJORITY, 210: {**SUNSET, **allowed}, 212: {}})
    body = f"It does.\n\n## Repeal Rule {target}/0\n"
    assert made.act("it", "02-01", body, by="wren", under=210).slugs("11-30") == []
    assert made.act("it", "02-01", body, by="210").slugs("11-30") == ["authority-missing"]


@pytest.mark.parametrize(
    ("rules", "number", "why"),
    [
        (
            {150: {"changeable": "always"}, 203: {**MAJORITY, **SUNSET}},
            203,
            "after this, votes could no longer change rules, or only a few times",
        ),
        (
            {150: {"floor": {"mutable": "2"}}, 203: MAJORITY, 204: SUNSET},
            204,
            "this would leave 1 mutable rule;",
        ),
    ],
)
def test_a_rule_that_cannot_change_by_itself_stays_and_the_game_goes_on(
    rules: dict[int, Any], number: int, why: str
) -> None:
    made = Ledger.start(rules).applied("12-24")
    made.tree |= advance(load_tree(Path(), made.tree, day("12-24")), day("12-24")).parts[0].writes
    (found,) = made.told("12-24")
    assert found.startswith(
        f"change-overtaken acts/2026-12-01-rule-{number}.md:11:1: decided on 2026-12-01, and "
    )
    assert why in found
    made.proposal(301, "12-10", "## Enact Rule\n\nTea.")
    assert made.slugs() == ["change-overtaken"]


def test_a_rule_that_becomes_one_that_is_due_already_changes_twice() -> None:
    again = {"sunset": {"after": {"date": "2026-01-15"}, "becomes": "repealed"}}
    first = {"after": {"date": "2026-02-01"}, "becomes": {"text": "For now.", "provisions": again}}
    made = Ledger.start({203: MAJORITY, 204: {"sunset": first}}).applied("06-01")
    parts = advance(load_tree(Path(), made.tree, day("06-01")), day("06-01")).parts
    for part in parts:
        made.tree |= part.writes
    assert [path for path in sorted(made.tree) if path.startswith("acts/")] == [
        "acts/2026-02-01-rule-204-2.md",
        "acts/2026-02-01-rule-204.md",
    ]
    assert made.slugs("06-01") == []
    assert made.numbers() == ["203/0"]


def test_a_rule_is_void_too_late_to_miss_its_own_change() -> None:
    rules = {203: {**MAJORITY, **VOIDING}, 210: SUNSET}
    made = Ledger.start(rules).judgement(1, "01-15", voids(210, "2026-12-10"), under=203)
    assert made.slugs("12-05") == made.slugs("12-24") == ["deadline-missed"]
    made = Ledger.start(rules).judgement(1, "01-15", voids(210, "2026-11-30"), under=203)
    assert made.slugs("12-24") == []


def test_nobody_is_silent_who_plays_no_longer() -> None:
    ballot = {"ballot": {"silence": "for", "closes_after": "3", "penalty": {"points": "3"}}}
    made = Ledger.start({203: MAJORITY, 204: ballot})
    silent = {"wren": {"vote": "for", "cast_by": "silence"}}
    made.proposal(
        301,
        "01-02",
        "## Enact Rule\n\nTea.",
        "fff.",
        more=silent,
        decided=day("01-07"),
        author="quill",
    )
    assert made.slugs() == []
    assert made.player("wren", left=day("01-06")).told() == [
        "voter-unknown proposals/301.md:12:3: wren voted, but was not an eligible voter on "
        "2026-01-07"
    ]
