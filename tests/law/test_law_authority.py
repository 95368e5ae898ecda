"""What acts and judgements may do under a rule: to which rules, and rules to themselves."""

from __future__ import annotations

from typing import Any

import pytest

from nomicgen.law.provisions import parse_provisions
from nomicgen.law.sentences import sentences
from tests.ledger import UNANIMOUS, Ledger

TIERS = ("immutable", "mutable")
OWN: dict[str, Any] = {"authority": {"by": "act", "to": ["amend", "repeal"], "own": "true"}}
RULED: dict[str, Any] = {"authority": {"by": "judgement", "to": ["repeal"], "numbers": {"from": "601"}}}


def game(**authority: Any) -> Ledger:
    made = Ledger.start({101: authority, 102: {"entrenchment": {"immutable": ["transmute"]}}, 203: UNANIMOUS})
    return made.rule(601, tier="mutable").rule(602, tier="mutable")


def test_a_rule_may_change_itself_and_no_other() -> None:
    def act(body: str, **matter: Any) -> list[str]:
        return game(**OWN).act("itself", "02-01", body, **{"under": 101, "by": "601", **matter}).slugs()

    assert act("## Repeal Rule 601/0") == []
    assert act("## Amend Rule 601/0\n\nOther words.") == []
    assert act("## Repeal Rule 602/0") == ["authority-missing"]
    assert act("## Repeal Rule 601/0\n\n## Repeal Rule 602/0") == ["authority-missing"]
    assert act("## Repeal Rule 601/0", by="wren") == ["authority-missing"]
    assert act("## Repeal Rule 601/0", by="602") == ["authority-missing"]
    assert act("## Enact Rule 603\n\nNew words.") == ["authority-missing"]
    assert act("## Repeal Rule 102/0", by="102") == ["tier-protected"]


def test_an_authority_over_some_numbers_repeals_no_other() -> None:
    def judged(number: int) -> list[str]:
        body = f"Why.\n\n## Ruling\n\nIt goes.\n\n## Repeal Rule {number}/0\n"
        return game(**RULED).judgement(1, "02-01", body, under=101).slugs()

    assert judged(601) == []
    assert judged(203) == ["authority-missing"]


@pytest.mark.parametrize(
    ("provisions", "said"),
    [
        (OWN, "A rule may amend or repeal itself, by an act under this rule."),
        (RULED, "A judgement under this rule may repeal rules numbered from 601."),
        (
            {"authority": {**OWN["authority"], "numbers": {"from": "601"}}},
            "A rule numbered from 601 may amend or repeal itself, by an act under this rule.",
        ),
    ],
)
def test_its_sentence(provisions: dict[str, Any], said: str) -> None:
    read, problems = parse_provisions(provisions, TIERS)
    assert problems == ()
    assert sentences(read) == (said,)


@pytest.mark.parametrize(("by", "to"), [("judgement", ["repeal"]), ("act", ["enact", "repeal"])])
def test_only_an_act_of_a_rule_that_is_there_can_be_its_own(by: str, to: list[str]) -> None:
    _, problems = parse_provisions({"authority": {"by": by, "to": to, "own": "true"}}, TIERS)
    assert [(one.path, one.message) for one in problems] == [
        (("authority",), "lets a rule change itself: it is by act, and enacts nothing")
    ]
