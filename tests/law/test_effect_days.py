"""When a change takes effect: so many days after the decision, on a day of its own, and which rule
decides that.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from nomicgen.law.precedence import Law
from nomicgen.law.provisions.effect import EffectTiming, effect_words
from nomicgen.law.reading import parse_provisions
from nomicgen.model.values import Moment
from nomicgen.play.load import as_of, load_tree
from tests.ledger import UNANIMOUS, Ledger, day
from tests.worked import cases_in, told_of

CHANGE = "## Amend Rule 203/0\n\nBishops move diagonally."
MAJORITY = {"adoption": {"needs": "majority"}}
Effects = Mapping[str, Any]


def game(effect: Effects | str | None, entrenched: Effects | str | None = None) -> Ledger:
    return Ledger.start(
        {
            101: {} if entrenched is None else {"effect": entrenched},
            201: {} if effect is None else {"effect": effect},
            202: MAJORITY,
            203: {},
        }
    )


@pytest.mark.parametrize(
    ("effect", "entrenched", "moment", "rule"),
    [
        ({"after": "7 days"}, None, 7, 201),
        ({"after": 1}, None, 1, 201),
        ({"after": "7 days"}, "at-once", "at-once", 101),
        ("next-turn", {"after": "3 days"}, 3, 101),
        ({"after": "7 days"}, {"own_day": True}, 7, 201),
    ],
)
def test_one_rule_says_when_be_it_by_when_or_by_after(
    effect: Effects, entrenched: Effects | None, moment: object, rule: int
) -> None:
    records, played = game(effect, entrenched).play()
    said = Law.of(played.current, records.settings, None).says(EffectTiming.timing)
    assert said is not None
    assert (said.value, said.rule) == (moment, rule)


@pytest.mark.parametrize(
    ("effect", "commences", "due"),
    [
        (None, None, None),
        (None, "02-01", "02-01"),
        (None, "01-01", "01-06"),
        ("at-once", "02-01", "01-06"),
        ({"own_day": False}, "02-01", None),
        ({"own_day": True}, "02-01", "02-01"),
        ({"when": "at-once", "own_day": True}, "02-01", "02-01"),
        ({"when": "at-once", "own_day": True}, None, "01-06"),
        ({"after": "7 days"}, None, "01-13"),
        ({"after": "7 days"}, "02-01", "01-13"),
        ({"after": "7 days", "own_day": True}, "02-01", "02-01"),
        ({"after": "7 days", "own_day": True}, "01-08", "01-13"),
        ({"after": "7 days", "own_day": False}, "02-01", "01-13"),
    ],
)
@pytest.mark.parametrize("effective", ["01-06", "01-13", "02-01", "02-02"])
def test_the_later_of_the_rules_day_and_its_own_counts(
    effect: Effects | None, commences: str | None, due: str | None, effective: str
) -> None:
    """With no rule and no day of its own any day will do, as ever."""
    made = game(effect).proposal(
        301,
        "01-06",
        CHANGE,
        effective=day(effective),
        commences=day(commences) if commences else None,
    )
    wrong = [one for one in made.applied().findings() if one.slug == "effect-wrong"]
    assert bool(wrong) == (due is not None and due != effective)
    if wrong:
        assert wrong[0].help == f"write `effective: {day(due or '')}`"
        assert f"on {day(due or '')}" in wrong[0].message
        assert str(wrong[0].span).startswith("proposals/301.md:")


@pytest.mark.parametrize(
    ("effect", "commences", "told"),
    [
        (
            {"after": "7 days"},
            None,
            "does not say when it takes effect; Rule 201 lets it take effect 7 days after the "
            "decision, on 2026-01-13",
        ),
        (
            None,
            "02-01",
            "does not say when it takes effect; by its own words it takes effect on 2026-02-01",
        ),
        ({"own_day": False}, "02-01", ""),
        ("at-once", None, ""),
    ],
)
def test_an_effect_that_comes_later_must_be_written(
    effect: Effects | None, commences: str | None, told: str
) -> None:
    made = game(effect).proposal(
        301, "01-06", CHANGE, commences=day(commences) if commences else None
    )
    assert [one.message for one in made.applied().findings() if one.slug == "effect-wrong"] == [
        told
    ] * bool(told)


@pytest.mark.parametrize("status", ["debate", "open"])
def test_a_day_of_its_own_that_does_not_count_is_told_while_it_can_be_mended(status: str) -> None:
    made = game({"own_day": False}).proposal(
        301,
        "01-06",
        CHANGE,
        "...." if status == "debate" else "f...",
        status,
        commences=day("02-01"),
    )
    (found,) = [one for one in made.applied().findings() if one.slug == "effect-wrong"]
    assert (
        found.message
        == "says that it takes effect on 2026-02-01; Rule 201 lets no proposal name its day"
    )
    assert found.help is not None
    assert found.help.startswith("delete `commences`")
    assert ("resubmit 301" in found.help) is (status == "open")


def test_with_the_next_turn_the_later_of_the_turn_and_its_own_day_counts() -> None:
    law = {"when": "next-turn", "own_day": True}
    made = game(law).turn("R1T1", "osprey", "01-02", "01-08").turn("R1T2", "quill", "01-08")
    made.proposal(301, "01-06", CHANGE, commences=day("02-01"), effective=day("01-08"))
    (found,) = [one for one in made.applied().findings() if one.slug == "effect-wrong"]
    assert found.help == "write `effective: 2026-02-01`"


@pytest.mark.parametrize("written", ["3 days", "3", "1 day"])
@pytest.mark.parametrize(
    ("kind", "key"), [("ballot", "debate"), ("ballot", "closes_after"), ("turns", "passes_after")]
)
def test_days_may_be_written_with_their_unit(kind: str, key: str, written: str) -> None:
    read, problems = parse_provisions({kind: {key: written}}, ("immutable", "mutable"))
    assert problems == ()
    (one,) = read.kinds[kind]
    assert int(getattr(one, key)) == int(written.split(maxsplit=1)[0])


# What files say has happened on a day that has not come: an error, by the day in the game's zone.


ZONED = {"timezone": "Pacific/Auckland"}


def _game(**settings: str) -> Ledger:
    return Ledger.start({201: UNANIMOUS}, **settings)


def _with(what: str, on: str, **settings: str) -> Ledger:
    """A game in which one thing is said to have happened on a day."""
    game = _game(**settings)
    match what:
        case "a player joined":
            return game.player("lark", joined=day(on))
        case "a vote":
            return game.proposal(
                301,
                "01-02",
                "",
                votes="f...",
                status="open",
                more={"wren": {"vote": "for", "at": day(on)}},
            )
        case "a proposal":
            return game.proposal(301, on, "", votes="....", status="debate", opened=None)
        case "a judgement":
            return game.judgement(1, on, "")
        case "an overruling":
            return game.judgement(
                1, "01-02", "", status="overruled", overruled=day(on), overruled_by=["wren"]
            )
        case "an act":
            return game.act("one", on, "")
        case "a turn":
            return game.turn("R1T1", "wren", "01-02", on)
        case "a deed":
            deed = {"do": "second", "by": "wren", "at": day(on)}
            return game.proposal(
                301, "01-02", "", votes="....", status="debate", opened=None, deeds=[deed]
            )
    raise AssertionError(what)


WHAT = (
    "a player joined",
    "a vote",
    "a proposal",
    "a judgement",
    "an overruling",
    "an act",
    "a turn",
    "a deed",
)


@pytest.mark.parametrize("what", WHAT)
def test_tomorrow_where_the_game_names_its_zone(what: str) -> None:
    assert "date-future" in _with(what, "01-11", **ZONED).slugs("01-10")
    assert "date-future" not in _with(what, "01-10", **ZONED).slugs("01-10")


@pytest.mark.parametrize("what", WHAT)
def test_the_day_after_tomorrow_where_it_names_none(what: str) -> None:
    """Somewhere on earth tomorrow begins before today is over, and nowhere does the day after
    it.
    """
    assert "date-future" in _with(what, "01-12").slugs("01-10")
    assert "date-future" not in _with(what, "01-11").slugs("01-10")


def test_it_says_which_day_is_meant_and_where() -> None:
    zoned, plain = (
        _with("a player joined", "01-20", **settings).told("01-10") for settings in (ZONED, {})
    )
    assert zoned == [
        "date-future players/lark.yml:2:9: lark joined on 2026-01-20, which has not begun "
        "in Pacific/Auckland: today is 2026-01-10"
    ]
    assert plain == [
        "date-future players/lark.yml:2:9: lark joined on 2026-01-20, which has not begun "
        "anywhere on earth: today is 2026-01-10"
    ]


def test_a_game_as_of_an_earlier_day_has_a_future_that_has_come() -> None:
    game = load_tree(Path(), _with("a player joined", "01-20").tree, Moment.parse("2026-02-01"))
    assert not [
        finding for finding in as_of(game, day("01-10")).findings if finding.slug == "date-future"
    ]


def test_who_says_when_they_will_leave_says_nothing_wrong() -> None:
    game = _game().player(
        "lark", joined=day("01-02"), left=day("03-01"), inactive=[{"since": day("02-20")}]
    )
    assert game.slugs("01-10") == []


@pytest.mark.parametrize(
    ("effect", "commences", "words"),
    [
        (None, None, ""),
        ("at-once", None, ""),
        ("next-turn", None, "at the start of the next turn (Rule 204)"),
        ({"after": "1"}, None, "1 day after the decision (Rule 204)"),
        ({"after": "9"}, "01-05", "9 days after the decision (Rule 204)"),
        (None, "02-09", "on 2026-02-09, by its own words"),
        (None, "02-01", ""),
        ("at-once", "02-09", ""),
        ({"when": "at-once", "own_day": "true"}, "02-09", "on 2026-02-09, by its own words"),
        ({"after": "2", "own_day": "true"}, "02-09", "on 2026-02-09, by its own words"),
        ({"after": "2", "own_day": "true"}, "02-02", "2 days after the decision (Rule 204)"),
        (
            {"when": "next-turn", "own_day": "true"},
            "02-09",
            "on 2026-02-09 or at the start of the next turn, whichever is later (Rule 204)",
        ),
    ],
)
def test_when_it_would_take_effect_in_words(effect: Any, commences: str | None, words: str) -> None:
    made = Ledger.start({203: UNANIMOUS, 204: {} if effect is None else {"effect": effect}})
    when = day(commences) if commences else None
    made.proposal(301, "02-01", "## Enact Rule\n\nTea.", status="open", commences=when)
    records, played = made.play()
    law = Law.of(played.current, records.settings, None)
    assert effect_words(records.instruments["proposals/301.md"], law, day("02-01")) == words


DAYS = """\
- case: Changes take effect two days after they are adopted.
  provisions: {effect: {own_day: false, after: 2}}
  proposals:
    301: {on: 01-03, commences: 2026-02-01, status: open}
    302: {on: 01-03}
    303: {on: 01-03, effective: 2026-01-04}
    304: {on: 01-05, effective: 2026-01-04}
  gives: |
    effect-wrong proposals/301.md:11:12 (Rule 201)
      says that it takes effect on 2026-02-01; Rule 201 lets no proposal name its day
      > delete `commences`, then open the vote again: `nomicgen proposal resubmit 301`
    effect-wrong proposals/302.md:7:10 (Rule 201)
      does not say when it takes effect; Rule 201 lets it take effect 2 days after the
        decision, on 2026-01-05
      > write `effective: 2026-01-05`
    effect-wrong proposals/303.md:12:12 (Rule 201)
      takes effect on 2026-01-04; Rule 201 lets it take effect 2 days after the decision, on
        2026-01-05
      > write `effective: 2026-01-05`
    effect-early proposals/304.md:12:12 (Rule 201)
      takes effect on 2026-01-04, before it was decided on 2026-01-05
      > correct `effective`, or the day of the decision
- case: Changes take effect with the next turn.
  provisions: {effect: next-turn}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02, ended: 2026-01-05}
    turns/R1T2.yml: {player: quill, began: 2026-01-05}
  proposals: {303: {on: 01-03, effective: 2026-01-04}, 304: {on: 01-03}}
  gives: |
    effect-wrong proposals/303.md:12:12 (Rule 201)
      takes effect on 2026-01-04; Rule 201 lets it take effect at the start of the next turn,
        on 2026-01-05
      > write `effective: 2026-01-05`
- case: A proposal says itself when it takes effect.
  provisions: {effect: {own_day: true}}
  proposals: {303: {on: 01-03, commences: 2026-01-06}}
  gives: |
    effect-wrong proposals/303.md:7:10
      does not say when it takes effect; by its own words it takes effect on 2026-01-06
      > write `effective: 2026-01-06`
"""


@pytest.mark.parametrize("case", cases_in(DAYS))
def test_what_is_told_of_days_of_effect(case: Any) -> None:
    assert told_of(case) == case["gives"]
