"""What takes effect with the next turn; and turns whose files are odd."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicgen.law.replay.state import NextTurn
from tests.deep import examples
from tests.ledger import Ledger, day
from tests.turns import NEW, ORDER, ROUND, following, game, played

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
    told = made.proposal(301, "01-02", NEW, **matter).told()
    if day(effective).precedes(day(decided)) or day(decided).precedes(day(effective)):
        assert [one.split(": ")[0].split()[0] for one in told] == ["effect-wrong"]
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
    assert following(made) == "R1T2 quill"
    made.turn("R1T2", "wren", "01-03").proposal(
        301, "01-02", seats, turn="R1T1", decided=day("01-03"), effective=day("01-03")
    )
    assert made.told() == []
    assert [one.split()[0] for one in made.turn("R1T2", "quill", "01-03").told()] == ["turn-order"]


def test_what_waits_for_a_turn_lacks_no_day() -> None:
    """Though those before it say when they took effect."""
    made = waiting(("R1T1", "01-01", "01-02"), ("R1T2", "01-03", "01-04"))
    made.proposal(301, "01-02", NEW, turn="R1T1", decided=day("01-02"), effective=day("01-03"))
    made.proposal(302, "01-04", NEW, turn="R1T2", decided=day("01-04"))
    assert made.told() == []
    assert [one.outcome for one in made.play()[1].steps] == ["applied", "pending"]
    assert set(made.turn("R1T3", "wren", "01-05").slugs()) == {"effect-wrong", "status-incomplete"}


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
