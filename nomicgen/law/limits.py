"""What an instrument makes of the rules, judged whole, by each kind of provision that limits what rules there may be.

Only what it leaves counts: between two of its instructions a tier may hold too many rules or too few.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.diagnostics import Finding, Findings
from nomicgen.law.instruction_effect import CarriedOut, apply_instructions
from nomicgen.law.kinds import hooks
from nomicgen.law.precedence import Law
from nomicgen.law.replay_state import Change, Ruleset, Step
from nomicgen.law.scene import Scene
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
        tried, down = instrument, frozenset(one.span for one in fallen if partly)
        if down:
            standing = (one for one in instrument.instructions if one.span not in down)
            tried = replace(instrument, instructions=tuple(standing))
        made = apply_instructions(tried, scene, partly=partly)
        wrong = ruleset_findings(tried, made.changes, scene, made.after)
        errors = [one for one in wrong if one.is_error]
        over = [one for one in errors if partly and one.slug != "change-ossifies"]
        findings = (*made.findings, *wrong)
        if over:
            fallen += over
        elif partly and (errors or not made.changes):
            partly = False
        elif errors:
            return CarriedOut(scene.ruleset, (), findings)
        else:
            down |= {one.span for one in made.findings if partly and one.is_error}
            return replace(made, findings=(*fallen, *findings) if partly else findings, down=down)


def overtaken_findings(step: Step, findings: Iterable[Finding], *, partly: bool) -> Iterator[Finding]:
    """Why changes are not carried out that were adopted; with `partly` the others of their proposal are."""
    why = f"decided on {step.decided}, and impossible on {step.effective}"
    for one in findings:
        if not one.is_error:
            yield one
            continue
        yield Finding(
            slug="change-overtaken",
            span=one.span,
            message=f"{'this change falls, and the others are carried out' if partly else why}: {one.message}",
            help="it changes nothing; what is still wanted is for another proposal",
            rule=one.rule,
        )


def ruleset_findings(instrument: Instrument, changes: Sequence[Change], scene: Scene, after: Ruleset) -> Findings:
    """What is wrong with the rules that `changes` leave: at once, or on a later day on which one becomes void."""
    if not scene.ruleset.speaking and not after.speaking:
        return ()  # no rule limits anything
    found: list[Finding] = []
    for day in (scene.moment, *_fading(after, scene.moment)):
        before = replace(scene, moment=day)
        made = RulesetChange(
            instrument=instrument, changes=changes, law=scene.law, before=before, after=before.with_rules(after)
        )
        since = f"from {day} on, when a rule becomes void: " if day != scene.moment else ""
        for leaves in hooks("leaves"):
            found.extend(replace(one, message=f"{since}{one.message}") for one in leaves(made))
        if any(one.is_error for one in found):
            break
    return tuple(found)


def _fading(ruleset: Ruleset, moment: Moment | None) -> list[Moment]:
    """The moments after `moment` at which rules that carry provisions become void: no instrument marks those days."""
    voids = {rule.void for rule in ruleset.speaking.values() if isinstance(rule.void, Moment)}
    return sorted(one for one in voids if moment is not None and moment < one)
