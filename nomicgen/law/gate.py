"""The gate: one question for every effect of the ledger, whether a rule in force permits it.

A change of the rules always needs a rule that permits it. Points, turns, seats and judgements need one where a rule in
force has a provision of that kind; where none has, the effect stands, and no rule speaks of it.
"""

from __future__ import annotations

from nomicgen.law.judging_kind import hooks
from nomicgen.law.licence import State, Subject
from nomicgen.law.replay.effects import Verdict


def license_effect(subject: Subject, state: State) -> Verdict:
    """The rules in force that permit an effect, or why it is not permitted; each kind of provision is asked."""
    if state.lawless:
        return Verdict()
    judges = (licenses.get(type(subject)) for licenses in hooks("licenses"))
    verdicts = [judge(subject, state) for judge in judges if judge is not None]
    return Verdict(
        tuple(licence for verdict in verdicts for licence in verdict.licences),
        tuple(finding for verdict in verdicts for finding in verdict.findings),
    )
