"""Instruments in the making, from any source: their instructions, the names of their files, their
order in the ledger.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Literal, TypeVar

from msgspec import Struct

from nomicgen.files.instruction_text import amend, enact, mark, renumber, repeal, retitle, transmute
from nomicgen.importers.derived_names import distinct, slug
from nomicgen.model.records import Verb
from nomicgen.model.values import Moment, RuleRef

Sortable = tuple[date, date, int, int, int, str]
"""An instrument's place in the ledger: day of effect, of decision, `seq`, kind, number, path."""
Key = tuple[str, ...]
"""What identifies an instrument while it is made; each importer chooses its parts."""
CauseKind = Literal["proposal", "judgement", "act"]
T = TypeVar("T", bound=Hashable)

_RANKS: dict[CauseKind, int] = {"act": 0, "judgement": 1, "proposal": 2}
"""The order of instruments of one day, by kind."""
UNKNOWN_TITLE = "(title lost)"
"""The title that a rule gets by a retitling whose title is lost."""


class RuleState(Struct, frozen=True, kw_only=True):
    """What a history says of a rule after one of its lines."""

    number: int
    revision: int
    tier: str

    @property
    def ref(self) -> str:
        return f"{self.number}/{self.revision}"


class ImportedInstrument(Struct, kw_only=True):
    """An instrument in the making. `cause` is its number, or what an act is called. `commit` is the
    one of the source that made it, `turn` that in which it was made; None if unknown.

    `player` is the name of whoever made it, and `lines` are the numbers of the source's lines that
    name it. `effective` and `seq` are set where dates alone would put it elsewhere than the
    histories do. A judgement has a `ruling` in Markdown, and the `rules` that it is about.
    """

    kind: CauseKind
    cause: str
    player: str | None = None
    date: Moment | None = None
    turn: str | None = None
    lines: list[int] = []
    instructions: list[str] = []
    commit: str | None = None
    effective: Moment | None = None
    seq: int = 0
    path: str = ""
    title: str = ""
    note: str = ""
    status: str = "adopted"
    ruling: str = ""
    rules: list[RuleRef] = []

    @property
    def number(self) -> int:
        return 0 if self.kind == "act" else int(self.cause)

    @property
    def name(self) -> str:
        return self.cause if self.kind == "act" else f"{self.kind.capitalize()} {self.cause}"


def name_files(instruments: Iterable[ImportedInstrument]) -> None:
    """Give each instrument the path of its file: acts have names, the others numbers."""
    acts: list[ImportedInstrument] = []
    for one in instruments:
        one.path = f"{one.kind}s/{one.number}.md"
        acts += [one] if one.kind == "act" else []
    names = distinct(
        f"{act.date.reckoned if act.date else ''}-{slug(act.cause, 'act')}" for act in acts
    )
    for act, name in zip(acts, names, strict=True):
        act.path = f"acts/{name}.md"


def instructions_for(
    verb: Verb,
    pinned: str,
    before: RuleState | None,
    state: RuleState,
    *,
    least: str,
    text: str | None = None,
    title: str | None = None,
    section: str | None = None,
    marked: str = "",
) -> list[str]:
    """Return the instructions that turn a rule from what it was `before` into `state`.

    `pinned` is the revision that the rule had before the instrument, such as `203/1`. `least` is
    the least entrenched tier. `text` is the new text, None if it is lost; `title` the new title,
    None where it keeps the old one, or for a retitling if it is lost. `section` is the one that it
    gets, if any; `marked` is a mark's note.
    """
    if verb == "enact":
        tier = None if state.tier == least else state.tier
        reenacted = before.number if before else None
        revision = state.revision or None
        return [
            enact(
                state.number,
                title,
                text,
                mutability=tier,
                reenacts=reenacted,
                revision=revision,
                section=section,
            )
        ]
    instructions: list[str] = []
    match verb:
        case "amend":
            instructions.append(amend(pinned, text, section=section))
        case "transmute" if before is None or state.tier != before.tier:
            instructions.append(transmute(pinned, state.tier))
        case "mark":
            instructions.append(mark(pinned, note=marked))
        case "repeal":
            return [repeal(pinned)]
    if title or verb == "retitle":
        instructions.append(retitle(pinned, title or UNKNOWN_TITLE))
    if before is not None and state.number != before.number:
        instructions.append(renumber(pinned, state.number))
    return instructions


def place_chains(
    chains: Sequence[Sequence[Key]],
    instruments: Mapping[Key, ImportedInstrument],
    started: Moment | None,
) -> None:
    """Set `effective` and `seq` where the dates alone would order two instruments otherwise than a
    chain does. Each chain has the instruments of one history, in its order. `started` is the day on
    which the game began, None if nobody knows it.
    """
    days = _days(instruments, started)
    places: dict[Key, Sortable] = {}
    earlier: dict[Key, set[Key]] = defaultdict(set)
    for chain in chains:
        for key, following in pairwise(chain):
            earlier[following].add(key)
    for key in sorted_with(instruments, chains, lambda key: _sortable(instruments[key], days[key])):
        instrument = instruments[key]
        now = _sortable(instrument, days[key])
        for before in sorted(
            (other for other in earlier[key] if other in places), key=places.__getitem__
        ):
            now = _after(places[before], now)
        if now[0] != days[key]:
            instrument.effective = Moment.of(now[0])
        instrument.seq = now[2]
        places[key] = now


def ledger_places(
    instruments: Mapping[Key, ImportedInstrument], started: Moment | None
) -> dict[Key, Sortable]:
    """Return where each instrument stands in the ledger, with its present `effective` and `seq`."""
    days = _days(instruments, started)
    return {
        key: _sortable(
            instrument,
            days[key],
            instrument.effective.day if instrument.effective else days[key],
            instrument.seq,
        )
        for key, instrument in instruments.items()
    }


def _sortable(
    instrument: ImportedInstrument, decided: date, effective: date | None = None, seq: int = 0
) -> Sortable:
    return (
        effective or decided,
        decided,
        seq,
        _RANKS[instrument.kind],
        instrument.number,
        instrument.path,
    )


def _after(before: Sortable, now: Sortable) -> Sortable:
    """Return `now` if it comes after `before`, else the first place after `before`."""
    if before < now and before[:3] != now[:3]:
        return now
    # An order within a day is written down as `seq`, and not left to kinds and numbers.
    day, decided = before[0], now[1]
    if decided == before[1]:
        return (day, decided, before[2] + 1, *now[3:])
    if decided < before[1] and day < date.max:
        day += timedelta(days=1)
    return (day, decided, 0, *now[3:])


def _days(instruments: Mapping[Key, ImportedInstrument], started: Moment | None) -> dict[Key, date]:
    """Return the day of each instrument. An undated proposal gets that of the proposal with the
    next lower number; other undated instruments, and a first proposal, the day on which the game
    began.
    """
    days = {}
    inherited = started.day if started else date.min
    for key, instrument in sorted(instruments.items(), key=lambda item: item[1].number):
        if instrument.kind == "proposal":
            inherited = instrument.date.day if instrument.date else inherited
            days[key] = inherited
        else:
            days[key] = (
                instrument.date.day if instrument.date else started.day if started else date.min
            )
    return days


def sorted_with(
    items: Iterable[T], chains: Iterable[Sequence[T]], key: Callable[[T], Sortable]
) -> list[T]:
    """Return the items in the order of `key`, except that each comes after those before it in any
    chain. Where chains contradict each other, `key` decides.
    """
    ranked = sorted(items, key=key)
    ranks = {item: at for at, item in enumerate(ranked)}
    after: dict[int, set[int]] = defaultdict(set)
    waits: Counter[int] = Counter()
    for chain in chains:
        for before, other in pairwise(ranks[item] for item in chain):
            if before != other and other not in after[before]:
                after[before].add(other)
                waits[other] += 1
    free = [at for at in range(len(ranked)) if not waits[at]]
    left = dict.fromkeys(range(len(ranked)))
    order: list[T] = []
    while left:
        at = heapq.heappop(free) if free else next(iter(left))
        if at not in left:
            continue
        del left[at]
        order.append(ranked[at])
        for other in sorted(after[at]):
            waits[other] -= 1
            if waits[other] == 0:
                heapq.heappush(free, other)
    return order
