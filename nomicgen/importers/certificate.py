"""The certificate of an import: each state of a source, held against what the ledger gives for it.

What a source says was read from it, and not from the files that were made of it; what the ledger gives is the replay's.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256

from msgspec import Struct

from nomicgen.model.identifiers import Digest
from nomicgen.importers.text_lines import ranges_of
from nomicgen.law.replay.state import Replay, Rule
from nomicgen.model import Difference, Imported, Records, SourceKind

LINE_BREAKS = "line breaks"
"""What differs where two texts have the same words, broken into other lines."""
_LISTED = 36

Options = Mapping[str, Sequence[str]]


class SourceRule(Struct, frozen=True, kw_only=True):
    """A rule as a source has it. `text` is None where it has none; a tier, mark or revision of None is not said."""

    number: int
    text: str | None
    title: str | None = None
    tier: str | None = None
    void: bool | None = None
    revision: int | None = None


class ComparedState(Struct, frozen=True, kw_only=True):
    """A state of a ruleset: at which place of the source, and the rules that `changed`, None for one that is gone."""

    place: str
    changed: Mapping[int, SourceRule | None]


class StateTally(Struct, kw_only=True):
    """What a comparison finds: how many states there are, how many differ, and each difference where it begins."""

    states: int = 0
    differing: int = 0
    rewrapped: int = 0
    differences: list[Difference] = []

    def count(self, place: str, rule: int, why: Sequence[str]) -> None:
        """Counts a state of one rule."""
        self.states += 1
        if why == (LINE_BREAKS,):
            self.rewrapped += 1
        elif why:
            self.differing += 1
            self.differ(place, rule, ", ".join(why))

    def differ(self, place: str, rule: int, why: str, states: int = 1) -> None:
        """Adds a difference."""
        self.differences.append(Difference(place=place, rule=rule, why=why, states=states))


class Observed(Struct, frozen=True, kw_only=True):
    """What was read of a source: its kind, SHA-256 of what was read, and what holds a game against it."""

    kind: SourceKind
    digest: Digest
    compare: Callable[[Records, Replay], StateTally]


def certified(observed: Observed, records: Records, played: Replay, source: str, options: Options) -> Imported:
    """The certificate of a game, of what was observed of its source; `options` say how that was read."""
    tally = observed.compare(records, played)
    return Imported(
        format=1,
        kind=observed.kind,
        source=source,
        options={key: [*values] for key, values in options.items() if values},
        digest=observed.digest,
        states=tally.states,
        identical=tally.states - tally.differing - tally.rewrapped,
        rewrapped=tally.rewrapped,
        differing=tally.differences[:_LISTED],
        unlisted=max(len(tally.differences) - _LISTED, 0),
    )


def rules_named(numbers: Sequence[int]) -> str:
    """`Rule 203`, `Rules 203, 205–207`."""
    return f"Rule{'s' if len(numbers) > 1 else ''} {ranges_of(numbers)}"


def certificate_bytes(certificate: Imported) -> bytes:
    """A certificate as the file `import.json` holds it."""
    document = {key: getattr(certificate, key) for key in Imported.keys}
    document["differing"] = [
        {key: getattr(difference, key) for key in Difference.keys} for difference in certificate.differing
    ]
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()


def digest_of(parts: Iterable[str | bytes]) -> Digest:
    """SHA-256 of some parts, each told from the next, in hexadecimal."""
    digest = sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return Digest(digest.hexdigest())


def differences(source: SourceRule | None, rule: Rule | None) -> tuple[str, ...]:
    """What differs between a rule as a source has it, and as the ledger does."""
    if source is None or rule is None:
        missing = ("missing in the ledger",) if source is not None else ("only in the ledger",)
        return () if source is None and rule is None else missing
    has_same_words = source.text is not None and rule.text is not None and source.text.split() == rule.text.split()
    pairs = (
        (LINE_BREAKS if has_same_words else "text", source.text == rule.text),
        ("title", source.title == rule.title),
        ("tier", source.tier in (None, rule.tier)),
        ("void", source.void in (None, bool(rule.void))),
        ("revision", source.revision in (None, rule.revision)),
    )
    return tuple(what for what, same in pairs if not same)


def compare_states(states: Sequence[ComparedState], records: Records, played: Replay) -> StateTally:
    """Holds states that follow each other against the ledger, in which each instrument and each initial rule names the
    place, a commit, whose state it gives.

    What was entered between two of them, and names none, is of neither: it comes before the later one.
    """
    given = _given(states, records, played)
    now: dict[int, Rule] = {}
    source: dict[int, SourceRule | None] = {}
    wrong: dict[int, tuple[tuple[str, ...], int]] = {}
    tally = StateTally(states=len(states))
    for at, state in enumerate(states):
        numbers = {*state.changed}
        source |= state.changed
        for change in given[at]:
            numbers |= _follow(now, change)
        for number in numbers:
            why = differences(source.get(number), now.get(number))
            if number in wrong and wrong[number][0] != why:
                _close(tally, states, number, wrong.pop(number), at)
            if why and number not in wrong:
                wrong[number] = why, at
        only_breaks = all(why == (LINE_BREAKS,) for why, _ in wrong.values())
        tally.rewrapped += bool(wrong) and only_breaks
        tally.differing += not only_breaks
    for number in sorted(wrong):
        _close(tally, states, number, wrong[number], len(states))
    began = {state.place: at for at, state in enumerate(states)}
    tally.differences.sort(key=lambda difference: (began[difference.place], difference.rule))
    return tally


def _close(
    tally: StateTally, states: Sequence[ComparedState], number: int, wrong: tuple[tuple[str, ...], int], end: int
) -> None:
    why, at = wrong
    if why != (LINE_BREAKS,):
        tally.differ(states[at].place, number, ", ".join(why), end - at)


_Event = tuple[Rule | None, Rule | None]


def _given(states: Sequence[ComparedState], records: Records, played: Replay) -> Mapping[int, Sequence[_Event]]:
    """What the ledger changes at each state, by the state's index: rules before and after."""
    places = {state.place: at for at, state in enumerate(states)}
    events: dict[int, list[_Event]] = defaultdict(list)
    for file in records.initial.values():
        rule = played.initial.get(file.matter.number)
        if rule is not None:
            events[places.get(file.matter.commit or "", 0)].append((None, rule))
    steps = [(places.get(step.instrument.matter.commit or ""), step.changes) for step in played.steps]
    while steps and steps[-1][0] is None:
        steps.pop()
    last = 0
    for at, changes in steps:
        last = last if at is None else at
        events[last if at is not None else last + 1] += [(change.before, change.after) for change in changes]
    return events


def _follow(now: dict[int, Rule], event: _Event) -> set[int]:
    before, after = event
    numbers = set()
    if before is not None:
        numbers.add(before.number)
        there = now.get(before.number)
        if there is not None and there.identity == before.identity:
            del now[before.number]
    if after is not None:
        numbers.add(after.number)
        now[after.number] = after
    return numbers
