"""Citations: `R203/1@2020-07-27`, `P329`, `CFJ 4`, `R4T3`. What they say, and what they stand for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.archive.archive_view import Archive
from nomicgen.archive.rule_history import TEXT_VERBS, HistoryEntry, RuleHistory
from nomicgen.law.replay_state import Rule
from nomicgen.model import Instrument, InstrumentKind, Moment, RuleRef, Turn
from nomicgen.patterns import lazy_pattern

# Digits are those of a keyboard: others look like them, or do not.
_PLAIN = re.IGNORECASE | re.ASCII
_RULE = lazy_pattern(r"(?:r|rule)?\s*#?([1-9]\d{0,8}(?:/(?:0|[1-9]\d{0,5}))?)(?:\s*@\s*(\S+))?", _PLAIN)
_NUMBERED: tuple[tuple[InstrumentKind, re.Pattern[str]], ...] = (
    ("proposal", lazy_pattern(r"(?:p|prop\.?|proposal)\s*#?([1-9]\d{0,8})", _PLAIN)),
    ("judgement", lazy_pattern(r"(?:j|cfj|judge?ment)\s*#?([1-9]\d{0,8})", _PLAIN)),
)
_TURN = lazy_pattern(r"(?:turn\s+)?(R[1-9]\d{0,5}T[1-9]\d{0,5})", _PLAIN)
_FORMS = "a citation is such as 203, R203/1, R203/1@2020-07-27, P329, CFJ 4, R4T3, or the name of an act's file"


class Citation(Struct, frozen=True):
    """What a citation says: a rule, perhaps on a day, or the number of an instrument, or a name: a turn's, an act's."""

    rule: RuleRef | None = None
    on: Moment | None = None
    kind: InstrumentKind | None = None
    number: int = 0
    name: str = ""


class RevisionPeriod(Struct, frozen=True, kw_only=True):
    """A revision under one number, and how long it stood: from `since` on, and from `until` on no more.

    `index` is that of the line of the rule's history that it began with, `text` that of the line that gave it its
    text. A moment is None where it is not known, `until` also while the revision stands.
    """

    history: RuleHistory
    rule: Rule
    index: int
    text: int
    since: Moment | None
    until: Moment | None = None
    ended: bool = False

    def stood_on(self, on: Moment) -> bool:
        """Whether it stood at the end of a day; what stood for a part of a day only, whether it was that day."""
        if self.since is not None and on.day < self.since.day:
            return False
        began = self.since is not None and self.since.day == on.day
        return not self.ended or began or (self.until is not None and on.day < self.until.day)

    @property
    def citation(self) -> str:
        """The citation that says which is meant for good: `R203/1@2020-07-27`."""
        return f"R{self.rule.ref}{f'@{self.since.day}' if self.since else ''}"

    @property
    def span(self) -> str:
        """`2020-07-27 to 2020-08-14`, the day on which another took its place; `since 2020-07-27`."""
        first = self.history.entries[self.index].verb == "initial"
        since = str(self.since.day) if self.since else "the beginning" if first else "a day that is not known"
        if not self.ended:
            return f"since {since}"
        return f"{since} to {self.until.day if self.until else 'a day that is not known'}"


class Resolved(Struct, frozen=True, kw_only=True):
    """What a citation stands for: one of the three. `note` tells what the reader may not expect."""

    standing: RevisionPeriod | None = None
    instrument: Instrument | None = None
    turn: Turn | None = None
    note: str = ""


class Unresolved(Struct, frozen=True, kw_only=True):
    """Why a citation stands for nothing, or for several things; `remedy` says what to type instead."""

    message: str
    remedy: str


def parse_citation(text: str) -> Citation:
    """Reads a citation. Raises ValueError for what cannot be one, such as a date that is not in the calendar."""
    said = " ".join(text.split())
    if found := _TURN.fullmatch(said):
        return Citation(name=f"turns/{found[1].upper()}.yml")
    if found := _RULE.fullmatch(said):
        return Citation(rule=RuleRef.parse(found[1]), on=_day(found[2]) if found[2] else None)
    for kind, form in _NUMBERED:
        if found := form.fullmatch(said):
            return Citation(kind=kind, number=int(found[1]))
    if not said or "@" in said:
        raise ValueError(_FORMS)
    return Citation(name=said)


def _day(text: str) -> Moment:
    found = Moment.parse(text)
    if found.timed:
        raise ValueError("is cited by the day, without a time")
    return found


def resolve_citation(archive: Archive, citation: Citation) -> Resolved | Unresolved:
    """What a citation stands for. A day is taken at its end; any number that a rule bore will do."""
    if citation.rule is not None:
        return _rule(archive, citation.rule, citation.on)
    if citation.kind is not None:
        return _numbered(archive, citation.kind, citation.number)
    return _named(archive, citation.name)


def revision_periods(history: RuleHistory) -> tuple[RevisionPeriod, ...]:
    """A rule's revisions in order, each under each number that it bore, with the time that it stood."""
    found: list[RevisionPeriod] = []
    text = 0
    for index, entry in enumerate(history.entries):
        text = index if entry.verb in TEXT_VERBS else text
        if found and _goes_on(found[-1], entry, text):
            found[-1] = replace(found[-1], rule=entry.rule)
            continue
        if found and not found[-1].ended:
            found[-1] = replace(found[-1], until=entry.moment, ended=True)
        if entry.verb != "repeal":
            found.append(RevisionPeriod(history=history, rule=entry.rule, index=index, text=text, since=entry.moment))
    return tuple(found)


def _goes_on(last: RevisionPeriod, entry: HistoryEntry, text: int) -> bool:
    return not last.ended and entry.verb != "repeal" and last.text == text and last.rule.number == entry.rule.number


def _rule(archive: Archive, ref: RuleRef, on: Moment | None) -> Resolved | Unresolved:
    bearers = archive.histories.bearers.get(ref.number, ())
    if not bearers:
        return Unresolved(
            message=f"there never was a Rule {ref.number}", remedy="`nomicgen status --rules` lists the rules"
        )
    started, until = archive.replay.settings.started, archive.replay.until
    if on is not None and started is not None and on.day < started.day:
        return Unresolved(message=f"the game began on {started.day}", remedy=f"nomicgen rule cite {ref}@{started.day}")
    if on is not None and until is not None and until.day < on.day:
        return Unresolved(message=f"nobody knows the law of {on} yet", remedy=f"nomicgen rule cite {ref}")
    every = [one for identity in bearers for one in revision_periods(archive.histories.rules[identity])]
    if ref.revision is None:
        return _unpinned(archive, ref.number, on, every)
    return _pinned(ref, on, every)


def _unpinned(
    archive: Archive, number: int, on: Moment | None, every: Sequence[RevisionPeriod]
) -> Resolved | Unresolved:
    if on is not None:
        rule = archive.replay.on(on).named(number)
        if rule is None:
            return _absent(number, on, every)
        same = [one for one in every if (one.history.identity, one.rule.ref) == (rule.identity, rule.ref)]
        return _found(next((one for one in reversed(same) if one.stood_on(on)), same[-1]), number)
    histories = {one.history.identity: one for one in every}
    if len(histories) == 1:
        return _found(every[-1], number)
    # Several rules bore it: the last standing of each under this number tells them apart.
    borne = {one.history.identity: one for one in every if one.rule.number == number}
    return _ambiguous(f"Rule {number}", borne.values())


def _pinned(ref: RuleRef, on: Moment | None, every: Sequence[RevisionPeriod]) -> Resolved | Unresolved:
    exact = [one for one in every if one.rule.ref == str(ref)]
    # Under another number it is the same rule: 203/1 for what was 203/0 and is 305/1.
    meant = exact or [one for one in every if one.rule.revision == ref.revision]
    if not meant:
        shown = ", ".join(dict.fromkeys(one.rule.ref for one in every))
        return Unresolved(message=f"there never was a Rule {ref}", remedy=f"revisions: {shown}")
    if on is not None:
        standing = [one for one in meant if one.stood_on(on)]
        if not standing:
            return _not_then(ref, on, meant, every)
        # On a day of many changes the last is meant.
        return _found(standing[-1], ref.number)
    return _found(meant[0], ref.number) if len(meant) == 1 else _ambiguous(f"Rule {ref}", meant)


def _found(standing: RevisionPeriod, number: int) -> Resolved:
    called, last, stands = standing.rule.number, standing.history.last, standing.history.current is not None
    if number != last.number and stands:
        return Resolved(standing=standing, note=f"Rule {number} is Rule {last.number} now")
    return Resolved(
        standing=standing, note=f"Rule {number} is the same rule as Rule {called}" if number != called else ""
    )


def _ambiguous(named: str, standings: Collection[RevisionPeriod]) -> Unresolved:
    return _choices(f"{named} may be one of {len(standings)}", "say which:", standings)


def _choices(message: str, heading: str, standings: Iterable[RevisionPeriod]) -> Unresolved:
    """Why a citation stands for nothing certain, and the citations that may be meant."""
    lines = (f"nomicgen rule cite {one.citation}   {_titled(one.rule)}, {one.span}" for one in standings)
    return Unresolved(message=message, remedy="\n  ".join([heading, *lines]))


def _titled(rule: Rule) -> str:
    return f"Rule {rule.ref}{f': {rule.title}' if rule.title else ''}"


def _not_then(ref: RuleRef, on: Moment, meant: Sequence[RevisionPeriod], every: Sequence[RevisionPeriod]) -> Unresolved:
    when = " and ".join(one.span for one in meant)
    then = [one for one in every if one.stood_on(on)]
    message = f"Rule {ref} was not in force on {on}: it stood {when}"
    return _choices(message, "one of these:", [*meant, *then])


def _absent(number: int, on: Moment, every: Sequence[RevisionPeriod]) -> Unresolved:
    borne = [one for one in every if one.rule.number == number]
    then = [one for one in every if one.stood_on(on)]
    return _choices(f"there was no Rule {number} on {on}", "one of these:", [*then, *borne])


def _numbered(archive: Archive, kind: InstrumentKind, number: int) -> Resolved | Unresolved:
    every = archive.records.of_kind(kind)
    for one in every:
        if one.number == number:
            return Resolved(instrument=one)
    numbers = [one.number for one in every if one.number is not None]
    name = f"{kind.capitalize()} {number}"
    lost = archive.records.settings.lost
    if number in {"proposal": lost.proposals, "judgement": lost.judgements}.get(kind, ()):
        return Unresolved(message=f"{name} is lost", remedy="nomic.yml says so, under `lost`")
    known = f"there are {kind}s {min(numbers)} to {max(numbers)}" if numbers else f"there are no {kind}s yet"
    return Unresolved(message=f"there is no {name}", remedy=known)


def _named(archive: Archive, name: str) -> Resolved | Unresolved:
    """An instrument or a turn by its file, with its ending or without; an act by its cause as well."""
    turn = archive.records.turns.get(name.removeprefix("turns/").removesuffix(".yml"))
    if turn is not None:
        return Resolved(turn=turn)
    if name.startswith("turns/"):
        said = name.removeprefix("turns/").removesuffix(".yml")
        return Unresolved(message=f"there is no turn {said}", remedy=f"write it down with `nomicgen turn {said}`")
    known = list(_by_name(archive, name))
    if len(known) == 1:
        return Resolved(instrument=known[0])
    if known:
        lines = [f"nomicgen rule cite {one.path.removesuffix('.md')}" for one in known]
        return Unresolved(message=f"{name} may be one of {len(lines)}", remedy="\n  ".join(["say which:", *lines]))
    return Unresolved(message=f"{name!r} is not in this game", remedy=_FORMS)


def _by_name(archive: Archive, name: str) -> Iterator[Instrument]:
    path = f"{name.removesuffix('.md')}.md"
    if path in archive.records.instruments:
        yield archive.records.instruments[path]
        return
    for one in archive.records.of_kind("act"):
        if path == one.path.removeprefix("acts/") or one.name.casefold() == name.casefold():
            yield one
