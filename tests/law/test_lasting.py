"""What votes can change for ever: a last change, changes that go round, and texts."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.law.possible_changes import possible_changes
from nomicgen.law.replay.lasting_changes import lasting_changes
from nomicgen.law.replay.results import Rule, Ruleset
from nomicgen.model.settings import Settings
from nomicgen.play.rulesets import shipped
from tests.law.test_reach import ALL, people, ruleset, scene
from tests.ledger import VOIDING, Ledger
from tests.worked import cases_in, told_of

TIERS = ("immutable", "mutable")
SETTINGS = Settings(format=1, name="Test", tiers=list(TIERS))
ALONE = {"numbering": {"changes": "1"}}
TRANSMUTE = {"adoption": {"needs": "unanimous", "to": ["transmute"]}}


def lasting(rules: dict[int, dict[str, Any]]) -> str:
    state = ruleset(rules, TIERS)
    return lasting_changes(scene(state, SETTINGS, people()))


def closed(**tiers: list[str]) -> dict[str, Any]:
    return {"entrenchment": tiers}


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({101: {}, 203: ALL}, "texts"),
        ({203: {"adoption": {"needs": "unanimous", "to": ["enact"]}}}, "texts"),
        ({203: {}}, "nothing"),
        ({101: {}, 203: TRANSMUTE}, "tiers"),
        ({102: closed(immutable=[]), 203: TRANSMUTE}, "nothing"),
        ({203: {"adoption": {"needs": "unanimous", "to": ["repeal"]}}, 204: {}}, "nothing"),
        # Out of the tier for good: then nothing is left there.
        (
            {
                203: {
                    "adoption": {"needs": "unanimous", "into": ["immutable"], "to": ["transmute"]}
                },
                204: {},
            },
            "nothing",
        ),
        # A repeal opens what it stood against.
        ({101: {**ALL, **ALONE}, 201: closed(immutable=["repeal"], mutable=["repeal"])}, "texts"),
    ],
)
def test_what_lasts(rules: dict[int, dict[str, Any]], expected: str) -> None:
    assert lasting(rules) == expected


def test_a_change_that_makes_room_counts_where_an_instrument_may_hold_it() -> None:
    full = {
        102: {
            "cap": {"mutable": "2"},
            "floor": {"mutable": "2"},
            **closed(immutable=[], mutable=["enact", "repeal"]),
        }
    }
    assert lasting({**full, 203: ALL, 204: {}}) == "texts"
    assert lasting({**full, 203: {**ALL, **ALONE}, 204: {}}) == "nothing"


VERBS = [
    ["repeal"],
    ["transmute"],
    ["repeal", "transmute"],
    ["amend"],
    ["enact"],
    ["amend", "transmute"],
]
NEEDS = st.sampled_from(["majority", {"at_least": "9"}])
COVERS = {"to": st.sampled_from(VERBS), "from": st.sampled_from([["mutable"], ["immutable"]])}
OPEN = st.sampled_from([[], *VERBS])
LIMITS = st.sampled_from([{tier: str(count)} for tier in TIERS for count in range(4)])
PROVISIONS = st.fixed_dictionaries(
    {},
    optional={
        "adoption": st.fixed_dictionaries({"needs": NEEDS}, optional=COVERS),
        "entrenchment": st.fixed_dictionaries({"mutable": OPEN}, optional={"immutable": OPEN}),
        "cap": LIMITS,
        "floor": LIMITS,
    },
)


@pytest.mark.nightly
@given(
    st.fixed_dictionaries({}, optional=dict.fromkeys((101, 102, 103, 201, 202), PROVISIONS)),
    st.sampled_from(
        [ALL, TRANSMUTE, {"adoption": {"needs": "majority", "to": ["repeal", "transmute"]}}]
    ),
)
def test_what_lasts_by_trying_every_ruleset(
    rules: dict[int, dict[str, Any]], adoption: dict[str, Any]
) -> None:
    """All places that the rules can have, tier by tier or nowhere, and what leads on from each: the
    plain way.
    """
    rules = {**rules, 110: {**adoption, **ALONE}}
    start = ruleset(rules, TIERS)
    made: dict[tuple[str | None, ...], list[tuple[str | None, ...]] | None] = {}
    for places in itertools.product((None, *TIERS), repeat=len(start)):
        standing = [
            _in_tier(rule, tier)
            for rule, tier in zip(start, places, strict=True)
            if tier is not None
        ]
        made[places] = _leads_to(places, Ruleset.of(standing))
    first: tuple[str | None, ...] = tuple(rule.tier for rule in start)
    reached = {first}
    while more := {to for one in reached for to in made[one] or ()} - reached:
        reached |= more
    steps = {first}
    for _ in range(len(made) + 1):
        steps = {to for one in steps for to in made[one] or ()}
    expected = "nothing"
    if any(made[one] is None for one in reached):
        expected = "texts"
    elif steps:
        expected = "tiers"
    assert lasting(rules) == expected


def _in_tier(rule: Rule, tier: str) -> Rule:
    return Rule(
        identity=rule.identity,
        number=rule.number,
        revision=0,
        tier=tier,
        text="Text.",
        law=rule.law,
    )


def _leads_to(
    places: tuple[str | None, ...], state: Ruleset
) -> list[tuple[str | None, ...]] | None:
    """Where one transmutation or repeal leads; None where a text can be changed."""
    possible = possible_changes(scene(state, SETTINGS, people()))
    kinds = {(one.verb, one.from_, one.into) for one in possible if one.possible}
    if any(verb in ("amend", "enact") for verb, _, _ in kinds):
        return None
    moves = [(from_, into) for _, from_, into in kinds]
    return [
        (*places[:index], into, *places[index + 1 :])
        for index, tier in enumerate(places)
        for from_, into in moves
        if tier is not None and tier == from_
    ]


def suber(body: str, when: str = "always") -> list[str]:
    """What is said of a proposal in debate in Suber's game, of what votes can change."""
    made = Ledger.start({})
    made.tree |= shipped("suber").initial
    path = "rules/initial/114.md"
    made.tree[path] = made.tree[path].replace(b"changeable: always", f"changeable: {when}".encode())
    made.proposal(301, "02-01", body, status="debate", opened=None, votes="....", digest=None)
    return [one for one in made.told() if one.startswith("change-")]


CLOSED = (
    "## Enact Rule\n\n```yaml rule\nprovisions: {entrenchment: {mutable: [transmute]}}\n"
    "```\n\nNo more."
)


def test_only_transmutations_would_be_left() -> None:
    place = "proposals/301.md:11:1: "
    left = (
        "after this, votes could transmute rules, and perhaps repeal some, but never again "
        "amend or enact one"
    )
    assert suber(CLOSED) == [f"change-transmutes-only {place}{left} (Rule 114)"]
    assert suber(CLOSED, "texts") == [
        f"change-ossifies {place}{left}, and Rule 114 forbids that (Rule 114)"
    ]


def test_transmutations_that_lead_nowhere_would_be_left() -> None:
    # Rule 109 lets rules be transmuted into mutable ones; nothing says how a mutable one is
    # changed.
    assert [one.split()[0] for one in suber("## Repeal Rule 203/0")] == ["change-ossifies"]


def test_what_is_no_worse_than_before_is_not_refused() -> None:
    stuck: dict[int, Any] = {101: {"changeable": "texts"}, 203: TRANSMUTE, 204: {}}
    made = Ledger.start(stuck).proposal(301, "02-01", "## Transmute Rule 204/0 to immutable")
    assert made.slugs() == []


def test_a_last_change_is_refused_before_it_is_the_last() -> None:
    rules: dict[int, Any] = {101: {"changeable": "always", **ALONE}, 203: ALL, 204: {}}
    only = "```yaml rule\nprovisions: {adoption: {needs: unanimous, to: [repeal]}}\n```"
    made = Ledger.start(rules).proposal(301, "02-01", f"## Amend Rule 203/0\n\n{only}\n\nLess.")
    assert made.told() == [
        "change-ossifies proposals/301.md:18:1: after this, votes could no longer change rules, or "
        "only a few times, and Rule 101 forbids that (Rule 101)"
    ]


def test_a_warning_of_one_day_hides_no_error_of_another() -> None:
    amending = {"adoption": {"needs": "unanimous", "to": ["amend"]}}
    rules: dict[int, Any] = {
        101: {"changeable": "always", **VOIDING},
        202: amending,
        203: TRANSMUTE,
    }
    voids = [
        f"## Mark Rule {number}/0\n\n```yaml rule\nvoid: {on}\n```"
        for number, on in ((202, True), (203, "2026-03-01"))
    ]
    body = "\n\n".join(["## Ruling\n\nVoid.", *voids]).replace("True", "true")
    made = Ledger.start(rules).judgement(1, "02-01", body, under=101)
    assert {"change-ossifies", "change-transmutes-only"} <= set(made.slugs())
    assert made.numbers() == ["101/0*", "202/0", "203/0"]


LEFT = """\
- case: "Only transmutations would be left, and that is told."
  provisions: {changeable: always}
  proposals:
    301:
      on: 01-02
      does: |-
        ## Amend Rule 202/0

        ```yaml rule
        provisions:
          adoption: {needs: majority, to: transmute}
        ```

        New.
  gives: |
    change-transmutes-only proposals/301.md:17:1 (Rule 201)
      after this, votes could transmute rules, and perhaps repeal some, but never again amend
        or enact one
      > keep in force a rule with an `adoption` provision that lets the voters adopt an
        amendment or an enactment
- case: "Only transmutations would be left, and that is forbidden."
  provisions: {changeable: texts}
  proposals:
    301:
      on: 01-02
      does: |-
        ## Amend Rule 202/0

        ```yaml rule
        provisions:
          adoption: {needs: majority, to: transmute}
        ```

        New.
  gives: |
    change-ossifies proposals/301.md:17:1 (Rule 201)
      after this, votes could transmute rules, and perhaps repeal some, but never again amend
        or enact one, and Rule 201 forbids that
      > keep in force a rule with an `adoption` provision that lets the voters adopt an
        amendment or an enactment
- case: Nothing would be left.
  provisions: {changeable: always}
  proposals: {301: {on: 01-02, does: "## Repeal Rule 202/0"}}
  gives: |
    change-ossifies proposals/301.md:17:1 (Rule 201)
      after this, votes could no longer change rules, or only a few times, and Rule 201
        forbids that
      > keep in force a rule with an `adoption` provision that lets the voters adopt a change
"""


@pytest.mark.parametrize("case", cases_in(LEFT))
def test_what_is_told_of_what_would_be_left(case: Any) -> None:
    assert told_of(case) == case["gives"]
