"""Seats: the turns played so far, and who comes after whom in an order that callers know from the
law.

Persons take turns; dummies and bots do not, and inactive players are skipped. A round ends when the
order begins again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from datetime import date

from nomicgen.law.replay.player_spans import is_active, is_player
from nomicgen.law.replay.results import NextTurn
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Instrument, Player, Players, Turn, turn_order
from nomicgen.model.values import Moment

_EARLIEST = Moment.of(date.min)


class TurnsPlayed:
    """The turns played so far, in the order in which they began.

    `archived` is the last round that was played before anybody recorded a turn; the first recorded
    round comes after it. `running` has the turns that have not ended, by id.
    """

    def __init__(self, archived: int = 0) -> None:
        self.last: Turn | None = None
        self.archived = archived
        self.running: dict[str, Turn] = {}
        self._dated: list[tuple[Moment, Turn]] = []

    def add(self, turn: Turn) -> None:
        """Add a turn that began after those before it."""
        self.last = turn
        if turn.matter.began is not None:
            self._dated.append((turn.matter.began, turn))

    def note_archived_round(self, instrument: Instrument, turns: Mapping[str, Turn]) -> None:
        """Note the round that an instrument of the archive names: no turn of it is recorded."""
        name = instrument.matter.turn
        if self.last is None and name is not None and name not in turns:
            self.archived = max(self.archived, turn_order(name)[0])

    @property
    def first_began(self) -> Moment | None:
        """When the first turn began; None if no file of a turn says when one did."""
        return self._dated[0][0] if self._dated else None

    def player_at(self, moment: Moment) -> PlayerId:
        """Return whose turn had begun last; the moment must not be before the first turn."""
        return self._dated[bisect_right(self._dated, moment, key=lambda pair: pair[0]) - 1][
            1
        ].matter.player

    def round_began(self, round_: int) -> Moment | None:
        """Return when a round began: the first moment at which a turn of it did."""
        return next((began for began, turn in self._dated if turn.order[0] == round_), None)


def arrange_players(
    players: Players, order: str | None, joins: str | None, turns: TurnsPlayed
) -> list[PlayerId]:
    """Return the ids of all persons, in the order in which their turns go round.

    Whoever left keeps their place, and whoever is to join has one. Empty without an `order`;
    `joins` is where newcomers join it.
    """
    if order is None:
        return []
    persons = sorted(
        (player for player in players.values() if player.matter.kind == "person"),
        key=lambda player: _place(player, order),
    )
    if joins in (None, "next-circuit") or turns.first_began is None:
        return [player.ident for player in persons]
    newcomers = sorted(
        (player for player in persons if turns.first_began < joined_at(player)),
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
    """Return the key by which an `order` sorts players."""
    matter = player.matter
    if order == "alphabetical":
        return (matter.name.casefold(), player.ident)
    seat = None if order == "joined" else matter.order
    return (seat is None, seat or 0, joined_at(player), player.ident)


def joined_at(player: Player) -> Moment:
    """Return when a player joined; the earliest moment of all if the file does not say."""
    return player.matter.joined or _EARLIEST


def following_turn(
    players: Players,
    order: str | None,
    joins: str | None,
    turns: TurnsPlayed,
    moment: Moment | None,
    without: frozenset[PlayerId] = frozenset(),
    present: frozenset[PlayerId] = frozenset(),
) -> NextTurn | None:
    """Return the turn that comes after `turns` for those who play at `moment`.

    None without an `order`, and if nobody can play or the last player has no seat. Players in
    `without` are taken as absent, those in `present` as present.
    """
    seats = [
        ident for ident in arrange_players(players, order, joins, turns) if ident not in without
    ]
    able = [
        ident
        for ident in seats
        if ident in present
        or (is_player(players[ident], moment) and is_active(players[ident], moment))
    ]
    if not able:
        return None
    last = turns.last
    if last is None:
        return NextTurn(turns.archived + 1, 1, able[0])
    if last.matter.player not in seats:
        return None
    round_, number = last.order
    started = turns.round_began(round_) if joins == "next-circuit" else None
    after = seats.index(last.matter.player) + 1
    for place, ident in enumerate(seats[after:], after):
        late = started is not None and started.precedes(joined_at(players[ident]))
        if ident in able and not late:
            return NextTurn(
                round_, number + 1, ident, _resting(players, seats[after:place], moment)
            )
    skipped = _resting(players, (*seats[after:], *seats[: seats.index(able[0])]), moment)
    return NextTurn(round_ + 1, 1, able[0], skipped)


def _resting(
    players: Players, seats: Sequence[PlayerId], moment: Moment | None
) -> tuple[PlayerId, ...]:
    return tuple(
        ident
        for ident in seats
        if is_player(players[ident], moment) and not is_active(players[ident], moment)
    )
