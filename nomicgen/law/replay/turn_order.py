"""Turns by the law of a moment: who comes after whom."""

from __future__ import annotations

from nomicgen.law.precedence import Law, Said
from nomicgen.law.provisions.turns import Turns
from nomicgen.law.replay.results import NextTurn, Replay
from nomicgen.law.replay.seats import TurnsPlayed, arrange_players, following_turn
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Players, Records
from nomicgen.model.values import Moment


def lawful_turn_order(players: Players, law: Law, turns: TurnsPlayed) -> list[PlayerId]:
    """Return the ids of all persons, even before they join and after they leave, in the order in
    which their turns go round; none where no rule gives an order.
    """
    return arrange_players(players, law.value(Turns.order), law.value(Turns.joins), turns)


def next_turn_of(
    players: Players, law: Law, turns: TurnsPlayed, moment: Moment | None
) -> NextTurn | None:
    """Return the turn that comes after `turns` for those who play at `moment`; None where the rules
    do not say.
    """
    return following_turn(players, law.value(Turns.order), law.value(Turns.joins), turns, moment)


def turn_after_last(records: Records, replay: Replay) -> str:
    """Return the id of the turn that would follow the last one in its round, whoever takes it."""
    if not records.turns:
        return f"R{replay.archived + 1}T1"
    round_, number = records.turns_in_order[-1].order
    return f"R{round_}T{number + 1}"


def anybody_proposes(law: Law) -> bool:
    """Return whether a rule lets anybody make the proposals of a turn."""
    return law.value(Turns.own_turn) is False


def rule_of_proposers(law: Law) -> Said[object] | None:
    """Return the rule by which only the player of a turn makes its proposals.

    None where anybody may make them, or no rule speaks of it.
    """
    return None if anybody_proposes(law) else law.says(Turns.own_turn) or law.says(Turns.proposals)


def lets_overlap(law: Law) -> bool:
    """Return whether a rule says that a turn may begin while others are played."""
    return bool(law.value(Turns.overlap))


def awaited_turn(
    records: Records, replay: Replay, law: Law
) -> tuple[NextTurn, Said[object]] | None:
    """Return the turn that comes next, and the rule that gives a turn's proposals to its player, if
    nobody may propose before that turn begins.

    None while a turn is played, or where the rules say too little. After the first turn also where
    turns overlap; before it, without the setting `started`: an archive may have recorded no turns.
    """
    following, rule_value = replay.next_turn, rule_of_proposers(law)
    if replay.running or following is None or rule_value is None:
        return None
    if following.ident in records.turns:  # it begins on a later day
        return None
    silent = lets_overlap(law) if records.turns else records.settings.started is None
    return None if silent else (following, rule_value)
