"""Changes that no proposal made: what an act or a judgement may do to the rules, and under which rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nomicgen.diagnostics import Finding
from nomicgen.law.ballot import is_protected, touches_law
from nomicgen.law.corrections import is_correction
from nomicgen.law.decision import target_tier
from nomicgen.law.precedence import Law, verb_class
from nomicgen.law.state import Rule, Ruleset
from nomicgen.model import ActMatter, Instruction, Instrument, JudgementMatter, Settings

__all__ = ["check_authority"]


def check_authority(
    instrument: Instrument, ruleset: Ruleset, law: Law, settings: Settings, *, lawless: bool
) -> tuple[Finding, ...]:
    """What an act or a judgement does without authority. In a game without any provisions nothing can be said."""
    if lawless or is_correction(instrument):
        return ()
    matter = instrument.matter
    assert isinstance(matter, ActMatter | JudgementMatter)
    found: list[Finding] = []
    for instruction in instrument.instructions:
        rule = ruleset.get(instruction.target.number) if instruction.target else None
        verb = verb_class(instruction.verb, touches_law(instruction))
        if verb is None:
            continue
        if not _allowed(matter, instrument, instruction, verb, ruleset, law):
            found.append(_missing(instrument, instruction, matter.under))
            continue
        # A rule may change itself in a tier that is protected; it does not come into another one so.
        own = rule.tier if rule is not None and _is_own(rule, matter.under, ruleset) else None
        tiers = dict.fromkeys((rule.tier if rule else None, target_tier(instruction, rule, settings)))
        found.extend(_protected(instruction, verb, (one for one in tiers if one and one != own), law, matter.under))
    return tuple(found)


def _protected(
    instruction: Instruction, verb: str, tiers: Iterable[str], law: Law, under: int | None
) -> Iterator[Finding]:
    for tier in tiers:
        forbidden = is_protected(verb, tier, law)
        if forbidden is not None:
            yield Finding(
                slug="tier-protected",
                span=instruction.span,
                message=f"{instruction.heading}: Rule {forbidden} protects {tier} rules",
                help=f"the authority of Rule {under} does not reach entrenched rules",
                rule=forbidden,
            )


def _allowed(
    matter: ActMatter | JudgementMatter,
    instrument: Instrument,
    instruction: Instruction,
    verb: str,
    ruleset: Ruleset,
    law: Law,
) -> bool:
    under = ruleset.named(matter.under) if matter.under is not None else None
    for rule, one in law.authorities:
        if rule is not under or one.by != instrument.kind or verb not in one.to:
            continue
        if one.own and not _is_by_itself(instrument, instruction, ruleset):
            continue
        if one.numbers is None or all(number >= one.numbers.from_ for number in _numbers(instruction)):
            return True
    return False


def _numbers(instruction: Instruction) -> tuple[int, ...]:
    """The number of the rule that is changed, and that which it is given; 0 where it is not said."""
    said = (instruction.target.number,) if instruction.target else ()
    return (*said, instruction.number or 0) if instruction.verb in ("enact", "renumber") else said


def _is_by_itself(instrument: Instrument, instruction: Instruction, ruleset: Ruleset) -> bool:
    """Whether a rule acts on itself."""
    by = instrument.matter.by_rule if isinstance(instrument.matter, ActMatter) else None
    target = ruleset.get(instruction.target.number) if instruction.target else None
    return target is not None and by is not None and ruleset.named(by) is target


def _is_own(rule: Rule | None, under: int | None, ruleset: Ruleset) -> bool:
    return rule is not None and under is not None and ruleset.named(under) is rule


def _missing(instrument: Instrument, instruction: Instruction, under: int | None) -> Finding:
    what = "an act" if instrument.kind == "act" else "a judgement"
    if under is None:
        message = f"{instruction.heading}: {what} changes rules only under a rule that lets it, and names none"
    else:
        message = f"{instruction.heading}: Rule {under} in force gives {what} no authority for it"
    return Finding(
        slug="authority-missing",
        span=instruction.span if under is None else instrument.source.at("under"),
        message=message,
        help="name in `under` a rule in force whose `authority` provision allows it, or make it a proposal",
        rule=under,
    )
