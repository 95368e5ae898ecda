"""How the law of two moments differs: what votes can change, and what the rules say field by field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from nomicgen.law.kinds import kinds, names_of
from nomicgen.law.possible_changes import PossibleChange
from nomicgen.law.precedence import Law, RuleValue
from nomicgen.law.replay_state import Ruleset
from nomicgen.law.sentences import sentence
from nomicgen.model import Model


class ReachChange(Struct, frozen=True, kw_only=True):
    """A kind of change that becomes possible or impossible, or that needs other votes."""

    before: PossibleChange
    after: PossibleChange


class LawChange(Struct, frozen=True, kw_only=True):
    """One thing that the rules say, in words, and which rule says it; None where none does."""

    what: str
    before: str | None = None
    before_rule: int | None = None
    after: str | None = None
    after_rule: int | None = None


def reach_changes(before: tuple[PossibleChange, ...], after: tuple[PossibleChange, ...]) -> Iterator[ReachChange]:
    """Where two answers of `possible_changes` for one game differ in what they mean; the rules that say so may."""
    for old, new in zip(before, after, strict=True):
        if (old.possible, frozenset(old.needs)) != (new.possible, frozenset(new.needs)):
            yield ReachChange(before=old, after=new)


def law_changes(before: Law, old: Ruleset, after: Law, new: Ruleset) -> Iterator[LawChange]:
    """Where two laws differ: every field with its winner, and what points and authority add up to.

    A field that another rule decides now is a difference, even if it says the same. What adoption asks for is
    `reach_changes`'s to say.
    """
    yield from _said(before.fields, old, after.fields, new)
    for kind in names_of("all"):
        yield from _listed(kind, before, after)


def _said(
    before: Mapping[tuple[str, str], RuleValue], old: Ruleset, after: Mapping[tuple[str, str], RuleValue], new: Ruleset
) -> Iterator[LawChange]:
    for kind, name in sorted(dict.fromkeys((*before, *after)), key=_place):
        one, other = before.get((kind, name)), after.get((kind, name))
        if _meaning(one, old) != _meaning(other, new):
            yield LawChange(
                what=_field_words(kind, name),
                before=None if one is None else _value_words(one.value),
                before_rule=one.rule if one else None,
                after=None if other is None else _value_words(other.value),
                after_rule=other.rule if other else None,
            )


def _place(of: tuple[str, str]) -> tuple[int, int]:
    """Where the reference tells of a field; the tiers of a table stay in their order."""
    kind, name = of
    known = list(kinds()[kind].schema.keys)
    return list(kinds()).index(kind), known.index(name) if name in known else 0


def _meaning(said: RuleValue | None, ruleset: Ruleset) -> tuple[Any, int | None] | None:
    """What is said, and by which rule, whatever its number."""
    if said is None or said.value is None:
        return None
    rule = ruleset.get(said.rule)
    return said.value, rule.identity if rule else None


def _field_words(kind: str, name: str) -> str:
    return kind if name in ("when", "moment") else kinds()[kind].about.format(kind=kind, field=name.replace("_", " "))


def _value_words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(_value_words, value)) or "nothing"
    if isinstance(value, Model):
        value = {name.removesuffix("_"): getattr(value, name) for name in value.written}
    if isinstance(value, Mapping):
        return "; ".join(f"{name.replace('_', ' ')} {_value_words(one)}" for name, one in value.items())
    return "none" if value is None else str(value)


def _listed(kind: str, before: Law, after: Law) -> Iterator[LawChange]:
    """Provisions that all count: those that are gone, then those that come."""
    old, new = _sentences(kind, before), _sentences(kind, after)
    gone, come = (Counter(said for said, _ in many) for many in (old, new))
    for said, rule in old:
        if gone[said] > come[said]:
            gone[said] -= 1
            yield LawChange(what=kind, before=said, before_rule=rule)
    gone = Counter(said for said, _ in old)
    for said, rule in new:
        if come[said] > gone[said]:
            come[said] -= 1
            yield LawChange(what=kind, after=said, after_rule=rule)


def _sentences(kind: str, law: Law) -> list[tuple[str, int]]:
    return [(sentence(kind, one), rule.number) for rule, one in law.every(kind)]
