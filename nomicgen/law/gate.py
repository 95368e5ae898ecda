"""The gate: one question for every effect of the ledger, whether a rule in force permits it.

A change of the rules always needs a rule that permits it. Points, turns, seats and judgements need one where a rule in
force has a provision of that kind; where none has, the effect stands, and no rule speaks of it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from nomicgen.law.judging_kind import judging_kinds
from nomicgen.law.licence import State, Subject
from nomicgen.law.replay.effects import Verdict


def license_effect(subject: Subject, state: State) -> Verdict:
    """The rules in force that permit an effect, or why it is not permitted; each kind of provision is asked."""
    if state.lawless:
        return Verdict()
    verdicts = [judge(subject, state) for judge in _judges(type(subject))]
    return Verdict(
        tuple(licence for verdict in verdicts for licence in verdict.licences),
        tuple(finding for verdict in verdicts for finding in verdict.findings),
    )


@cache
def _judges(of: type[Subject]) -> tuple[Callable[[Subject, State], Verdict], ...]:
    return tuple(entry.judge for kind in judging_kinds() for entry in kind.licenses if entry.of is of)
