"""What an instrument makes of the rules, judged whole, by each kind of provision that limits what rules there may be.

Only what it leaves counts: between two of its instructions a tier may hold too many rules or too few.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.model.findings import Finding, Findings
from nomicgen.law.replay.instruction_effect import CarriedOut, apply_instructions
from nomicgen.law.kinds import hooks
from nomicgen.law.precedence import Law
from nomicgen.law.replay.state import Change, Ruleset, Step
from nomicgen.law.replay.scene import Scene
from nomicgen.model import Instrument, Moment


class RulesetChange(Struct, frozen=True, kw_only=True):
    """What an instrument makes of the rules, as they were and will be on a day.

    `law` is the law in force when it is carried out: what it says limits the instrument.
    """

    instrument: Instrument
    changes: Sequence[Change]
    law: Law
    before: Scene
    after: Scene


def carry_out(instrument: Instrument, scene: Scene, forbidden: Sequence[Finding] | None = None) -> CarriedOut:
    """The ruleset after an instrument; where anything about it is wrong, or about the law that it makes, as before.

    With `forbidden`, what the law forbids of it, each instruction that is wrong falls alone, unless none stands then.
    """
    fallen, partly = [*(forbidden or ())], forbidden is not None
    while True:
        tried, down = instrument, frozenset(finding.span for finding in fallen if partly)
        if down:
            standing = (instruction for instruction in instrument.instructions if instruction.span not in down)
            tried = replace(instrument, instructions=tuple(standing))
        carried_out = apply_instructions(tried, scene, partly=partly)
        wrong = ruleset_findings(tried, carried_out.changes, scene, carried_out.after)
        errors = [finding for finding in wrong if finding.is_error]
        over = [finding for finding in errors if partly and finding.slug != "change-ossifies"]
        findings = (*carried_out.findings, *wrong)
        if over:
            fallen += over
        elif partly and (errors or not carried_out.changes):
            partly = False
        elif errors:
            return CarriedOut(scene.ruleset, (), findings)
        else:
            down |= {finding.span for finding in carried_out.findings if partly and finding.is_error}
            return replace(carried_out, findings=(*fallen, *findings) if partly else findings, down=down)


def overtaken_findings(step: Step, findings: Iterable[Finding], *, partly: bool) -> Iterator[Finding]:
    """Why changes are not carried out that were adopted; with `partly` the others of their proposal are."""
    why = f"decided on {step.decided}, and impossible on {step.effective}"
    for finding in findings:
        if not finding.is_error:
            yield finding
            continue
        yield Finding(
            slug="change-overtaken",
            span=finding.span,
            message=f"{'this change is dropped, and the others are carried out' if partly else why}: {finding.message}",
            help="nothing; if you still want the change, propose it again",
            rule=finding.rule,
        )


def ruleset_findings(instrument: Instrument, changes: Sequence[Change], scene: Scene, after: Ruleset) -> Findings:
    """What is wrong with the rules that `changes` leave: at once, or on a later day on which one becomes void."""
    if not scene.ruleset.speaking and not after.speaking:
        return ()  # no rule limits anything
    findings: list[Finding] = []
    for day in (scene.moment, *_fading(after, scene.moment)):
        before = replace(scene, moment=day)
        change = RulesetChange(
            instrument=instrument, changes=changes, law=scene.law, before=before, after=before.with_rules(after)
        )
        since = f"from {day} on, when a rule becomes void: " if day != scene.moment else ""
        for leaves in hooks("leaves"):
            findings.extend(replace(finding, message=f"{since}{finding.message}") for finding in leaves(change))
        if any(finding.is_error for finding in findings):
            break
    return tuple(findings)


def _fading(ruleset: Ruleset, moment: Moment | None) -> list[Moment]:
    """The moments after `moment` at which rules that carry provisions become void: no instrument marks those days."""
    voids = {rule.void for rule in ruleset.speaking.values() if isinstance(rule.void, Moment)}
    return sorted(day for day in voids if moment is not None and moment < day)
