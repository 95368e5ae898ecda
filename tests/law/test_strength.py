"""How many votes a player's vote counts on a day."""

from __future__ import annotations

import pytest

from nomicgen.files.documents import read_player
from nomicgen.law.replay.player_spans import strength_of
from nomicgen.model.records import Player
from nomicgen.model.values import Moment


def _player(*stretches: str) -> Player:
    said = ", ".join(f"{{{one}}}" for one in stretches)
    player, findings = read_player("players/wren.yml", f"name: Wren\nstrength: [{said}]\n".encode())
    assert findings == ()
    assert player is not None
    return player


def test_a_vote_counts_once_where_nothing_is_said() -> None:
    assert strength_of(_player(), Moment.parse("2026-05-01")) == 1
    assert strength_of(_player(), None) == 1


@pytest.mark.parametrize(
    ("day", "votes"),
    [
        ("2026-04-30", 1),
        ("2026-05-01", 3),
        ("2026-05-31", 3),
        ("2026-06-01", 0),
        ("2026-06-30T23:59", 0),
        ("2026-07-01", 3),
    ],
)
def test_the_stretch_that_began_last_says_how_much_a_vote_counts(day: str, votes: int) -> None:
    stretches = ("votes: 3, since: 2026-05-01", "votes: 0, since: 2026-06-01, until: 2026-07-01")
    assert strength_of(_player(*stretches), Moment.parse(day)) == votes
    assert strength_of(_player(*stretches[::-1]), Moment.parse(day)) == votes


def test_of_stretches_that_began_together_the_one_written_last_holds() -> None:
    player = _player("votes: 3, since: 2026-05-01", "votes: 2, since: 2026-05-01")
    assert strength_of(player, Moment.parse("2026-05-01")) == 2


def test_without_a_day_the_last_stretch_that_has_no_end_holds() -> None:
    open_, ended = "votes: 3, since: 2026-05-01", "votes: 2, since: 2026-06-01, until: 2026-07-01"
    assert strength_of(_player(open_, ended), None) == 3
    assert strength_of(_player(ended), None) == 1


def test_on_the_day_of_a_change_the_hour_counts() -> None:
    player = _player("votes: 3, since: 2026-05-01T12:00")
    assert strength_of(player, Moment.parse("2026-05-01T11:00")) == 1
    assert strength_of(player, Moment.parse("2026-05-01T12:00")) == 3


@pytest.mark.parametrize("votes", ["-1", "1/2", "many"])
def test_the_votes_are_a_whole_number(votes: str) -> None:
    data = f"name: Wren\nstrength: [{{votes: {votes}, since: 2026-05-01}}]\n".encode()
    player, findings = read_player("players/wren.yml", data)
    assert player is None
    assert [one.slug for one in findings] == ["value-wrong"]
