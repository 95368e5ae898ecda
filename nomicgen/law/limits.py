"""What is wrong with the law that changes make: caps and floors that the rules break, and rules that nobody can change.

Each change is judged by the caps and floors before it (`effect`); but one that lowers a cap below what stands would
leave a ruleset that breaks its own rules, though no rule came into that tier.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from nomicgen.diagnostics import Finding, counted
from nomicgen.law.precedence import Law, Laws, Said
from nomicgen.law.reach import ossification
from nomicgen.law.state import Change, Ruleset
from nomicgen.model import Instrument, Moment, Records, Span

__all__ = ["spoilt"]


def spoilt(
    instrument: Instrument,
    changes: Sequence[Change],
    before: Ruleset,
    after: Ruleset,
    laws: Laws,
    records: Records,
    moment: Moment | None,
) -> tuple[Finding, ...]:
    """What is wrong with the law that `changes` make: at `moment`, or on a later day on which a rule becomes void.

    What touches neither law nor tiers makes none.
    """
    law = laws.of(before, moment)
    for day in (moment, *_fading(after, moment)):
        would = laws.of(after, day)
        if would is laws.of(before, day) and after.sizes == before.sizes:
            continue
        stuck = ossification(instrument, law, after, would, records.settings, records.players, day)
        found = (*_overstepped(changes, law, after, would), *([stuck] if stuck else ()))
        if found:
            since = f"from {day} on, when a rule becomes void: " if day != moment else ""
            return tuple(replace(one, message=f"{since}{one.message}") for one in found)
    return ()


def _fading(ruleset: Ruleset, moment: Moment | None) -> list[Moment]:
    """The moments after `moment` at which rules that carry provisions become void: no instrument marks those days."""
    voids = {rule.void for rule in ruleset.speaking.values() if isinstance(rule.void, Moment)}
    return sorted(one for one in voids if moment is not None and moment < one)


def _overstepped(changes: Sequence[Change], law: Law, after: Ruleset, made: Law) -> Iterator[Finding]:
    """The caps and floors of the law `made`, stricter than those of `law`, that the rules `after` break."""
    for kind, tier in made.tables:
        said, before, count = made.of_tier(kind, tier), law.of_tier(kind, tier), after.count(tier)
        if said is None or kind not in ("cap", "floor"):
            continue
        if kind == "cap" and count > said.value and (before is None or said.value < before.value):
            yield Finding(
                slug="cap-exceeded",
                span=_place(changes, said),
                message=f"Rule {said.rule} would allow {counted(said.value, f'{tier} rule')}, and this leaves {count}",
                help=f"repeal or transmute {count - said.value} of them first, or let it allow more",
                rule=said.rule,
            )
        if kind == "floor" and count < said.value and (before is None or said.value > before.value):
            yield Finding(
                slug="floor-broken",
                span=_place(changes, said),
                message=f"Rule {said.rule} would demand {counted(said.value, f'{tier} rule')}, and this leaves {count}",
                help=f"enact {said.value - count} more first, or let it demand fewer",
                rule=said.rule,
            )


def _place(changes: Sequence[Change], said: Said) -> Span:
    """The instruction that makes the rule say so, or the first: another rule was in its way."""
    own = (one for one in changes if one.after is not None and one.after.number == said.rule)
    return next(own, changes[0]).instruction.span
