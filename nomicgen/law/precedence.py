"""The law in force at a moment: which rule's provision of each kind decides, field by field.

How the provisions of a kind combine is said by its `combines` (`law/kind.py`). With `fields` or
`tiers` one rule wins: a more entrenched tier before another, then the lowest number, unless a
provision names a rule in `over` or `under`. No `over` reaches a more entrenched tier: an immutable
rule gives way to a mutable one only by its own `under`. Fields that the winner leaves unsaid fall
to the next. With `all` or `matching` all provisions count together, except those that give way to
another by its `over` or their own `under`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar, cast

from msgspec import Struct

from nomicgen.law.kind import Provision, Table, as_field
from nomicgen.law.kinds import schemas_of
from nomicgen.law.replay.results import Rule, Ruleset
from nomicgen.model.findings import Finding, Wait
from nomicgen.model.settings import Settings
from nomicgen.model.values import Moment, Span

_P = TypeVar("_P", bound=Provision)
_T = TypeVar("_T")
_Value_co = TypeVar("_Value_co", covariant=True)


class Said(Struct, Generic[_Value_co], frozen=True):
    """A value, the rule that says it, and the rank of its tier: 0 is the most entrenched."""

    value: _Value_co
    rule: int
    rank: int


def rule_finding(
    slug: str,
    span: Span,
    said: Said[object] | None,
    message: str,
    remedy: str,
    waits: Wait | None = None,
) -> Finding:
    """Return the finding that something is against what a rule says.

    `said` is None if no rule speaks of it.
    """
    rule = said.rule if said is not None else None
    return Finding(slug=slug, span=span, message=message, help=remedy, rule=rule, waits=waits)


class Law(Struct, frozen=True):
    """What the rules in force say together.

    It is asked by a kind's schema: `says(Ballot.debate)`, `of_tier(Cap, "mutable")`,
    `every(Adoption)`. `fields` has what one rule decides, by `("ballot", "debate")` or
    `("cap", "mutable")`. `listed` has the provisions of all other kinds, each with its rule. Those
    that give way to another one are not in it, except adoption conditions: which of these give way
    depends on the change, so `requirements_for` drops them. `ranks` gives each tier's rank: 0 is
    the most entrenched.
    """

    fields: Mapping[tuple[str, str], Said[object]] = {}
    listed: Mapping[str, tuple[tuple[Rule, Provision], ...]] = {}
    ranks: Mapping[str, int] = {}

    @classmethod
    def of(cls, ruleset: Ruleset, settings: Settings, moment: Moment | None) -> Law:
        """Return the law that `ruleset` makes at `moment`, without the rules that are void then.

        If `moment` is None, rules that become void on some day are left out, too.
        """
        ranks = {tier: index for index, tier in enumerate(settings.tiers)}
        speaking = [rule for rule in ruleset.with_provisions.values() if not rule.void_on(moment)]
        speaking.sort(key=lambda rule: (ranks.get(rule.tier, len(ranks)), rule.number))
        fields = dict(
            entry
            for schema in schemas_of("fields", "tiers")
            for entry in _decided(schema, speaking, ruleset, ranks)
        )
        listed = {schema.kind: _every(schema, speaking) for schema in schemas_of("matching", "own")}
        for schema in schemas_of("all"):
            listed[schema.kind] = drop_defeated(_every(schema, speaking), ruleset, cls(ranks=ranks))
        return cls(fields, listed, ranks)

    @property
    def is_silent(self) -> bool:
        """Whether no rule in force carries a provision."""
        return not self.fields and not any(self.listed.values())

    def says(self, field: _T | None) -> Said[_T] | None:
        """Return what is said in a field such as `Ballot.electorate`; None if no rule says it.

        Raises TypeError for anything but a field that one rule decides.

        mypy infers one type for the value. If a field takes several, annotate the result: `changes:
        Said[Many] | None = …`.
        """
        asked = as_field(field)
        said = self.fields.get(asked.key)
        if said is None and asked.schema not in schemas_of("fields"):
            raise TypeError(
                f"no rule decides {'.'.join(asked.key)} alone: ask `every` for all that count"
            )
        return cast("Said[_T] | None", said)

    def value(self, field: _T) -> _T | None:
        """Return what `says` gives, without the rule; None where no rule says it."""
        said = self.says(field)
        return said.value if said is not None else None

    def of_tier(self, schema: type[Table[_T]], tier: str) -> Said[_T] | None:
        """Return what a kind such as `Cap` says of a tier; None if no rule says it."""
        return cast("Said[_T] | None", self.fields.get((schema.kind, tier)))

    def rules_of(self, schema: type[Provision]) -> tuple[int, ...]:
        """Return the numbers of the rules whose provisions of a kind count, each once."""
        fields = (said.rule for (kind, _), said in self.fields.items() if kind == schema.kind)
        return tuple(dict.fromkeys((*fields, *(rule.number for rule, _ in self.every(schema)))))

    def every(self, schema: type[_P]) -> tuple[tuple[Rule, _P], ...]:
        """Return what counts of a kind that does not combine by fields: provisions with rules."""
        return cast("tuple[tuple[Rule, _P], ...]", self.listed.get(schema.kind, ()))


def _every(schema: type[_P], speaking: Iterable[Rule]) -> tuple[tuple[Rule, _P], ...]:
    return tuple((rule, provision) for rule in speaking for provision in rule.law.of(schema))


class _CachedLaw(Struct, frozen=True):
    """A law with all that it depends on: where all this is the same, the law is the same.

    `fading` are those rules of `with_provisions` that are or will be void, `named` the numbers of
    rules that provisions name in `over` and `under`. `grounds` is what `_grounds` returns for them.
    """

    law: Law
    with_provisions: Mapping[int, Rule]
    fading: tuple[Rule, ...]
    named: tuple[int, ...]
    grounds: tuple[object, ...]

    @classmethod
    def of(cls, ruleset: Ruleset, settings: Settings, moment: Moment | None) -> _CachedLaw:
        speaking = ruleset.with_provisions.values()
        provisions = [
            provision for rule in speaking for kind in rule.law.kinds.values() for provision in kind
        ]
        fading = tuple(rule for rule in speaking if rule.void is not None)
        named = tuple(
            {number for provision in provisions for number in (*provision.over, *provision.under)}
        )
        law = Law.of(ruleset, settings, moment)
        return cls(
            law, ruleset.with_provisions, fading, named, _grounds(ruleset, moment, fading, named)
        )

    def holds(self, ruleset: Ruleset, moment: Moment | None) -> bool:
        """Return whether `ruleset` makes the same law at `moment`."""
        return self.with_provisions is ruleset.with_provisions and self.grounds == _grounds(
            ruleset, moment, self.fading, self.named
        )


def _grounds(
    ruleset: Ruleset, moment: Moment | None, fading: tuple[Rule, ...], named: tuple[int, ...]
) -> tuple[object, ...]:
    """Return which of the `fading` rules are void, and which rules bear the numbers `named`."""
    bearers = (ruleset.once_numbered(number) for number in named)
    return tuple(rule.void_on(moment) for rule in fading), tuple(
        rule and rule.identity for rule in bearers
    )


class Laws:
    """A maker of laws that keeps the last few: most changes of the rules leave the law as it is."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._cached: deque[_CachedLaw] = deque(maxlen=4)
        self._silent = Law.of(Ruleset(), settings, None)

    def of(self, ruleset: Ruleset, moment: Moment | None) -> Law:
        """Return what `Law.of` returns: the very object of a recent call, if that still holds."""
        if not ruleset.with_provisions:
            return self._silent
        known = next((cached for cached in self._cached if cached.holds(ruleset, moment)), None)
        if known is None:
            known = _CachedLaw.of(ruleset, self.settings, moment)
            self._cached.appendleft(known)
        return known.law


def _decided(
    schema: type[Provision], speaking: Iterable[Rule], ruleset: Ruleset, ranks: Mapping[str, int]
) -> Iterator[tuple[tuple[str, str], Said[object]]]:
    """Yield each field or tier that a kind's provisions speak of, with the value that wins."""
    saying: dict[str, list[tuple[Rule, Provision]]] = {}
    for rule, provision in _every(schema, speaking):
        for name in provision.said:
            saying.setdefault(name, []).append((rule, provision))
    for name, candidates in saying.items():
        losers = {loser for _, loser in _defeats(candidates, ruleset, ranks)}
        # Claims in a circle have cancelled out, so somebody is no loser.
        rule, provision = next(
            candidate for index, candidate in enumerate(candidates) if index not in losers
        )
        yield (
            (schema.kind, name),
            Said(provision.value(name), rule.number, ranks.get(rule.tier, len(ranks))),
        )


def _defeats(
    provisions: Sequence[tuple[Rule, Provision]], ruleset: Ruleset, ranks: Mapping[str, int]
) -> set[tuple[int, int]]:
    """Return pairs of indexes: the provision at the first goes before that at the second.

    These are the claims (`over`, `under`), without those that form a circle.
    """
    if not any(provision.over or provision.under for _, provision in provisions):
        return set()
    places: dict[int, list[int]] = {}
    for index, (rule, _) in enumerate(provisions):
        places.setdefault(rule.identity, []).append(index)

    def others_of(numbers: Iterable[int], index: int) -> Iterator[int]:
        # A provision makes no claim against others of its own rule.
        named = filter(None, map(ruleset.once_numbered, numbers))
        return (
            other
            for rule in named
            for other in places.get(rule.identity, ())
            if index not in places[rule.identity]
        )

    def rank(index: int) -> int:
        return ranks.get(provisions[index][0].tier, len(ranks))

    claims: set[tuple[int, int]] = set()
    for index, (_, provision) in enumerate(provisions):
        claims.update(
            (index, other)
            for other in others_of(provision.over, index)
            if rank(index) <= rank(other)
        )
        claims.update((other, index) for other in others_of(provision.under, index))
    return {(winner, loser) for winner, loser in claims if not _leads(loser, winner, claims)}


def _leads(start: int, goal: int, claims: set[tuple[int, int]]) -> bool:
    """Return whether claims lead from `start` to `goal`, directly or over others."""
    seen, waiting = {start}, [start]
    while waiting:
        place = waiting.pop()
        if place == goal:
            return True
        reached = {loser for winner, loser in claims if winner == place} - seen
        seen |= reached
        waiting.extend(reached)
    return False


def drop_defeated(
    matching: Iterable[tuple[Rule, _P]], ruleset: Ruleset, law: Law
) -> tuple[tuple[Rule, _P], ...]:
    """Return the provisions without those that give way to another one of them."""
    provisions = tuple(matching)
    losers = {loser for _, loser in _defeats(provisions, ruleset, law.ranks)}
    return (
        tuple(pair for index, pair in enumerate(provisions) if index not in losers)
        if losers
        else provisions
    )
