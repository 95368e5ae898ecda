"""How proposals change each other: what becomes of one if another passes first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.history.supposed import Supposed, carried_out, suppose
from nomicgen.law.possible_changes import needs_together
from nomicgen.law.replay.results import RuleChange
from nomicgen.law.replay.scene import Scene
from nomicgen.model.findings import Finding
from nomicgen.model.records import Instrument, Proposal


class Influence(Struct, frozen=True, kw_only=True):
    """What becomes of a proposal if another passes first.

    `stale`: it names a revision that is then gone; `illegal`: it can no longer be adopted or
    carried out; `legal`: only then it can; `different`: it needs or makes something else;
    `independent`: it stays as it is. `findings` are the errors that come, for `legal` those that
    go; `differences` say what else is different.
    """

    kind: Literal["stale", "illegal", "legal", "different", "independent"]
    findings: tuple[Finding, ...] = ()
    differences: tuple[str, ...] = ()


class Interaction(Struct, frozen=True, kw_only=True):
    """What this proposal and another become if the other passes first.

    `this_after` is None if the other cannot pass now. `other_after` is None if this one cannot, or
    if the other is `pending`: decided, and not yet in effect.
    """

    other: Instrument
    pending: bool = False
    this_after: Influence | None
    other_after: Influence | None

    @property
    def independent(self) -> bool:
        """Whether both can pass now, and neither changes the other."""
        asked = (self.this_after,) if self.pending else (self.this_after, self.other_after)
        return all(influence is not None and influence.kind == "independent" for influence in asked)


def interactions(
    this: Supposed, others: Iterable[Proposal], pending: Iterable[Instrument]
) -> Iterator[Interaction]:
    """Yield what each of `pending` does to `this`, and how `this` and each of `others` change each
    other.

    `others` are undecided proposals. `pending` are decided and take effect later.
    """
    for instrument in pending:
        after = carried_out(instrument, this.before)
        yield Interaction(
            other=instrument,
            pending=True,
            this_after=_influence(this, after) if after else None,
            other_after=None,
        )
    for proposal in others:
        other = suppose(proposal, this.before)
        yield Interaction(
            other=proposal,
            this_after=_influence(this, other.after) if other.legal else None,
            other_after=_influence(other, this.after) if this.legal else None,
        )


def _influence(supposed: Supposed, scene: Scene) -> Influence:
    """Return what becomes of a proposal in a `scene` in which another has passed."""
    then = suppose(supposed.instrument, scene)
    came, gone = _errors(supposed, then), _errors(then, supposed)
    if came:
        return Influence(
            kind="stale" if any(found.is_stale for found in came) else "illegal", findings=came
        )
    if gone and then.legal:
        return Influence(kind="legal", findings=gone)
    differences = tuple(_differences(supposed, then))
    return Influence(kind="different" if differences else "independent", differences=differences)


def _errors(before: Supposed, after: Supposed) -> tuple[Finding, ...]:
    """Return the errors that only `after` has.

    They are compared by slug and place: the same error may have other numbers in its message.
    """
    known = {(finding.slug, finding.span) for finding in before.findings}
    return tuple(
        finding
        for finding in after.findings
        if finding.is_error and (finding.slug, finding.span) not in known
    )


def _differences(supposed: Supposed, then: Supposed) -> Iterator[str]:
    yield from _needs_differ(supposed, then)
    for old, new in zip(supposed.changes, then.changes, strict=False):
        yield from _results_differ(old, new)


def _needs_differ(supposed: Supposed, then: Supposed) -> Iterator[str]:
    before, after = (needs_together(need for _, need in such.needs) for such in (supposed, then))
    if sorted(before) != sorted(after):
        yield f"it needs {_listed(after)}, not {_listed(before)}"
    elif supposed.tally.eligible != then.tally.eligible:
        yield f"{len(then.tally.eligible)} may vote on it, not {len(supposed.tally.eligible)}"
    elif _counted(supposed) != _counted(then):
        yield f"its votes are counted otherwise: {'; '.join(_counted(then))}"


def _counted(supposed: Supposed) -> list[str]:
    return sorted(condition.arithmetic for condition in supposed.tally.conditions)


def _listed(needs: tuple[str, ...]) -> str:
    return "; and ".join(needs) or "no vote"


def _results_differ(old: RuleChange, new: RuleChange) -> Iterator[str]:
    was, would = old.after, new.after
    if was is None or would is None:
        return
    if was.number != would.number:
        yield f"it makes Rule {would.number}, not Rule {was.number}"
    kept = replace(would, identity=was.identity, number=was.number)
    if kept != was:
        parts = [name for name in _PARTS if getattr(kept, name) != getattr(was, name)]
        yield f"Rule {would.ref} comes out with another {', '.join(_PARTS[name] for name in parts)}"


# What may differ in a rule that comes out otherwise, by attribute.
_PARTS = {
    "revision": "revision",
    "tier": "tier",
    "text": "text",
    "title": "title",
    "section": "section",
    "provisions": "provisions",
    "defines": "defined terms",
    "unread": "claim of what no program reads",
    "void": "standing",
    "note": "note",
}
