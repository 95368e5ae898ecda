"""The events of the ledger, and their order: registered, opened, decided, effective, overruled.

Order: moment, moment of decision, `seq` where given, kind (act, judgement, proposal), number or file name
(1-format.md, Fine print). An instrument without a date stands where its number puts it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from datetime import date
from itertools import accumulate
from typing import Literal

from msgspec import Struct

from nomicgen.law.ledger import Ledger
from nomicgen.model import Instrument, JudgementMatter, Moment, ProposalMatter, Records, Turn

Phase = Literal["registered", "opened", "decided", "effective", "overruled"]
_PHASES: tuple[Phase, ...] = ("registered", "opened", "decided", "effective", "overruled")
_KINDS = ("act", "judgement", "proposal")
LedgerOrder = tuple[object, ...]
"""Where an event stands in the ledger: of two, the smaller one comes first."""


class Event(Struct, frozen=True):
    """One phase of one instrument. `moment` is None where an archive has no date for it nor for any before it."""

    instrument: Instrument
    phase: Phase
    moment: Moment | None


class Moments(Struct, frozen=True):
    """What an instrument says of when."""

    registered: Moment | None
    opened: Moment | None
    decided: Moment | None
    effective: Moment | None
    overruled: Moment | None = None


def moments_of(instrument: Instrument) -> Moments:
    """The moments that an instrument's file names; what takes effect without saying when does so when decided."""
    matter = instrument.matter
    if isinstance(matter, ProposalMatter):
        registered = matter.date or matter.opened or matter.decided
        return Moments(registered, matter.opened, matter.decided, matter.effective or matter.decided)
    overruled = matter.overruled if isinstance(matter, JudgementMatter) else None
    return Moments(matter.date, None, matter.date, matter.effective or matter.date, overruled)


def decided_of(instrument: Instrument) -> Moment | None:
    """When an instrument was decided, as its file names it."""
    matter = instrument.matter
    return matter.decided if isinstance(matter, ProposalMatter) else matter.date


def takes_effect(instrument: Instrument) -> bool:
    """Whether an instrument changed the rules, or was to."""
    matter = instrument.matter
    if isinstance(matter, ProposalMatter):
        return matter.status == "adopted"
    return not (isinstance(matter, JudgementMatter) and matter.status == "pending")


def overruled_before(instrument: Instrument, moment: Moment | None) -> bool:
    """Whether a judgement was overruled before what it changes took effect."""
    overruled = moments_of(instrument).overruled
    return overruled is not None and overruled.precedes(moment)


def is_after(moment: Moment | None, until: Moment | None) -> bool:
    """Whether a moment is on a later day than `until`, where there is such a day."""
    return moment is not None and until is not None and moment.day > until.day


def events_of(records: Records) -> tuple[Event, ...]:
    """Every event of the ledger, in its order. Drafts have none; what changes no rule is decided, and has no effect."""
    keyed: list[tuple[LedgerOrder, Event]] = []
    start = records.settings.started or Moment.of(date.min)
    for instrument, floor in _inherited(records, start):
        for place, phase, moment, said in events_in_order(instrument, floor):
            shown = moment if said or moment != start or records.settings.started else None
            keyed.append((place, Event(instrument, phase, shown)))
    keyed.sort(key=lambda one: one[0])
    return tuple(event for _, event in keyed)


def events_in_order(instrument: Instrument, floor: Moment) -> Iterator[tuple[LedgerOrder, Phase, Moment, bool]]:
    """The events of one instrument: where each stands among others, its moment, and whether the file names that.

    `floor` is when something before it happened, for what the file does not say.
    """
    moments = moments_of(instrument)
    own = (instrument.matter.seq, _KINDS.index(instrument.kind), instrument.number or 0, instrument.path)
    for index, phase in enumerate(_phases(instrument)):
        said: Moment | None = getattr(moments, phase)
        floor = said if said is not None and (said > floor or index == 0) else floor
        # What becomes of a proposal later does not change when it was put forward.
        decided = moments.decided if moments.decided and phase in ("decided", "effective") else floor
        # Days and hours instead of the moments made of them: those are compared in C.
        key = (floor.day, floor.clock, decided.day, decided.clock, *own)
        yield (*key, _PHASES.index(phase)), phase, floor, said is not None


def _inherited(records: Records, start: Moment) -> Iterator[tuple[Instrument, Moment]]:
    """Each instrument that has events, and when it happened if it does not say so: when the one before it did."""
    for kind in ("proposal", "judgement", "act"):
        latest = start
        for instrument in records.of_kind(kind):
            yield instrument, latest
            moments = moments_of(instrument)
            latest = moments.decided or moments.registered or latest


def _phases(instrument: Instrument) -> tuple[Phase, ...]:
    matter = instrument.matter
    if not isinstance(matter, ProposalMatter):
        if not takes_effect(instrument):
            return ()
        carried: tuple[Phase, ...] = ("decided", "effective") if instrument.instructions else ("decided",)
        is_overruled = isinstance(matter, JudgementMatter) and matter.status == "overruled"
        return (*carried, "overruled") if is_overruled else carried
    if matter.status == "draft":
        return ()
    opened: tuple[Phase, ...] = ("opened",) if matter.opened is not None else ()
    ended: dict[str, tuple[Phase, ...]] = {"adopted": ("decided", "effective"), "debate": (), "open": ()}
    return ("registered", *opened, *ended.get(matter.status, ("decided",)))


def next_turn(records: Records | Ledger, instrument: Instrument, decided: Moment | None = None) -> Turn | None:
    """The first turn that began after an instrument was decided: after its own turn, where it says which that was.

    `decided` stands for the moment of a decision that its file does not have yet. None where no such turn is known.
    """
    return Timeline(records).after(instrument, decided)


class Timeline:
    """The turns of a game in their order, to ask of them again and again what `next_turn` tells."""

    def __init__(self, records: Records | Ledger) -> None:
        self._known = records.turns
        began = ((turn.matter.began, turn) for turn in records.turns_in_order)
        dated = [(moment, turn) for moment, turn in began if moment is not None]
        self._turns = [turn for _, turn in dated]
        self._orders = [turn.order for _, turn in dated]
        # The first turn that began after a moment is the first at which the latest beginning so far is after it.
        self._latest = list(accumulate((moment for moment, _ in dated), max))

    def after(self, instrument: Instrument, decided: Moment | None = None) -> Turn | None:
        own = self._known.get(instrument.matter.turn or "")
        decided = decided or decided_of(instrument)
        if own is None:
            index = len(self._turns) if decided is None else bisect_right(self._latest, decided)
        else:
            index = bisect_right(self._orders, own.order)
            # Nothing takes effect before its vote has ended, however many turns that took.
            if decided is not None:
                index = max(index, bisect_left(self._latest, Moment.of(decided.day)))
                while index < len(self._turns) and self._latest[index].precedes(decided):
                    index += 1
        return self._turns[index] if index < len(self._turns) else None


def place_at(records: Records, moment: Moment) -> int:
    """The `seq` that puts an instrument after all others of its moment."""
    same = (one.matter.seq for one in records.instruments.values() if moments_of(one).decided == moment)
    return max(same, default=-1) + 1
