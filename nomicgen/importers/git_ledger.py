"""The instruments of an archive: what each commit's changes are as instructions, and the rules as they leave them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import field

from nomicgen.files.instruction_text import amend, enact, mark, renumber, repeal, retitle, transmute
from nomicgen.importers.git_changes import Change, CommitRule, LedgerRule
from nomicgen.importers.git_past import PastCommit
from nomicgen.importers.git_subjects import NamedInstrument
from nomicgen.importers.history_instruments import ImportedInstrument
from nomicgen.importers.import_report import ArchiveWarnings, ReportedEvent

CORRECTION = "Correction"
"""The cause of what nobody can class. (A cause `correction`, in small letters, may only restore.)"""
COMPLETION = "Completion"
"""The cause of an act that says of a new rule what its enactment cannot: that it is void."""
RuleEvent = tuple[str, int, int, int]
"""What was done: the verb, the rule's number and revision, its identity."""


class ArchiveInstrument(ImportedInstrument, kw_only=True):
    """An instrument in the making, and the commit that was its `source`. `classed` is what that was taken for;
    `numbers` are those that it gives or takes, `rules` what bears them afterwards.
    """

    source: PastCommit
    classed: NamedInstrument
    author: str
    title: str = ""
    note: str = ""
    events: list[RuleEvent] = field(default_factory=list)
    numbers: frozenset[int] = frozenset()
    rules: Mapping[int, LedgerRule | None] = field(default_factory=dict)

    @property
    def identities(self) -> frozenset[int]:
        return frozenset(identity for *_, identity in self.events)

    def told(self, subject: str) -> Iterator[ReportedEvent]:
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
                subject=subject,
                author=self.author,
            )


class Ledger:
    """The rules as they stand, in the course of an archive."""

    def __init__(self, initial: Iterable[CommitRule], tiers: Sequence[str], warnings: ArchiveWarnings) -> None:
        self.tiers, self.warnings = tiers, warnings
        self.rules: dict[int, LedgerRule] = {}
        self.gone: dict[int, LedgerRule] = {}
        self.identities = 0
        for one in initial:
            self.rules[one.number] = self._born(one, one.heading or 0)

    def _born(self, one: CommitRule, revision: int, identity: int | None = None) -> LedgerRule:
        if identity is None:
            self.identities += 1
            identity = self.identities
        return LedgerRule(
            identity=identity,
            number=one.number,
            revision=revision,
            heading=one.heading,
            tier=one.tier,
            text=one.text,
            title=one.title,
            void=one.void,
        )

    def carry_out(self, changes: Sequence[Change], entry: ArchiveInstrument) -> list[tuple[str, RuleEvent]]:
        """Makes the changes: `entry` gets its instructions and deeds. Gives instructions that must come after it, in an
        act of their own, because they speak of a rule that it enacts.
        """
        taken = frozenset(self.rules) if any(_is_moved(one) for one in changes) else frozenset[int]()
        after: list[tuple[str, RuleEvent]] = []
        for change in changes:
            if change.before is not None:
                self.rules.pop(change.before.number, None)
        for change in self._ordered(changes):
            if change.after is None:
                self._repeal(change, entry)
            elif change.before is None:
                after += self._enact(change, change.after, entry)
            else:
                self._change(change.before, change.after, entry)
        entry.instructions = _free_first(entry.instructions, changes, taken)
        entry.numbers = frozenset().union(*(one.numbers for one in changes))
        entry.rules = {number: self.rules.get(number) for number in entry.numbers}
        return after

    def _ordered(self, changes: Sequence[Change]) -> list[Change]:
        """Repeals first, and enactments last: a number must be free before it is given."""
        return sorted(changes, key=lambda one: (one.before is None, one.after is not None))

    def _repeal(self, change: Change, entry: ArchiveInstrument) -> None:
        rule = change.before
        assert rule is not None
        entry.instructions.append(repeal(rule.ref))
        entry.events.append(("repealed", rule.number, rule.revision, rule.identity))
        self.gone[rule.number] = rule

    def _enact(self, change: Change, one: CommitRule, entry: ArchiveInstrument) -> list[tuple[str, RuleEvent]]:
        identity = change.returns.identity if change.returns else None
        rule = self.rules[one.number] = self._born(one, one.heading or 0, identity)
        self.gone.pop(one.number, None)
        tier = None if one.tier == self.tiers[-1] else one.tier
        returns = change.returns.number if change.returns else None
        if one.heading:
            message = f"Rule {one.number} comes as revision {one.heading}"
            self._say("revision-at-birth", message, "the heading is followed", one, entry)
        enacted = enact(
            one.number, one.title, one.text, mutability=tier, reenacts=returns, revision=one.heading or None
        )
        entry.instructions.append(enacted)
        entry.events.append(("returned" if change.returns else "enacted", *_now(rule)))
        if one.void:
            return [(mark(rule.ref, void=True), ("voided", one.number, rule.revision, rule.identity))]
        return []

    def _change(self, rule: LedgerRule, one: CommitRule, entry: ArchiveInstrument) -> None:
        made = entry.instructions
        revision = self._revision(rule, one, entry)
        amended = rule.text != one.text
        if amended or revision != rule.revision:
            made.append(amend(rule.ref, one.text, revision=None if revision == rule.revision + 1 else revision))
        told = [
            ("amended", amended),
            ("recounted", not amended and revision != rule.revision),
            ("transmuted", rule.tier != one.tier),
        ]
        if rule.tier != one.tier:
            made.append(transmute(rule.ref, one.tier))
        if one.title and rule.title != one.title:
            made.append(retitle(rule.ref, one.title))
            told.append(("retitled", True))
        if rule.number != one.number:
            made.append(renumber(rule.ref, one.number))
            told.append(("renumbered", True))
        if rule.void != one.void:
            made.append(mark(rule.ref, void=one.void))
            told.append(("voided" if one.void else "revived", True))
        now = self.rules[one.number] = LedgerRule(
            identity=rule.identity,
            number=one.number,
            revision=revision,
            heading=rule.heading if one.heading is None else one.heading,
            tier=one.tier,
            text=one.text,
            title=one.title or rule.title,
            void=one.void,
        )
        entry.events += [(verb, *_now(now)) for verb, done in told if done]
        if rule.number != one.number:
            self.gone.pop(one.number, None)

    def _revision(self, rule: LedgerRule, one: CommitRule, entry: ArchiveInstrument) -> int:
        """The revision that a rule comes to be: the one that its heading prints, else it is counted."""
        amended = rule.text != one.text
        counted = rule.revision + int(amended)
        if one.heading is None or one.heading == counted:
            return counted
        text = "changes" if amended else "is as it was"
        message = f"the heading says {one.number}/{one.heading}, after /{rule.revision}, and the text {text}"
        made = f"the heading is followed; by the count of its changes it would be {one.number}/{counted}"
        self._say("revision-differs", message, made, one, entry)
        return one.heading

    def _say(self, slug: str, message: str, made: str, one: CommitRule, entry: ArchiveInstrument) -> None:
        self.warnings.add(slug, message, made, commit=entry.source, path=one.path, line=one.line)


def _now(rule: LedgerRule) -> tuple[int, int, int]:
    return rule.number, rule.revision, rule.identity


def _is_moved(change: Change) -> bool:
    return change.before is not None and change.after is not None and change.before.number != change.after.number


def _free_first(instructions: Sequence[str], changes: Sequence[Change], before: frozenset[int]) -> list[str]:
    """The instructions in an order in which a number is free before a rule gets it: repeals, renumberings, the rest."""
    repeals = [one for one in instructions if one.startswith("## Repeal")]
    rest = [one for one in instructions if not one.startswith(("## Repeal", "## Renumber"))]
    waiting = {one.before.number: one for one in changes if one.before is not None and _is_moved(one)}
    taken = before - {one.before.number for one in changes if one.before is not None and one.after is None}
    moves: list[str] = []
    while waiting:
        number, change = next(
            (item for item in waiting.items() if item[1].after and item[1].after.number not in taken),
            next(iter(waiting.items())),
        )
        del waiting[number]
        assert change.before is not None
        assert change.after is not None
        taken = (taken - {number}) | {change.after.number}
        moves.append(renumber(change.before.ref, change.after.number))
    # What a rule is changed to stands before its new number.
    enacted = [one for one in rest if one.startswith("## Enact")]
    changed = [one for one in rest if not one.startswith("## Enact")]
    return [*repeals, *changed, *moves, *enacted]
