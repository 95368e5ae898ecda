"""The law in force at a moment: which rule's provision of each kind decides, field by field.

A provision other than adoption has one winner: an entrenched tier before a mutable one, then the lowest number (211),
unless a provision says `over` or `under` another rule's. No `over` reaches a more entrenched tier: an immutable rule
yields only by its own `under` (110). Fields that the winner leaves unsaid fall to the next.
Adoption is not settled so: all conditions that match a change must be met, but those that another names in `over`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from nomicgen.law.shapes import Adoption, Authority
from nomicgen.law.state import Rule, Ruleset
from nomicgen.model import Moment, Settings

__all__ = ["Law", "Said", "drop_defeated", "verb_class"]

_FIELDS = ("numbering", "ballot", "effect", "changeable", "victory", "turns")
_TABLES = ("entrenchment", "cap", "floor")


def verb_class(verb: str, touches_law: bool = True) -> str | None:
    """The kind of change that an instruction is judged as; None where it needs no vote (`Mark` without provisions)."""
    if verb == "mark":
        return "amend" if touches_law else None
    return "amend" if verb in ("retitle", "renumber") else verb


@dataclass(frozen=True, slots=True)
class Said:
    """A value, and the rule that says it."""

    value: Any
    rule: int


@dataclass(frozen=True, slots=True)
class Law:
    """What the rules in force say together.

    `fields` is by (kind, field), `tables` by (kind, tier); `ranks` gives each tier's place, the most entrenched first.
    """

    adoptions: tuple[tuple[Rule, Adoption], ...] = ()
    authorities: tuple[tuple[Rule, Authority], ...] = ()
    fields: Mapping[tuple[str, str], Said] = field(default_factory=dict)
    tables: Mapping[tuple[str, str], Said] = field(default_factory=dict)
    ranks: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, ruleset: Ruleset, settings: Settings, moment: Moment | None) -> Law:
        """The law that `ruleset` makes at `moment`; void rules make none."""
        ranks = {tier: index for index, tier in enumerate(settings.tiers)}
        speaking = [rule for rule in ruleset if rule.law and not rule.void_on(moment)]
        speaking.sort(key=lambda rule: (ranks.get(rule.tier, len(ranks)), rule.number))
        fields: dict[tuple[str, str], Said] = {}
        tables: dict[tuple[str, str], Said] = {}
        for kind in _FIELDS:
            for rule, one in _by_precedence(kind, speaking, ruleset, ranks):
                for name in one.model_fields_set - {"over", "under"}:
                    fields.setdefault((kind, name), Said(getattr(one, name), rule.number))
        for kind in _TABLES:
            for rule, one in _by_precedence(kind, speaking, ruleset, ranks):
                for tier, value in one.tiers.items():
                    tables.setdefault((kind, tier), Said(value, rule.number))
        return cls(
            adoptions=tuple((rule, one) for rule in speaking for one in rule.law.of("adoption")),
            authorities=tuple((rule, one) for rule in speaking for one in rule.law.of("authority")),
            fields=fields,
            tables=tables,
            ranks=ranks,
        )

    def says(self, kind: str, name: str) -> Said | None:
        """What a field of a kind says (`says("ballot", "electorate")`), None where no rule does."""
        return self.fields.get((kind, name))

    def of_tier(self, kind: str, tier: str) -> Said | None:
        """What a table says of a tier (`of_tier("cap", "mutable")`)."""
        return self.tables.get((kind, tier))


def _by_precedence(
    kind: str, speaking: Iterable[Rule], ruleset: Ruleset, ranks: Mapping[str, int]
) -> list[tuple[Rule, Any]]:
    waiting = [(rule, rule.law.of(kind)[0]) for rule in speaking if rule.law.of(kind)]
    settled: list[tuple[Rule, Any]] = []
    while waiting:
        free = [one for one in waiting if not any(_defeats(other, one, ruleset, ranks) for other in waiting)]
        first = (free or waiting)[0]
        waiting.remove(first)
        settled.append(first)
    return settled


def _defeats(one: tuple[Rule, Any], other: tuple[Rule, Any], ruleset: Ruleset, ranks: Mapping[str, int]) -> bool:
    """Whether one provision goes before another by what they say; two that each claim it cancel out."""
    if one[0] is other[0]:
        return False
    return _claims(one, other, ruleset, ranks) and not _claims(other, one, ruleset, ranks)


def _claims(one: tuple[Rule, Any], other: tuple[Rule, Any], ruleset: Ruleset, ranks: Mapping[str, int]) -> bool:
    reaches = ranks.get(one[0].tier, len(ranks)) <= ranks.get(other[0].tier, len(ranks))
    over = reaches and any(ruleset.named(number) is other[0] for number in one[1].over)
    return over or any(ruleset.named(number) is one[0] for number in other[1].under)


def drop_defeated(
    matching: Iterable[tuple[Rule, Adoption]], ruleset: Ruleset, law: Law
) -> tuple[tuple[Rule, Adoption], ...]:
    """The adoption conditions that remain when those that another one names in `over` have dropped out."""
    found = tuple(matching)
    return tuple(one for one in found if not any(_defeats(other, one, ruleset, law.ranks) for other in found))
