"""The instruments of an archive: what each commit's changes are as instructions, and the rules as they leave them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import field
from msgspec.structs import asdict, replace

from nomicgen.files.instruction_text import amend, enact, mark, renumber, repeal, retitle, transmute
from nomicgen.importers.commit_log import PastCommit
from nomicgen.importers.git.changes import ArchiveChange, CommitRule, LedgerRule
from nomicgen.importers.git.subjects import NamedInstrument
from nomicgen.importers.import_report import ArchiveWarnings, ReportedEvent
from nomicgen.importers.instruments import ImportedInstrument

CORRECTION = "Correction"
"""The cause of what nobody can class. (A cause `correction`, in small letters, may only restore.)"""
COMPLETION = "Completion"
"""The cause of an act that says of a new rule what its enactment cannot: that it is void."""
RuleEvent = tuple[str, int, int, int]
"""What was done: the verb, the rule's number and revision, its identity."""


class ArchiveInstrument(ImportedInstrument, kw_only=True):
    """An instrument in the making, and the commit that was its `source`. `named` is what that was taken for;
    `numbers` are those that it gives or takes, `rules` what bears them afterwards.
    """

    source: PastCommit
    named: NamedInstrument
    author: str
    title: str = ""
    note: str = ""
    events: list[RuleEvent] = field(default_factory=list)
    numbers: frozenset[int] = frozenset()
    rules: Mapping[int, LedgerRule | None] = field(default_factory=dict)

    @property
    def identities(self) -> frozenset[int]:
        return frozenset(identity for *_, identity in self.events)

    def reported(self) -> Iterator[ReportedEvent]:
        """Its lines of the report."""
        for verb, number, revision, _ in self.events:
            yield ReportedEvent(
                what=verb,
                rule=number,
                revision=revision,
                instrument=self.path,
                date=str(self.date) if self.date else None,
                committed=self.source.committed or None,
                commit=self.source.sha,
                subject=self.source.subject,
                author=self.author,
            )


class ArchiveLedger:
    """The rules as they stand, in the course of an archive."""

    def __init__(self, initial: Iterable[CommitRule], tiers: Sequence[str], warnings: ArchiveWarnings) -> None:
        self.tiers, self.warnings = tiers, warnings
        self.rules: dict[int, LedgerRule] = {}
        self.gone: dict[int, LedgerRule] = {}
        self.identities = 0
        for rule in initial:
            self._bear(rule, None)

    def _bear(self, rule: CommitRule, returns: LedgerRule | None) -> LedgerRule:
        """Puts a rule that is new, or returns, among those that stand."""
        self.identities += returns is None
        identity = self.identities if returns is None else returns.identity
        born = LedgerRule(identity=identity, revision=rule.heading or 0, **asdict(rule))
        self.rules[rule.number] = born
        self.gone.pop(rule.number, None)
        return born

    def carry_out(self, changes: Sequence[ArchiveChange], instrument: ArchiveInstrument) -> list[tuple[str, RuleEvent]]:
        """Makes the changes: `instrument` gets its instructions and events. Gives instructions that must come after it,
        in an act of their own, because they speak of a rule that it enacts.
        """
        numbers = frozenset(self.rules)
        after: list[tuple[str, RuleEvent]] = []
        moved: dict[int, tuple[int, str]] = {}
        for change in changes:
            if change.before is not None:
                del self.rules[change.before.number]
        # Repeals first, and enactments last: a number must be free before it is given.
        for change in sorted(changes, key=lambda change: (change.before is None, change.after is not None)):
            before, now = change.before, change.after
            if now is None and before is not None:
                self._repeal(before, instrument)
                numbers -= {before.number}
            elif before is None and now is not None:
                instrument.instructions += _in_order(moved, numbers)
                moved = {}
                after += self._enact(now, change.returns, instrument)
            elif before is not None and now is not None:
                self._change(before, now, instrument)
                if before.number != now.number:
                    moved[before.number] = now.number, renumber(before.ref, now.number)
        instrument.instructions += _in_order(moved, numbers)
        instrument.numbers = frozenset().union(*(change.numbers for change in changes))
        instrument.rules = {number: self.rules.get(number) for number in instrument.numbers}
        return after

    def _repeal(self, rule: LedgerRule, instrument: ArchiveInstrument) -> None:
        instrument.instructions.append(repeal(rule.ref))
        instrument.events.append(("repealed", *_now(rule)))
        self.gone[rule.number] = rule

    def _enact(
        self, rule: CommitRule, returns: LedgerRule | None, instrument: ArchiveInstrument
    ) -> list[tuple[str, RuleEvent]]:
        if rule.heading:
            message = f"Rule {rule.number} comes as revision {rule.heading}"
            self._warn("revision-at-birth", message, "the heading is followed", rule, instrument)
        born = self._bear(rule, returns)
        enacted = enact(
            rule.number,
            rule.title,
            rule.text,
            mutability=None if rule.tier == self.tiers[-1] else rule.tier,
            reenacts=returns.number if returns else None,
            revision=rule.heading or None,
        )
        instrument.instructions.append(enacted)
        instrument.events.append(("returned" if returns else "enacted", *_now(born)))
        return [(mark(born.ref, void=True), ("voided", *_now(born)))] if rule.void else []

    def _change(self, before: LedgerRule, rule: CommitRule, instrument: ArchiveInstrument) -> None:
        """What becomes of a rule, but for its new number: that comes later, when it is free."""
        revision = self._revision(before, rule, instrument)
        title = rule.title or before.title
        heading = before.heading if rule.heading is None else rule.heading
        now = LedgerRule(
            identity=before.identity, revision=revision, **asdict(replace(rule, title=title, heading=heading))
        )
        self.rules[rule.number] = now
        self.gone.pop(rule.number, None)
        done: list[tuple[str, str]] = []
        if before.text != rule.text or revision != before.revision:
            told = None if revision == before.revision + 1 else revision
            verb = "amended" if before.text != rule.text else "recounted"
            done.append((verb, amend(before.ref, rule.text, revision=told)))
        if before.tier != rule.tier:
            done.append(("transmuted", transmute(before.ref, rule.tier)))
        if title is not None and title != before.title:
            done.append(("retitled", retitle(before.ref, title)))
        if before.void != rule.void:
            done.append(("voided" if rule.void else "revived", mark(before.ref, void=rule.void)))
        instrument.instructions += [instruction for _, instruction in done]
        verbs = [verb for verb, _ in done] + (["renumbered"] if before.number != rule.number else [])
        instrument.events += [(verb, *_now(now)) for verb in verbs]

    def _revision(self, before: LedgerRule, rule: CommitRule, instrument: ArchiveInstrument) -> int:
        """The revision that a rule comes to be: the one that its heading prints, else it is counted."""
        amended = before.text != rule.text
        counted = before.revision + int(amended)
        if rule.heading is None or rule.heading == counted:
            return counted
        text = "changes" if amended else "is as it was"
        message = f"the heading says {rule.number}/{rule.heading}, after /{before.revision}, and the text {text}"
        made = f"the heading is followed; by the count of its changes it would be {rule.number}/{counted}"
        self._warn("revision-differs", message, made, rule, instrument)
        return rule.heading

    def _warn(self, slug: str, message: str, made: str, rule: CommitRule, instrument: ArchiveInstrument) -> None:
        self.warnings.add(slug, message, made, commit=instrument.source, path=rule.path, line=rule.line)


def _now(rule: LedgerRule) -> tuple[int, int, int]:
    return rule.number, rule.revision, rule.identity


def _in_order(moved: Mapping[int, tuple[int, str]], taken: frozenset[int]) -> list[str]:
    """The renumberings, each by the number that goes: none gives a number that is still `taken`, if that can be."""
    waiting = dict(moved)
    ordered: list[str] = []
    while waiting:
        free = (number for number, (new, _) in waiting.items() if new not in taken)
        number = next(free, next(iter(waiting)))
        new, instruction = waiting.pop(number)
        taken = (taken - {number}) | {new}
        ordered.append(instruction)
    return ordered
