"""The rulesets that may have been in force since a vote opened, and whether its proposal could have
been carried out under one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from msgspec.structs import replace

from nomicgen.law.limits import apply_instrument
from nomicgen.law.replay.moments import precedes
from nomicgen.law.replay.results import Step
from nomicgen.law.subjects import State
from nomicgen.law.voting.assessment import assess
from nomicgen.model.findings import Finding
from nomicgen.model.records import Instrument, Proposal


def states_since_opening(
    instrument: Instrument, now: State, steps: Sequence[Step]
) -> tuple[State, ...]:
    """Return a State for each ruleset that may have been in force since the vote opened, latest
    first.

    Each has the players of `now`, and the moment of the opening. A ruleset that was replaced on the
    day of the opening counts too, unless times say that it was gone by then. There are none where
    no vote opened, its day is not recorded, or no law is known.
    """
    if (
        now.lawless
        or not isinstance(instrument, Proposal)
        or instrument.matter.status in ("draft", "debate")
    ):
        return ()
    if (opened := instrument.matter.opened) is None:
        return ()
    later = takewhile(lambda step: not precedes(step.effective, opened), reversed(steps))
    rulesets = (now.ruleset, *(step.before for step in later))
    return tuple(replace(now, ruleset=ruleset, moment=opened) for ruleset in rulesets)


def was_possible(instrument: Instrument, states: Iterable[State]) -> bool:
    """Return whether a proposal could have been carried out in one of these states, all of it."""
    return isinstance(instrument, Proposal) and any(
        _is_possible(instrument, state) for state in states
    )


def _is_possible(instrument: Proposal, then: State) -> bool:
    return not has_errors(
        (*assess(instrument, then).illegal, *apply_instrument(instrument, then).findings)
    )


def has_errors(findings: Iterable[Finding]) -> bool:
    return any(finding.is_error for finding in findings)
