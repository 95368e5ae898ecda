"""Whether a commit only adds events after all that has happened: then nothing that happened before
can come out otherwise.

This is found without a replay. Where the answer is no, it is not certain that anything comes out
otherwise: `rewrites.changed_outcomes` then compares replays.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.history.past.players import changes_of_player
from nomicgen.law.replay.events import LedgerOrder, Phase, Timeline, events_in_order
from nomicgen.model.front_matters import ActMatter
from nomicgen.model.records import Instrument, Records, Turn
from nomicgen.model.values import Moment

_EARLIEST = Moment.of(date.min)  # stands for a day that is not known
_COUNTING_PHASES = ("decided", "effective", "overruled")
"""The phases that can change votes, rules and points; putting a proposal forward changes none."""


class _DatedEvent(Struct, frozen=True):
    """An event of an instrument: its place in the ledger, and its moment. `is_dated` says whether
    the file gives that moment.
    """

    instrument: Instrument
    phase: Phase
    place: LedgerOrder
    moment: Moment
    is_dated: bool

    @property
    def key(self) -> object:
        """What two versions of an event are compared by."""
        return self.phase, self.place, self.instrument.matter.turn


class HappenedSoFar:
    """What has happened in a game up to a commit, by day. Later commits are put into it with
    `put_instrument` and `put_turn`.

    `waits` says of an instrument whether its effect waits for a turn to begin. `won` is when
    somebody won in the end, None if nobody has. `end` is the last day on which anything happened.
    """

    def __init__(self, waits: Callable[[Instrument], bool], won: Moment | None) -> None:
        self.waits, self.won = waits, won
        self.end: date = date.min
        self._instruments: dict[str, tuple[_DatedEvent, ...]] = {}
        self._turns: dict[str, Turn] = {}
        self._undated: dict[str, Instrument] = {}
        self._waiting: dict[str, Instrument] = {}
        # The events and the ends of turns of each day, by path and phase.
        self._days: defaultdict[date, dict[tuple[str, str], _DatedEvent | Turn]] = defaultdict(dict)

    def put_instrument(self, path: str, now: Instrument | None) -> None:
        """Take over what an instrument says now; None where it is gone."""
        for event in self._instruments.pop(path, ()):
            del self._days[event.moment.day][path, event.phase]
        self._undated.pop(path, None)
        self._waiting.pop(path, None)
        if now is None:
            return
        self._instruments[path] = tuple(_events_that_count(now))
        for event in self._instruments[path]:
            self._days[event.moment.day][path, event.phase] = event
            if not event.is_dated:
                self._undated[path] = now
            elif event.phase != "effective":  # what is to take effect one day has not happened
                self.end = max(self.end, event.moment.day)
        if now.matter.effective is None and self.waits(now):
            self._waiting[path] = now

    def put_turn(self, now: Turn) -> None:
        """Take over what a turn's file says now."""
        was = self._turns.get(now.ident)
        if was is not None and was.matter.ended is not None:
            del self._days[was.matter.ended.day][now.ident, "ended"]
        self._turns[now.ident] = now
        for moment in (now.matter.began, now.matter.ended):
            self.end = max(self.end, moment.day) if moment is not None else self.end
        if now.matter.ended is not None:
            self._days[now.matter.ended.day][now.ident, "ended"] = now

    def only_adds(self, was: Records, now: Records) -> bool:
        """Return whether all changes from `was` to `now` come after everything that has happened.
        Both have the records of the files that a commit touched, before and after.
        """
        turns = [turn for ident, turn in now.turns.items() if was.turns.get(ident) is not turn]
        return (
            not (turns and self._gives_no_day(now))
            and all(
                self.end < moment.day
                for ident, player in now.players.items()
                for _, moment in changes_of_player(was.players.get(ident), player)
            )
            and all(self._adds_turn(was.turns.get(turn.ident), turn) for turn in turns)
            and all(
                self._adds_instrument(was.instruments.get(path), instrument)
                for path, instrument in now.instruments.items()
            )
        )

    def _gives_no_day(self, now: Records) -> bool:
        """Return whether a commit with a turn leaves a proposal without its day that waited for a
        turn.
        """
        if not self._waiting:
            return False
        before = Timeline(replace(now, turns=self._turns))
        return any(
            path not in now.instruments and before.after(instrument) is None
            for path, instrument in self._waiting.items()
        )

    def _since(self, day: date) -> Iterator[_DatedEvent | Turn]:
        """Yield the events and the ends of turns on a day or later, up to `end`."""
        # Mostly it is the last day: then the others need not be looked at.
        days = (
            [day]
            if day == self.end
            else [later_day for later_day in self._days if day <= later_day <= self.end]
        )
        for later_day in days:
            yield from self._days.get(later_day, {}).values()

    def _adds_turn(self, was: Turn | None, now: Turn) -> bool:
        """Return whether a turn's new days come last: it begins after all effects that waited for a
        turn, and ends after everything else. Of a turn that was over, only the note may change.
        """
        began, ended = now.matter.began, now.matter.ended
        if was is not None and was.matter.ended is not None:
            return now.matter.replace(note=None) == was.matter.replace(note=None)
        if (
            was is None
            and began is not None
            and any(self._took_effect_by_turn(event) for event in self._since(began.day))
        ):
            return False
        return ended is None or all(
            self._is_before_end(event, now, ended) for event in self._since(ended.day)
        )

    def _took_effect_by_turn(self, event: _DatedEvent | Turn) -> bool:
        return (
            isinstance(event, _DatedEvent)
            and event.phase == "effective"
            and self.waits(event.instrument)
        )

    def _is_before_end(self, event: _DatedEvent | Turn, turn: Turn, ended: Moment) -> bool:
        """Return whether an event on the day when `turn` ends, or later, comes before that end."""
        if isinstance(event, Turn):
            return event.matter.ended is not None and event.matter.ended.day == ended.day
        if event.moment.precedes(ended):
            return True
        if event.moment.day > ended.day or self._took_effect_by_turn(event):
            return False
        matter = event.instrument.matter
        own = self._turns.get(matter.turn or "")
        if own is not None:
            return own.order <= turn.order
        # On one day an act comes after the turn's end. That only matters to who has won, and to a
        # rule that changes itself after so many turns.
        has_won = self.won is not None and event.moment.day <= self.won.day
        return not isinstance(matter, ActMatter) or (matter.by_rule is None and not has_won)

    def _adds_instrument(self, was: Instrument | None, now: Instrument) -> bool:
        """Return whether an instrument's new events come after all others, and its old ones stay
        (except that an effect which waited for a turn gets its day).
        """
        events = [*_events_that_count(now)]
        before = {event.key for event in _events_that_count(was)} if was is not None else set()
        new = [event for event in events if event.key not in before]
        if new and any(
            undated.kind == now.kind and _number(undated) > _number(now)
            for undated in self._undated.values()
        ):
            return (
                False  # what has no date takes the day of the number before it: maybe of this one
            )
        if before.difference(event.key for event in events):
            has_waited = was is not None and self.waits(was) and now.matter.effective is not None
            return has_waited and all(self._is_last(event) for event in new)
        return all(self._is_last(event) for event in new)

    def _is_last(self, event: _DatedEvent) -> bool:
        """Return whether an event surely comes after all others: dates decide, so all need one."""
        day = event.moment.day
        if not event.is_dated or (day <= self.end and self._undated):
            return False
        return all(
            self._is_after_end(event, other)
            if isinstance(other, Turn)
            else other.place <= event.place
            for other in self._since(day)
        )

    def _is_after_end(self, event: _DatedEvent, turn: Turn) -> bool:
        """Return whether an event comes after the end of a turn that ends on its day or later."""
        if turn.matter.ended is None or turn.matter.ended.precedes(event.moment):
            return True
        if event.moment.precedes(turn.matter.ended):
            return False
        own = self._turns.get(event.instrument.matter.turn or "")
        return turn.order < own.order if own is not None else event.instrument.kind == "act"


def _number(instrument: Instrument) -> tuple[int, str]:
    return instrument.number or 0, instrument.path


def _events_that_count(instrument: Instrument) -> Iterator[_DatedEvent]:
    if instrument.matter.is_undecided:
        return
    for place, phase, moment, is_dated in events_in_order(instrument, _EARLIEST):
        if phase in _COUNTING_PHASES:
            yield _DatedEvent(instrument, phase, place, moment, is_dated)
