"""Two instruments of one moment: whether the other order would give another ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from nomicgen.diagnostics import Finding
from nomicgen.law.limits import carry_out
from nomicgen.law.replay_state import Ruleset, Step
from nomicgen.law.scene import Scene
from nomicgen.model import Instrument


def judge_order(last: Sequence[Step], scene: Scene, forbidden: Mapping[str, Sequence[Finding]]) -> Iterator[Finding]:
    """What is wrong where the last two steps took effect at one moment, that of the scene."""
    if len(last) < 2:
        return
    first, second = last
    same = first.effective is not None and first.effective == second.effective and first.decided == second.decided
    if not same or first.instrument.matter.seq != second.instrument.matter.seq or first.outcome == "pending":
        return
    if not any(one.speaking for one in (first.before, second.before, second.after)) and _apart(first, second):
        return
    swapped: Ruleset | None = first.before
    for instrument in (second.instrument, first.instrument):
        # An `N/R` that does not fit shows that it was written for the order that there is.
        if swapped is not None:
            made = carry_out(instrument, replace(scene, ruleset=swapped), forbidden.get(instrument.path))
            swapped = None if any(one.is_stale for one in made.findings) else made.after
    if swapped is not None and not _same(swapped, second.after):
        yield Finding(
            slug="order-ambiguous",
            span=second.instrument.source.at("effective"),
            message=f"{first.instrument.name} and {second.instrument.name} took effect at one moment, "
            "and the other order would give another ruleset",
            help="say which came first: give each a time (`effective: 2026-05-01T18:30`) or a `seq`",
        )


def _apart(first: Step, second: Step) -> bool:
    """Whether two instruments are about different numbers: without a law, no other order says otherwise."""
    one, other = _numbers(first.instrument), _numbers(second.instrument)
    return one is not None and other is not None and one.isdisjoint(other)


def _numbers(instrument: Instrument) -> set[int] | None:
    """The numbers that an instrument names; None where it is about more than those."""
    found = set[int]()
    for one in instrument.instructions:
        number = one.target.number if one.target is not None else one.number
        if number is None or one.verb == "renumber" or (one.block is not None and one.block.reenacts is not None):
            return None
        found.add(number)
    return found


def _same(one: Ruleset, other: Ruleset) -> bool:
    """Whether two rulesets are the same, but for the identities of their rules."""
    if len(one) != len(other) or one.rules == other.rules:
        return len(one) == len(other)
    pairs = ((rule, other.get(number)) for number, rule in one.rules.items())
    return all(
        rule is peer or (peer is not None and replace(rule, identity=peer.identity) == peer) for rule, peer in pairs
    )
