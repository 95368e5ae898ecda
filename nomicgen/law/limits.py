"""What an instrument makes of the rules, judged whole: caps and floors that it breaks, and rules that none can change.

Only what it leaves counts: between two of its instructions a tier may hold too many rules or too few.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from nomicgen.diagnostics import Finding, counted
from nomicgen.law.effect import Made, apply_instructions
from nomicgen.law.lasting import ossification
from nomicgen.law.precedence import Law, Laws, Said
from nomicgen.law.state import Change, Ruleset
from nomicgen.model import Instrument, Moment, Records, Span

__all__ = ["carry_out", "spoilt", "surpluses"]


def carry_out(
    instrument: Instrument, before: Ruleset, laws: Laws, records: Records, moment: Moment | None, identity: int
) -> Made:
    """The ruleset after an instrument; where anything about it is wrong, or about the law that it makes, as before."""
    made = apply_instructions(instrument, before, laws.of(before, moment), records.settings, identity)
    wrong = spoilt(instrument, made.changes, before, made.after, laws, records, moment)
    if any(one.is_error for one in wrong):
        return Made(before, (), (*made.findings, *wrong))
    return replace(made, findings=(*made.findings, *wrong))


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
    law, found = laws.of(before, moment), list[Finding]()
    for day in (moment, *_fading(after, moment)):
        old, would = (before, laws.of(before, day)), (after, laws.of(after, day))
        if would[1] is old[1] and after.sizes == before.sizes:
            continue
        stuck = ossification(instrument, old, would, law, records.settings, records.players, day)
        since = f"from {day} on, when a rule becomes void: " if day != moment else ""
        both = (*_overstepped(changes, *old, *would), *stuck)
        found.extend(replace(one, message=f"{since}{one.message}") for one in both)
        if any(one.is_error for one in found):
            break
    return tuple(found)


def _fading(ruleset: Ruleset, moment: Moment | None) -> list[Moment]:
    """The moments after `moment` at which rules that carry provisions become void: no instrument marks those days."""
    voids = {rule.void for rule in ruleset.speaking.values() if isinstance(rule.void, Moment)}
    return sorted(one for one in voids if moment is not None and moment < one)


def surpluses(ruleset: Ruleset, law: Law) -> Iterator[tuple[bool, str, Said, int]]:
    """The caps (True) and floors that a ruleset breaks: of which tier, what is said, and by how many rules."""
    for (kind, tier), said in law.tables.items():
        over = 0 if kind == "entrenchment" else (ruleset.count(tier) - said.value) * (1 if kind == "cap" else -1)
        if over > 0:
            yield kind == "cap", tier, said, over


def _overstepped(changes: Sequence[Change], before: Ruleset, law: Law, after: Ruleset, made: Law) -> Iterator[Finding]:
    """The caps and floors of the law `made` that the rules `after` break, and broke less `before`, or by a milder law.

    What happens between two instructions does not count: one may make room for the other.
    """
    for is_cap, tier, said, surplus in surpluses(after, made):
        sign, kind = (1, "cap") if is_cap else (-1, "floor")
        old, count = law.of_tier(kind, tier), after.count(tier)
        grown = sign * (count - before.count(tier)) > 0
        if not (grown or old is None or sign * (old.value - said.value) > 0):
            continue
        verb, less = ("allow", "more") if is_cap else ("demand", "fewer")
        remedy = f"repeal or transmute {surplus} of them" if is_cap else f"enact {surplus} more"
        yield Finding(
            slug="cap-exceeded" if is_cap else "floor-broken",
            span=_crossing(changes, tier, enters=is_cap) if grown else _place(changes, said),
            message=f"this would leave {counted(count, f'{tier} rule')}; "
            f"Rule {said.rule} {f'{verb}s' if old == said else f'would {verb}'} {said.value}",
            help=f"{remedy} before this or with it, or let Rule {said.rule} {verb} {less}",
            rule=said.rule,
        )


def _crossing(changes: Sequence[Change], tier: str, *, enters: bool) -> Span:
    """The last instruction by which a rule enters a tier, or leaves it."""

    sides = (((one.after if enters else one.before), one) for one in changes if one.verb in _CROSSING)
    return [one for rule, one in sides if rule is not None and rule.tier == tier][-1].instruction.span


_CROSSING = ("enact", "repeal", "transmute")


def _place(changes: Sequence[Change], said: Said) -> Span:
    """The instruction that makes the rule say so, or the first: another rule was in its way."""
    own = (one for one in changes if one.after is not None and one.after.number == said.rule)
    return next(own, changes[0]).instruction.span
