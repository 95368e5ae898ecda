"""Points that files award, victory by points, and what large and fine numbers come to."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicgen.law.replay.awarded_points import totals
from nomicgen.model.identifiers import PlayerId
from tests.awards import NEW, award, game, lines
from tests.deep import examples
from tests.ledger import PLAYERS, UNANIMOUS, Ledger, day
from tests.worked import came_of, cases_in

# What files award

DIE = {"on": "turn", "to": "player", "die": "6"}
BY_HAND = {"awards": [{"in": ["proposal", "judgement", "act", "turn"]}]}


def test_points_that_files_award_with_a_reason_come_in_their_order() -> None:
    made = game(
        {"on": "adopted", "to": "author", "amount": "1"},
        r308={"authority": {"by": "act", "to": "enact"}},
    )
    made.rule(190, BY_HAND)
    made.proposal(
        301,
        "02-01",
        NEW,
        points=[award("wren", "20/3", "Rule 313"), award("quill", "-5", "Noise")],
        turn="R1T1",
    )
    made.turn("R1T1", "wren", "02-01", "02-01", points=[award("tallow", 2, "A bonus word")])
    made.judgement(
        1, "02-02", "Is it?\n\n## Ruling\n\nYes.", points=[award("quill", 1, "Good sense")]
    )
    made.act("prize", "02-03", "", points=[award("osprey", 9, "The prize")])
    made.proposal(
        302,
        "02-04",
        NEW,
        status="withdrawn",
        decided=day("02-04"),
        points=[award("wren", "-1", "Waste")],
    )
    assert lines(made) == [
        "wren 1 by 202: proposal 301 adopted, as its author",
        "wren 20/3 by 190: Rule 313",
        "quill -5 by 190: Noise",
        "tallow 2 by 190: A bonus word",
        "quill 1 by 190: Good sense",
        "osprey 9 by 190: The prize",
        "wren -1 by 190: Waste",
    ]
    found = made.play()[1].awards
    assert [str(one.span) for one in found][1:4] == [
        "proposals/301.md:14:5",
        "proposals/301.md:17:5",
        "turns/R1T1.yml:5:5",
    ]
    assert totals(found) == {"wren": Fraction(20, 3), "quill": -4, "tallow": 2, "osprey": 9}
    assert made.told() == []


def test_nothing_is_awarded_after_the_day_of_the_replay() -> None:
    made = (
        game(DIE)
        .rule(190, BY_HAND)
        .turn("R1T1", "wren", "02-01", "02-02", dice=4)
        .turn("R1T2", "quill", "02-03", "02-05", dice=5)
    )
    made.act("early", "02-04", "", points=[award("wren", 1)]).act(
        "late", "02-09", "", points=[award("wren", 1)]
    )
    assert lines(made, "02-04") == ["wren 4 by 202: turn R1T1, a throw of 4", "wren 1 by 190: Wit"]
    assert lines(made, "02-08")[2:] == ["quill 5 by 202: turn R1T2, a throw of 5"]
    assert len(lines(made, "02-09")) == 4


# Victory

HUNDRED: dict[str, Any] = {"victory": {"points": "100"}}


def winner(made: Ledger, until: str = "12-31") -> tuple[str, ...] | None:
    found = made.play(until)[1].winner
    return found.players if found else None


def scored(made: Ledger, on: str, **points: Any) -> Ledger:
    return made.act(
        f"on-{on}", on, "", points=[award(who, amount) for who, amount in points.items()]
    )


def test_the_first_to_reach_so_many_wins() -> None:
    made = scored(
        scored(scored(game(r208=HUNDRED), "02-01", wren=99), "02-02", quill="100"),
        "02-03",
        wren=500,
    )
    found = made.play()[1].winner
    assert found is not None
    assert (found.players, found.points, found.rule, found.moment) == (
        ("quill",),
        Fraction(100),
        208,
        day("02-02"),
    )
    assert winner(made, "02-01") is None
    assert winner(scored(game(r208=HUNDRED), "02-01", wren="999/10")) is None
    assert winner(scored(game(), "02-01", wren=999)) is None


def test_of_two_at_once_the_higher_score_wins_else_both() -> None:
    assert winner(scored(game(r208=HUNDRED), "02-01", wren=100, quill=101)) == ("quill",)
    assert winner(scored(game(r208=HUNDRED), "02-01", wren="301/3", quill="301/3", osprey=100)) == (
        "quill",
        "wren",
    )
    # Who goes beyond it and back within one event has not won.
    points = [award("wren", 150), award("wren", -60)]
    assert winner(game(r208=HUNDRED).act("both", "02-01", "", points=points)) is None


def test_who_cannot_win() -> None:
    made = (
        game(r208=HUNDRED)
        .player("hal", kind="bot")
        .player("seat", kind="dummy")
        .player("wren", left=day("02-01"))
    )
    made.player("zed", joined=day("02-02"))
    assert winner(scored(made, "02-01", hal=500, seat=400, wren=300, zed=250, quill=100)) == (
        "quill",
    )
    assert winner(scored(made, "02-01", hal=500, seat=400, wren=300)) is None
    assert winner(scored(made, "02-01", ghost=500)) is None
    # Who had left when the last point came has not won by it, nor by anything since.
    assert winner(scored(scored(made, "01-31", wren=99), "02-01", wren=1)) is None
    assert winner(scored(made, "01-31", wren=100)) == ("wren",)


def test_a_victory_lowered_by_an_amendment() -> None:
    lower = (
        "## Amend Rule 208/0\n\n```yaml rule\nprovisions:\n  victory: {points: 20}\n```\n\nTwenty."
    )
    made = scored(game(r208=HUNDRED), "02-01", wren=30, quill=25).proposal(
        301, "02-02", lower, effective=day("02-05")
    )
    found = made.play()[1].winner
    assert found is not None
    assert (found.players, found.points, found.rule, found.moment) == (
        ("wren",),
        Fraction(20),
        208,
        day("02-05"),
    )
    assert winner(made, "02-04") is None
    # Who has won has won, whatever is amended afterwards.
    higher = (
        "## Amend Rule 208/1\n\n```yaml rule\nprovisions:\n  victory: {points: 500}\n```\n\nMore."
    )
    assert winner(made.proposal(302, "02-06", higher)) == ("wren",)


def test_who_wins_by_a_rule_that_goes_before_another() -> None:
    made = game(r208=HUNDRED, r209={"victory": {"points": "10", "over": "208"}})
    found = scored(made, "02-01", wren=10).play()[1].winner
    assert found is not None
    assert (found.points, found.rule) == (Fraction(10), 209)
    # A rule that says nothing of it leaves it to the next.
    assert winner(scored(game(r102={"victory": {}}, r208=HUNDRED), "02-01", wren=100)) == ("wren",)


def test_a_decision_can_win() -> None:
    made = game({"on": "adopted", "to": "author", "amount": "100"}, r208=HUNDRED).proposal(
        301, "02-01", NEW
    )
    assert winner(made) == ("wren",)


# Numbers

AMOUNTS = st.builds(Fraction, st.integers(-(10**9) + 1, 10**9 - 1), st.integers(1, 999))


@settings(max_examples=examples(0.4), deadline=None)
@given(st.lists(st.tuples(st.sampled_from(PLAYERS), AMOUNTS), min_size=1, max_size=12))
def test_scores_are_exact_sums(points: list[tuple[str, Fraction]]) -> None:
    made = game().act(
        "all", "02-01", "", points=[award(who, str(amount)) for who, amount in points]
    )
    found = made.play()[1].awards
    assert [(one.player, one.amount) for one in found] == points
    assert totals(found) == {
        who: sum((amount for one, amount in points if one == who), Fraction(0))
        for who in {who for who, _ in points}
    }


def test_a_sum_of_many_fractions_can_still_be_written() -> None:
    points = [award("wren", f"999999999/{below}") for below in range(1, 1000)]
    made = game(r208=HUNDRED).act("all", "02-01", "", points=points)
    assert made.told() == []
    assert len(str(totals(made.play()[1].awards)[PlayerId("wren")])) < 1000
    too_fine = game().act("all", "02-01", "", points=[award("wren", "1/1009")])
    assert too_fine.told() == [
        "value-wrong acts/all.md:6:13: `points[0].amount` cannot be `1/1009`"
    ]
    (found,) = too_fine.findings()
    assert (
        found.help
        == "it should be a whole number, or a fraction with a denominator of at most three digits"
    )


def test_every_kind_of_award_at_once_is_no_crash() -> None:
    """On every occasion, to everyone it can go to, in a game where everybody is missing."""
    roles = [
        {"on": on, "to": {"role": "piper"}, "amount": "1"}
        for on in (
            "adopted",
            "defeated",
            "decided",
            "turn",
            "passed",
            "judged",
            "silence",
            "late-judge",
        )
    ]
    parts = [
        {"on": "decided", "to": to, "amount": "1"} for to in ("author", "for", "against", "silent")
    ]
    made = game(
        [*roles, *parts, DIE],
        r105={"ballot": {"silence": "for", "penalty": {"points": "3"}}},
        r208=HUNDRED,
    )
    for ident in PLAYERS:
        del made.tree[f"players/{ident}.yml"]
    made.proposal(301, "02-01", NEW, author=None).turn("R1T1", "ghost", None, "02-02", dice=0)
    made.judgement(1, "02-03", "Is it?\n\n## Ruling\n\nYes.", judge=None, late=["ghost"])
    assert lines(made) == []
    assert made.play()[1].winner is None


def test_unanimous_games_need_every_vote() -> None:
    made = Ledger.start(
        {
            202: {
                "points": {"on": "adopted", "to": "for", "amount": "1", "if": "unanimity-needed"}
            },
            203: UNANIMOUS,
        }
    )
    assert [one.player for one in made.proposal(301, "02-01", NEW).play()[1].awards] == list(
        PLAYERS
    )


GIVEN = r"""
- case: "Points are given for everything, and win."
  provisions:
    points:
      - {on: adopted, to: author, amount: 10, times: share-for}
      - {on: decided, to: silent, amount: "-1"}
      - {on: defeated, to: against, amount: 1/2, times: changes, if: unanimity-not-needed}
      - {on: turn, to: player, die: 6}
      - {on: passed, to: player, amount: "-2"}
      - {on: judged, to: judge, amount: 3}
      - {on: late-judge, to: judge, amount: "-3"}
      - {on: silence, to: {role: cat}, amount: 1}
    ballot: {silence: against}
    victory: {points: 5}
  players: {quill: {roles: [{role: cat, since: 2026-01-01}]}}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02, ended: 2026-01-04, dice: 5}
    turns/R1T2.yml:
      player: quill
      began: 2026-01-04
      ended: 2026-01-06
      passed: true
      points: [{player: wren, amount: 1, reason: a song}]
    judgements/1.md: {judge: tallow, late: [wren], date: 2026-01-05, status: upheld}
    acts/a.md: {date: 2026-01-07, by: wren, points: [{player: wren, amount: 4/3, reason: rain}]}
  proposals:
    301: {on: 01-03, votes: fffa}
    302:
      on: 01-08
      votes: ff..
      status: defeated
      does: "## Repeal Rule 203/0\n\n## Enact Rule\n\nTea."
  gives: |
    2026-01-02: turn of turns/R1T1.yml: osprey begins R1T1 [no provision speaks of it]
    2026-01-03: points of proposals/301.md: wren: 0 → 15/2 points (proposal 301 adopted, as its
        author) [Rule 201/0]
    2026-01-03: rule of proposals/301.md: Rule 301/0 is enacted, mutable [Rule 202/0, 3 for;
        more than half of eligible voters (4): more than 2 needed]
    2026-01-04: turn of turns/R1T1.yml: osprey ends R1T1 [no provision speaks of it]
    2026-01-04: points of turns/R1T1.yml: osprey: 0 → 5 points (turn R1T1, a throw of 5) [Rule
        201/0]
    2026-01-04: turn of turns/R1T2.yml: quill begins R1T2 [no provision speaks of it]
    2026-01-05: judgement of judgements/1.md: Judgement 1 is given [no provision speaks of it]
    2026-01-05: points of judgements/1.md: tallow: 0 → 3 points (judgement 1, as its judge)
        [Rule 201/0]
    2026-01-05: points of judgements/1.md: wren: 15/2 → 9/2 points (judgement 1, as a judge who
        was late) [Rule 201/0]
    2026-01-06: turn of turns/R1T2.yml: quill passes R1T2 [no provision speaks of it]
    2026-01-06: points of turns/R1T2.yml: quill: 0 → -2 points (turn R1T2 passed) [Rule 201/0]
    2026-01-06: points of turns/R1T2.yml: wren: 9/2 → 11/2 points (a song) [no rule permits it]
    2026-01-07: points of acts/a.md: wren: 9/2 → 35/6 points (rain) [no rule permits it]
    2026-01-08: points of proposals/302.md: tallow: 3 → 2 points (proposal 302 defeated, for
        silence) [Rule 201/0]
    2026-01-08: points of proposals/302.md: wren: 9/2 → 7/2 points (proposal 302 defeated, for
        silence) [Rule 201/0]
    2026-01-08: points of proposals/302.md: tallow: 2 → 3 points (proposal 302 defeated, for a
        vote against) [Rule 201/0]
    2026-01-08: points of proposals/302.md: wren: 7/2 → 9/2 points (proposal 302 defeated, for a
        vote against) [Rule 201/0]
    2026-01-08: points of proposals/302.md: quill: -2 → -1 points (silence on proposal 302, for
        each cat) [Rule 201/0]
    wren 15/2: proposal 301 adopted, as its author (by 201, 2026-01-03, proposals/301.md:7:10)
    osprey 5: turn R1T1, a throw of 5 (by 201, 2026-01-04, turns/R1T1.yml:3:8)
    tallow 3: judgement 1, as its judge (by 201, 2026-01-05, judgements/1.md:5:7)
    wren −3: judgement 1, as a judge who was late (by 201, 2026-01-05, judgements/1.md:5:7)
    quill −2: turn R1T2 passed (by 201, 2026-01-06, turns/R1T2.yml:3:8)
    tallow −1: proposal 302 defeated, for silence (by 201, 2026-01-08, proposals/302.md:7:10)
    wren −1: proposal 302 defeated, for silence (by 201, 2026-01-08, proposals/302.md:7:10)
    tallow 1: proposal 302 defeated, for a vote against (by 201, 2026-01-08,
        proposals/302.md:7:10)
    wren 1: proposal 302 defeated, for a vote against (by 201, 2026-01-08,
        proposals/302.md:7:10)
    quill 1: silence on proposal 302, for each cat (by 201, 2026-01-08, proposals/302.md:7:10)
    proposals/301.md: for osprey quill tallow; against wren; 4 of 4 are eligible
    proposals/301.md: Rule 202: 3 for; more than half of eligible voters (4): more than 2 needed
    proposals/302.md: for osprey quill; against tallow wren; silent tallow wren; 4 of 4 are
        eligible
    proposals/302.md: Rule 202: 2 for; more than half of eligible voters (4): more than 2
        needed, lacks more than half of eligible voters
    2026-01-03: wren win with 5 points (Rule 201)
"""


@pytest.mark.parametrize("case", cases_in(GIVEN))
def test_what_points_are_given(case: Any) -> None:
    assert came_of(case) == case["gives"]
