"""Caps and floors that a change of the law brings, against the rules that stand already.

Each change is judged by the caps and floors before it (`effect`); but one that lowers a cap below what stands would
leave a ruleset that breaks its own rules, though no rule came into that tier.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nomicgen.diagnostics import Finding
from nomicgen.law.precedence import Law, Said
from nomicgen.law.state import Change, Ruleset
from nomicgen.model import Span

__all__ = ["overstepped"]


def overstepped(changes: Sequence[Change], law: Law, after: Ruleset, made: Law) -> Iterator[Finding]:
    """The caps and floors of the law `made`, stricter than those of `law`, that the rules `after` break."""
    for kind, tier in made.tables:
        said, before, count = made.of_tier(kind, tier), law.of_tier(kind, tier), after.count(tier)
        if said is None or kind not in ("cap", "floor"):
            continue
        if kind == "cap" and count > said.value and (before is None or said.value < before.value):
            yield Finding(
                slug="cap-exceeded",
                span=_place(changes, said),
                message=f"Rule {said.rule} would allow {said.value} {tier} rules, and this leaves {count}",
                help=f"repeal or transmute {count - said.value} of them first, or let it allow more",
                rule=said.rule,
            )
        if kind == "floor" and count < said.value and (before is None or said.value > before.value):
            yield Finding(
                slug="floor-broken",
                span=_place(changes, said),
                message=f"Rule {said.rule} would demand {said.value} {tier} rules, and this leaves {count}",
                help=f"enact {said.value - count} more first, or let it demand fewer",
                rule=said.rule,
            )


def _place(changes: Sequence[Change], said: Said) -> Span:
    """The instruction that makes the rule say so, or the first: another rule was in its way."""
    own = (one for one in changes if one.after is not None and one.after.number == said.rule)
    return next(own, changes[0]).instruction.span
