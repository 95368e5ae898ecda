"""What takes effect with the next turn; and turns whose files are odd."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicgen.law.replay.results import NextTurn
from tests.deep import examples
from tests.ledger import UNANIMOUS, Ledger, day
from tests.turns import NEW, ORDER, ROUND, following, game, played
from tests.worked import came_of, cases_in

# What takes effect with the next turn


def waiting(*turns: tuple[str, str, str]) -> Ledger:
    made = game(r205={"effect": "next-turn"})
    for ident, began, ended in turns:
        made.turn(ident, "wren", began, ended or None)
    return made


@pytest.mark.parametrize(
    ("turn", "decided", "effective"),
    [
        ("R1T1", "01-02", "01-03"),
        ("R1T2", "01-02", "01-05"),
        (None, "01-02", "01-03"),
        (None, "01-04", "01-05"),
        # On the day of a decision the next turn may begin, or have begun before it.
        ("R1T1", "01-03", "01-03"),
        (None, "01-03", "01-05"),
        # A vote that outlasts its turn, and the next one.
        ("R1T1", "01-04", "01-05"),
        ("R1T1", "2026-01-05T08:00", "01-05"),
        ("R2T1", "2026-01-05T08:00", "01-07"),
    ],
)
def test_the_turn_with_which_a_change_takes_effect(
    turn: str | None, decided: str, effective: str
) -> None:
    turns = (
        ("R1T1", "01-01", "01-02"),
        ("R1T2", "01-03", "01-04"),
        ("R2T1", "01-05", "01-06"),
        ("R2T2", "01-07", ""),
    )
    made = waiting(*turns)
    matter: dict[str, Any] = {"turn": turn, "decided": day(decided)}
    assert made.proposal(301, "01-02", NEW, effective=day(effective), **matter).told() == []
    (step,) = made.play()[1].steps
    assert step.outcome == "applied"
    assert step.effective is not None
    assert step.effective.day == day(effective).day
    # Without its day it takes effect at the same moment.
    assert made.proposal(301, "01-02", NEW, **matter).told() == []
    (undated,) = made.play()[1].steps
    assert (undated.outcome, undated.lacks_effective) == ("applied", True)
    assert undated.effective == step.effective
    wrong = made.proposal(301, "01-02", NEW, effective=day("01-09"), **matter).told()
    assert wrong == [
        f"effect-wrong proposals/301.md:13:12: takes effect on 2026-01-09; Rule 205 lets it take "
        f"effect at the start of the next turn, on {day(effective)} (Rule 205)"
    ]


def test_a_turn_that_began_before_the_decision_of_its_day_is_not_the_next() -> None:
    made = waiting(("R1T1", "01-01", ""), ("R1T2", "2026-01-03T09:00", ""), ("R1T3", "01-05", ""))
    matter: dict[str, Any] = {"turn": "R1T1", "decided": day("2026-01-03T10:00")}
    assert made.proposal(301, "01-02", NEW, effective=day("01-05"), **matter).told() == []


def test_a_change_waits_for_the_next_turn_and_is_law_from_its_beginning() -> None:
    """The seats come with R1T2: its player is the one that they give, and not the one of before."""
    seats = (
        "## Amend Rule 201/0\n\n```yaml rule\nprovisions:\n  turns: {order: seat}\n```\n\nSeats."
    )
    made = game(ORDER, r205={"effect": "next-turn"})
    for seat, ident in enumerate(("osprey", "wren", "tallow", "quill"), 1):
        made.player(ident, order=seat)
    made.turn("R1T1", "osprey", "01-01", "01-03")
    made.proposal(301, "01-02", seats, turn="R1T1", decided=day("01-03"))
    assert made.play()[1].steps[0].outcome == "pending"
    assert following(made) == "R1T2 wren"
    made.turn("R1T2", "wren", "01-03").proposal(
        301, "01-02", seats, turn="R1T1", decided=day("01-03"), effective=day("01-03")
    )
    assert made.told() == []
    assert [one.split()[0] for one in made.turn("R1T2", "quill", "01-03").told()] == ["turn-order"]
    # Nobody gains by leaving out the day: the rules come with the turn all the same.
    made.proposal(301, "01-02", seats, turn="R1T1", decided=day("01-03"))
    assert [one.split()[0] for one in made.told()] == ["turn-order"]
    assert made.turn("R1T2", "wren", "01-03").told() == []


def test_a_change_that_ends_the_order_waits_for_a_turn_by_that_order() -> None:
    ends = "## Amend Rule 201/0\n\n```yaml rule\nprovisions: {}\n```\n\nNo turns."
    made = played(game(ORDER, r205={"effect": "next-turn"}), "R1T1 osprey")
    made.proposal(301, "01-01", ends, turn="R1T1")
    assert following(made) == "R1T2 quill"
    assert made.turn("R1T2", "quill", "01-03").told() == []
    assert following(made) is None


def test_what_lacks_its_day_is_no_law_before_its_turn() -> None:
    """What is decided between the decision and the turn is judged by the rules of before."""
    sooner = "## Amend Rule 205/0\n\n```yaml rule\nprovisions: {effect: at-once}\n```\n\nSoon."
    both: tuple[dict[str, Any], ...] = ({"effective": day("01-06")}, {})
    for effective in both:
        made = waiting(("R1T1", "01-01", "01-05"), ("R1T2", "01-06", ""))
        made.proposal(301, "01-02", sooner, turn="R1T1", decided=day("01-03"), **effective)
        made.proposal(302, "01-03", NEW, turn="R1T1", decided=day("01-04"), **effective)
        played = made.play()[1]
        assert (made.told(), [step.effective for step in played.steps]) == ([], [day("01-06")] * 2)
        assert [len(played.on(day(on))) for on in ("01-04", "01-05", "01-06")] == [3, 3, 4]
        assert [step.lacks_effective for step in played.steps] == [not effective] * 2


def test_what_lacks_its_day_waits_on_a_day_before_its_turn() -> None:
    made = waiting(("R1T1", "01-01", "01-02"), ("R1T2", "01-05", ""))
    made.proposal(301, "01-02", NEW, turn="R1T1", decided=day("01-02"))
    (step,) = made.play("01-04")[1].steps
    assert (step.outcome, step.effective) == ("pending", day("01-05"))


def test_what_waits_for_a_turn_lacks_no_day() -> None:
    """Though those before it say when they took effect."""
    made = waiting(("R1T1", "01-01", "01-02"), ("R1T2", "01-03", "01-04"))
    made.proposal(301, "01-02", NEW, turn="R1T1", decided=day("01-02"), effective=day("01-03"))
    made.proposal(302, "01-04", NEW, turn="R1T2", decided=day("01-04"))
    assert made.told() == []
    assert [one.outcome for one in made.play()[1].steps] == ["applied", "pending"]
    assert made.turn("R1T3", "wren", "01-05").slugs() == []


# Odd files


def test_turns_without_dates() -> None:
    bare = game(ORDER)
    for turn in (*ROUND, "R2T1 osprey"):
        bare.turn(*turn.split())
    assert (bare.told(), following(bare)) == ([], "R2T2 quill")
    del bare.tree["nomic.yml"]
    unknown = Ledger({**bare.tree, "nomic.yml": b"format: 1\nname: Test\n"})
    assert (unknown.told(), following(unknown)) == ([], "R2T2 quill")
    mixed = (
        game(ORDER)
        .turn("R1T1", "osprey", "01-01", "01-05")
        .turn("R1T2", "quill")
        .turn("R1T3", "tallow", None, "01-07")
    )
    assert (mixed.told(), following(mixed)) == ([], "R1T4 wren")
    assert [one.split()[0] for one in mixed.turn("R1T2", "wren").told()] == [
        "turn-order",
        "turn-order",
    ]


def test_hours_are_written_down_for_one_end_of_a_turn_only() -> None:
    made = (
        game(ORDER)
        .turn("R1T1", "osprey", "2026-01-02T09:00", "01-02")
        .turn("R1T2", "quill", "01-02", "2026-01-02T23:00")
    )
    assert (made.told(), following(made)) == ([], "R1T3 tallow")
    # What is provably before comes first, whatever stands between.
    made.proposal(301, "01-01", NEW, decided=day("2026-01-02T23:30"), opened=day("01-01"))
    assert made.told() == []


def test_turns_of_people_who_have_none() -> None:
    made = played(game(ORDER).player("hal", kind="bot"), "R1T1 osprey", "R1T2 hal", "R1T3 quill")
    told = "R1T2 of hal is not the turn that comes after R1T1: that is R1T2 of quill"
    assert made.told() == [f"turn-order turns/R1T2.yml:1:9: {told} (Rule 201)"]
    ghost = played(game(ORDER), "R1T1 osprey", "R1T2 ghost", "R1T3 quill")
    assert [one.split(": ")[0] for one in ghost.told()] == [
        "reference-unknown turns/R1T2.yml:1:9",
        "turn-order turns/R1T2.yml:1:9",
    ]


@pytest.mark.parametrize("path", ["players/quill.yml", "turns/R1T2.yml", "rules/initial/201.md"])
def test_a_file_that_could_not_be_read_is_no_other_s_fault(path: str) -> None:
    made = played(game({**ORDER, "proposals": "1", "passing": "false"}), *ROUND[:3])
    assert made.told() == []
    assert {one.split()[0] for one in made.file(path, "---\nname: [\n---\n").told()} <= {
        "yaml-syntax",
        "front-matter",
    }


def test_turns_after_the_day_of_the_replay_are_not_played_yet() -> None:
    made = played(game({**ORDER, "passing": "false"}), *ROUND[:2])
    made.turn("R1T3", "wren", "01-10", "01-11", passed=True)
    made.act("late", "01-20", "", points=[{"player": "wren", "amount": 1, "reason": "Why not"}])
    assert (made.slugs("01-09"), following(made, "01-09")) == (
        ["date-future", "date-future"],
        "R1T3 tallow",
    )
    assert made.slugs("01-11") == ["date-future", "turn-order", "turn-passed"]


@given(st.integers(1, 999_999), st.integers(1, 999_999), st.integers(0, 2), st.booleans())
@settings(max_examples=examples(0.4), deadline=None)
def test_no_turn_makes_the_replay_fall_over(
    round_: int, turn: int, dates: int, passed: bool
) -> None:
    law = {
        **ORDER,
        "passing": "false",
        "passes_after": "999999999",
        "proposals": "1",
        "joins": "before-current",
    }
    made = game(law, r204={"sunset": {"after": {"circuits": "999999999"}, "becomes": "repealed"}})
    began, ended = ((None, None), ("01-05", "01-03"), ("0001-01-01", "9999-12-31"))[dates]
    made.turn(f"R{round_}T{turn}", "wren", began, ended, passed=passed, dice=[0, 999999999])
    made.proposal(301, "01-04", NEW, turn=f"R{round_}T{turn}")
    found = made.play()[1]
    assert found.next_turn is None or isinstance(found.next_turn, NextTurn)


def test_the_rules_of_a_day_are_those_at_its_end() -> None:
    made = Ledger.start({203: UNANIMOUS})
    for number, on in ((301, "02-02"), (302, "02-02"), (303, "02-04")):
        made.proposal(number, on, NEW)
    played = made.play()[1]
    counts = [len(played.on(day(on))) for on in ("02-01", "02-02", "02-03", "02-04", "02-05")]
    assert counts == [1, 3, 3, 4, 4]


def test_what_has_no_day_of_its_own_stands_with_what_came_before_it() -> None:
    made = Ledger.start({203: UNANIMOUS}).proposal(301, "02-02", NEW)
    made.proposal(302, "02-03", NEW, decided=None).proposal(303, "02-04", NEW)
    played = made.play()[1]
    assert [len(played.on(day(on))) for on in ("02-01", "02-02", "02-03", "02-04")] == [1, 3, 3, 4]


def test_what_waits_leaves_the_rules_as_they_are() -> None:
    for law in (UNANIMOUS, {}):
        made = Ledger.start({203: law}).proposal(301, "02-02", NEW, effective=day("02-09"))
        (step,) = made.play("02-05")[1].steps
        assert (step.outcome, step.after is step.before, len(step.after)) == ("pending", True, 1)
        assert made.play("02-05")[1].is_lawless is not bool(law)


CHANGED = r"""
- case: "Judgements are given and overruled, change rules, and void a proposal."
  provisions:
    judgements: {judge: anyone, overruled_by: judgement, voids: any}
    authority: {by: judgement, to: [amend, void]}
  rules: {204: {}}
  files:
    judgements/1.md:
      judge: tallow
      date: 2026-01-05
      status: overruled
      overruled: 2026-01-08
      overruled_by: 2
      under: 201
      effective: 2026-01-09
      does: |-
        So.

        ## Ruling

        Yes.

        ## Amend Rule 203/0

        New.
    judgements/2.md:
      judge: wren
      date: 2026-01-07
      status: upheld
      under: 201
      does: |-
        So.

        ## Ruling

        No.

        ## Mark Rule 204/0

        ```yaml rule
        void: true
        ```
    judgements/3.md: {judge: wren, date: 2026-01-07, status: upheld, voids: 301}
    judgements/4.md:
      judge: wren
      date: 2026-01-08
      status: upheld
      under: 202
      does: "So.\n\n## Ruling\n\nNo.\n\n## Repeal Rule 202/0"
  proposals: {301: {on: 01-03, votes: fffa, status: void, decided: 2026-01-04}}
  gives: |
    2026-01-03: proposal of proposals/301.md: Proposal 301: void [no provision speaks of it]
    2026-01-05: judgement of judgements/1.md: Judgement 1 is given [Rule 201/0]
    2026-01-07: judgement of judgements/2.md: Judgement 2 is given [Rule 201/0]
    2026-01-07: rule of judgements/2.md: Rule 204/0 has no force [Rule 201/0]
    2026-01-07: judgement of judgements/3.md: Judgement 3 is given [Rule 201/0]
    2026-01-08: judgement of judgements/1.md: Judgement 1 is overruled [Rule 201/0]
    2026-01-08: judgement of judgements/4.md: Judgement 4 is given [Rule 201/0]
    2026-01-08: rule of judgements/4.md: Repeal Rule 202/0 [no rule permits it]
    2026-01-08: judgements/4.md is failed
    2026-01-09: judgements/1.md is failed
    proposals/301.md: for osprey quill tallow; against wren; 4 of 4 are eligible
    proposals/301.md: Rule 202: 3 for; more than half of eligible voters (4): more than 2 needed
- case: An act does what a rule lets it.
  provisions: {authority: {by: act, to: [enact, amend, repeal, transmute, void]}}
  rules: {204: {}, 205: {}}
  files:
    acts/a.md:
      date: 2026-01-05
      by: wren
      under: 201
      does: |-
        ## Enact Rule 300: Tea

        Tea.

        ## Amend Rule 203/0

        New.

        ## Transmute Rule 204/0 to immutable

        ## Renumber Rule 205/0 to 206

        ## Retitle Rule 202/0: Votes
    acts/b.md:
      date: 2026-01-06
      by: wren
      under: 201
      does: |-
        ## Mark Rule 203/1

        ```yaml rule
        void: 2026-02-01
        ```

        ## Repeal Rule 206/0
    acts/c.md:
      date: 2026-01-07
      by: wren
      under: 201
      does: |-
        ## Mark Rule 203/1

        ```yaml rule
        void: false
        ```

        ## Transmute Rule 300/0 to immutable

        ## Mark Rule 101/0

        ```yaml rule
        note: Old.
        ```
    acts/d.md: {date: 2026-01-08, by: wren, under: 204, does: "## Repeal Rule 203/1"}
  gives: |
    2026-01-05: rule of acts/a.md: Rule 300/0 is enacted, mutable [Rule 201/0]
    2026-01-05: rule of acts/a.md: Rule 203/0 becomes Rule 203/1 [Rule 201/0]
    2026-01-05: rule of acts/a.md: Rule 204/0 becomes immutable [Rule 201/0]
    2026-01-05: rule of acts/a.md: Rule 205/0 becomes Rule 206/0 [Rule 201/0]
    2026-01-05: rule of acts/a.md: Retitle Rule 202/0: Votes [Rule 201/0]
    2026-01-06: rule of acts/b.md: Rule 203/1 has no force from 2026-02-01 on [Rule 201/0]
    2026-01-06: rule of acts/b.md: Rule 206/0 is repealed [Rule 201/0]
    2026-01-07: rule of acts/c.md: Rule 203/1 has force again [Rule 201/0]
    2026-01-07: rule of acts/c.md: Rule 300/0 becomes immutable [Rule 201/0]
    2026-01-07: rule of acts/c.md: Mark Rule 101/0 [no provision speaks of it]
    2026-01-08: rule of acts/d.md: Repeal Rule 203/1 [no rule permits it]
    2026-01-08: acts/d.md is failed
- case: "What was adopted waits for its day, or for the next turn."
  until: 01-06
  provisions: {effect: next-turn, turns: {order: alphabetical}}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02, ended: 2026-01-04}
    turns/R1T2.yml: {player: quill, began: 2026-01-04}
    players/quill.yml: {name: quill, joined: 2026-01-01, inactive: [{since: 2026-01-05}]}
    players/tallow.yml: {name: tallow, joined: 2026-01-01, inactive: [{since: 2026-01-02}]}
    acts/a.md:
      cause: correction
      date: 2026-01-05
      restates:
        - {file: proposals/301.md, key: votes.wren, was: for, evidence: "https://example.org"}
  proposals:
    301: {on: 01-03, votes: fff., effective: 2026-01-04}
    302: {on: 01-05, votes: fff., does: "## Repeal Rule 203/0"}
    303: {on: 01-05, votes: fff., effective: 2026-01-09, does: "## Repeal Rule 202/0"}
  gives: |
    2026-01-02: seat of players/tallow.yml: tallow rests [no provision speaks of it]
    2026-01-02: turn of turns/R1T1.yml: osprey begins R1T1 [Rule 201/0]
    2026-01-04: turn of turns/R1T1.yml: osprey ends R1T1 [Rule 201/0]
    2026-01-04: rule of proposals/301.md: Rule 301/0 is enacted, mutable [Rule 202/0, 3 for;
        more than half of eligible voters (4): more than 2 needed]
    2026-01-04: turn of turns/R1T2.yml: quill begins R1T2 [Rule 201/0]
    2026-01-05: seat of players/quill.yml: quill rests [no provision speaks of it]
    2026-01-05: record of acts/a.md: proposals/301.md: votes.wren was for, is missing
        (https://example.org) [no provision speaks of it]
    None: proposals/302.md is pending
    2026-01-09: proposals/303.md is pending
    proposals/301.md: for osprey quill tallow; missing wren; 4 of 4 are eligible
    proposals/301.md: Rule 202: 3 for; more than half of eligible voters (4): more than 2 needed
    proposals/302.md: for osprey quill tallow; missing wren; 4 of 4 are eligible
    proposals/302.md: Rule 202: 3 for; more than half of eligible voters (4): more than 2 needed
    proposals/303.md: for osprey quill tallow; missing wren; 4 of 4 are eligible
    proposals/303.md: Rule 202: 3 for; more than half of eligible voters (4): more than 2 needed
    next: R1T3 of wren, without tallow
- case: "Where anybody proposes in a turn, it does not pass by itself for that."
  until: 01-06
  provisions: {turns: {order: joined, passes_after: 1, own_turn: false}}
  files: {turns/R1T1.yml: {player: osprey, began: 2026-01-02}}
  proposals: {301: {on: 01-03, votes: ...., status: debate, author: quill}}
  gives: |
    2026-01-02: turn of turns/R1T1.yml: osprey begins R1T1 [Rule 201/0]
    next: R1T2 of quill
"""


@pytest.mark.parametrize("case", cases_in(CHANGED))
def test_what_changes_when_and_why(case: Any) -> None:
    assert came_of(case) == case["gives"]


@pytest.mark.parametrize("later", [(), (("R1T2", "quill", "01-08"),)])
def test_an_act_waits_for_no_turn(later: tuple[tuple[str, str, str], ...]) -> None:
    """Only proposals take effect with the next turn: an act does on its day."""
    by_act = {"effect": "next-turn", "authority": {"by": "act", "to": ["amend"]}}
    made = game({**ORDER, "passing": "true"}, r205=by_act)
    made.turn("R1T1", "osprey", "01-02", "01-05", passed=True)
    for turn in later:
        made.turn(*turn)
    forbids = "```yaml rule\nprovisions:\n  turns: {order: alphabetical, passing: false}\n```\n"
    body = f"## Amend Rule 201/0\n\n{forbids}\nNobody passes.\n"
    made.act("a", "01-03", body, under=205, effective=day("01-05"))
    assert made.told("01-20") == []
