"""What acts and judgements may do under a rule: to which rules, and what no rule can let them
do.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.deep import examples
from tests.ledger import UNANIMOUS, Ledger
from tests.worked import cases_in, told_of

GUARD = {"entrenchment": {"immutable": ["transmute"]}}
REPEALS: dict[str, Any] = {"authority": {"by": "act", "to": ["amend", "repeal"]}}
RULED: dict[str, Any] = {
    "authority": {"by": "judgement", "to": ["repeal"], "numbers": {"from": "601"}}
}
ANYONE: dict[str, Any] = {"judgements": {"judge": "anyone"}}


def game(provisions: Any = None, **rules: Any) -> Ledger:
    made = Ledger.start({102: GUARD, 203: {**UNANIMOUS, **ANYONE}, 204: provisions or {}})
    for number, said in rules.items():
        made.rule(int(number[1:]), said)
    return made.rule(601, tier="mutable").rule(602, tier="mutable")


def judged(made: Ledger, body: str, **matter: Any) -> list[str]:
    return made.judgement(1, "02-01", f"Why.\n\n## Ruling\n\nSo.\n\n{body}\n", **matter).slugs()


def marked(number: int, void: str = "true") -> str:
    return f"## Mark Rule {number}/0\n\n```yaml rule\nvoid: {void}\n```"


def test_an_act_changes_what_the_rule_lets_it_that_it_names() -> None:
    def act(body: str, **matter: Any) -> list[str]:
        return (
            game(REPEALS)
            .act("one", "02-01", body, **{"under": 204, "by": "wren", **matter})
            .slugs()
        )

    assert act("## Repeal Rule 601/0") == []
    assert act("## Amend Rule 601/0\n\nOther words.") == []
    assert act("## Enact Rule 603\n\nNew words.") == ["authority-missing"]
    assert act("## Repeal Rule 601/0", under=203) == ["authority-missing"]
    assert act("## Repeal Rule 601/0", under=None) == ["authority-missing"]
    assert act("## Repeal Rule 102/0") == ["tier-protected"]


def test_who_an_act_is_by_does_not_let_it_change_a_rule() -> None:
    for by in ("601", "204", "102", "wren"):
        made = game(r113={"authority": {"by": "judgement", "to": ["amend"]}})
        made.act("one", "02-01", "## Amend Rule 601/0\n\nOther words.", under=113, by=by)
        assert made.slugs() == ["authority-missing"]
        assert "601/0" in made.numbers()


def test_what_no_rule_permits_changes_nothing() -> None:
    made = game().act("one", "02-01", "## Repeal Rule 601/0", by="wren", under=204)
    assert "601/0" in made.numbers()
    (effect,) = [one for one in made.play()[1].effects if one.kind == "rule"]
    assert (effect.words, effect.reason) == ("Repeal Rule 601/0", "no rule permits it")


def test_an_authority_over_some_numbers_repeals_no_other() -> None:
    assert judged(game(RULED), "## Repeal Rule 601/0", under=204) == []
    assert judged(game(RULED), "## Repeal Rule 203/0", under=204) == ["authority-missing"]


def test_what_has_no_number_yet_is_among_no_numbers() -> None:
    made = game({"authority": {"by": "act", "to": "enact", "numbers": {"from": "1"}}})
    for heading, slugs in (("## Enact Rule", ["authority-missing"]), ("## Enact Rule 700", [])):
        assert made.act("one", "02-01", f"{heading}\n\nTea.", under=204, by="wren").slugs() == slugs


def test_a_rule_asks_for_a_day_of_the_changes_that_it_is_about_and_no_others() -> None:
    made = game(
        {
            "authority": [
                {"by": "act", "to": "enact", "when": "turn-begins"},
                {"by": "act", "to": "repeal"},
            ]
        }
    )
    for body, slugs in (
        ("## Enact Rule 700\n\nTea.", ["effect-wrong"]),
        ("## Repeal Rule 601/0", []),
    ):
        assert made.act("one", "02-01", body, under=204, by="wren").slugs() == slugs


def test_a_judgement_voids_what_a_rule_lets_it_and_nothing_that_is_protected() -> None:
    voids = {"authority": {"by": "judgement", "to": "void"}}
    assert judged(game(), marked(601)) == ["authority-missing"]
    assert judged(game(voids), marked(601)) == ["authority-missing"]
    assert judged(game(voids), marked(601), under=204) == []
    assert judged(game(voids), marked(601, "false"), under=204) == []
    assert judged(game(voids), "## Repeal Rule 601/0", under=204) == ["authority-missing"]
    assert judged(game(voids), marked(102), under=204) == ["tier-protected"]
    # Who may repeal a rule may void it too.
    assert (
        judged(game({"authority": {"by": "judgement", "to": "repeal"}}), marked(601), under=204)
        == []
    )
    # A mark that changes nothing that binds needs no rule.
    assert judged(game(), "## Mark Rule 601/0\n\n```yaml rule\nnote: Read it twice.\n```") == []


def test_no_rule_hands_over_what_a_more_entrenched_one_asks_a_vote_for() -> None:
    """Suber's game: Rule 109 asks for every vote on a transmutation; Rule 302 would let an act make
    it.
    """
    needs = {"adoption": {"needs": "unanimous", "to": ["transmute"], "into": ["mutable"]}}
    made = game({"authority": {"by": "act", "to": ["transmute"]}}, r109=needs, r105={})
    made.act("one", "02-01", "## Transmute Rule 105/0 to mutable", under=204, by="wren")
    assert made.told() == [
        "authority-missing acts/one.md:8:1: Transmute Rule 105/0 to mutable: Rule 109 is "
        "immutable and asks for a vote "
        "on it; Rule 204 is mutable and cannot permit it without one (Rule 109)"
    ]
    # The other way round is left open.
    made.act("one", "02-01", "## Transmute Rule 601/0 to immutable", under=204, by="wren")
    assert made.slugs() == []


VERBS = ("enact", "amend", "repeal", "transmute")
TIERS = ("sacred", "immutable", "mutable")
BODIES = {
    "enact": "## Enact Rule 700\n\n```yaml rule\nmutability: {tier}\n```\n\nNew.",
    "amend": "## Amend Rule 601/0\n\nOther.",
    "repeal": "## Repeal Rule 601/0",
    "transmute": "## Transmute Rule 601/0 to {tier}",
}


@settings(max_examples=examples(1.2), deadline=None)
@given(
    st.sampled_from(VERBS),
    st.sampled_from(TIERS),
    st.sampled_from(TIERS),
    st.sampled_from(TIERS),
    st.sampled_from(TIERS),
    st.lists(st.sampled_from(VERBS), min_size=1, max_size=3, unique=True).map(tuple) | st.none(),
    st.lists(st.sampled_from(TIERS), min_size=1, max_size=2, unique=True).map(tuple) | st.none(),
    st.sampled_from(["from", "into"]),
)
def test_an_authority_does_not_do_what_a_more_entrenched_rule_reserves_for_a_vote(
    verb: str,
    of: str,
    into: str,
    where: str,
    under: str,
    to: tuple[str, ...] | None,
    tiers: tuple[str, ...] | None,
    side: str,
) -> None:
    """The oracle is the principle itself, spelt out with lists."""
    if verb == "transmute" and of == into:
        return
    about = {"to": list(to)} if to else {}
    about |= {side: list(tiers)} if tiers else {}
    led_into = {"enact", "transmute"} & set(to or VERBS)
    if (side == "into" and tiers and not led_into) or (
        side == "from" and tiers and set(to or VERBS) == {"enact"}
    ):
        return  # such a condition is about no change, and does not fit its schema
    rules: dict[int, Any] = {203: UNANIMOUS}
    made = Ledger.start(rules, tiers=list(TIERS))
    made.rule(150, {"adoption": {"needs": "majority", **about}}, tier=where)
    made.rule(160, {"authority": {"by": "act", "to": [verb]}}, tier=under).rule(601, tier=of)
    made.act("one", "02-01", BODIES[verb].format(tier=into), under=160, by="wren")

    names = to is not None and verb in to
    matches = tiers is None
    if tiers is not None and side == "from":
        matches = verb != "enact" and of in tiers
    elif tiers is not None:
        matches = verb in ("enact", "transmute") and into in tiers
    reserved = names and matches and TIERS.index(where) < TIERS.index(under)
    refused = [one for one in made.slugs() if one == "authority-missing"]
    assert bool(refused) == reserved
    changed = any(one.outcome == "applied" for one in made.play()[1].steps)
    assert changed is not reserved


RULES: dict[int, Any] = {
    102: GUARD,
    203: UNANIMOUS,
    204: REPEALS,
    205: {"sunset": {"after": {"date": "2026-01-10"}, "becomes": "repealed"}},
    206: {"sunset": {"after": {"event": "somebody thanks it"}, "becomes": "repealed"}},
    207: {"sunset": {"after": {"date": "2026-12-01"}, "becomes": {"text": "Later."}}},
}
NUMBERS = st.sampled_from([*RULES, 601, 999])
PLAYER = st.sampled_from(["osprey", "quill", "wren"])


@settings(max_examples=examples(1.5), deadline=None)
@given(
    PLAYER,
    PLAYER,
    NUMBERS,
    NUMBERS | st.none(),
    NUMBERS,
    st.sampled_from(["## Repeal Rule {}/0", "## Amend Rule {}/0\n\nLater."]),
)
def test_who_an_act_is_by_makes_no_difference_to_what_it_may_do(
    one: str, other: str, rule: int, under: int | None, number: int, body: str
) -> None:
    def outcome(by: str) -> tuple[list[str], list[str]]:
        made = Ledger.start(RULES).rule(601, tier="mutable")
        made.act("one", "02-01", body.format(number), under=under, by=by)
        return made.numbers(), [slug for slug in made.slugs() if slug != "reference-unknown"]

    assert outcome(one) == outcome(other)
    # To name a rule permits nothing more: where an event is to be seen, a rule has seen nothing.
    numbers, slugs = outcome(str(rule))
    assert (numbers, slugs) == outcome(one) or ("601/0" in numbers and "sunset-wrong" in slugs)


def test_a_rule_that_an_act_makes_supersedes_no_other() -> None:
    """Nomic IV's temporary rules: without a vote nobody changes how votes are counted."""
    lets: dict[str, Any] = {
        "authority": {"by": "act", "to": ["enact", "repeal"], "numbers": {"from": "600"}}
    }
    said = {"adoption": "{needs: {at_least: 1}, over: 203}", "ballot": "{silence: for, over: 203}"}

    def made(defers: str, law: str, number: int = 600) -> list[str]:
        body = (
            f"## Enact Rule {number}: Beans\n\n```yaml rule\nprovisions:\n  {law}\n```\n\n"
            "Beans for all."
        )
        played = game({"authority": {**lets["authority"], "defers": defers}})
        return played.act("one", "02-01", body, under=204, by="wren").slugs()

    for kind, provision in said.items():
        assert made("true", f"{kind}: {provision}") == ["authority-missing"]
        assert made("false", f"{kind}: {provision}") == []
    assert made("true", "adoption: {needs: unanimous}") == ["authority-missing"]
    assert made("true", "awards: {in: act, amount: 10}") == []
    assert made("true", "awards: {in: act, amount: 10}", 599) == ["authority-missing"]


def test_a_rule_that_a_judgement_makes_supersedes_no_other_either() -> None:
    lets = {"authority": {"by": "judgement", "to": "enact", "defers": "true"}}
    body = (
        "Why.\n\n## Ruling\n\nYes.\n\n## Enact Rule 600: Beans\n\n```yaml rule\nprovisions:\n"
        "  ballot: {silence: for, over: 203}\n```\n\nBeans for all."
    )
    made = game({**lets, "judgements": {"judge": "anyone"}})
    made.judgement(1, "02-01", body, under=204, judge="wren")
    (why,) = (each.message for each in made.findings() if each.slug == "authority-missing")
    assert why.endswith("Rule 204 lets a judgement make only rules that supersede no other")


PERMITTED = """\
- case: "Rule 201 lets an act enact rules, and a judgement void them."
  provisions:
    authority:
      - {by: act, to: enact, numbers: {from: 601}, defers: true}
      - {by: judgement, to: void}
    judgements: {judge: anyone}
  files:
    acts/a.md:
      date: 2026-01-03
      by: osprey
      under: 201
      does: |-
        ## Enact Rule 601

        ```yaml rule
        provisions:
          cap: {mutable: 9, over: 202}
        ```

        New.
    acts/b.md:
      date: 2026-01-04
      by: osprey
      under: 201
      does: |-
        ## Enact Rule 599

        New.
    acts/c.md:
      date: 2026-01-05
      by: osprey
      under: 201
      does: |-
        ## Enact Rule 602

        ```yaml rule
        provisions:
          adoption: {needs: unanimous}
        ```

        New.
    acts/d.md: {date: 2026-01-05, by: osprey, does: "## Repeal Rule 203/0"}
    judgements/1.md:
      judge: tallow
      date: 2026-01-03
      status: upheld
      under: 201
      does: |-
        ## Ruling

        So.

        ## Repeal Rule 203/0
    judgements/2.md:
      judge: tallow
      date: 2026-01-03
      status: upheld
      under: 203
      does: |-
        ## Ruling

        So.

        ## Repeal Rule 203/0
  gives: |
    authority-missing acts/a.md:8:1 (Rule 201)
      Enact Rule 601: its `cap` would go before Rule 202, and Rule 201 lets an act make only
        rules that supersede no other
      > leave `over` out of its provisions, or propose the rule
    authority-missing acts/b.md:5:8 (Rule 201)
      Enact Rule 599: Rule 201 gives an act no authority for it
      > name in `under` a rule in force whose `authority` provision allows it, or make it a
        proposal. Rule 201: An act under this rule may enact rules numbered from 601; rules
        that it enacts supersede no other.
    authority-missing acts/c.md:8:1 (Rule 201)
      Enact Rule 602: its `adoption` would go before Rule 202, and Rule 201 lets an act make
        only rules that supersede no other
      > leave `adoption` out of its provisions, or propose the rule
    authority-missing acts/d.md:7:1
      Repeal Rule 203/0: an act changes rules only under a rule that lets it, and names none
      > name in `under` a rule in force whose `authority` provision allows it, or make it a
        proposal
    authority-missing judgements/1.md:6:8 (Rule 201)
      Repeal Rule 203/0: Rule 201 gives a judgement no authority for it
      > name in `under` a rule in force whose `authority` provision allows it, or make it a
        proposal. Rule 201: A judgement under this rule may void rules.
    authority-missing judgements/2.md:6:8 (Rule 203)
      Repeal Rule 203/0: Rule 203 gives a judgement no authority for it
      > name in `under` a rule in force whose `authority` provision allows it, or make it a
        proposal
- case: A more entrenched rule asks for a vote.
  provisions: {authority: {by: act, to: [amend, enact, transmute]}}
  rules:
    102:
      adoption:
        - {needs: unanimous, to: amend}
        - {needs: unanimous, to: transmute, into: immutable}
  files:
    acts/a.md:
      date: 2026-01-03
      by: osprey
      under: 201
      does: |-
        ## Amend Rule 203/0

        New.
    acts/b.md:
      date: 2026-01-03
      by: osprey
      under: 201
      does: "## Transmute Rule 203/0 to immutable"
  gives: |
    authority-missing acts/a.md:8:1 (Rule 102)
      Amend Rule 203/0: Rule 102 is immutable and asks for a vote on it; Rule 201 is mutable
        and cannot permit it without one
      > put the change to the vote as a proposal
    authority-missing acts/b.md:8:1 (Rule 102)
      Transmute Rule 203/0 to immutable: Rule 102 is immutable and asks for a vote on it; Rule
        201 is mutable and cannot permit it without one
      > put the change to the vote as a proposal
- case: No authority reaches what is entrenched.
  provisions: {authority: {by: act, to: [repeal, enact]}, entrenchment: {mutable: [amend]}}
  files: {acts/a.md: {date: 2026-01-03, by: osprey, under: 201, does: "## Repeal Rule 203/0"}}
  gives: |
    tier-protected acts/a.md:8:1 (Rule 201)
      Rule 203/0 is mutable; Rule 201 forbids the repeal of mutable rules (it allows: amend)
      > the authority of Rule 201 does not reach that: put to the vote what Rule 201 allows
- case: Nothing may be done to immutable rules.
  provisions: {entrenchment: {immutable: []}}
  proposals:
    301:
      on: 01-02
      does: |-
        ## Amend Rule 101/0

        New words.
    302:
      on: 01-02
      does: |-
        ## Enact Rule

        ```yaml rule
        mutability: immutable
        ```

        New.
  gives: |
    tier-protected proposals/301.md:17:1 (Rule 201)
      Rule 101/0 is immutable; Rule 201 forbids the amendment of immutable rules (it allows:
        nothing)
      > amend Rule 201 first, if the rules let you
    tier-protected proposals/302.md:17:1 (Rule 201)
      the rule would be immutable; Rule 201 forbids the enactment of immutable rules (it
        allows: nothing)
      > amend Rule 201 first, if the rules let you
- case: "An act gives points, and a turn."
  provisions: {awards: {in: act, at_least: 2, by: author, once: true}}
  rules: {102: {awards: {in: proposal}}}
  files:
    acts/a.md:
      date: 2026-01-03
      by: osprey
      points:
        - {player: wren, amount: 2, reason: rain}
        - {player: wren, amount: 3, reason: rain}
        - {player: wren, amount: 1, reason: rain}
        - {player: wren, amount: 1, reason: rain, under: 204}
    turns/R1T1.yml:
      player: osprey
      began: 2026-01-02
      ended: 2026-01-03
      points: [{player: wren, amount: 2, reason: rain}]
  gives: |
    points-unlawful acts/a.md:9:5 (Rule 201)
      an act gives wren 3 points; Rule 201 lets a file give them once to a player, and it has
        given them
      > delete them, or correct them. Rule 201: Whoever an act is by may give at least 2
        points, once to each player, with the reason.
    points-unlawful acts/a.md:12:5 (Rule 201)
      an act gives wren 1 point, but no rule in force allows it
      > delete them, or correct them. Rule 201: Whoever an act is by may give at least 2
        points, once to each player, with the reason.
    points-unlawful acts/a.md:15:5 (Rule 201)
      an act gives wren 1 point under Rule 204, but no rule in force allows it
      > delete them, or correct them. Rule 201: Whoever an act is by may give at least 2
        points, once to each player, with the reason.
    points-unlawful turns/R1T1.yml:5:5 (Rule 102)
      a turn gives wren 2 points, but no rule in force allows it
      > delete them: only a rule with an `awards` provision lets a turn give any by hand
"""


@pytest.mark.parametrize("case", cases_in(PERMITTED))
def test_what_is_told_of_what_no_rule_permits(case: Any) -> None:
    assert told_of(case) == case["gives"]
