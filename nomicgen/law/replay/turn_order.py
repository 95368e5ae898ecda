"""Turns: who comes after whom, and what is wrong with a turn that was played.

Persons take turns; dummies and bots do not, and who is inactive is skipped. A round ends when the order wraps.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from datetime import date

from nomicgen.law.precedence import Law, RuleValue
from nomicgen.law.replay.ledger import Ledger
from nomicgen.law.replay.player_spans import is_active, is_player
from nomicgen.law.replay.state import NextTurn
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Instrument, Player, Players, Proposal, Records, Turn, turn_order
from nomicgen.model.values import Moment

_EVER = Moment.of(date.min)


class TurnsPlayed:
    """The turns played so far, in the order in which they began.

    `archived` is the last round that was played before anybody recorded a turn: play goes on behind it.
    """

    def __init__(self, archived: int = 0) -> None:
        self.last: Turn | None = None
        self.archived = archived
        self._dated: list[tuple[Moment, Turn]] = []

    def add(self, turn: Turn) -> None:
        """Another turn, that began after those before."""
        self.last = turn
        if turn.matter.began is not None:
            self._dated.append((turn.matter.began, turn))

    def named(self, instrument: Instrument, turns: Mapping[str, Turn]) -> None:
        """An instrument that was decided: before the first turn, the one that it names was not recorded."""
        name = instrument.matter.turn
        if self.last is None and name is not None and name not in turns:
            self.archived = max(self.archived, turn_order(name)[0])

    @property
    def since(self) -> Moment | None:
        """When the first turn began."""
        return self._dated[0][0] if self._dated else None

    def player_at(self, moment: Moment) -> PlayerId:
        """Whose turn had begun last at a moment, which is not before the first."""
        return self._dated[bisect_right(self._dated, moment, key=lambda pair: pair[0]) - 1][1].matter.player

    def round_began(self, round_: int) -> Moment | None:
        """When the first turn of a round began."""
        return next((began for began, turn in self._dated if turn.order[0] == round_), None)


def seating(players: Players, law: Law, turns: TurnsPlayed) -> list[PlayerId]:
    """Ids of all persons who ever played, in the order in which their turns go round; who left keeps the place.

    Empty where no rule says in which order.
    """
    order, joins = law.value("turns", "order"), law.value("turns", "joins")
    if order is None:
        return []
    persons = sorted(
        (player for player in players.values() if player.matter.kind == "person"),
        key=lambda player: _place(player, order),
    )
    if joins in (None, "next-circuit") or turns.since is None:
        return [player.ident for player in persons]
    newcomers = sorted(
        (player for player in persons if turns.since < joined_at(player)),
        key=lambda player: (joined_at(player), player.ident),
    )
    late = {player.ident for player in newcomers}
    seats = [player.ident for player in persons if player.ident not in late]
    for newcomer in newcomers:
        current = turns.player_at(joined_at(newcomer))
        before = joins == "before-current" and current in seats
        seats.insert(seats.index(current) if before else len(seats), newcomer.ident)
    return seats


def _place(player: Player, order: str) -> tuple[object, ...]:
    matter = player.matter
    if order == "alphabetical":
        return (matter.name.casefold(), player.ident)
    seat = None if order == "joined" else matter.order
    return (seat is None, seat or 0, joined_at(player), player.ident)


def joined_at(player: Player) -> Moment:
    return player.matter.joined or _EVER


def next_turn_of(
    players: Players,
    law: Law,
    turns: TurnsPlayed,
    moment: Moment | None,
    without: frozenset[PlayerId] = frozenset(),
) -> NextTurn | None:
    """The turn that comes after `turns` for those who play at `moment`; None where the rules do not say."""
    order = [ident for ident in seating(players, law, turns) if ident not in without]
    able = [ident for ident in order if is_player(players[ident], moment) and is_active(players[ident], moment)]
    if not able:
        return None
    last = turns.last
    if last is None:
        return NextTurn(turns.archived + 1, 1, able[0])
    if last.matter.player not in order:
        return None
    round_, number = last.order
    started = turns.round_began(round_) if law.value("turns", "joins") == "next-circuit" else None
    for ident in order[order.index(last.matter.player) + 1 :]:
        late = started is not None and started.precedes(joined_at(players[ident]))
        if ident in able and not late:
            return NextTurn(round_, number + 1, ident)
    return NextTurn(round_ + 1, 1, able[0])


def awaited_first_turn(
    records: Records, law: Law, moment: Moment | None, archived: int
) -> tuple[NextTurn, RuleValue] | None:
    """The first turn, and the rule that gives a turn's proposals to its player, in a game that has begun no turn yet.

    None where turns are played, where no rule lays them down, and in an archive, which may have recorded none.
    """
    if records.turns or records.settings.started is None or law.value("turns", "own_turn") is False:
        return None
    rule_value = law.says("turns", "own_turn") or law.says("turns", "proposals")
    first = next_turn_of(records.players, law, TurnsPlayed(archived), moment)
    return (first, rule_value) if first is not None and rule_value is not None else None


def has_proposal(turn: Turn, records: Ledger, law: Law) -> bool:
    """Whether a proposal was put forward in a turn, or may have been: one of its player's, on one of its days."""

    def fits(proposal: Proposal) -> bool:
        return proposal.number is not None and _may_be_in(proposal.matter, turn, law)

    return any(records.matching(Proposal, fits))


def is_of_turn(matter: ProposalMatter, turn: Turn, law: Law) -> bool:
    """Whether a proposal that names no turn, put forward while one is played, is of that turn: as its player's is."""
    return matter.author in (None, turn.matter.player) or law.value("turns", "own_turn") is False


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
    days, began = law.value("turns", "passes_after"), turn.matter.began
    if days is None or began is None or until is None or turn.matter.ended is not None or proposed:
        return None
    due = began.plus(days)
    return due if due.precedes(until) else None
