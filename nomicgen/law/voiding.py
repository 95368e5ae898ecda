"""Whether a judgement may void a proposal."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.law.licence import State
from nomicgen.law.precedence import rule_finding
from nomicgen.law.replay.state import Ruleset
from nomicgen.model.findings import Finding
from nomicgen.model.records import Judgement


def wrong_voiding(judgement: Judgement, then: Ruleset, state: State) -> Iterator[Finding]:
    """Why a judgement may not void the proposal that it names; it was decided when the rules were those of `then`."""
    matter, voids = judgement.matter, state.law.says("judgements", "voids")
    if matter.voids is None or voids is None or voids.value == "any":
        return
    rule = None if matter.under is None else then.named(matter.under)
    if voids.value == "none":
        message, remedy = f"; Rule {voids.rule} lets no judgement void a proposal", "delete `voids`"
    elif rule is None or rule.void_on(state.moment):
        known = "names no rule in `under`" if matter.under is None else f"Rule {matter.under} was not in force then"
        message = f", and {known}; Rule {voids.rule} asks for one that the proposal breaks"
        remedy = "name in `under` the rule that it breaks, which was in force at the decision, or delete `voids`"
    else:
        return
    message = f"{judgement.name} voids Proposal {matter.voids}{message}"
    yield rule_finding("voids-unlawful", judgement.source.at("voids"), voids, message, remedy)
