"""The instruments that the histories of all rules tell of: what each did, when, and in which order."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import TypeVar

from msgspec import Struct

from nomicgen.files.file_findings import Notes
from nomicgen.files.instruction_text import amend, enact, mark, renumber, repeal, retitle, transmute
from nomicgen.formats.ruleset_text import LOST
from nomicgen.importers.derived_names import act_paths, sha_of
from nomicgen.importers.printed.history import LongHistory, LongState
from nomicgen.importers.printed.printed_history import CauseKind, HistoryLine, Key
from nomicgen.model.values import Moment, RuleRef

Sortable = tuple[date, date, int, int, int, str]
"""Where an instrument stands in the ledger: moment of effect, of decision, `seq`, kind, number, path."""
T = TypeVar("T", bound=Hashable)

_RANKS: dict[CauseKind, int] = {"act": 0, "judgement": 1, "proposal": 2}
_UNKNOWN_TITLE = "(title lost)"
_UNKNOWN_MARK = "(what was marked is lost)"


class ImportedInstrument(Struct, kw_only=True):
    """An instrument in the making. `lines` are those that name it; `instructions` their Markdown, in order.

    `effective` and `seq` are set where dates alone would put it elsewhere than the histories do. Of a judgement,
    `ruling` is Markdown, and `rules` are those that it is about; of an act, `under` is the rule that allows it.
    """

    kind: CauseKind
    cause: str
    player: str | None = None
    date: Moment | None = None
    turn: str | None = None
    lines: list[HistoryLine] = []
    instructions: list[str] = []
    commit: str | None = None
    effective: Moment | None = None
    seq: int = 0
    path: str = ""
    title: str = ""
    note: str = ""
    status: str = "adopted"
    under: int | None = None
    ruling: str = ""
    rules: list[RuleRef] = []

    @property
    def number(self) -> int:
        return 0 if self.kind == "act" else int(self.cause)

    @property
    def name(self) -> str:
        return self.cause if self.kind == "act" else f"{self.kind.capitalize()} {self.cause}"


def name_files(instruments: Iterable[ImportedInstrument]) -> None:
    """Gives each instrument the path of its file."""
    known = [*instruments]
    acts = (
        (str(at), instrument.date.exact if instrument.date else "", instrument.cause)
        for at, instrument in enumerate(known)
        if instrument.kind == "act"
    )
    paths = act_paths(acts)
    for at, instrument in enumerate(known):
        instrument.path = paths[str(at)] if instrument.kind == "act" else f"{instrument.kind}s/{instrument.number}.md"


def last_text(history: LongHistory) -> str | None:
    """The text of a rule's last revision, None where it is lost."""
    return None if history.section.text in ("", LOST) else history.section.text


def was_retitled(history: LongHistory) -> bool:
    """Whether a rule got another title than it began with."""
    return any(state.is_retitled for state in history.states)


def instruments_of(
    histories: Sequence[LongHistory], tiers: Sequence[str], notes: Notes
) -> dict[Key, ImportedInstrument]:
    """Every instrument that a history names, with its instructions.

    What is left without any instruction is no instrument, unless it is a judgement.
    """
    instruments: dict[Key, ImportedInstrument] = {}
    for history in histories:
        pinned: dict[Key, LongState] = {}
        last = max(at for at, state in enumerate(history.states) if state.gives_text)
        titled = max((at for at, state in enumerate(history.states) if state.is_retitled), default=0)
        for at, (before, state) in enumerate(zip((None, *history.states), history.states, strict=False)):
            line = state.line
            if line is None or line.kind is None:
                continue
            key = line.instrument
            instrument = instruments.setdefault(key, ImportedInstrument(kind=line.kind, cause=line.cause))
            _agree(instrument, line, notes)
            if before is not None:
                pinned.setdefault(key, before)
            text = last_text(history) if at == last else None
            title = history.section.title if at == titled else None
            instrument.instructions += _instructions(
                line, pinned.get(key), before, state, (text, title), tiers[-1], notes
            )
    for key, instrument in [*instruments.items()]:
        if not instrument.instructions and instrument.kind != "judgement":
            line = instrument.lines[0]
            notes.at("import-unread", line.line, 1, f"{instrument.name} changed nothing", "it is left out")
            del instruments[key]
    return instruments


def _agree(instrument: ImportedInstrument, line: HistoryLine, notes: Notes) -> None:
    """Adds a line to its instrument. Two lines of one say the same of it: what one does not say, another may."""
    said = {"player": line.player, "date": line.date, "turn": line.turn, "commit": sha_of(line.url)}
    known = {key: getattr(instrument, key) for key in said}
    differing = [key for key, value in said.items() if value is not None and known[key] not in (None, value)]
    if differing:
        first = instrument.lines[0].line
        message = f"the line gives {instrument.name} another {' and '.join(differing)} than line {first}"
        notes.at("import-unread", line.line, 1, message, "what was said first is kept")
    for key, value in said.items():
        setattr(instrument, key, value if known[key] is None else known[key])
    instrument.lines.append(line)


def _instructions(
    line: HistoryLine,
    pinned: LongState | None,
    before: LongState | None,
    state: LongState,
    known: tuple[str | None, str | None],
    least: str,
    notes: Notes,
) -> list[str]:
    """The instructions of one line. `pinned` is the rule before the instrument, `before` before the line; `known` are
    the text and the title that it gives.
    """
    text, title = known
    if line.verb == "enact":
        tier = None if state.tier == least else state.tier
        returns = before.number if before else None
        return [enact(state.number, title, text, mutability=tier, reenacts=returns)]
    assert pinned is not None
    assert before is not None
    if line.verb == "transmute":
        if state.tier == before.tier:
            return []
        instructions = [transmute(pinned.ref, state.tier)]
    elif line.verb == "amend":
        instructions = [amend(pinned.ref, text)]
    elif line.verb == "renumber":
        return [] if state.number == before.number else [renumber(pinned.ref, state.number)]
    elif line.verb == "retitle" and title:
        return [retitle(pinned.ref, title)]
    elif line.verb == "retitle":
        help = f"the rule's title is now `{_UNKNOWN_TITLE}`: write the true one into the instruction"
        notes.at("import-unread", line.line, 1, "the format does not say which title the rule got", help)
        return [retitle(pinned.ref, _UNKNOWN_TITLE)]
    elif line.verb == "mark":
        help = f"the rule's note is now `{_UNKNOWN_MARK}`: write the true marks into the instruction's block"
        notes.at("import-unread", line.line, 1, "the format does not say what was marked", help)
        return [mark(pinned.ref, note=_UNKNOWN_MARK)]
    else:
        return [repeal(pinned.ref)]
    if state.number != before.number:
        instructions.append(renumber(pinned.ref, state.number))
    return instructions


def place(
    histories: Sequence[LongHistory], instruments: Mapping[Key, ImportedInstrument], started: Moment | None
) -> None:
    """Sets `effective` and `seq` where the dates alone would put two instruments in another order than a history."""
    chains = (
        (state.line.instrument for state in history.states if state.line and state.line.kind) for history in histories
    )
    place_chains([[key for key in chain if key in instruments] for chain in chains], instruments, started)


def place_chains(
    order: Sequence[Sequence[Key]], instruments: Mapping[Key, ImportedInstrument], started: Moment | None
) -> None:
    """The same for chains of instruments, each as the history of one rule gives it."""
    days = _days(instruments, started)
    keys: dict[Key, Sortable] = {}
    earlier: dict[Key, set[Key]] = defaultdict(set)
    for chain in order:
        for key, following in pairwise(chain):
            earlier[following].add(key)
    for key in sorted_with(instruments, order, lambda key: _sortable(instruments[key], days[key])):
        instrument = instruments[key]
        now = _sortable(instrument, days[key])
        for before in sorted((other for other in earlier[key] if other in keys), key=keys.__getitem__):
            now = _after(keys[before], now)
        if now[0] != days[key]:
            instrument.effective = Moment.of(now[0])
        instrument.seq = now[2]
        keys[key] = now


def standing(instruments: Mapping[Key, ImportedInstrument], started: Moment | None) -> dict[Key, Sortable]:
    """Where each instrument stands in the ledger as it is placed now."""
    days = _days(instruments, started)
    return {
        key: _sortable(
            instrument, days[key], instrument.effective.day if instrument.effective else days[key], instrument.seq
        )
        for key, instrument in instruments.items()
    }


def _sortable(instrument: ImportedInstrument, decided: date, effective: date | None = None, seq: int = 0) -> Sortable:
    return effective or decided, decided, seq, _RANKS[instrument.kind], instrument.number, instrument.path


def _after(before: Sortable, now: Sortable) -> Sortable:
    """Where an instrument comes after another, moved no further than it must be."""
    if before < now and before[:3] != now[:3]:
        return now
    day, decided = before[0], now[1]
    if decided == before[1]:
        return (day, decided, before[2] + 1, *now[3:])
    if decided < before[1] and day < date.max:
        day += timedelta(days=1)
    return (day, decided, 0, *now[3:])


def _days(instruments: Mapping[Key, ImportedInstrument], started: Moment | None) -> dict[Key, date]:
    """The day of each instrument; without a date a proposal stands where its number puts it."""
    days = {}
    inherited = started.day if started else date.min
    for key, instrument in sorted(instruments.items(), key=lambda item: item[1].number):
        if instrument.kind == "proposal":
            inherited = instrument.date.day if instrument.date else inherited
            days[key] = inherited
        else:
            days[key] = instrument.date.day if instrument.date else started.day if started else date.min
    return days


def sorted_with(items: Iterable[T], chains: Iterable[Sequence[T]], key: Callable[[T], Sortable]) -> list[T]:
    """The items by `key`, but each after what stands before it in any chain; chains that contradict yield."""
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
