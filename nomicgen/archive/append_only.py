"""Whether what a commit changes only comes after all that has happened: then nothing that did can come out otherwise.

To say so, no ledger is replayed. Where it cannot be said, a replay tells: `past_rewrites.changed_outcomes`. Pure.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.law.events import LedgerOrder, Phase, Timeline, events_in_order
from nomicgen.model import ActMatter, Instrument, Moment, Player, Records, Role, Strength, Stretch, Turn

_EVER = Moment.of(date.min)
_TOLD = ("decided", "effective", "overruled")
"""What a vote, a change of the rules and points depend on; that a proposal is put forward changes none of them."""


class _DatedEvent(Struct, frozen=True):
    """An event of an instrument: where it stands among others, its moment, and whether the file says that."""

    instrument: Instrument
    phase: Phase
    place: LedgerOrder
    moment: Moment
    said: bool

    @property
    def key(self) -> object:
        return self.phase, self.place, self.instrument.matter.turn


class HappenedSoFar:
    """What has happened in a game up to a commit, by day.

    `waits` tells of a proposal whether it waits for a turn; `won` is when somebody won in the end, None if nobody has.
    """

    def __init__(self, waits: Callable[[Instrument], bool], won: Moment | None) -> None:
        self.waits, self.won = waits, won
        self.end: date = date.min  # the last day on which anything happened
        self.undated: dict[str, Instrument] = {}
        self._waited: dict[str, Instrument] = {}
        self._events: dict[str, tuple[_DatedEvent, ...]] = {}
        self._days: defaultdict[date, dict[tuple[str, str], _DatedEvent]] = defaultdict(dict)
        self._turns: dict[str, Turn] = {}
        self._ends: defaultdict[date, dict[str, Turn]] = defaultdict(dict)

    def put_instrument(self, path: str, now: Instrument | None) -> None:
        """Takes over what an instrument says now; None where it is gone."""
        for one in self._events.pop(path, ()):
            del self._days[one.moment.day][path, one.phase]
        self.undated.pop(path, None)
        self._waited.pop(path, None)
        events = tuple(_events_that_count(now)) if now is not None else ()
        self._events[path] = events
        for one in events:
            self._days[one.moment.day][path, one.phase] = one
            if not one.said:
                self.undated[path] = one.instrument
            elif one.phase != "effective":  # what is to take effect one day has not happened
                self.end = max(self.end, one.moment.day)
        if now is not None and now.matter.effective is None and self.waits(now):
            self._waited[path] = now

    def put_turn(self, now: Turn) -> None:
        """Takes over what a turn's file says now."""
        was = self._turns.get(now.ident)
        if was is not None and was.matter.ended is not None:
            del self._ends[was.matter.ended.day][now.ident]
        self._turns[now.ident] = now
        for moment in (now.matter.began, now.matter.ended):
            self.end = max(self.end, moment.day) if moment is not None else self.end
        if now.matter.ended is not None:
            self._ends[now.matter.ended.day][now.ident] = now

    def only_adds(self, was: Records, now: Records) -> bool:
        """Whether what changed of these files, which are all that changed, comes after all that has happened."""
        if any(was.turns.get(ident) is not turn for ident, turn in now.turns.items()) and any(self._waiting(now)):
            return False
        return (
            all(self._adds_player(was.players.get(ident), player) for ident, player in now.players.items())
            and all(self._adds_turn(was.turns.get(ident), turn) for ident, turn in now.turns.items())
            and all(self._adds(was.instruments.get(path), one) for path, one in now.instruments.items())
        )

    def _waiting(self, now: Records) -> Iterator[str]:
        """The proposals that wait for a turn, and are not given their day with the turn that begins."""
        before = Timeline(replace(now, turns=self._turns)) if self._waited else None
        for path, instrument in self._waited.items():
            if path not in now.instruments and before is not None and before.after(instrument) is None:
                yield path

    def _adds_player(self, was: Player | None, now: Player) -> bool:
        moment = first_change_of_player(was, now)
        return moment is None or self.end < moment.day

    def _adds_turn(self, was: Turn | None, now: Turn) -> bool:
        """Whether a turn ends after all that has happened: what it gives is given then, and nothing when it begins."""
        before = was.matter.ended if was is not None else None
        moment, began = now.matter.ended, now.matter.began
        if was is None and began is not None:
            since = (one for day in self._from(began.day, self._days) for one in self._days[day].values())
            if any(one.phase == "effective" and self.waits(one.instrument) for one in since):
                return False
        if moment is None:
            return before is None
        if before is not None:
            return was is not None and now.matter.replace(note=None) == was.matter.replace(note=None)
        for day in self._from(moment.day, self._days):
            for one in self._days[day].values():
                if not one.moment.precedes(moment) and (day > moment.day or not self._is_before_end(one, now)):
                    return False
        return not any(day > moment.day and self._ends[day] for day in self._from(moment.day, self._ends))

    def _is_before_end(self, one: _DatedEvent, turn: Turn) -> bool:
        """Whether an event of the day on which a turn ends comes before that end, or might as well."""
        own, matter = self._turns.get(one.instrument.matter.turn or ""), one.instrument.matter
        if one.phase == "effective" and self.waits(one.instrument):
            return False
        if own is not None:
            return own.order <= turn.order
        # An act comes after it. That matters to who has won, and to a rule that changes itself after so many turns.
        won = self.won is not None and one.moment.day <= self.won.day
        return not isinstance(matter, ActMatter) or (matter.by_rule is None and not won)

    def _adds(self, was: Instrument | None, now: Instrument) -> bool:
        """Whether an instrument's new events come after all that has happened, and its old ones stay."""
        before = {one.key for one in _events_that_count(was)} if was is not None else set()
        come = [one for one in _events_that_count(now) if one.key not in before]
        gone = before - {one.key for one in _events_that_count(now)}
        if come and any(one.kind == now.kind and _number(one) > _number(now) for one in self.undated.values()):
            return False  # those happened when the one before them did
        if gone and not (was is not None and self.waits(was) and now.matter.effective is not None):
            return False
        return all(self._is_last(one) for one in come)

    def _is_last(self, event: _DatedEvent) -> bool:
        day = event.moment.day
        if not event.said or (day <= self.end and self.undated):
            return False
        if day > self.end:
            return True
        if any(other.place > event.place for at in self._from(day, self._days) for other in self._days[at].values()):
            return False
        return all(
            turn.matter.ended is not None and (turn.matter.ended.precedes(event.moment) or self._is_after(event, turn))
            for at in self._from(day, self._ends)
            for turn in self._ends[at].values()
        )

    def _is_after(self, event: _DatedEvent, turn: Turn) -> bool:
        """Whether an event of the day on which a turn ends comes after that."""
        if turn.matter.ended is None or event.moment.precedes(turn.matter.ended):
            return False
        own = self._turns.get(event.instrument.matter.turn or "")
        if own is not None:
            return turn.order < own.order
        return event.instrument.kind == "act"

    def _from(self, day: date, days: Mapping[date, object]) -> list[date]:
        """Those of some days that are this day or later, up to the last on which anything happened."""
        if day == self.end:
            return [day] if day in days else []
        return [one for one in days if day <= one <= self.end] if day <= self.end else []


def _number(instrument: Instrument) -> tuple[int, str]:
    return instrument.number or 0, instrument.path


def _events_that_count(instrument: Instrument) -> Iterator[_DatedEvent]:
    if instrument.matter.is_undecided:
        return
    for place, phase, moment, said in events_in_order(instrument, _EVER):
        if phase in _TOLD:
            yield _DatedEvent(instrument, phase, place, moment, said)


def first_change_of_player(was: Player | None, now: Player) -> Moment | None:
    """The first moment of which a player's file says something else than before; None where there is none.

    How a player is called, and where they have accounts, is of no moment.
    """
    if was is None:
        return None if now.matter.kind == "past" else now.matter.joined or _EVER
    if was.matter.kind == "past":
        return None if now.matter.kind == "past" else now.matter.joined or _EVER
    if (was.matter.kind, was.matter.order) != (now.matter.kind, now.matter.order):
        return _EVER
    found = [*_spans(was, now)]
    if was.matter.joined != now.matter.joined:
        found += [was.matter.joined or _EVER, now.matter.joined or _EVER]
    if was.matter.left != now.matter.left:
        found += [one for one in (was.matter.left, now.matter.left) if one is not None]
    return min(found, default=None)


def _spans(was: Player, now: Player) -> Iterator[Moment]:
    pairs: tuple[tuple[list[Stretch] | list[Role] | list[Strength], ...], ...] = (
        (was.matter.inactive, now.matter.inactive),
        (was.matter.roles, now.matter.roles),
        (was.matter.strength, now.matter.strength),
    )
    for old, new in pairs:
        if old == new:
            continue
        gone, come = [one for one in old if one not in new], [one for one in new if one not in old]
        if len(gone) == len(come) == 1 and gone[0].replace(until=None) == come[0].replace(until=None):
            yield from (one.until for one in (gone[0], come[0]) if one.until is not None)
        else:
            yield from (one.since for one in ((*gone, *come) or (*old, *new)))
