"""Suber's set as it ships, and the game that was scripted under it."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicgen.files.rule_files import read_rule
from nomicgen.model.values import Moment
from nomicgen.play.rulesets import shipped
from tests.played import account, broken, copied, decisions, played, scores, standing, texts

SUBER = "suber"
CEILING = "proposals/{}.md: cap-exceeded (Rule 308)"


def test_the_initial_set_has_the_numbers_tiers_and_provisions_of_its_original() -> None:
    rules = [read_rule(path, data) for path, data in shipped(SUBER).initial.items()]
    assert [findings for _, findings in rules if findings] == []
    matters = [rule.matter for rule, _ in rules if rule is not None]
    assert [one.number for one in matters] == [*range(101, 117), *range(201, 214)]
    assert {one.mutability for one in matters if one.number < 200} == {"immutable"}
    assert {one.mutability for one in matters if one.number > 200} == {"mutable"}
    assert all(one.title and one.section in shipped(SUBER).settings["sections"] for one in matters)
    assert {one.number: one.provisions for one in matters if one.provisions} == {
        103: {"entrenchment": {"immutable": ["transmute"]}},
        104: {"ballot": {"withdrawal": "never"}},
        105: {
            "ballot": {
                "electorate": "players",
                "everyone_votes": "true",
                "silence": "waits",
                "abstention": "forbidden",
                "author_votes_for": "false",
            }
        },
        107: {"effect": {"when": "at-once", "under": "205"}},
        108: {
            "numbering": {
                "first": "301",
                "enacted": "proposal",
                "amended": "proposal",
                "transmuted": "proposal",
                "taken": "error",
                "changes": "1",
            }
        },
        109: {
            "adoption": {
                "needs": "unanimous",
                "of": "eligible",
                "to": ["transmute"],
                "into": ["mutable"],
            }
        },
        110: {"authority": {"by": "judgement", "to": ["void"]}},
        111: {"ballot": {"debate": "1"}},
        114: {"changeable": "always", "floor": {"mutable": "1"}},
        201: {
            "turns": {
                "order": "seat",
                "proposals": "1",
                "passing": "false",
                "overlap": "false",
                "proposal_required": "voted",
            }
        },
        202: {"points": [{"on": "turn", "to": "player", "die": "6"}]},
        203: {"adoption": {"needs": "unanimous", "of": "eligible"}},
        204: {
            "points": [
                {"on": "adopted", "to": "against", "amount": "10", "if": "unanimity-not-needed"}
            ]
        },
        205: {"effect": "at-once"},
        206: {"points": [{"on": "defeated", "to": "author", "amount": "-10"}]},
        208: {"victory": {"points": "100"}},
        209: {"cap": {"mutable": "25"}},
        211: {"authority": {"by": "judgement", "to": ["void"]}},
        112: {"guards": {"keep": "victory"}},
        212: {
            "judgements": {
                "judge": "previous",
                "overruled_by": "others",
                "overruled_until": "next-turn",
            },
            "stay": {"of": "next-turn"},
        },
    }


def test_it_is_in_our_own_words(shared: Path) -> None:
    seed = (shared / "seeds" / "suber-initial-set-usenet.txt").read_text("utf-8")
    assert copied(seed, {"seed": "At no time may there be more than 25 mutable rules."}) != []
    initial = {f"Rule {rule.number}": rule.text or "" for rule in played(SUBER).replay.initial}
    assert copied(seed, {**initial, **texts(SUBER)}) == []


def test_every_decision() -> None:
    assert played(SUBER).findings == ()
    assert decisions(SUBER) == [
        "301 adopted 4-0 by 203: +301/0",
        "302 defeated 3-1 not by 203",
        "303 adopted 4-0 by 109 203: 111/0 > 303/0 mutable",
        "304 adopted 4-0 by 203: 303/0 > 304/1",
        "305 adopted 4-0 by 203: 203/0 > 305/1",
        "306 adopted 3-1 by 305: -210/0",
        "307 defeated 2-2 not by 305",
        "308 adopted 3-1 by 305: 209/0 > 308/1",
        "309 adopted 3-1 by 305: +309/0",
        "310 adopted 4-0 by 305: 206/0 > 310/1",
        "311 adopted 3-1 by 305: -301/0",
        "312 defeated 3-1 by 305 not by 109",
        "313 adopted 3-1 by 305: +313/0",
        "314 adopted 3-1 by 305: 208/0 > 314/1",
    ]


def test_the_rules_at_the_end() -> None:
    immutable = [number for number in range(101, 117) if number != 111]
    assert standing(SUBER) == {
        "immutable": " ".join(f"{number}/0" for number in immutable),
        "mutable": "201/0 202/0 204/0 205/0 207/0 211/0 212/0 213/0 304/1 305/1 308/1 309/0 "
        "310/1 313/0 314/1",
    }


def test_one_rule_bears_three_numbers_and_another_comes_back() -> None:
    states = [ruleset for _, ruleset in played(SUBER).replay.states()]
    debate = states[0].rules[111]
    borne = dict.fromkeys(
        rule.number for one in states for rule in one if rule.identity == debate.identity
    )
    assert list(borne) == [111, 303, 304]
    assert played(SUBER).replay.current.rules[313].identity == states[1].rules[301].identity


def test_the_ceiling_is_lowered_and_reached() -> None:
    counts = {
        step.instrument.number: ruleset.count("mutable")
        for step, ruleset in played(SUBER).replay.states()
        if step
    }
    assert counts == {
        301: 14,
        303: 15,
        304: 15,
        305: 15,
        306: 14,
        308: 14,
        309: 15,
        310: 15,
        311: 14,
        313: 15,
        314: 15,
    }


def test_the_scores_and_the_winner() -> None:
    assert account(SUBER, "juniper") == "+4(202) +6(202) +3(202) +10(204) +2(202) +10(204)"
    assert account(SUBER, "cobalt") == "-10(206) +5(202) +1(202) +10(204) +5(202) +6(202)"
    assert account(SUBER, "fenwick") == "+2(202) +10(204) -10(206) +3(202) +6(202) +10(204)"
    assert account(SUBER, "magpie") == "+6(202) +4(202) +10(204) -5(310) +1(202)"
    assert scores(SUBER) == {"cobalt": 17, "fenwick": 21, "juniper": 35, "magpie": 16}
    winner = played(SUBER).replay.winner
    assert winner is not None
    # Her vote against the proposal that lowered the number to 30 is what carried her over it.
    assert (winner.players, int(winner.points), winner.rule) == (("juniper",), 30, 314)
    assert winner.moment == Moment.parse("2025-05-01")


@pytest.mark.parametrize(
    ("path", "changes", "found"),
    [
        # One vote of four against a transmutation, once a majority is enough for the rest.
        (
            "proposals/312.md",
            [("status: defeated", "status: adopted\neffective: 2025-04-22")],
            ["proposals/312.md: transmutation-votes (Rule 109)", CEILING.format(313)],
        ),
        # Two of four, under Rule 305 as under Rule 203 before it.
        (
            "proposals/307.md",
            [("status: defeated", "status: adopted\neffective: 2025-03-30")],
            ["proposals/307.md: votes-few (Rule 305)", CEILING.format(309)],
        ),
        (
            "proposals/306.md",
            [("status: adopted", "status: defeated")],
            ["proposals/306.md: votes-enough (Rule 305)", CEILING.format(309)],
        ),
        # A day of debate was enough for Proposal 304, and no longer is for Proposal 305.
        (
            "proposals/305.md",
            [("opened: 2025-03-19", "opened: 2025-03-18")],
            ["proposals/305.md: debate-short (Rule 304)"],
        ),
        (
            "proposals/309.md",
            [("  magpie: against\n", "")],
            ["proposals/309.md: vote-missing (Rule 105)"],
        ),
        (
            "proposals/309.md",
            [("magpie: against", "magpie: abstain")],
            ["proposals/309.md: vote-unlawful (Rule 105)"],
        ),
        ("turns/R2T1.yml", [("dice: [6]", "dice: [7]")], ["turns/R2T1.yml: dice-wrong (Rule 202)"]),
        ("turns/R1T2.yml", [("dice: [5]\n", "")], ["turns/R1T2.yml: dice-wrong (Rule 202)"]),
        (
            "proposals/313.md",
            [("turn: R4T1", "turn: R3T1")],
            [
                "proposals/313.md: turn-proposals (Rule 201)",
                "turns/R3T1.yml: turn-empty (Rule 201)",
                "turns/R4T1.yml: turn-empty (Rule 201)",
            ],
        ),
    ],
)
def test_what_breaks_it_is_found(
    path: str, changes: list[tuple[str, str]], found: list[str]
) -> None:
    assert broken(SUBER, path, *changes) == found


def test_a_ceiling_that_is_too_low_stops_what_comes_after() -> None:
    found = broken(
        SUBER, "proposals/308.md", ("cap: {mutable: 15}", "cap: {mutable: 14}"), redigest=True
    )
    assert found == [CEILING.format(309)]
