"""Turns: whose is next, and what may be done in one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicgen.law.prospects import end_due, overdue_turn
from tests.deep import examples
from tests.ledger import PLAYERS, day
from tests.turns import NEW, ORDER, ROUND, following, game, played
from tests.worked import cases_in, told_of

# Whose turn it is


@pytest.mark.parametrize(
    ("order", "seats"),
    [
        ("alphabetical", "quill wren tallow osprey"),
        ("joined", "wren tallow osprey quill"),
        ("seat", "tallow osprey quill wren"),
        ("random", "tallow osprey quill wren"),
    ],
)
def test_the_order(order: str, seats: str) -> None:
    made = game({"order": order})
    made.player("osprey", name="Zed", order=2, joined=day("01-01"))
    made.player("quill", name="abel", order=3, joined=day("01-01"))
    made.player("tallow", name="Cain", order=1, joined=day("2025-12-02"))
    made.player("wren", name="Bea", joined=day("2025-12-01"))
    made.player("hal", name="AA", order=1, kind="bot").player(
        "seat", name="AB", order=1, kind="dummy"
    )
    assert following(made) == f"R1T1 {seats.partition(' ')[0]}"
    turns = [f"R1T{index} {player}" for index, player in enumerate(seats.split(), 1)]
    for index, turn in enumerate(turns):
        assert following(made) == turn
        played(made, turn, first=index + 2)
    assert following(made) == f"R2T1 {seats.partition(' ')[0]}"
    assert made.told() == []


def test_without_an_order_any_turn_will_do() -> None:
    made = played(game({"passing": "true"}), "R1T1 wren", "R3T9 quill")
    assert (following(made), made.told()) == (None, [])


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        (
            ("R1T1 quill",),
            "turns/R1T1.yml:1:9: R1T1 of quill is not the turn that comes first: that is R1T1 of "
            "osprey",
        ),
        (
            ("R1T2 osprey",),
            "turns/R1T2.yml:1:9: R1T2 of osprey is not the turn that comes first: that is R1T1 "
            "of osprey",
        ),
        (
            ("R1T1 osprey", "R1T2 tallow"),
            "turns/R1T2.yml:1:9: R1T2 of tallow is not the turn that comes after R1T1: that is "
            "R1T2 of quill",
        ),
        (
            ("R1T1 osprey", "R1T2 quill", "R2T1 tallow"),
            "turns/R2T1.yml:1:9: R2T1 of tallow is not the turn that comes after R1T2: that is "
            "R1T3 of tallow",
        ),
        (
            (*ROUND, "R1T5 osprey"),
            "turns/R1T5.yml:1:9: R1T5 of osprey is not the turn that comes after R1T4: that is "
            "R2T1 of osprey",
        ),
    ],
)
def test_a_turn_out_of_order_is_one_finding(turns: tuple[str, ...], told: str) -> None:
    assert played(game(ORDER), *turns).told() == [f"turn-order {told} (Rule 201)"]


def test_who_is_skipped_and_comes_back() -> None:
    made = game(ORDER).player("quill", inactive=[{"since": day("01-02"), "until": day("01-03")}])
    played(made, "R1T1 osprey", "R1T2 tallow", "R1T3 wren", "R2T1 osprey")
    assert (made.told(), following(made)) == ([], "R2T2 quill")


@pytest.mark.parametrize("gone", [{"left": day("01-02")}, {"inactive": [{"since": day("01-02")}]}])
def test_who_goes_on_the_day_on_which_their_turn_begins(gone: dict[str, object]) -> None:
    """Nobody knows what came first; a day later it was no turn of theirs."""
    made = game(ORDER).turn("R1T1", "osprey", "01-01", "01-01").player("quill", **gone)
    assert made.turn("R1T2", "quill", "01-02").told() == []
    assert [one[:10] for one in made.turn("R1T2", "quill", "01-03").told()] == ["turn-order"]
    assert made.turn("R1T2", "tallow", "01-02").told() == []


def test_who_comes_back_after_their_turn_was_skipped() -> None:
    back = {"inactive": [{"since": day("01-01"), "until": day("01-02")}]}
    made = game(ORDER).turn("R1T1", "osprey", "01-01", "01-01").player("quill", **back)
    assert made.turn("R1T2", "tallow", "01-02").told() == []
    assert made.turn("R1T2", "quill", "01-02").told() == []
    assert [one[:10] for one in made.turn("R1T2", "tallow", "01-03").told()] == ["turn-order"]


def test_who_leaves_in_the_middle_of_a_round() -> None:
    made = played(
        game(ORDER).player("quill", left=day("01-03")), "R1T1 osprey", "R1T2 quill", "R1T3 tallow"
    )
    assert (made.told(), following(made)) == ([], "R1T4 wren")
    # The last one of a round leaves, with the turn or before it.
    last = played(game(ORDER).player("wren", left=day("01-04")), *ROUND[:3])
    assert following(last, "01-03") == "R1T4 wren"
    assert following(last, "01-04") == "R2T1 osprey"
    alone = played(game(ORDER), "R1T1 osprey")
    for ident in PLAYERS[1:]:
        alone.player(ident, left=day("01-02"))
    assert following(alone) == "R2T1 osprey"
    assert following(alone.player("osprey", left=day("01-03"))) is None


@pytest.mark.parametrize(
    ("joins", "rest"),
    [
        ("last", ["R1T3 tallow", "R1T4 wren", "R1T5 piper", "R2T1 osprey", "R2T2 quill"]),
        ("before-current", ["R1T3 tallow", "R1T4 wren", "R2T1 osprey", "R2T2 piper", "R2T3 quill"]),
        ("next-circuit", ["R1T3 tallow", "R1T4 wren", "R2T1 osprey", "R2T2 piper", "R2T3 quill"]),
        (None, ["R1T3 tallow", "R1T4 wren", "R2T1 osprey", "R2T2 piper", "R2T3 quill"]),
    ],
)
def test_somebody_joins_in_the_second_turn(joins: str | None, rest: list[str]) -> None:
    """Piper joins while it is Quill's turn; by name Piper comes between Osprey and Quill."""
    made = game({**ORDER, "joins": joins} if joins else ORDER).player("piper", joined=day("01-02"))
    made.turn("R1T1", "osprey", "01-01", "01-02").turn("R1T2", "quill", "01-02", "01-03")
    for index, turn in enumerate(rest):
        assert following(made, f"01-{index + 3:02}") == turn
        ident, player = turn.split()
        made.turn(ident, player, f"01-{index + 3:02}", f"01-{index + 4:02}")
    assert made.told() == []


def test_a_later_seat_waits_for_the_next_circuit() -> None:
    """Zelda would come last in the round in which she joins."""
    for joins, after in (
        ("next-circuit", "R2T1 osprey"),
        ("last", "R1T5 zelda"),
        (None, "R1T5 zelda"),
    ):
        made = played(game({**ORDER, "joins": joins} if joins else ORDER), *ROUND).player(
            "zelda", joined=day("01-03")
        )
        assert following(made) == after
    # Who joins on the day on which the round begins may have been there at its beginning.
    early = played(game({**ORDER, "joins": "next-circuit"}), *ROUND).player(
        "zelda", joined=day("01-01")
    )
    assert following(early) == "R1T5 zelda"
    timed = game({**ORDER, "joins": "next-circuit"}).player("zelda", joined=day("2026-01-01T09:01"))
    for index, player in enumerate(PLAYERS):
        timed.turn(
            f"R1T{index + 1}",
            player,
            f"2026-01-01T0{index + 9}:00" if index == 0 else f"01-0{index + 1}",
        )
    assert following(timed) == "R2T1 osprey"


def test_several_newcomers_before_the_current_player() -> None:
    made = game({"order": "seat", "joins": "before-current"})
    for seat, ident in enumerate(PLAYERS, 1):
        made.player(ident, order=seat)
    made.player("zelda", order=9, joined=day("01-03")).player("yves", order=8, joined=day("01-02"))
    made.turn("R1T1", "osprey", "01-01", "01-02").turn("R1T2", "quill", "01-02", "01-04")
    rest = ["R1T3 tallow", "R1T4 wren", "R2T1 osprey", "R2T2 yves", "R2T3 zelda", "R2T4 quill"]
    for index, turn in enumerate(rest, 4):
        assert following(made, f"01-{index:02}") == turn
        made.turn(turn.split()[0], turn.split()[1], f"01-{index:02}", f"01-{index + 1:02}")
    assert made.told() == []


def test_the_order_of_the_day_on_which_a_turn_begins() -> None:
    seats = "```yaml rule\nprovisions:\n  turns: {order: seat}\n```"
    made = game(ORDER)
    for seat, ident in enumerate(reversed(PLAYERS), 1):
        made.player(ident, order=seat)
    made.turn("R1T1", "osprey", "01-01", "01-02").turn("R1T2", "quill", "01-02", "01-03")
    made.proposal(301, "01-02", f"## Amend Rule 201/0\n\n{seats}\n\nSeats.", turn="R1T2")
    assert (made.told(), following(made, "01-02"), following(made)) == (
        [],
        "R1T3 osprey",
        "R1T3 osprey",
    )
    assert made.turn("R1T3", "osprey", "01-03").told() == []
    assert [one[:10] for one in made.turn("R1T3", "tallow", "01-03").told()] == ["turn-order"]


@settings(max_examples=examples(0.6), deadline=None)
@given(
    st.sampled_from(["alphabetical", "joined", "seat", "random"]),
    st.sampled_from([None, "last", "before-current", "next-circuit"]),
    st.lists(st.tuples(st.integers(1, 20), st.integers(1, 25)), max_size=4),
    st.lists(st.tuples(st.integers(0, 3), st.integers(1, 20), st.integers(0, 9)), max_size=3),
    st.lists(st.integers(0, 2), min_size=1, max_size=14),
)
def test_a_game_that_follows_next_turn_has_no_turn_out_of_order(
    order: str,
    joins: str | None,
    newcomers: list[tuple[int, int]],
    rests: list[tuple[int, int, int]],
    lengths: list[int],
) -> None:
    """Nor does anyone have two turns in a round, or one while not playing."""
    made = game({"order": order, **({"joins": joins} if joins else {})})
    for index, (joined, left) in enumerate(newcomers):
        gone = day(f"01-{joined:02}").plus(left)
        made.player(f"new{index}", order=joined, joined=day(f"01-{joined:02}"), left=gone)
    for index, since, until in rests:
        span = {"since": day(f"01-{since:02}"), "until": day(f"01-{since + until:02}")}
        made.player(PLAYERS[index], inactive=[span])
    today, seen = 1, set()
    for length in lengths:
        due = made.play(f"01-{today:02}")[1].next_turn
        if due is None:
            break
        assert (due.round, due.player) not in seen
        seen.add((due.round, due.player))
        made.turn(due.ident, due.player, f"01-{today:02}", f"01-{today + length:02}")
        today += length
    assert made.told() == []


# Outcome


def test_a_turn_that_may_not_be_passed() -> None:
    made = game({**ORDER, "passing": "false"}).turn("R1T1", "osprey", "01-01", "01-02", passed=True)
    told = (
        "turn-passed turns/R1T1.yml:4:9: osprey passed R1T1; Rule 201 lets nobody pass (Rule 201)"
    )
    assert made.told() == [told]
    assert (
        game({**ORDER, "passing": "true"})
        .turn("R1T1", "osprey", "01-01", "01-02", passed=True)
        .told()
        == []
    )
    assert game(ORDER).turn("R1T1", "osprey", "01-01", "01-02", passed=True).told() == []
    # That its end is not written down does not make it lawful.
    assert game({**ORDER, "passing": "false"}).turn(
        "R1T1", "osprey", "01-01", passed=True
    ).told() == [told.replace(":4:", ":3:")]


def test_passing_is_judged_by_the_law_of_the_turn_s_end() -> None:
    body = (
        "## Amend Rule 201/0\n\n```yaml rule\nprovisions:\n"
        "  turns: {order: alphabetical, passing: false}\n```\n\nNo."
    )
    made = game({**ORDER, "passing": "true"}).proposal(301, "01-03", body)
    made.turn("R1T1", "osprey", "01-01", "01-02", passed=True).turn(
        "R1T2", "quill", "01-02", "01-04", passed=True
    )
    assert made.told() == [
        "turn-passed turns/R1T2.yml:4:9: quill passed R1T2; Rule 201 lets nobody pass (Rule 201)"
    ]


@pytest.mark.parametrize(
    ("ended", "told"),
    [
        ("01-04", []),
        ("01-09", []),
        ("01-03", ["; Rule 201 lets nobody pass before 2026-01-04 (Rule 201)"]),
    ],
)
def test_a_turn_that_passes_by_itself_and_not_before(ended: str, told: list[str]) -> None:
    turns = {**ORDER, "passing": "false", "passes_after": "3"}
    made = game(turns).turn("R1T1", "osprey", "01-01", ended, passed=True)
    assert made.told() == [
        f"turn-passed turns/R1T1.yml:4:9: osprey passed R1T1{one}" for one in told
    ]
    proposed = made.proposal(301, "01-02", NEW, author="osprey", turn="R1T1").told()
    why = "Rule 201 lets nobody pass, and a turn with a proposal does not pass by itself"
    assert proposed == [f"turn-passed turns/R1T1.yml:4:9: osprey passed R1T1; {why} (Rule 201)"]


@pytest.mark.parametrize(
    ("began", "until", "passed"),
    [
        ("01-01", "01-03", None),
        ("01-01", "01-04", None),
        ("01-01", "01-05", "2026-01-04"),
        ("2026-01-01T18:00", "01-04", None),
        ("2026-01-01T18:00", "01-05", "2026-01-04T18:00"),
    ],
)
def test_a_turn_is_overdue_when_its_days_are_over(
    began: str, until: str, passed: str | None
) -> None:
    made = game({**ORDER, "passes_after": "3"}).turn("R1T1", "osprey", began)
    records, found = made.play(until)
    due = overdue_turn(records, found, day(until))
    assert (due and due.moment) == (day(passed) if passed else None)
    assert made.told(until) == (
        [
            "deadline-missed turns/R1T1.yml:1:1: R1T1 of osprey has had no proposal since "
            f"{day(began)}; Rule 201 gave 3 days, until {passed} (Rule 201)"
        ]
        if passed
        else []
    )
    assert [one.severity for one in made.findings(until)] == (["warning"] if passed else [])


def test_the_turn_of_a_player_who_left_in_it_passes_by_itself() -> None:
    turns = {**ORDER, "passing": "false", "passes_after": "3"}
    made = game(turns).turn("R1T1", "osprey", "01-01", "01-04", passed=True)
    assert made.player("osprey", left=day("01-02")).slugs() == []
    assert made.turn("R1T1", "osprey", "01-01", "01-03", passed=True).slugs() == ["turn-passed"]


def test_what_keeps_a_turn_from_passing_by_itself() -> None:
    turns = {**ORDER, "passes_after": "3"}
    assert game(ORDER).turn("R1T1", "osprey", "01-01").told() == []
    assert game(turns).turn("R1T1", "osprey", "01-01", "01-02").told() == []
    made = game(turns).turn("R1T1", "osprey", "01-01")
    assert made.proposal(301, "01-02", NEW, "f...", "open", turn="R1T1").told() == []
    # One that does not say so counts in the turn that was played on its date, if that is certain.
    made = game(turns).turn("R1T1", "osprey", "01-01").proposal(301, "01-02", NEW, author="osprey")
    assert made.told() == []
    # What somebody else puts forward meanwhile is not the turn's.
    made = game(turns).turn("R1T1", "osprey", "01-01").proposal(301, "01-02", NEW, author="wren")
    assert [one.split()[0] for one in made.told()] == ["deadline-missed"]
    # What was taken back is none.
    for status, on, turn in (
        ("withdrawn", "01-02", "R1T1"),
        ("void", "01-02", "R1T1"),
        ("adopted", "01-01", None),
    ):
        made = (
            game(turns)
            .turn("R1T1", "osprey", "01-01")
            .proposal(301, on, NEW, status=status, turn=turn)
        )
        assert [one.split()[0] for one in made.told()] == ["deadline-missed"]


# Proposals of a turn


def test_more_proposals_than_a_turn_has() -> None:
    made = game({**ORDER, "proposals": "1"}).turn("R1T1", "osprey", "01-01", "01-09")
    made.proposal(301, "01-02", NEW, author="osprey", turn="R1T1")
    assert made.told() == []
    made.proposal(302, "01-03", NEW, author="osprey", turn="R1T1")
    made.proposal(303, "01-04", NEW, author="osprey", turn="R1T1", status="withdrawn")
    told = (
        "turn-proposals proposals/302.md:13:7: R1T1 has 1 proposal before this one; Rule 201 "
        "allows 1 (Rule 201)"
    )
    assert made.told() == [told]
    assert game({**ORDER, "proposals": "0"}).turn("R1T1", "osprey", "01-01").proposal(
        301, "01-02", NEW, author="osprey", turn="R1T1"
    ).told() == [
        told.replace("302", "301")
        .replace("1 proposal ", "0 proposals ")
        .replace("allows 1", "allows 0")
    ]


def test_a_proposal_in_somebody_else_s_turn() -> None:
    made = game({**ORDER, "proposals": "2"}).turn("R1T1", "osprey", "01-01", "01-09")
    made.proposal(301, "01-02", NEW, author="wren", turn="R1T1")
    assert made.told() == [
        "turn-proposals proposals/301.md:3:9: R1T1 is the turn of osprey: wren may not propose in "
        "it (Rule 201)"
    ]
    # Where no rule says how many a turn has, anyone may propose in it; and who proposed may be
    # lost.
    assert (
        game(ORDER).turn("R1T1", "osprey", "01-01").proposal(301, "01-02", NEW, turn="R1T1").told()
        == []
    )
    made.proposal(301, "01-02", NEW, author=None, turn="R1T1")
    assert made.told() == []


def test_the_proposals_of_a_turn_are_judged_by_the_law_when_they_are_put_forward() -> None:
    body = (
        "## Amend Rule 201/0\n\n```yaml rule\nprovisions:\n"
        "  turns: {order: alphabetical, proposals: 2}\n```\n\nTwo."
    )
    made = game({**ORDER, "proposals": "1"}).turn("R1T1", "osprey", "01-01", "01-05")
    made.proposal(301, "01-02", body, author="osprey", turn="R1T1")
    assert made.proposal(302, "01-03", NEW, author="osprey", turn="R1T1").told() == []
    made.proposal(303, "01-04", NEW, author="osprey", turn="R1T1", status="open", votes="f...")
    assert [one.split(": ")[0] for one in made.told("01-05")] == [
        "turn-proposals proposals/303.md:9:7"
    ]


@pytest.mark.parametrize(
    ("on", "ends", "found"),
    [("01-04", False, False), ("01-04", True, True), ("01-05", False, True)],
)
def test_a_turn_that_ends_is_written_from_its_last_day_on(on: str, ends: bool, found: bool) -> None:
    clock = {"deadline": {"for": "turn", "within": "3", "then": "ends"}}
    made = game(ORDER, r204=clock).turn("R1T1", "osprey", "01-01")
    records, played = made.play(on)
    due = end_due(records, played, "turns/R1T1.yml", day(on), ends=ends)
    assert (due and due.then) == ("R1T1 ends" if found else None)
    assert end_due(records, played, "turns/R1T2.yml", day(on), ends=ends) is None


def test_a_turn_that_passes_by_itself_is_not_ended() -> None:
    made = game({**ORDER, "passes_after": "3"}).turn("R1T1", "osprey", "01-01")
    records, played = made.play("01-09")
    assert end_due(records, played, "turns/R1T1.yml", day("01-09"), ends=True) is None


TOLD = """\
- case: "Turns overlap, and their hours say whose turn it was."
  provisions: {turns: {order: alphabetical, overlap: true, own_turn: true}}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02, ended: "2026-01-05T18:00"}
    turns/R1T2.yml: {player: quill, began: "2026-01-05T09:00"}
  proposals:
    301: {on: "2026-01-05T12:00", author: quill}
    302: {on: "2026-01-05T13:00", author: wren}
    303: {on: "2026-01-05T08:00", author: quill}
  gives: |
    turn-proposals proposals/302.md:3:9 (Rule 201)
      R1T2 is the turn of quill: wren may not propose in it
      > only its player may propose in a turn: correct `author`, `turn` or `date`, or withdraw
        the proposal
    turn-proposals proposals/303.md:3:9 (Rule 201)
      R1T1 is the turn of osprey: quill may not propose in it
      > only its player may propose in a turn: correct `author`, `turn` or `date`, or withdraw
        the proposal
    number-wrong proposals/303.md:4:7
      proposal 303 was put forward on 2026-01-05T08:00, before proposal 302 on
        2026-01-05T13:00
      > numbers are given in the order in which proposals are put forward: correct number or
        date
- case: Whoever withdrew a proposal and rested is active again, and has proposed nothing.
  until: 2026-01-04
  provisions: {deadline: {for: turn, within: 1, with_proposal: 2, then: ends, idle: inactive}}
  players: {osprey: {inactive: [{since: 2026-01-02, until: 2026-01-03}]}}
  proposals: {301: {on: 01-02, author: osprey, turn: R1T1, status: withdrawn, decided: 2026-01-02}}
  files: {turns/R1T1.yml: {player: osprey, began: 2026-01-02}}
  gives: |
    deadline-missed turns/R1T1.yml:1:1 (Rule 201)
      R1T1 of osprey is being played; Rule 201 gave a day from 2026-01-02, until 2026-01-03
      > `nomicgen next --do` writes what the rule says: R1T1 ends, and osprey is inactive
- case: A vote that closes before the turn ends makes nobody inactive.
  until: 2026-01-09
  provisions:
    deadline: {for: turn, within: 4, then: ends, idle: inactive}
    ballot: {closes_after: 3, silence: ignored}
  proposals: {301: {on: 01-03, author: osprey, turn: R1T1, status: open, votes: ff..}}
  files: {turns/R1T1.yml: {player: osprey, began: 2026-01-02}}
  gives: |
    deadline-missed turns/R1T1.yml:1:1 (Rule 201)
      R1T1 of osprey is being played; Rule 201 gave 4 days from 2026-01-02, until 2026-01-06
      > `nomicgen next --do` writes what the rule says: R1T1 ends
"""


@pytest.mark.parametrize("case", cases_in(TOLD))
def test_what_is_told_of_turns(case: Any) -> None:
    assert told_of(case) == case["gives"]
