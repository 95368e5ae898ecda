"""The ledger of an archive in the making: changes become instructions, and the rules change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import field
from msgspec.structs import asdict, replace

from nomicgen.files.instruction_text import amend, enact, mark, renumber, repeal, retitle, transmute
from nomicgen.importers.commit_log import PastCommit
from nomicgen.importers.git.changes import LedgerRule, SourceChange, SourceRule
from nomicgen.importers.git.subjects import NamedInstrument
from nomicgen.importers.import_report import ArchiveWarnings
from nomicgen.importers.instruments import ImportedInstrument

CORRECTION = "Correction"
"""The cause of an act where none is known. It needs its capital: `cause: correction` is the kind
of act that corrects recorded values.
"""
COMPLETION = "Completion"
"""The cause of an act that voids a new rule, since its enactment cannot."""


class ArchiveInstrument(ImportedInstrument, kw_only=True):
    """An instrument in the making, and the commit that is its `source`.

    `named` is the instrument that the commit names; `identities` are those of the rules that
    change.
    """

    source: PastCommit
    named: NamedInstrument
    identities: set[int] = field(default_factory=set)


class ArchiveLedger:
    """The rules by number as they stand, and those that were repealed last under each number."""

    def __init__(
        self, initial: Iterable[SourceRule], tiers: Sequence[str], warnings: ArchiveWarnings
    ) -> None:
        self.tiers, self.warnings = tiers, warnings
        self.rules: dict[int, LedgerRule] = {}
        self.gone: dict[int, LedgerRule] = {}
        self.last_identity = 0
        for rule in initial:
            self._bear(rule, None)

    def _bear(self, rule: SourceRule, revived: LedgerRule | None) -> LedgerRule:
        """Add a rule that is new, or comes back, to those that stand."""
        self.last_identity += 1 if revived is None else 0
        identity = self.last_identity if revived is None else revived.identity
        born = LedgerRule(identity=identity, revision=rule.printed_revision or 0, **asdict(rule))
        self.rules[rule.number] = born
        self.gone.pop(rule.number, None)
        return born

    def carry_out(
        self, changes: Sequence[SourceChange], instrument: ArchiveInstrument
    ) -> list[str]:
        """Make the changes, and add their instructions to `instrument`.

        Return instructions that need an act of their own after it, because they are about a rule
        that it enacts.
        """
        numbers = frozenset(self.rules)
        after: list[str] = []
        moved: dict[int, tuple[int, str]] = {}
        for change in changes:
            if change.before is not None:
                del self.rules[change.before.number]
        # Repeals, changes, renumberings, enactments: a number must be free before a rule gets it.
        for change in sorted(
            changes, key=lambda change: (change.before is None, change.after is not None)
        ):
            before, now = change.before, change.after
            if now is None and before is not None:
                self._repeal(before, instrument)
                numbers -= {before.number}
            elif before is None and now is not None:
                instrument.instructions += _in_order(moved, numbers)
                moved = {}
                after += self._enact(now, change.revived, instrument)
            elif before is not None and now is not None:
                self._change(before, now, instrument)
                if before.number != now.number:
                    moved[before.number] = now.number, renumber(before.ref, now.number)
        instrument.instructions += _in_order(moved, numbers)
        return after

    def _repeal(self, rule: LedgerRule, instrument: ArchiveInstrument) -> None:
        instrument.instructions.append(repeal(rule.ref))
        instrument.identities.add(rule.identity)
        self.gone[rule.number] = rule

    def _enact(
        self, rule: SourceRule, revived: LedgerRule | None, instrument: ArchiveInstrument
    ) -> list[str]:
        if rule.printed_revision:
            message = f"Rule {rule.number} begins as revision {rule.printed_revision}"
            self._warn("revision-at-birth", message, "the heading is followed", rule, instrument)
        born = self._bear(rule, revived)
        enacted = enact(
            rule.number,
            rule.title,
            rule.text,
            mutability=None if rule.tier == self.tiers[-1] else rule.tier,
            reenacts=revived.number if revived else None,
            revision=rule.printed_revision or None,
        )
        instrument.instructions.append(enacted)
        instrument.identities.add(born.identity)
        return [mark(born.ref, void=True)] if rule.void else []

    def _change(self, before: LedgerRule, rule: SourceRule, instrument: ArchiveInstrument) -> None:
        """Make a change of a rule, and add its instructions except a renumbering: that has to wait
        until its number is free.
        """
        revision = self._revision(before, rule, instrument)
        title = rule.title or before.title
        printed = (
            before.printed_revision if rule.printed_revision is None else rule.printed_revision
        )
        self.rules[rule.number] = LedgerRule(
            identity=before.identity,
            revision=revision,
            **asdict(replace(rule, title=title, printed_revision=printed)),
        )
        self.gone.pop(rule.number, None)
        instrument.identities.add(before.identity)
        if before.text != rule.text or revision != before.revision:
            odd = None if revision == before.revision + 1 else revision
            instrument.instructions.append(amend(before.ref, rule.text, revision=odd))
        if before.tier != rule.tier:
            instrument.instructions.append(transmute(before.ref, rule.tier))
        if title is not None and title != before.title:
            instrument.instructions.append(retitle(before.ref, title))
        if before.void != rule.void:
            instrument.instructions.append(mark(before.ref, void=rule.void))

    def _revision(self, before: LedgerRule, rule: SourceRule, instrument: ArchiveInstrument) -> int:
        """Return a rule's new revision: its heading's, else one more if its text has changed."""
        amended = before.text != rule.text
        counted = before.revision + int(amended)
        if rule.printed_revision is None or rule.printed_revision == counted:
            return counted
        text = "changes" if amended else "is as it was"
        message = (
            f"the heading says {rule.number}/{rule.printed_revision}, after /{before.revision}, "
            f"and the text {text}"
        )
        outcome = (
            "the heading is followed; by the count of its changes it would be "
            f"{rule.number}/{counted}"
        )
        self._warn("revision-differs", message, outcome, rule, instrument)
        return rule.printed_revision

    def _warn(
        self, slug: str, message: str, outcome: str, rule: SourceRule, instrument: ArchiveInstrument
    ) -> None:
        self.warnings.add(
            slug, message, outcome, commit=instrument.source, path=rule.path, line=rule.line
        )


def _in_order(moved: Mapping[int, tuple[int, str]], taken: frozenset[int]) -> list[str]:
    """Return renumberings in an order in which each number is free when it is given, if there is
    one.

    `moved` has by old number the new one and the instruction; `taken` are the numbers at first.
    """
    waiting = dict(moved)
    ordered: list[str] = []
    while waiting:
        free = (number for number, (new, _) in waiting.items() if new not in taken)
        number = next(free, next(iter(waiting)))
        new, instruction = waiting.pop(number)
        taken = (taken - {number}) | {new}
        ordered.append(instruction)
    return ordered
