"""The act or the judgement names the rule in `under`; otherwise it is `authority-missing`. To take away a rule's force
(`void`), or to give it back, needs `void` or `repeal` here. An authority cannot permit what entrenchment forbids
(`tier-protected`), nor a change for which a more entrenched rule's `adoption` asks for a vote. A rule needs no
authority for what it does to itself: that is `sunset`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from nomicgen.diagnostics import Finding
from nomicgen.law.effects import Verdict
from nomicgen.law.instruction_effect import target_tier
from nomicgen.law.kind import Doings, Kind, Provision, unsaid
from nomicgen.law.kinds import hooks
from nomicgen.law.licence import RuleChange, State, license_of
from nomicgen.law.precedence import Law
from nomicgen.law.provisions.adoption import change_of, covering
from nomicgen.law.replay_state import Rule
from nomicgen.law.sentences import joined, sentence
from nomicgen.model import ActMatter, Instruction, Instrument, JudgementMatter, Model, Number, described

EXAMPLES = """\
- case: Under this rule an act makes rules, and changes none that are there.
  provisions:
    authority: {by: act, to: enact, numbers: {from: 601}}
  files:
    acts/2026-01-03-rule.md:
      date: 2026-01-03
      by: osprey
      under: 201
      does: "## Repeal Rule 203/0"
  gives:
    - "authority-missing: Repeal Rule 203/0: Rule 201 gives an act no authority for it"
"""


class NumbersFrom(Model):
    """The numbers that an authority may give."""

    from_: Number = described("the lowest of them")


class Authority(Provision):
    """Who else than a proposal may change rules."""

    by: Literal["act", "judgement"] = described("the kind of instrument")
    to: Doings = described("the kinds of change that it may make; `repeal` includes `void`")
    numbers: NumbersFrom | None = unsaid("the numbers of the rules that it may make or change")


def _sentence(one: Authority) -> str:
    what = "An act" if one.by == "act" else "A judgement"
    numbers = f" numbered from {one.numbers.from_}" if one.numbers else ""
    return f"{what} under this rule may {joined(one.to, 'or')} rules{numbers}."


def _license(subject: RuleChange, state: State) -> Verdict:
    """The rule that lets an act or a judgement make a change: the one that it names in `under`."""
    instrument, instruction, law = subject.instrument, subject.instruction, state.law
    change = change_of(instruction)
    if change is None:
        return Verdict()
    matter = instrument.matter
    assert isinstance(matter, ActMatter | JudgementMatter)
    under = None if matter.under is None else state.ruleset.named(matter.under)
    lent = [one for rule, one in law.every("authority") if rule is under]
    if under is None or not any(_lets(one, instrument, instruction) for one in lent):
        return Verdict(findings=(_missing(instrument, instruction, matter.under, under, lent),))
    into = target_tier(instruction, subject.rule, state.records.settings)
    findings = (
        *_protected(instruction, subject.rule, into, law, under),
        *_reserved(instruction, change, [subject.rule.tier if subject.rule else None, into], law, under),
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
    instruction: Instruction, rule: Rule | None, into: str | None, law: Law, under: Rule
) -> Iterator[Finding]:
    """What the rules forbid whoever makes the change."""
    for finding in (one for permits in hooks("permits") for one in permits(instruction, rule, into, law)):
        beyond = (
            f"the authority of Rule {under.number} does not reach that: put to the vote what Rule {finding.rule} allows"
        )
        yield replace(finding, help=beyond)


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


KIND = Kind(schema=Authority, sentence=_sentence, combines="all", licenses={RuleChange: _license})
