"""What would happen if a proposal were adopted now, under the law of any ruleset. Nothing here
changes a replay.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.law.limits import apply_instrument, ruleset_findings
from nomicgen.law.questions import Adoption, falls_alone, surplus_changes
from nomicgen.law.replay.amendments import text_findings
from nomicgen.law.replay.carrying_out import CarriedOut, apply_instructions, target_tier
from nomicgen.law.replay.results import Rule, RuleChange
from nomicgen.law.replay.scene import Scene
from nomicgen.law.voting.assessment import assess
from nomicgen.law.voting.conditions import requirements_for
from nomicgen.law.voting.tally import Tally
from nomicgen.model.findings import Finding
from nomicgen.model.records import Instruction, Instrument, Proposal


class Supposed(Struct, frozen=True, kw_only=True):
    """A proposal, supposed to pass.

    `after` is the scene with its changes, even if a cap, a floor or a tier forbids them. If an
    instruction cannot be carried out at all, `after` is as `before`, `failed` has those that
    cannot, and `changes` has what the others would do by themselves. If the law lets such an
    instruction fall alone, `after` has the changes of the others. `needs` has the conditions of its
    adoption, each with its rule; `findings` say what is wrong.
    """

    instrument: Proposal
    before: Scene
    after: Scene
    changes: tuple[RuleChange, ...]
    failed: tuple[Instruction, ...]
    needs: tuple[tuple[Rule, Adoption], ...]
    tally: Tally
    findings: tuple[Finding, ...]

    @property
    def legal(self) -> bool:
        """Whether no finding is an error: it could be adopted and carried out."""
        return not any(finding.is_error for finding in self.findings)


def as_registered(instrument: Proposal, number: int) -> Proposal:
    """Return a draft as if it had this number; a proposal that has one keeps it."""
    if instrument.number is not None:
        return instrument
    return replace(instrument, matter=instrument.matter.replace(number=number))


def suppose(instrument: Proposal, scene: Scene) -> Supposed:
    """Return a proposal that is not decided, as if it passed now."""
    assessment = assess(instrument, scene)
    outcome = _in_part(instrument, scene, assessment.illegal)
    if outcome is not None:
        assessment = assess(instrument, scene, dropped=outcome.dropped)
    else:
        outcome = apply_instructions(instrument, scene)
    # Only for a draft: the law of its registration said how many changes a proposal may hold.
    surplus = (
        [*surplus_changes(instrument, scene.law)] if instrument.matter.status == "draft" else []
    )
    # If a draft enacts more rules than it may, each would take the proposal's number: that is no
    # second finding.
    doubled = (
        {finding for finding in outcome.findings if finding.slug == "number-doubled"}
        if surplus
        else set()
    )
    findings = [*surplus, *assessment.illegal, *assessment.findings, *outcome.findings]
    changes, failed = (
        outcome.changes,
        tuple(
            instruction
            for instruction in instrument.instructions
            if instruction.span in outcome.dropped
        ),
    )
    if not outcome.dropped and any(finding.is_error for finding in outcome.findings):
        changes, failed = _one_by_one(instrument, scene)
    after = scene.with_rules(outcome.after)
    findings += ruleset_findings(instrument, changes, scene, outcome.after)
    findings += text_findings(instrument, scene.ruleset)
    return Supposed(
        instrument=instrument,
        before=scene,
        after=after,
        changes=changes,
        failed=failed,
        needs=tuple(_needs(instrument, scene, failed if outcome.dropped else ())),
        tally=assessment.tally,
        findings=tuple(finding for finding in dict.fromkeys(findings) if finding not in doubled),
    )


def settle_overtaken(supposed: Supposed) -> Supposed:
    """Return what a proposal does whose instructions have become impossible while it was voted on,
    since others changed the rules: that is no error of its own.

    None of its instructions is carried out, unless the law lets the impossible ones fall alone.
    """
    findings = tuple(finding for finding in supposed.findings if not finding.is_error)
    if falls_alone(supposed.before.law):
        return replace(supposed, findings=findings)
    instructions = supposed.instrument.instructions
    return replace(
        supposed, after=supposed.before, changes=(), failed=instructions, findings=findings
    )


def carried_out(instrument: Instrument, scene: Scene) -> Scene | None:
    """Return the scene after a decided instrument is carried out; None if it cannot be."""
    outcome = _in_part(instrument, scene, ()) or apply_instrument(instrument, scene)
    return (
        None
        if not outcome.dropped and any(finding.is_error for finding in outcome.findings)
        else scene.with_rules(outcome.after)
    )


def _in_part(instrument: Instrument, scene: Scene, forbids: Sequence[Finding]) -> CarriedOut | None:
    """Return what a proposal does if some of its instructions fall, and the law lets the others
    stand; None otherwise. `forbids` has a finding for each instruction that the law forbids.
    """
    if not falls_alone(scene.law) or instrument.kind != "proposal":
        return None
    outcome = apply_instrument(instrument, scene, forbids, partly=True)
    return outcome if outcome.dropped else None


def _one_by_one(
    instrument: Instrument, scene: Scene
) -> tuple[tuple[RuleChange, ...], tuple[Instruction, ...]]:
    """Return the changes of the instructions, each carried out by itself, and those that change
    nothing so.
    """
    changes: list[RuleChange] = []
    failed: list[Instruction] = []
    for instruction in instrument.instructions:
        alone = replace(instrument, instructions=(instruction,))
        outcome = apply_instructions(alone, scene)
        changes.extend(outcome.changes)
        failed.extend([] if outcome.changes else [instruction])
    return tuple(changes), tuple(failed)


def _needs(
    instrument: Instrument, scene: Scene, fallen: Collection[Instruction]
) -> Iterator[tuple[Rule, Adoption]]:
    """Yield the conditions for adopting all instructions that do not fall, each once."""
    seen: set[tuple[int, Adoption]] = set()
    for instruction in instrument.instructions:
        if instruction in fallen:
            continue
        rule = scene.ruleset.get(instruction.target.number) if instruction.target else None
        tier = target_tier(instruction, rule, scene.settings)
        for where, adoption in requirements_for(instruction, rule, tier, scene.law, scene.ruleset):
            if (where.identity, adoption) not in seen:
                seen.add((where.identity, adoption))
                yield where, adoption
