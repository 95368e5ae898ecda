"""How the law of two moments differs: what votes can change, and what the rules say field by field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from nomicgen.law.precedence import FIELDS, Law, Said
from nomicgen.law.provisions import TierTable
from nomicgen.law.reach import Possible
from nomicgen.law.sentences import sentence
from nomicgen.law.shapes import KINDS, MODELS
from nomicgen.law.state import Rule, Ruleset

__all__ = ["LawChange", "Overruled", "ReachChange", "law_changes", "overruled", "reach_changes"]

_TABLES = {"cap": "cap of {} rules", "floor": "floor of {} rules", "entrenchment": "what may be done to {} rules"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachChange:
    """A kind of change that becomes possible or impossible, or that needs other votes."""

    before: Possible
    after: Possible


@dataclass(frozen=True, slots=True, kw_only=True)
class LawChange:
    """One thing that the rules say, in words, and which rule says it; None where none does."""

    what: str
    before: str | None = None
    before_rule: int | None = None
    after: str | None = None
    after_rule: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Overruled:
    """Something that `rule` says to no effect: `by` says otherwise, and goes before it."""

    what: str
    rule: int
    value: str
    by: int
    decides: str


def reach_changes(before: tuple[Possible, ...], after: tuple[Possible, ...]) -> Iterator[ReachChange]:
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
    yield from _said(before.tables, old, after.tables, new)
    for kind in ("authority", "points"):
        yield from _listed(kind, before, after)


def overruled(before: Rule | None, after: Rule, law: Law) -> Iterator[Overruled]:
    """What the provisions that `after` did not have `before` say to no effect, in the law that it is part of."""
    old = dict(_fields_of(before)) if before else {}
    for (kind, name), value in _fields_of(after):
        said = (law.tables if kind in _TABLES else law.fields).get((kind, name))
        if said is None or said.rule == after.number or said.value == value or old.get((kind, name)) == value:
            continue
        yield Overruled(
            what=_field_words(kind, name),
            rule=after.number,
            value=_value_words(value),
            by=said.rule,
            decides=_value_words(said.value),
        )


def _fields_of(rule: Rule) -> Iterator[tuple[tuple[str, str], Any]]:
    """What a rule's provisions say of matters that one rule decides, by kind and field."""
    for kind, many in rule.law.kinds.items():
        for one in many:
            if isinstance(one, TierTable):
                yield from (((kind, tier), value) for tier, value in one.tiers.items())
            elif kind in FIELDS:
                names = one.model_fields_set - {"over", "under"}
                yield from (((kind, name), getattr(one, name)) for name in type(one).model_fields if name in names)


def _said(
    before: Mapping[tuple[str, str], Said], old: Ruleset, after: Mapping[tuple[str, str], Said], new: Ruleset
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
    return KINDS.index(kind), list(MODELS[kind].model_fields).index(name) if kind in FIELDS else 0


def _meaning(said: Said | None, ruleset: Ruleset) -> tuple[Any, int | None] | None:
    """What is said, and by which rule, whatever its number."""
    if said is None or said.value is None:
        return None
    rule = ruleset.get(said.rule)
    return said.value, rule.identity if rule else None


def _field_words(kind: str, name: str) -> str:
    if kind in _TABLES:
        return _TABLES[kind].format(name)
    return kind if name == "when" else f"{kind}: {name.replace('_', ' ')}"


def _value_words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(_value_words, value)) or "nothing"
    if isinstance(value, BaseModel):
        said = value.model_dump(by_alias=True, exclude_unset=True)
        return "; ".join(f"{name.replace('_', ' ')} {_value_words(one)}" for name, one in said.items())
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
    many = law.authorities if kind == "authority" else law.points
    return [(sentence(kind, one), rule.number) for rule, one in many]
