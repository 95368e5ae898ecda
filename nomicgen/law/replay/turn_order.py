"""Turns by the law of a moment: who comes after whom, and what is of a turn."""

from __future__ import annotations

from nomicgen.law.precedence import Law, Said
from nomicgen.law.provisions.turns import Turns
from nomicgen.law.replay.ledger import Ledger
from nomicgen.law.replay.seats import TurnsPlayed, following_turn, seated
from nomicgen.law.replay.state import NextTurn
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Players, Proposal, Records, Turn
from nomicgen.model.values import Moment


def seating(players: Players, law: Law, turns: TurnsPlayed) -> list[PlayerId]:
    """Ids of all persons who ever played, in the order in which turns go round; none where no rule says in which."""
    return seated(players, law.value(Turns.order), law.value(Turns.joins), turns)


def next_turn_of(players: Players, law: Law, turns: TurnsPlayed, moment: Moment | None) -> NextTurn | None:
    """The turn that comes after `turns` for those who play at `moment`; None where the rules do not say."""
    return following_turn(players, law.value(Turns.order), law.value(Turns.joins), turns, moment)


def anybody_proposes(law: Law) -> bool:
    """Whether a rule lets anybody make the proposals of a turn."""
    return law.value(Turns.own_turn) is False


def awaited_first_turn(
    records: Records, law: Law, moment: Moment | None, archived: int
) -> tuple[NextTurn, Said[object]] | None:
    """The first turn, and the rule that gives a turn's proposals to its player, in a game that has begun no turn yet.

    None where turns are played, where no rule lays them down, and in an archive, which may have recorded none.
    """
    if records.turns or records.settings.started is None or anybody_proposes(law):
        return None
    rule_value: Said[object] | None = law.says(Turns.own_turn) or law.says(Turns.proposals)
    first = next_turn_of(records.players, law, TurnsPlayed(archived), moment)
    return (first, rule_value) if first is not None and rule_value is not None else None


def has_proposal(turn: Turn, records: Ledger, law: Law) -> bool:
    """Whether a proposal was put forward in a turn, or may have been: one of its player's, on one of its days."""

    def fits(proposal: Proposal) -> bool:
        return proposal.number is not None and _may_be_in(proposal.matter, turn, law)

    return any(records.matching(Proposal, fits))


def is_of_turn(matter: ProposalMatter, turn: Turn, law: Law) -> bool:
    """Whether a proposal that names no turn, put forward while one is played, is of that turn: as its player's is."""
    return matter.author in (None, turn.matter.player) or anybody_proposes(law)


def _may_be_in(matter: ProposalMatter, turn: Turn, law: Law) -> bool:
    if matter.turn is not None:
        return matter.turn == turn.ident
    began, ended = turn.matter.began, turn.matter.ended
    if matter.date is None or matter.author is None or not is_of_turn(matter, turn, law):
        return False
    is_early = matter.date.precedes(began)
    return not is_early and not (ended is not None and ended.precedes(matter.date))


def passed_by_itself(turn: Turn, law: Law, until: Moment | None, *, proposed: bool) -> Moment | None:
    """When a turn passed by itself, None if it has not: nothing was proposed in it for as long as the rules wait."""
    days, began = law.value(Turns.passes_after), turn.matter.began
    if days is None or began is None or until is None or turn.matter.ended is not None or proposed:
        return None
    due = began.plus(days)
    return due if due.precedes(until) else None
