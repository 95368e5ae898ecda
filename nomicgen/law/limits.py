"""What an instrument makes of the rules, judged whole, by each kind of provision that limits what rules there may be.

Only what it leaves counts: between two of its instructions a tier may hold too many rules or too few.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nomicgen.diagnostics import Finding
from nomicgen.law.effect import Made, apply_instructions
from nomicgen.law.kinds import kinds_that
from nomicgen.law.precedence import Law, Laws
from nomicgen.law.state import Change, Ruleset
from nomicgen.model import Instrument, Moment, Records

__all__ = ["Outcome", "carry_out", "spoilt"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What an instrument makes of the rules on a day, and the law that they made before and make then.

    `law` is the law in force when it is carried out: what it says limits the instrument.
    """

    instrument: Instrument
    changes: Sequence[Change]
    before: Ruleset
    after: Ruleset
    law: Law
    old_law: Law
    new_law: Law
    records: Records
    moment: Moment | None


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
        old, new = laws.of(before, day), laws.of(after, day)
        if new is old and after.sizes == before.sizes:
            continue
        made = Outcome(
            instrument=instrument,
            changes=changes,
            before=before,
            after=after,
            law=law,
            old_law=old,
            new_law=new,
            records=records,
            moment=day,
        )
        since = f"from {day} on, when a rule becomes void: " if day != moment else ""
        wrong = (one for kind in kinds_that("leaves") if kind.leaves for one in kind.leaves(made))
        found.extend(replace(one, message=f"{since}{one.message}") for one in wrong)
        if any(one.is_error for one in found):
            break
    return tuple(found)


def _fading(ruleset: Ruleset, moment: Moment | None) -> list[Moment]:
    """The moments after `moment` at which rules that carry provisions become void: no instrument marks those days."""
    voids = {rule.void for rule in ruleset.speaking.values() if isinstance(rule.void, Moment)}
    return sorted(one for one in voids if moment is not None and moment < one)
