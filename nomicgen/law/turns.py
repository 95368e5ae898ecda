"""Turns: who comes after whom, and what is wrong with a turn that was played.

Persons take turns; dummies and bots do not, and who is inactive is skipped. A round ends when the order wraps.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from datetime import date

from nomicgen.diagnostics import Finding, counted
from nomicgen.law.ballot import is_active, is_player
from nomicgen.law.precedence import Law
from nomicgen.law.state import NextTurn
from nomicgen.model import Instrument, Moment, Player, ProposalMatter, Records, Turn

__all__ = [
    "Played",
    "has_proposal",
    "judge_end",
    "judge_overlap",
    "judge_proposal",
    "judge_seat",
    "judge_turn",
    "next_turn_of",
    "overdue",
    "seating",
]

_EVER = Moment.of(date.min)


class Played:
    """The turns played so far, in the order in which they began."""

    def __init__(self) -> None:
        self.last: Turn | None = None
        self._began: list[Moment] = []
        self._players: list[str] = []
        self._rounds: dict[int, Moment] = {}

    def add(self, turn: Turn) -> None:
        """Another turn, that began after those before."""
        self.last = turn
        if turn.matter.began is not None:
            self._began.append(turn.matter.began)
            self._players.append(turn.matter.player)
            self._rounds.setdefault(turn.order[0], turn.matter.began)

    @property
    def since(self) -> Moment | None:
        """When the first turn began."""
        return self._began[0] if self._began else None

    def player_at(self, moment: Moment) -> str:
        """Whose turn had begun last at a moment, which is not before the first."""
        return self._players[bisect_right(self._began, moment) - 1]

    def round_began(self, round_: int) -> Moment | None:
        """When the first turn of a round began."""
        return self._rounds.get(round_)


def seating(players: Mapping[str, Player], law: Law, turns: Played) -> list[str]:
    """Ids of all persons who ever played, in the order in which their turns go round; who left keeps the place.

    Empty where no rule says in which order.
    """
    order, joins = law.says("turns", "order"), law.says("turns", "joins")
    if order is None:
        return []
    persons = sorted(
        (one for one in players.values() if one.matter.kind == "person"), key=lambda one: _place(one, order.value)
    )
    if joins is None or joins.value == "next-circuit" or turns.since is None:
        return [one.ident for one in persons]
    newcomers = sorted(
        (one for one in persons if turns.since < _joined(one)), key=lambda one: (_joined(one), one.ident)
    )
    late = {one.ident for one in newcomers}
    found = [one.ident for one in persons if one.ident not in late]
    for one in newcomers:
        current = turns.player_at(_joined(one))
        before = joins.value == "before-current" and current in found
        found.insert(found.index(current) if before else len(found), one.ident)
    return found


def _place(player: Player, order: str) -> tuple[object, ...]:
    matter = player.matter
    if order == "alphabetical":
        return (matter.name.casefold(), player.ident)
    seat = None if order == "joined" else matter.order
    return (seat is None, seat or 0, _joined(player), player.ident)


def _joined(player: Player) -> Moment:
    return player.matter.joined or _EVER


def next_turn_of(
    players: Mapping[str, Player],
    law: Law,
    turns: Played,
    moment: Moment | None,
    without: frozenset[str] = frozenset(),
) -> NextTurn | None:
    """The turn that comes after `turns` for those who play at `moment`; None where the rules do not say."""
    order = [ident for ident in seating(players, law, turns) if ident not in without]
    able = [ident for ident in order if is_player(players[ident], moment) and is_active(players[ident], moment)]
    if not able:
        return None
    last = turns.last
    if last is None:
        return NextTurn(1, 1, able[0])
    if last.matter.player not in order:
        return None
    round_, number = last.order
    joins = law.says("turns", "joins")
    started = turns.round_began(round_)
    waits = joins is not None and joins.value == "next-circuit" and started is not None
    for ident in order[order.index(last.matter.player) + 1 :]:
        late = waits and started is not None and started.precedes(_joined(players[ident]))
        if ident in able and not late:
            return NextTurn(round_, number + 1, ident)
    return NextTurn(round_ + 1, 1, able[0])


def judge_turn(
    turn: Turn, before: Played, players: Mapping[str, Player], law: Law, moment: Moment
) -> Iterator[Finding]:
    """Whether a turn is the one that comes after those before it, under the law of its beginning, at `moment`."""
    due = next_turn_of(players, law, before, moment)
    if due is None or due.is_turn(turn):
        return
    # Who joined on the day on which the turn began may have done so after it.
    fresh = frozenset(ident for ident, one in players.items() if _joins_on(one, moment))
    other = next_turn_of(players, law, before, moment, fresh) if fresh else None
    if other is not None and other.is_turn(turn):
        return
    said = law.says("turns", "order")
    after = f"after {before.last.ident}" if before.last else "first"
    yield Finding(
        slug="turn-order",
        span=turn.source.at("player"),
        message=f"{turn.ident} of {turn.matter.player} is not the turn that comes {after}: "
        f"that is {due.ident} of {due.player}",
        help=f"write `player: {due.player}`"
        if due.ident == turn.ident
        else f"name it turns/{due.ident}.yml, or add that turn before it",
        rule=said.rule if said else None,
    )


def _joins_on(player: Player, moment: Moment) -> bool:
    joined = player.matter.joined
    return joined is not None and not joined.precedes(moment) and not moment.precedes(joined)


def judge_overlap(turn: Turn, running: Iterable[str], law: Law) -> Iterator[Finding]:
    """Whether a turn could begin while others had not ended."""
    said = law.says("turns", "overlap")
    began = turn.matter.began
    if said is not None and not said.value and began is not None and (others := ", ".join(sorted(running))):
        yield Finding(
            slug="turn-overlap",
            span=turn.source.at("began"),
            message=f"{turn.ident} began on {began}, and {others} had not ended",
            help=f"end {others} first (`nomicgen turn`), or mend the days; Rule {said.rule} lets no turns overlap",
            rule=said.rule,
        )


def judge_seat(player: Player, players: Mapping[str, Player], turns: Played, law: Law) -> Iterator[Finding]:
    """Whether a newcomer takes a seat before those who have one: that would change whose turn is next."""
    order, joins = law.says("turns", "order"), law.says("turns", "joins")
    seat, since = player.matter.order, turns.since
    late = since is not None and since.precedes(_joined(player))
    if order is None or order.value != "seat" or joins is not None or seat is None or not late:
        return
    others = (one for one in players.values() if _joined(one).precedes(_joined(player)))
    taken = [one.matter.order for one in others if one.matter.order is not None]
    if taken and seat <= max(taken):
        yield Finding(
            slug="seat-taken",
            span=player.source.at("order"),
            message=f"{player.ident} joins at seat {seat}, and the seats up to {max(taken)} are taken; "
            f"turns go round by seats (Rule {order.rule})",
            help=f"write `order: {max(taken) + 1}`, or leave `order` out",
            rule=order.rule,
        )


def has_proposal(turn: Turn, records: Records) -> bool:
    """Whether a proposal was put forward in a turn, or may have been: one of its player's, on one of its days."""
    return any(
        isinstance(one.matter, ProposalMatter) and one.number is not None and _may_be_in(one.matter, turn)
        for one in records.of_kind("proposal")
    )


def _may_be_in(matter: ProposalMatter, turn: Turn) -> bool:
    if matter.turn is not None:
        return matter.turn == turn.ident
    began, ended = turn.matter.began, turn.matter.ended
    if matter.author != turn.matter.player or matter.date is None:
        return False
    is_early = began is not None and matter.date.precedes(began)
    return not is_early and not (ended is not None and ended.precedes(matter.date))


def judge_end(turn: Turn, law: Law, *, proposed: bool) -> Iterator[Finding]:
    """Whether a turn could end so, under the law of its end; `proposed` says that a proposal was made in it."""
    said, by_itself = law.says("turns", "passing"), law.says("turns", "passes_after")
    required = law.says("turns", "proposal_required")
    wanting = not (proposed or turn.matter.passed or turn.matter.ended is None)
    if wanting and required is not None and required.value:
        yield Finding(
            slug="turn-empty",
            span=turn.source.at("ended"),
            message=f"{turn.ident} of {turn.matter.player} ended without a proposal; Rule {required.rule} demands one",
            help=f"take `ended` out until {turn.matter.player} has proposed something, or mend a proposal's `turn`",
            rule=required.rule,
        )
    if not turn.matter.passed or said is None or said.value:
        return
    why = f"Rule {said.rule} lets nobody pass"
    if by_itself is not None:
        began, ended = turn.matter.began, turn.matter.ended
        due = began.plus(by_itself.value) if began is not None else None
        if not proposed and (due is None or ended is None or not ended.precedes(due)):
            return
        why += ", and a turn with a proposal does not pass by itself" if proposed else f" before {due}"
    yield Finding(
        slug="turn-passed",
        span=turn.source.at("passed"),
        message=f"{turn.matter.player} passed {turn.ident}; {why}",
        help="take `passed` out, or amend that rule first",
        rule=said.rule,
    )


def judge_proposal(instrument: Instrument, turn: Turn, earlier: int, law: Law) -> Iterator[Finding]:
    """Whether a turn has room for one more proposal than the `earlier` ones, and whether it is its player's."""
    said = law.says("turns", "proposals")
    if said is None:
        return
    if earlier >= said.value:
        yield Finding(
            slug="turn-proposals",
            span=instrument.source.at("turn"),
            message=f"{turn.ident} has {counted(earlier, 'proposal')} before this one; Rule {said.rule} allows "
            f"{said.value}",
            help="put it forward in another turn: mend `turn`, or withdraw it",
            rule=said.rule,
        )
    elif instrument.actor is not None and instrument.actor != turn.matter.player:
        yield Finding(
            slug="turn-proposals",
            span=instrument.source.at("author"),
            message=f"{turn.ident} is the turn of {turn.matter.player}, and {instrument.actor} proposes",
            help="the proposal of a turn is its player's: mend `author` or `turn`",
            rule=said.rule,
        )


def overdue(turn: Turn, law: Law, until: Moment, *, proposed: bool) -> Moment | None:
    """When a turn passed by itself, None if it has not: nothing was proposed in it for as long as the rules wait."""
    said = law.says("turns", "passes_after")
    began, ended = turn.matter.began, turn.matter.ended
    if said is None or began is None or ended is not None or proposed:
        return None
    due = began.plus(said.value)
    return due if due.precedes(until) else None
