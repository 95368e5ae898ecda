"""How the law of two moments differs: what votes can change, and what the rules say field by
field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from nomicgen.law.kind import Provision
from nomicgen.law.kinds import kinds, schemas_of
from nomicgen.law.possible_changes import PossibleChange
from nomicgen.law.precedence import Law, Said
from nomicgen.law.questions import points_for_silence, uncounted_silence
from nomicgen.law.replay.results import Rule, Ruleset
from nomicgen.law.sentences import sentence
from nomicgen.model.file_model import Model


class ReachChange(Struct, frozen=True, kw_only=True):
    """A kind of change of the rules, such as to amend a mutable rule, that becomes possible or
    impossible, or needs other votes.
    """

    before: PossibleChange
    after: PossibleChange


class SaidInWords(Struct, frozen=True):
    """What a rule says, in words; and its number."""

    value: str
    rule: int


class LawChange(Struct, frozen=True, kw_only=True):
    """One thing that the rules say, before and after; None where no rule says anything about it."""

    what: str
    before: SaidInWords | None = None
    after: SaidInWords | None = None


class Overruled(Struct, frozen=True, kw_only=True):
    """Something that `rule` says without effect, since the rule `by` overrides it.

    `value` is what `rule` says about it, `decides` what `by` says.
    """

    what: str
    rule: int
    value: str
    by: int
    decides: str


def reach_changes(
    before: tuple[PossibleChange, ...], after: tuple[PossibleChange, ...]
) -> Iterator[ReachChange]:
    """Yield the differences between two answers of `possible_changes` for one game. Where only
    the rules that ask for the votes differ, there is no difference.
    """
    for old, new in zip(before, after, strict=True):
        if (old.possible, frozenset(old.needs)) != (new.possible, frozenset(new.needs)):
            yield ReachChange(before=old, after=new)


def law_changes(before: Law, old: Ruleset, after: Law, new: Ruleset) -> Iterator[LawChange]:
    """Yield the differences between the laws `before` and `after` of the rulesets `old` and `new`:
    first of fields that one rule decides, then of kinds of which all provisions count.

    A field that another rule decides now is a difference, even if it says the same. What adoption
    asks for is left to `reach_changes`.
    """
    yield from _changed_fields(before.fields, old, after.fields, new)
    for schema in schemas_of("all"):
        yield from _listed(schema, before, after)


def overruled_provisions(before: Rule | None, after: Rule, law: Law) -> Iterator[Overruled]:
    """Yield what the version `after` of a rule says, but another rule overrides under `law`, unless
    the version `before` said it too.
    """
    old = dict(_fields_of(before)) if before else {}
    for (kind, name), value in _fields_of(after):
        winning = law.fields.get((kind, name))
        if (
            winning is None
            or winning.rule == after.number
            or winning.value == value
            or old.get((kind, name)) == value
        ):
            continue
        yield Overruled(
            what=_field_words(kind, name),
            rule=after.number,
            value=_value_words(value),
            by=winning.rule,
            decides=_value_words(winning.value),
        )
    yield from _for_silence(before, after, law)


def _for_silence(before: Rule | None, after: Rule, law: Law) -> Iterator[Overruled]:
    """Yield new points and penalties for silence that have no effect: silence never counts."""
    said = uncounted_silence(law)
    if said is None:
        return
    had, now = ([] if rule is None else [*_costs_of_silence(rule)] for rule in (before, after))
    for what, value in now:
        if (what, value) not in had:
            yield Overruled(
                what=what,
                rule=after.number,
                value=value,
                by=said.rule,
                decides=f"that silence is {'no vote' if said.value == 'ignored' else 'waited for'}",
            )


def _costs_of_silence(rule: Rule) -> Iterator[tuple[str, str]]:
    """Yield what a rule gives or takes for silence: a name for it, and how much, in words."""
    yield from (("points for silence", sentence(one)) for one in points_for_silence(rule))
    penalty = dict(_fields_of(rule)).get(("ballot", "penalty"))
    if penalty is not None:
        yield "a penalty for silence", _value_words(penalty)


def _fields_of(rule: Rule) -> Iterator[tuple[tuple[str, str], object]]:
    """Yield what a rule's provisions say of matters that one rule decides, by kind and field."""
    for schema in schemas_of("fields", "tiers"):
        for provision in rule.law.of(schema):
            yield from (((schema.kind, name), provision.value(name)) for name in provision.said)


def _changed_fields(
    before: Mapping[tuple[str, str], Said[object]],
    old: Ruleset,
    after: Mapping[tuple[str, str], Said[object]],
    new: Ruleset,
) -> Iterator[LawChange]:
    for kind, name in sorted(dict.fromkeys((*before, *after)), key=_place):
        old_value, new_value = before.get((kind, name)), after.get((kind, name))
        if _meaning(old_value, old) != _meaning(new_value, new):
            yield LawChange(
                what=_field_words(kind, name),
                before=_in_words(old_value),
                after=_in_words(new_value),
            )


def _in_words(said: Said[object] | None) -> SaidInWords | None:
    return None if said is None else SaidInWords(_value_words(said.value), said.rule)


def _place(field: tuple[str, str]) -> tuple[int, int]:
    """Return the place of a field (kind, name) in the reference, as a sort key; the tiers of a kind
    have one place, and so stay in order.
    """
    kind, name = field
    known = list(kinds()[kind].schema.keys)
    return list(kinds()).index(kind), known.index(name) if name in known else 0


def _meaning(said: Said[object] | None, ruleset: Ruleset) -> tuple[object, int | None] | None:
    """Return what is said, and the identity of the rule that says it, whose number may change; None
    where nothing is said.
    """
    if said is None or said.value is None:
        return None
    rule = ruleset.get(said.rule)
    return said.value, rule.identity if rule else None


def _field_words(kind: str, name: str) -> str:
    # `when` and `timing`, the main keys of some kinds, say little: the name of the kind says more.
    return (
        kind
        if name in ("when", "timing")
        else kinds()[kind].about.format(kind=kind, field=name.replace("_", " "))
    )


def _value_words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(_value_words, value)) or "nothing"
    if isinstance(value, Model):
        value = {name.removesuffix("_"): getattr(value, name) for name in value.written}
    if isinstance(value, Mapping):
        return "; ".join(
            f"{name.replace('_', ' ')} {_value_words(part)}" for name, part in value.items()
        )
    return "none" if value is None else str(value)


def _listed(schema: type[Provision], before: Law, after: Law) -> Iterator[LawChange]:
    """Yield changes of provisions that all count: those that are gone, then the new ones."""
    old, new = _sentences(schema, before), _sentences(schema, after)
    yield from (LawChange(what=schema.kind, before=said) for said in _missing_from(old, new))
    yield from (LawChange(what=schema.kind, after=said) for said in _missing_from(new, old))


def _missing_from(
    sentences: Sequence[SaidInWords], others: Sequence[SaidInWords]
) -> Iterator[SaidInWords]:
    """Yield the sentences that are missing from `others`, whichever rule says them there. One that
    stands twice must be there twice.
    """
    left = Counter(said.value for said in others)
    for said in sentences:
        if not left[said.value]:
            yield said
        left[said.value] -= 1 if left[said.value] else 0


def _sentences(schema: type[Provision], law: Law) -> list[SaidInWords]:
    return [SaidInWords(sentence(provision), rule.number) for rule, provision in law.every(schema)]
