"""The events of the ledger, and their order: registered, done, opened, decided, effective,
overruled.

Order: moment, moment of decision, `seq`, kind (act, judgement, proposal), number, path, phase. An
instrument without a date stands where its number puts it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from datetime import date
from itertools import accumulate
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.law.replay.moments import precedes
from nomicgen.law.replay.watched_records import WatchedRecords
from nomicgen.law.subjects import DeedDone, deeds_of
from nomicgen.model.front_matters import JudgementMatter, ProposalMatter
from nomicgen.model.records import Instrument, Judgement, Proposal, Records, Turn
from nomicgen.model.values import Moment

Phase = Literal["registered", "done", "opened", "decided", "effective", "overruled"]
_PHASES: tuple[Phase, ...] = get_args(Phase)
LedgerOrder = tuple[object, ...]
"""Where an event stands in the ledger: of two, the smaller one comes first."""


class Event(Struct, frozen=True):
    """One phase of one instrument, or a deed about it (`done`).

    `moment` is None where an archive has no date for it, nor for any event before it.
    """

    instrument: Instrument
    phase: Phase
    moment: Moment | None
    deed: DeedDone | None = None


def is_after(moment: Moment | None, until: Moment | None) -> bool:
    """Return whether a moment is on a later day than `until`; False if either is None."""
    return moment is not None and until is not None and moment.day > until.day


def events_of(records: Records) -> tuple[Event, ...]:
    """Return every event of the ledger, in its order.

    Drafts have none. A judgement or an act without instructions has no event `effective`. A
    proposal has several if its file does not say when it took effect: the law, which the fold
    knows, says which of them counts.
    """
    keyed: list[tuple[LedgerOrder, Event]] = []
    start = records.settings.started or Moment.of(date.min)
    timeline = Timeline(records)
    for instrument, earliest in _with_earliest(records, start):
        for place, phase, moment, said in events_in_order(instrument, earliest):
            shown = moment if said or moment != start or records.settings.started else None
            keyed.append((place, Event(instrument, phase, shown)))
        keyed += _effects_with_turn(instrument, earliest, timeline)
        keyed += _deeds(instrument, earliest)
    keyed.sort(key=lambda pair: pair[0])
    return tuple(event for _, event in keyed)


def _effects_with_turn(
    instrument: Instrument, earliest: Moment, timeline: Timeline
) -> Iterator[tuple[LedgerOrder, Event]]:
    """Yield when a proposal takes effect if that is with the next turn, and its file does not say
    so: as that turn begins, and on the later day that the proposal names, if it names one.
    """
    matter, decided = instrument.matter, instrument.decided
    if (
        not isinstance(matter, ProposalMatter)
        or matter.status != "adopted"
        or matter.effective is not None
        or decided is None
        or (turn := began(timeline.after(instrument))) is None
    ):
        return
    for moment in {turn, max(turn, matter.commences or turn)}:
        dated = replace(instrument, matter=matter.replace(effective=moment))
        place, phase, when, _ = [*events_in_order(dated, earliest)][-1]
        if decided < moment:
            yield place, Event(instrument, phase, when)


def _deeds(instrument: Instrument, earliest: Moment) -> Iterator[tuple[LedgerOrder, Event]]:
    """Yield the deeds about a proposal or a judgement: each at the moment that it names, else at
    the first moment in the file, else at `earliest`.

    A judgement that is not given yet can have deeds, and has no other event.
    """
    if not isinstance(instrument, Proposal | Judgement) or instrument.matter.status == "draft":
        return
    since = next(iter(_said_moments(instrument).values()), instrument.matter.date) or earliest
    for done in deeds_of(instrument):
        moment = done.deed.at or since
        key = (
            moment.day,
            moment.clock,
            moment.day,
            moment.clock,
            *instrument.place,
            _PHASES.index("done"),
        )
        yield key, Event(instrument, "done", moment, done)


def events_in_order(
    instrument: Instrument, earliest: Moment
) -> Iterator[tuple[LedgerOrder, Phase, Moment, bool]]:
    """Yield the events of one instrument: where each stands among others, its moment, and whether
    the file names that.

    A phase without a moment, or with too early a one, has that of the phase before it. Without a
    moment the first one has `earliest`, the moment of the instrument of its kind before this one.
    """
    own = instrument.place
    for index, (phase, said) in enumerate(_said_moments(instrument).items()):
        earliest = said if said is not None and (said > earliest or index == 0) else earliest
        # How a proposal ends does not move its registration or its opening.
        decided = (
            instrument.decided
            if instrument.decided and phase in ("decided", "effective")
            else earliest
        )
        # Days and hours are compared in C, which is faster than comparing moments.
        key = (earliest.day, earliest.clock, decided.day, decided.clock, *own)
        yield (*key, _PHASES.index(phase)), phase, earliest, said is not None


def _with_earliest(records: Records, start: Moment) -> Iterator[tuple[Instrument, Moment]]:
    """Yield each instrument with its earliest possible moment: that of the one of its kind before
    it, or `start`.
    """
    for kind in ("proposal", "judgement", "act"):
        latest = start
        for instrument in records.of_kind(kind):
            yield instrument, latest
            moments = _said_moments(instrument)
            latest = moments.get("decided") or moments.get("registered") or latest


def _said_moments(instrument: Instrument) -> dict[Phase, Moment | None]:
    """Return an instrument's phases in their order, each with the moment that its file names."""
    matter = instrument.matter
    if isinstance(matter, ProposalMatter):
        if matter.status == "draft":
            return {}
        moments: dict[Phase, Moment | None] = {
            "registered": matter.date or matter.opened or matter.decided
        }
        if matter.opened is not None:
            moments["opened"] = matter.opened
        if not matter.is_undecided:
            moments["decided"] = matter.decided
        if matter.status == "adopted":
            moments["effective"] = instrument.effective
        return moments
    if matter.is_undecided:
        return {}
    moments = {"decided": matter.date}
    if instrument.instructions:
        moments["effective"] = instrument.effective
    if isinstance(matter, JudgementMatter) and matter.status == "overruled":
        moments["overruled"] = matter.overruled
        if precedes(matter.overruled, moments.get("effective")):
            moments["effective"] = moments.pop("effective")  # comes last, and fails
    return moments


def next_turn(
    records: Records | WatchedRecords, instrument: Instrument, decided: Moment | None = None
) -> Turn | None:
    """Return the first turn that began after an instrument was decided; None if none is known.

    If the instrument names its turn, it is the first such turn after that one. `decided` stands for
    the moment of a decision that its file does not have yet.
    """
    return Timeline(records).after(instrument, decided)


def began(turn: Turn | None) -> Moment | None:
    """Return when a turn began; None without a turn, or if its file does not say."""
    return turn.matter.began if turn is not None else None


class Timeline:
    """The turns of a game in their order, to answer `next_turn` for many instruments."""

    def __init__(self, records: Records | WatchedRecords) -> None:
        self._known = records.turns
        began = ((turn.matter.began, turn) for turn in records.turns_in_order)
        dated = [(moment, turn) for moment, turn in began if moment is not None]
        self._turns = [turn for _, turn in dated]
        self._orders = [turn.order for _, turn in dated]
        # The latest beginning up to each turn never falls, so it can be bisected even if the days
        # are out of order.
        self._latest = list(accumulate((moment for moment, _ in dated), max))

    def after(self, instrument: Instrument, decided: Moment | None = None) -> Turn | None:
        """Return what `next_turn` returns."""
        own = self._known.get(instrument.matter.turn or "")
        decided = decided or instrument.decided
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


def next_seq(records: Records, moment: Moment) -> int:
    """Return the `seq` that puts an instrument after all others of its moment."""
    same = (
        instrument.matter.seq
        for instrument in records.instruments.values()
        if instrument.decided == moment
    )
    return max(same, default=-1) + 1
