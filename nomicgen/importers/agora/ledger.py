"""The instruments that Agora's histories tell of, in an order that agrees with all histories."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

from msgspec import Struct, field

from nomicgen.importers.agora.agents import Cause, cause_of
from nomicgen.importers.agora.history import AgoraHistory, AgoraState
from nomicgen.importers.agora.read import AgoraEntry, Data
from nomicgen.importers.instruments import (
    ImportedInstrument,
    Key,
    ledger_places,
    name_files,
    place_chains,
)
from nomicgen.model.values import Moment

_SPLIT = "split"
"""Marks the key of an act that was split off its instrument."""
_NO_DAY = date(1970, 1, 1)
"""The day of an act if neither its entry, nor one before it, nor the initial set has any."""


class AgoraChange(Struct, kw_only=True):
    """An entry, the index of the state after it in its rule's history, its cause, and the key of
    its instrument.
    """

    history: AgoraHistory
    at: int
    entry: AgoraEntry
    cause: Cause
    key: Key = ()

    @property
    def state(self) -> AgoraState:
        return self.history.states[self.at]


class AgoraInstrument(ImportedInstrument, kw_only=True):
    """An instrument in the making; `acting` is the number of the rule that acts by itself, if one
    does.
    """

    acting: int | None = None
    changes: list[AgoraChange] = field(default_factory=list)


def ledger_of(
    histories: Sequence[AgoraHistory], started: Moment | None, data: Data
) -> tuple[dict[Key, AgoraInstrument], list[AgoraChange]]:
    """Return every instrument, with its place in the ledger and its changes, rule by rule; and the
    changes without effect, which belong to no instrument.

    An instrument is what one cause did on one day. If no order of these agrees with all histories,
    a change in a history that disagrees becomes an act of the same cause.
    """
    chains = [list(_chain(history, data)) for history in histories]
    first = started.day if started else _NO_DAY
    days = _proposal_days(chains, first)
    for chain in chains:
        _key_chain(chain, days, data)
    idle: list[AgoraChange] = []
    while True:
        chains = _drop_idle(chains, idle, data)
        instruments = _instruments(chains, days, first)
        order = [list(dict.fromkeys(change.key for change in chain)) for chain in chains]
        place_chains(order, instruments, started)
        if not _split(chains, instruments, started, data):
            return instruments, idle


def _chain(history: AgoraHistory, data: Data) -> Iterator[AgoraChange]:
    """Yield the changes of a rule: all entries except that of the initial set."""
    for at, state in enumerate(history.states):
        if state.entry is not None and not (at == 0 and state.verb is None):
            yield AgoraChange(
                history=history, at=at, entry=state.entry, cause=cause_of(state.entry, data)
            )


def _proposal_days(chains: Iterable[Sequence[AgoraChange]], first: date) -> dict[int, date | None]:
    """Return the day of each proposal: the one that most of its entries give, of several the
    earliest.

    If no entry gives any, it is the latest day before the proposal in a history, or the game's
    `first` if there is none; but None if nothing is before the proposal in any history.
    """
    given: dict[int, Counter[date]] = defaultdict(Counter)
    before: dict[int, date] = {}
    for chain in chains:
        last: date | None = None
        for at, change in enumerate(chain):
            day, number = change.entry.when.day, change.cause.proposal
            last = max(filter(None, (day, last)), default=None)
            if number is not None:
                given[number].update([day] if day else [])
                if last is not None or at > 0:
                    before[number] = max(last or first, before.get(number, first))
    return {
        number: min(counts, key=lambda day: (-counts[day], day), default=before.get(number))
        for number, counts in given.items()
    }


def _key_chain(chain: Sequence[AgoraChange], days: Mapping[int, date | None], data: Data) -> None:
    """Give each change of a rule the key of its instrument. Changes by one cause on one day share
    it, if they follow each other; if others stand between, the later ones become an act of their
    own, and so does a change right after its own instrument enacted the rule.
    """
    before: Key = ()
    seen: Counter[Key] = Counter()
    last: date | None = None
    enacted = False
    for change in chain:
        day, cause = change.entry.when.day, change.cause
        usual = days.get(cause.proposal) if cause.proposal is not None else None
        if day and last and day < last:
            message = f"the entry is dated {day}, and the one before it {last}"
            outcome = "the order of the history is followed"
            data.warn("date-order", change.entry.path, change.entry.line, message, outcome)
        last = max(filter(None, (day, last)), default=None)
        if cause.proposal is not None and day in (usual, None):
            key: Key = ("proposal", str(cause.proposal))
        else:
            key = _act(cause, day or last)
        if key[0] == "act" and cause.proposal is not None:
            message = f"{cause.words} is dated {usual} elsewhere"
            outcome = "what it did here is an act of that name, with its own day"
            data.warn(
                "date-differs",
                change.entry.path,
                change.entry.line,
                message,
                outcome,
                quote=str(day),
            )
        is_apart = enacted if (follows := key == before) else bool(seen[key])
        if is_apart:
            _warn_apart(
                change,
                data,
                "an instrument cannot change a rule that it enacts itself" if follows else "",
            )
            seen[key] += 1
        elif not seen[key]:
            seen[key] = 1
        before = key
        enacted = change.state.verb == "enact"
        change.key = key if seen[key] == 1 else (*_act(cause, day or usual or last), str(seen[key]))


def _drop_idle(
    chains: Sequence[Sequence[AgoraChange]], idle: list[AgoraChange], data: Data
) -> list[list[AgoraChange]]:
    """Move the changes of instruments that did nothing to `idle`, and return the chains without
    them.
    """
    working = {change.key for chain in chains for change in chain if change.state.verb is not None}
    for change in (change for chain in chains for change in chain if change.key not in working):
        message, outcome = "what made this change did nothing else", "only this report tells of it"
        data.warn(
            "did-nothing",
            change.entry.path,
            change.entry.line,
            message,
            outcome,
            quote=change.cause.words,
        )
        idle.append(change)
    return [[change for change in chain if change.key in working] for chain in chains]


def _act(cause: Cause, day: date | None) -> Key:
    """Return the key of an act."""
    return ("act", cause.words, cause.player or "", str(day or ""))


def _warn_apart(change: AgoraChange, data: Data, why: str) -> None:
    """Warn that a change becomes an act of its own, apart from the instrument of the same cause."""
    message = (
        why or "the history puts other changes between this one and what the same cause did before"
    )
    outcome = "it is told as an act of the same cause"
    data.warn(
        "told-apart",
        change.entry.path,
        change.entry.line,
        message,
        outcome,
        quote=change.cause.words,
    )


def _instruments(
    chains: Sequence[Sequence[AgoraChange]], days: Mapping[int, date | None], first: date
) -> dict[Key, AgoraInstrument]:
    instruments: dict[Key, AgoraInstrument] = {}
    for chain in chains:
        last: date | None = None
        for change in chain:
            last = change.entry.when.day or last
            instrument = instruments.get(change.key)
            if instrument is None:
                instrument = instruments[change.key] = _instrument(change, days, last or first)
            instrument.changes.append(change)
    name_files(
        instrument for _, instrument in sorted(instruments.items(), key=lambda item: repr(item[0]))
    )
    for instrument in instruments.values():
        instrument.date = _date_of(instrument)
    return instruments


def _instrument(
    change: AgoraChange, days: Mapping[int, date | None], last: date
) -> AgoraInstrument:
    cause = change.cause
    if change.key[0] == "proposal":
        day = days[int(change.key[1])]
        return AgoraInstrument(
            kind="proposal", cause=change.key[1], date=Moment.of(day) if day else None
        )
    day = date.fromisoformat(change.key[3]) if change.key[3] else last
    return AgoraInstrument(
        kind="act", cause=cause.words, player=cause.player, date=Moment.of(day), acting=cause.rule
    )


def _date_of(instrument: AgoraInstrument) -> Moment | None:
    """Return an instrument's date, as exact as an entry of its day says it. If no entry has that
    day, the date is `after` it; None where the instrument has no day.
    """
    if instrument.date is None:
        return None
    day = instrument.date.day
    given = [change.entry.when for change in instrument.changes if change.entry.when.day == day]
    if not given:
        return Moment.parse_inexact(f"after {day}")
    return min(given, key=lambda when: when.words).moment


def _split(
    chains: Sequence[Sequence[AgoraChange]],
    instruments: Mapping[Key, AgoraInstrument],
    started: Moment | None,
    data: Data,
) -> bool:
    """Where the ledger and a rule's history put two changes in contrary orders, make an act of one
    of them. Return whether any was made.

    In each chain, only the changes of one instrument become an act at a time.
    """
    where = ledger_places(instruments, started)
    is_split = False
    for chain in chains:
        at = next(
            (at for at in range(1, len(chain)) if where[chain[at].key] < where[chain[at - 1].key]),
            None,
        )
        # An act that was split off stands in no other chain: splitting it again would mend nothing.
        shared = (
            [change for change in (*chain[at:], *chain[:at]) if _SPLIT not in change.key]
            if at is not None
            else []
        )
        if not shared:
            continue
        is_split = True
        old = shared[0].key
        _warn_apart(
            shared[0],
            data,
            "the histories of two rules put two causes of one day in contrary orders",
        )
        for change in chain:
            if change.key == old:
                change.key = (
                    *_act(change.cause, change.entry.when.day),
                    _SPLIT,
                    str(change.history.rule.number),
                    *old,
                )
    return is_split
