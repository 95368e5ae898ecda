"""A ruleset in the long format, held against a ledger: each revision that its histories print, and the texts.

Each line of a history is a state of its rule: what it names must have done in the ledger what the line says.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from nomicgen.formats.ruleset_text import LOST
from nomicgen.importers.certificate import Tally
from nomicgen.importers.long_format import Section
from nomicgen.importers.printed_history import HistoryLine, parse_history_line
from nomicgen.law.replay_state import Change, Replay, Rule
from nomicgen.model import ActMatter, Instrument, Moment, Records

_Key = tuple[str, str, Moment | None]


class _Ledger(Struct, frozen=True, kw_only=True):
    """What each instrument did, by what a history calls it; acts also without their day."""

    initial: Mapping[int, Rule]
    done: Mapping[_Key, Sequence[Change]]

    def by(self, line: HistoryLine) -> Sequence[Change]:
        return self.done.get((line.kind or "", line.cause, line.date if line.kind == "act" else None), ())


def compare_sections(sections: Sequence[Section], filename: str, _: Records, played: Replay) -> Tally:
    """Holds every printed revision against the ledger: its cause, its number, its tier; of the last one the text."""
    ledger = _ledger(played)
    tally = Tally()
    for section in sections:
        read = [(number, parse_history_line(raw, number)) for number, raw in section.history]
        lines = [line for _, line in read if line is not None]
        rule = _bearer(section, lines, ledger)
        told = {line.line: _done(line, rule, ledger) for line in lines}
        final = told.get(lines[-1].line) if lines else rule
        for number, line in read:
            why = [] if line is not None else ["history"]
            if line is not None and told[number] is None:
                why = [line.verb]
            elif line is not None and line is lines[-1]:
                why = [*_differs(section, final)]
            tally.one(f"{filename}:{number}", section.number, why)
        if not lines:
            tally.one(f"{filename}:{section.line}", section.number, [*_differs(section, final)])
    return tally


def _ledger(played: Replay) -> _Ledger:
    done: dict[_Key, list[Change]] = defaultdict(list)
    for step in played.steps:
        for key in _keys(step.instrument):
            done[key] += step.changes
    return _Ledger(initial={rule.number: rule for rule in played.initial}, done=done)


def _keys(one: Instrument) -> Iterator[_Key]:
    if isinstance(one.matter, ActMatter):
        yield "act", one.matter.cause, one.matter.date
        yield "act", one.matter.cause, None
    else:
        yield one.kind, str(one.number), None


def _bearer(section: Section, lines: Sequence[HistoryLine], ledger: _Ledger) -> Rule | None:
    """The rule of the ledger that a section is about: what its last line did to the number that it bears."""
    if not lines or lines[-1].verb == "initial":
        return ledger.initial.get(section.number)
    did = [one.after for one in ledger.by(lines[-1]) if one.after is not None]
    return next((one for one in reversed(did) if one.number == section.number), None)


def _done(line: HistoryLine, rule: Rule | None, ledger: _Ledger) -> Rule | None:
    """The rule after what a line names, None where that did something else."""
    if rule is None:
        return None
    if line.verb == "initial":
        begun = next((one for one in ledger.initial.values() if one.identity == rule.identity), None)
        return begun if begun is not None and line.tier in (None, begun.tier) else None
    found = [one for one in ledger.by(line) if one.rule.identity == rule.identity]
    did = next((one for one in found if one.verb == line.verb and _fits(line, one)), None)
    return found[-1].after if did is not None else None


def _fits(line: HistoryLine, one: Change) -> bool:
    after, before = one.after, one.before
    if line.verb == "amend":
        return after is not None and line.revision in (None, after.revision)
    if line.verb == "transmute":
        return after is not None and line.tier in (None, after.tier)
    return line.verb != "renumber" or before is None or line.number in (None, before.number)


def _differs(section: Section, rule: Rule | None) -> Iterator[str]:
    if rule is None:
        yield "missing in the ledger"
        return
    text = section.text if section.text not in ("", LOST) else None
    if (rule.number, rule.revision) != (section.number, section.revision):
        yield "revision"
    if text != rule.text:
        yield "text"
    if section.tier not in (None, rule.tier):
        yield "tier"
