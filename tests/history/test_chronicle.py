"""Everything that happened in a game, in its order."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings

from nomicgen.history.game_events import GameEvent, game_events
from nomicgen.history.game_history import GameHistory
from nomicgen.law.replay.awarded_points import totals
from nomicgen.model.values import RuleRef
from tests.deep import examples
from tests.games import legal_games
from tests.ledger import Ledger, day
from tests.site.small import LANTERN, small_history


def told(event: GameEvent) -> str:
    """`2021-01-06 decided proposals/301.md ada: adopted, 2 for, 1 against`."""
    return f"{event.moment or '-'} {event.kind} {event.path} {event.player or '-'}: {event.said}"


def game_history_of(made: Ledger) -> GameHistory:
    """The history of a ledger whose files can all be read, at the end of its year."""
    return small_history({path: data.decode() for path, data in made.tree.items()}, day("12-31"))


def test_everything_in_order() -> None:
    assert [told(one) for one in game_events(small_history(LANTERN))] == [
        "2021-01-01 begun nomic.yml -: the game began with 4 rules",
        "2021-01-01 joined players/ada.yml ada: was there from the first day",
        "2021-01-01 joined players/bo.yml bo: was there from the first day",
        "2021-01-01 joined players/cy.yml cy: was there from the first day",
        "2021-01-02 joined players/index.yml index: joined",
        "2021-01-03 paused players/bo.yml bo: became inactive",
        "2021-01-04 returned players/bo.yml bo: was active again",
        "2021-01-05 turn-began turns/R1T1.yml ada: began",
        "2021-01-05 proposed proposals/301.md ada: put forward",
        "2021-01-05 opened proposals/301.md ada: put to the vote",
        "2021-01-06 decided proposals/301.md ada: adopted, 2 for, 1 against",
        "2021-01-06 changed proposals/301.md ada: Enacted by Proposal 301 (Ada), Jan 6, 2021 "
        "(R1T1)",
        "2021-01-06 awarded proposals/301.md ada: ada +10, cy +1/2, bo +1/2",
        "2021-01-07 turn-ended turns/R1T1.yml ada: ended, throwing 4",
        "2021-01-20 proposed proposals/305.md cy: put forward",
        "2021-01-20 opened proposals/305.md cy: put to the vote",
        "2021-01-21 decided proposals/305.md cy: defeated, 1 for, 2 against",
        "2021-02-01 turn-began turns/R1T2.yml bo: began",
        "2021-02-01 proposed proposals/302.md ada: put forward",
        "2021-02-01 opened proposals/302.md ada: put to the vote",
        "2021-02-02 decided proposals/302.md ada: adopted, 2 for, 1 against, 1 abstained",
        "2021-02-02 changed proposals/302.md ada: Amended (1) by Proposal 302 (Ada), Feb 2, 2021 "
        "(R1T2)",
        "2021-02-02 awarded proposals/302.md ada: ada +10",
        "2021-02-02 acted acts/index.md ada: Candlemas",
        "2021-02-02 awarded acts/index.md ada: robin -3",
        "2021-02-02 won nomic.yml ada: won with 20 points",
        "2021-02-03 awarded turns/R1T2.yml -: bo -1",
        "2021-02-03 turn-ended turns/R1T2.yml bo: passed",
        "2021-02-10 left players/cy.yml cy: left",
        "2021-02-20 paused players/bo.yml bo: became inactive",
        "2021-02-25 proposed proposals/303.md index: put forward",
        "2021-02-25 opened proposals/303.md index: put to the vote",
        "2021-02-27 decided proposals/303.md index: adopted, 2 for, 0 against",
        "2021-02-27 awarded proposals/303.md index: index +10",
        "2021-02-28 proposed proposals/304.md index: put forward",
        "2021-02-28 opened proposals/304.md index: put to the vote",
        "2021-06-01 joined players/eve.yml eve: joined",
    ]


def test_what_an_event_refers_to() -> None:
    events = {(one.kind, one.path): one for one in game_events(small_history(LANTERN))}
    changed = events["changed", "proposals/302.md"]
    game_history = small_history(LANTERN)
    assert changed.entry is not None
    identity, index = changed.entry
    assert game_history.histories.rules[identity].entries[index].path == "proposals/302.md"
    assert (changed.rules, changed.outcome) == ((RuleRef(301, 1),), "amend")
    assert events["opened", "proposals/305.md"].rules == (RuleRef(201, 0),)
    assert events["decided", "proposals/305.md"].outcome == "defeated"
    assert events["awarded", "proposals/301.md"].points == (
        ("ada", Fraction(10)),
        ("cy", Fraction(1, 2)),
        ("bo", Fraction(1, 2)),
    )
    assert (events["won", "nomic.yml"].players, events["won", "nomic.yml"].rules) == (
        ("ada",),
        (RuleRef(208),),
    )


def test_judgements_and_what_has_no_date() -> None:
    files = {
        "nomic.yml": "format: 1\nname: Attic\n",
        "players/ada.yml": "name: Ada\n",
        "turns/R1T1.yml": "player: ada\n",
        "proposals/301.md": "---\nnumber: 301\nauthor: ada\nstatus: withdrawn\n---\n\nNo.\n",
        "judgements/1.md": "---\nnumber: 1\njudge: ada\ndate: 2020-05-01\nrules: [101]\n"
        "status: overruled\n"
        "overruled: 2020-05-09\n---\n\nWhat?\n\n## Ruling\n\nThat.\n",
    }
    assert [told(one) for one in game_events(small_history(files))] == [
        "2020-05-01 judged judgements/1.md ada: given",
        "2020-05-09 overruled judgements/1.md ada: overruled",
        "- turn-began turns/R1T1.yml ada: began",
        "- decided proposals/301.md ada: withdrawn",
    ]


def test_a_turn_that_ends_as_the_next_begins() -> None:
    made = Ledger.start({203: {"adoption": {"needs": "unanimous", "of": "eligible"}}})
    made.turn("R1T1", "osprey", "01-02", "01-05").turn("R1T2", "quill", "01-05")
    made.proposal(301, "01-05", "## Enact Rule\n\nNew.", turn="R1T1", author="osprey")
    last = [told(one) for one in game_events(game_history_of(made))][-6:]
    assert last == [
        "2026-01-05 proposed proposals/301.md osprey: put forward",
        "2026-01-05 opened proposals/301.md osprey: put to the vote",
        "2026-01-05 decided proposals/301.md osprey: adopted, 4 for, 0 against",
        "2026-01-05 changed proposals/301.md osprey: Enacted by Proposal 301 (osprey), Jan 5, "
        "2026 (R1T1)",
        "2026-01-05 turn-ended turns/R1T1.yml osprey: ended",
        "2026-01-05 turn-began turns/R1T2.yml quill: began",
    ]


def test_an_empty_game_has_no_events() -> None:
    assert game_events(small_history({"nomic.yml": "format: 1\nname: Nothing\n"})) == ()


@settings(max_examples=examples(0.25))
@given(legal_games())
def test_it_has_every_change_and_every_point_and_is_in_order(made: Ledger) -> None:
    game_history = game_history_of(made)
    events = game_events(game_history)
    dates = [one.moment for one in events if one.moment is not None]
    assert dates == sorted(dates)
    assert len(dates) == len(events)
    applied = [
        change
        for step in game_history.replay.steps
        if step.outcome == "applied"
        for change in step.changes
    ]
    assert sum(one.kind == "changed" for one in events) == len(applied)
    sums: dict[str, Fraction] = {}
    for one in events:
        for player, amount in one.points:
            sums[player] = sums.get(player, Fraction(0)) + amount
    assert sums == totals(game_history.replay.awards)
