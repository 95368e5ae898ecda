"""What files say has happened on a day that has not come: an error, by the day in the game's zone."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicgen.model.values import Moment
from nomicgen.play.load import as_of, load_tree
from tests.ledger import UNANIMOUS, Ledger, day

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
                301, "01-02", "", votes="f...", status="open", more={"wren": {"vote": "for", "at": day(on)}}
            )
        case "a proposal":
            return game.proposal(301, on, "", votes="....", status="debate", opened=None)
        case "a judgement":
            return game.judgement(1, on, "")
        case "an overruling":
            return game.judgement(1, "01-02", "", status="overruled", overruled=day(on), overruled_by=["wren"])
        case "an act":
            return game.act("one", on, "")
        case "a turn":
            return game.turn("R1T1", "wren", "01-02", on)
    raise AssertionError(what)


WHAT = ("a player joined", "a vote", "a proposal", "a judgement", "an overruling", "an act", "a turn")


@pytest.mark.parametrize("what", WHAT)
def test_tomorrow_where_the_game_names_its_zone(what: str) -> None:
    assert "date-future" in _with(what, "01-11", **ZONED).slugs("01-10")
    assert "date-future" not in _with(what, "01-10", **ZONED).slugs("01-10")


@pytest.mark.parametrize("what", WHAT)
def test_the_day_after_tomorrow_where_it_names_none(what: str) -> None:
    """Somewhere on earth tomorrow begins before today is over, and nowhere does the day after it."""
    assert "date-future" in _with(what, "01-12").slugs("01-10")
    assert "date-future" not in _with(what, "01-11").slugs("01-10")


def test_it_says_which_day_is_meant_and_where() -> None:
    zoned, plain = (_with("a player joined", "01-20", **settings).told("01-10") for settings in (ZONED, {}))
    assert zoned == [
        "date-future players/lark.yml:2:9: lark joined on 2026-01-20, which is after 2026-01-10 in Pacific/Auckland: "
        "it has not happened yet"
    ]
    assert plain == [
        "date-future players/lark.yml:2:9: lark joined on 2026-01-20, which is after 2026-01-11 anywhere on earth: "
        "it has not happened yet"
    ]


def test_a_game_as_of_an_earlier_day_has_a_future_that_has_come() -> None:
    game = load_tree(Path(), _with("a player joined", "01-20").tree, Moment.parse("2026-02-01"))
    assert not [finding for finding in as_of(game, day("01-10")).findings if finding.slug == "date-future"]


def test_who_says_when_they_will_leave_says_nothing_wrong() -> None:
    game = _game().player("lark", joined=day("01-02"), left=day("03-01"), inactive=[{"since": day("02-20")}])
    assert game.slugs("01-10") == []
