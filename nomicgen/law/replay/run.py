"""The replay of a ledger, event by event: from its beginning, or from where an earlier replay of
the same events stood.

Pure: no clock, no files, no git.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from msgspec import Struct

from nomicgen.law.replay.events import Event, events_of, is_after
from nomicgen.law.replay.fold import Fold
from nomicgen.law.replay.results import Replay
from nomicgen.model.records import Instrument, Records
from nomicgen.model.values import Moment

_NEAR, _FURTHER = 16, 4
"""A trail has a copy of its fold at its end, and 16, 64, 256 and so on events before it."""


class Trail(Struct, frozen=True):
    """What a replay leaves behind: its events, and `copies` of its fold to go on from, each
    with the number of events that it had taken.

    A move changes what is near the end, most of the time: there the copies are close.
    """

    fold: Fold
    events: tuple[Event, ...]
    copies: tuple[tuple[int, Fold], ...]

    def count_kept(self, records: Records, events: Sequence[Event], until: Moment | None) -> int:
        """Return how many events can be kept for other records and another day: those that are the
        same, up to the first that looked up a changed instrument (`WatchedRecords`). It is -1 if
        players, turns, settings or the initial rules differ: then nothing can be kept.
        """
        was = self.fold.records
        same = (was.settings, was.initial, was.players, was.turns) == (
            records.settings,
            records.initial,
            records.players,
            records.turns,
        )
        if not same:
            return -1
        same_events = takewhile(
            lambda pair: self._goes_alike(*pair, until), zip(self.events, events, strict=False)
        )
        count = sum(1 for _ in same_events)
        changed = tuple(_changed_instruments(was, records))
        asked = (place for place, fits in self.fold.watched.asked if any(map(fits, changed)))
        return min(count, next(asked, count))

    def _goes_alike(self, event: Event, other: Event, until: Moment | None) -> bool:
        same = (
            event.instrument is other.instrument
            and event.phase == other.phase
            and event.moment == other.moment
        )
        return (
            same
            and not is_after(event.moment, until)
            and not is_after(event.moment, self.fold.until)
        )


def _changed_instruments(before: Records, after: Records) -> Iterator[Instrument]:
    """Yield the instruments that differ, as they were and as they are."""
    for path in before.instruments.keys() | after.instruments.keys():
        was, other = before.instruments.get(path), after.instruments.get(path)
        if was is not other:
            yield from (each for each in (was, other) if each is not None)


def replay(records: Records, until: Moment | None = None) -> Replay:
    """Replay the ledger up to the end of the day of `until` (None: all of it)."""
    fold = Fold(records, until)
    for event in events_of(records):
        fold.take(event)
    return fold.result()


def retrace(
    records: Records, until: Moment | None, since: Trail | None = None
) -> tuple[Replay, Trail]:
    """Return what `replay` returns, and the trail for the next time.

    The replay begins at the last copy in `since` up to which the events can be kept.
    """
    events = events_of(records)
    kept = since.count_kept(records, events, until) if since is not None else -1
    copies = (
        [(place, fold) for place, fold in since.copies if place <= kept]
        if since is not None
        else []
    )
    start, fold = (
        (copies[-1][0], copies[-1][1].fork(records, until)) if copies else (0, Fold(records, until))
    )
    places = set(_places(len(events)))
    for place, event in enumerate(events[start:], start):
        if place in places and place > start:
            copies.append((place, fold.fork(records, until)))
        fold.watched.place = place
        fold.take(event)
    if len(events) > start or not copies:
        copies.append((len(events), fold.fork(records, until)))
    fold.watched.place = len(events)
    return fold.result(), Trail(fold, events, tuple(copies))


def _places(count: int) -> Iterator[int]:
    """Yield after which of `count` events a copy is made."""
    distance = _NEAR
    while distance < count:
        yield count - distance
        distance *= _FURTHER
