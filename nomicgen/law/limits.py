"""What an instrument makes of the rules, within the limits that provisions set to the ruleset.

Only the ruleset that it leaves counts: between two of its instructions a tier may hold too many
rules or too few.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from nomicgen.law.judging_kind import hooks
from nomicgen.law.precedence import Law
from nomicgen.law.replay.carrying_out import CarriedOut, apply_instructions
from nomicgen.law.replay.moments import precedes
from nomicgen.law.replay.results import RuleChange, Ruleset, Step
from nomicgen.law.replay.scene import RulesetChange, Scene
from nomicgen.model.findings import Finding, Findings
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.records import Instrument
from nomicgen.model.values import Moment


def apply_instrument(
    instrument: Instrument, scene: Scene, forbidden: Sequence[Finding] = (), *, partly: bool = False
) -> CarriedOut:
    """Return what an instrument makes of the rules.

    `forbidden` has the findings about instructions that the law forbids. If there is an error among
    them, in another instruction, or in the rules that it would leave, the rules stay as they were.
    With `partly`, only the instructions with an error are dropped. If none is left then, or the
    others would leave the rules unchangeable, the instrument is judged as a whole.
    """
    against = [*forbidden]  # with `partly` each drops its instruction, else they refuse the whole
    while True:
        tried, dropped = instrument, frozenset(finding.span for finding in against if partly)
        if dropped:
            standing = (
                instruction
                for instruction in instrument.instructions
                if instruction.span not in dropped
            )
            tried = replace(instrument, instructions=tuple(standing))
        carried_out = apply_instructions(tried, scene, partly=partly)
        wrong = ruleset_findings(tried, carried_out.changes, scene, carried_out.after)
        errors = [finding for finding in wrong if finding.is_error]
        # That rules become unchangeable (`change-ossifies`) is the fault of no one instruction.
        newly_wrong = [
            finding for finding in errors if partly and finding.slug != "change-ossifies"
        ]
        findings = (*carried_out.findings, *wrong)
        if newly_wrong:  # try the others without these
            against += newly_wrong
        elif partly and (errors or not carried_out.changes):  # no part of it can be: judge it whole
            against, partly = [*forbidden], False
        elif errors or (not partly and any(finding.is_error for finding in against)):
            return CarriedOut(scene.ruleset, (), (*against, *findings))
        else:
            dropped |= {
                finding.span for finding in carried_out.findings if partly and finding.is_error
            }
            return replace(
                carried_out,
                findings=(*against, *findings) if partly else findings,
                dropped=dropped,
            )


def overtaken_findings(
    step: Step, findings: Iterable[Finding], law: Law, *, partly: bool
) -> Iterator[Finding]:
    """Yield the findings of a step, its errors as warnings (`change-overtaken`).

    With `partly`, the instrument's other changes are carried out. If it is not decided yet, a
    warning says what happens if it is adopted. A change that can be proposed again by this `law`
    gets the command for that.
    """
    matter = step.instrument.matter
    is_undecided = matter.is_undecided
    if partly:
        what = "this change is dropped, and the others are carried out"
    elif is_undecided:
        what = "if this is adopted, none of its changes is carried out"
    elif not isinstance(matter, ProposalMatter) or precedes(step.decided, step.effective):
        what = f"decided on {step.decided}, and impossible on {step.effective}"
    else:
        what = "adopted, and none of its changes is carried out"
    for finding in findings:
        if not finding.is_error:
            yield finding
            continue
        again = f"if you still want the change, propose it again{_command(step, finding, law)}"
        yield Finding(
            slug="change-overtaken",
            span=finding.span,
            message=f"{what}: {finding.message}",
            help=f"`nomicgen proposal resolve {matter.number}` ends the vote when it is over; "
            f"{again}"
            if is_undecided and isinstance(matter, ProposalMatter)
            else f"nothing has to be done; {again}",
            rule=finding.rule,
        )


def _command(step: Step, finding: Finding, law: Law) -> str:
    """Return a colon and the command that drafts a change anew for its rule as it is now.

    '' if there is no such command, or if the law would forbid the change.
    """
    matter = step.instrument.matter
    instruction = next(
        (each for each in step.instrument.instructions if each.span == finding.span), None
    )
    rule = (
        step.before.once_numbered(instruction.target.number)
        if instruction and instruction.target
        else None
    )
    if not (
        finding.is_stale
        and isinstance(matter, ProposalMatter)
        and matter.author
        and instruction
        and rule
    ):
        return ""
    forbidden = any(
        any(forbids(instruction, rule, rule.tier, law))
        for forbids in hooks(lambda kind: kind.forbids)
    )
    if forbidden or instruction.verb not in ("amend", "repeal"):
        return ""
    return (
        f": `nomicgen propose --title TITLE --author {matter.author} --{instruction.verb} "
        f"{rule.number}`"
    )


def ruleset_findings(
    instrument: Instrument, changes: Sequence[RuleChange], scene: Scene, after: Ruleset
) -> Findings:
    """Return what is wrong with the rules that `changes` leave: at once, and on each later day on
    which a rule with provisions becomes void. Stop at the first day with an error.
    """
    if not scene.ruleset.with_provisions and not after.with_provisions:
        return ()  # no rule limits anything
    findings: list[Finding] = []
    for day in (scene.moment, *_moments_of_lapse(after, scene.moment)):
        before = replace(scene, moment=day)
        change = RulesetChange(
            instrument=instrument,
            changes=changes,
            law=scene.law,
            before=before,
            after=before.with_rules(after),
        )
        since = f"from {day} on, when a rule becomes void: " if day != scene.moment else ""
        for leaves in hooks(lambda kind: kind.leaves):
            findings.extend(
                replace(finding, message=f"{since}{finding.message}") for finding in leaves(change)
            )
        if any(finding.is_error for finding in findings):
            break
    return tuple(findings)


def _moments_of_lapse(ruleset: Ruleset, moment: Moment | None) -> list[Moment]:
    """Return the moments after `moment` at which rules that carry provisions become void.

    No instrument marks those days.
    """
    voids = {
        rule.void for rule in ruleset.with_provisions.values() if isinstance(rule.void, Moment)
    }
    return sorted(day for day in voids if moment is not None and moment < day)
