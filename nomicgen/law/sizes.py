"""How many rules a tier may have: what a cap and a floor have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from nomicgen.law.change_kinds import ChangeKind
from nomicgen.law.judging_kind import JudgingKind
from nomicgen.law.kind import Table, table_misfits
from nomicgen.law.precedence import Law, Said, rule_finding
from nomicgen.law.replay.results import RuleChange, Ruleset
from nomicgen.law.replay.scene import RulesetChange, Scene
from nomicgen.law.sentences import joined
from nomicgen.model.findings import Finding, counted
from nomicgen.model.values import Span


class SizeLimit(Struct, frozen=True, kw_only=True):
    """A cap, whose sign is 1, or a floor, whose sign is -1.

    The others are words for messages: `There may be at most 3` (`words`), `Rule 201 allows 3`
    (`verb`), `let Rule 201 allow more` (`ease`). `slug` is that of the finding.
    """

    schema: type[Table[int]]
    sign: int
    words: str
    verb: str
    ease: str
    slug: str

    def sentence(self, table: Table[int]) -> str:
        """Return the sentence, e.g. `There may be at most 25 mutable rules`."""
        parts = (
            f"{count} {tier} {'rule' if count == 1 else 'rules'}"
            for tier, count in table.tiers.items()
        )
        return f"There may be {self.words} {joined(parts)}."

    def hinders(self, change: ChangeKind, scene: Scene) -> Iterator[tuple[int, str]]:
        """Yield the rule that prevents a change, and why: it makes one too many, or too few."""
        leaves = change.from_ if change.verb in ("repeal", "transmute") else None
        tier = change.into if self.sign > 0 else leaves
        bound = scene.law.of_tier(self.schema, tier) if tier is not None else None
        if bound is not None and tier is not None:
            count = scene.ruleset.count(tier)
            if self.sign * (count + self.sign - bound.value) > 0:
                yield (
                    bound.rule,
                    f"Rule {bound.rule} {self.verb}s {bound.value} {tier} rules, and there are "
                    f"{count}",
                )

    def surpluses(self, ruleset: Ruleset, law: Law) -> Iterator[tuple[str, Said[int], int]]:
        """Yield each tier with too many rules, or too few: tier, limit, and by how many rules."""
        for tier in law.ranks:
            bound = law.of_tier(self.schema, tier)
            if (
                bound is not None
                and (surplus := self.sign * (ruleset.count(tier) - bound.value)) > 0
            ):
                yield tier, bound, surplus

    def leaves(self, change: RulesetChange) -> Iterator[Finding]:
        """Yield a finding for each tier in which an instrument leaves too many rules, or too few.

        There is none if the instrument did not make that worse, and set no limit or stricter one.
        What happens between two instructions does not count: one may make room for the other.
        """
        before, after = change.before, change.after
        for tier, bound, surplus in self.surpluses(after.ruleset, after.law):
            old, count = before.law.of_tier(self.schema, tier), after.ruleset.count(tier)
            grown = self.sign * (count - before.ruleset.count(tier)) > 0
            if not (grown or old is None or self.sign * (old.value - bound.value) > 0):
                continue
            remedy = (
                f"repeal or transmute {surplus} of them"
                if self.sign > 0
                else f"enact {surplus} more"
            )
            yield rule_finding(
                self.slug,
                _crossing(change.changes, tier, enters=self.sign > 0)
                if grown
                else _place(change.changes, bound),
                bound,
                f"this would leave {counted(count, f'{tier} rule')}; "
                f"Rule {bound.rule} {f'{self.verb}s' if old == bound else f'would {self.verb}'} "
                f"{bound.value}",
                f"{remedy} before this or with it, or let Rule {bound.rule} {self.ease}",
            )

    def kind(self) -> JudgingKind[Table[int]]:
        """Return the kind of provision that sets this limit."""
        return JudgingKind(
            schema=self.schema,
            sentence=self.sentence,
            combines="tiers",
            about=f"{self.schema.kind} of {{field}} rules",
            misfits=table_misfits,
            hinders=self.hinders,
            leaves=self.leaves,
            affects_changeability=lambda _limit: True,
            counts_rules=True,
        )


def _crossing(changes: Sequence[RuleChange], tier: str, *, enters: bool) -> Span:
    """Return the place of the last instruction by which a rule enters a tier, or leaves it."""
    sides = (
        ((change.after if enters else change.before), change)
        for change in changes
        if change.verb in _CROSSING
    )
    return [change for rule, change in sides if rule is not None and rule.tier == tier][
        -1
    ].instruction.span


_CROSSING = ("enact", "repeal", "transmute")
"""Verbs by which a rule enters or leaves a tier."""


def _place(changes: Sequence[RuleChange], bound: Said[int]) -> Span:
    """Return the place of the instruction that changes the rule with the limit, or of the first."""
    own = (
        change
        for change in changes
        if change.after is not None and change.after.number == bound.rule
    )
    return next(own, changes[0]).instruction.span
