"""Changes that no proposal makes: what an act or a judgement may do to the rules, and which rule lets it."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.diagnostics import Finding
from nomicgen.law.ballot import change_of, covering, is_protected
from nomicgen.law.decision import target_tier
from nomicgen.law.effects import Verdict
from nomicgen.law.licence import RuleChange, State, license_of
from nomicgen.law.precedence import Law
from nomicgen.law.sentences import sentence
from nomicgen.law.shapes import Authority
from nomicgen.law.state import Rule
from nomicgen.model import ActMatter, Instruction, Instrument, JudgementMatter

__all__ = ["license_change"]


def license_change(subject: RuleChange, state: State) -> Verdict:
    """The rule that lets an act or a judgement make a change: the one that it names in `under`."""
    instrument, instruction, law = subject.instrument, subject.instruction, state.law
    change = change_of(instruction)
    if change is None:
        return Verdict()
    matter = instrument.matter
    assert isinstance(matter, ActMatter | JudgementMatter)
    under = None if matter.under is None else state.ruleset.named(matter.under)
    lent = [one for rule, one in law.authorities if rule is under]
    if under is None or not any(_lets(one, instrument, instruction) for one in lent):
        return Verdict(findings=(_missing(instrument, instruction, matter.under, under, lent),))
    tiers = [
        subject.rule.tier if subject.rule else None,
        target_tier(instruction, subject.rule, state.records.settings),
    ]
    findings = (
        *_protected(instruction, change, tiers, law, under),
        *_reserved(instruction, change, tiers, law, under),
    )
    return Verdict((license_of(under, "authority"),), findings)


def _lets(one: Authority, instrument: Instrument, instruction: Instruction) -> bool:
    change = change_of(instruction)
    voids = instruction.verb == "mark" and change == "repeal"
    if one.by != instrument.kind or not (change in one.to or (voids and "void" in one.to)):
        return False
    return one.numbers is None or all(number >= one.numbers.from_ for number in _numbers(instruction))


def _numbers(instruction: Instruction) -> tuple[int, ...]:
    """The number of the rule that is changed, and that which it is given; 0 where it is not said."""
    said = (instruction.target.number,) if instruction.target else ()
    return (*said, instruction.number or 0) if instruction.verb in ("enact", "renumber") else said


def _protected(
    instruction: Instruction, change: str, tiers: list[str | None], law: Law, under: Rule
) -> Iterator[Finding]:
    for tier in dict.fromkeys(tiers):
        forbidden = is_protected(change, tier, law) if tier is not None else None
        if forbidden is not None:
            yield Finding(
                slug="tier-protected",
                span=instruction.span,
                message=f"{instruction.heading}: Rule {forbidden} protects {tier} rules",
                help=f"the authority of Rule {under.number} does not reach {tier} rules: "
                f"put to the vote what Rule {forbidden} allows",
                rule=forbidden,
            )


def _reserved(
    instruction: Instruction, change: str, tiers: list[str | None], law: Law, under: Rule
) -> Iterator[Finding]:
    """What a more entrenched rule reserves for a vote: where its `adoption` names the kind of change."""
    into = tiers[1] if change in ("enact", "transmute") else None
    for rule, one in covering(change, tiers[0], into, law):
        if one.to is not None and law.ranks[rule.tier] < law.ranks[under.tier]:
            yield Finding(
                slug="authority-missing",
                span=instruction.span,
                message=f"{instruction.heading}: Rule {rule.number} is {rule.tier} and asks for a vote on it; "
                f"Rule {under.number} is {under.tier} and cannot let anybody do without",
                help="put the change to the vote as a proposal",
                rule=rule.number,
            )


def _missing(
    instrument: Instrument, instruction: Instruction, number: int | None, under: Rule | None, lent: list[Authority]
) -> Finding:
    what = "an act" if instrument.kind == "act" else "a judgement"
    remedy = "name in `under` a rule in force whose `authority` provision allows it, or make it a proposal"
    if number is None:
        message = f"{instruction.heading}: {what} changes rules only under a rule that lets it, and names none"
    elif under is None:
        message = f"{instruction.heading}: no Rule {number} is in force, so {what} has no authority by it"
    else:
        message = f"{instruction.heading}: Rule {under.number} gives {what} no authority for it"
        own = [one for one in lent if one.by == instrument.kind]
        said = " ".join(sentence("authority", one) for one in own or lent)
        remedy += f". Rule {under.number}: {said}" if said else ""
    return Finding(
        slug="authority-missing",
        span=instruction.span if number is None else instrument.source.at("under"),
        message=message,
        help=remedy,
        rule=number,
    )
