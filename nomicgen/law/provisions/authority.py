"""The act or the judgement names the rule in the key `under` of its file. If it does not, that is
`authority-missing`. To take away a rule's force (`void`), or to give it back,
needs `void` or `repeal` here. An authority cannot permit what entrenchment forbids
(`tier-protected`). Nor can it permit a kind of change that a more entrenched rule's `adoption`
names in `to`. A rule needs no authority for what it does to itself: that is `sunset`.
With `when: turn-begins`, a change may be made on a day on which a turn begins, and on no other
(`effect-wrong`). With `defers: true`, the rules that it enacts supersede no other: they name none
in `over`, and have no `adoption` while another rule has one (`authority-missing`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from nomicgen.law.change_kinds import judged_verb
from nomicgen.law.judging_kind import JudgingKind, hooks
from nomicgen.law.kind import Doings, Provision, unsaid
from nomicgen.law.kinds import schemas_of
from nomicgen.law.precedence import Law
from nomicgen.law.reading import parse_provisions
from nomicgen.law.replay.carrying_out import target_tier
from nomicgen.law.replay.effects import Verdict
from nomicgen.law.replay.results import Rule
from nomicgen.law.sentences import joined, sentence, with_article
from nomicgen.law.subjects import ChangeUnderAuthority, State, effect_judge, license_of
from nomicgen.law.voting.conditions import conditions_for
from nomicgen.model.file_model import Model, described
from nomicgen.model.findings import Finding
from nomicgen.model.front_matters import ActMatter, JudgementMatter
from nomicgen.model.records import Instruction, Instrument
from nomicgen.model.values import Boolean, Number

EXAMPLES = """\
- case: Under this rule an act may enact rules, but not repeal them.
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
- case: An act enacts a rule on a day on which no turn begins.
  provisions:
    authority: {by: act, to: enact, numbers: {from: 601}, when: turn-begins}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02}
    acts/2026-01-03-rule.md:
      cause: Temporary Rule 601
      date: 2026-01-03
      by: osprey
      under: 201
      does: "## Enact Rule 601\n\nIt rains."
  gives:
    - "effect-wrong: Temporary Rule 601 changes rules on 2026-01-03; Rule 201 allows this only when
      a turn begins"
- case: A rule that an act makes would supersede the rule that says how changes are adopted.
  provisions:
    authority: {by: act, to: enact, defers: true}
    adoption: {needs: majority}
  files:
    acts/2026-01-03-rule.md:
      date: 2026-01-03
      by: osprey
      under: 201
      does: |
        ## Enact Rule 601

        ```yaml rule
        provisions:
          adoption: {needs: {at_least: 1}, over: 201}
        ```

        It rains.
  gives:
    - "authority-missing: Enact Rule 601: its `adoption` would go before Rule 201, and Rule 201 lets
      an act make only rules that supersede no other"
"""


class NumbersFrom(Model):
    """The numbers of the rules that an authority may make or change."""

    from_: Number = described("the lowest of them")


class Authority(Provision):
    """What may change rules besides a proposal."""

    by: Literal["act", "judgement"] = described("the kind of instrument")
    to: Doings = described("the kinds of change that it may make; `repeal` includes `void`")
    numbers: NumbersFrom | None = unsaid("the numbers of the rules that it may make or change")
    when: Literal["turn-begins"] | None = unsaid(
        "the only days on which it may change rules: those on which a turn begins"
    )
    defers: Boolean | None = unsaid("whether the rules that it enacts supersede no other rule")


def _sentence(authority: Authority) -> str:
    what = "An act" if authority.by == "act" else "A judgement"
    numbers = f" numbered from {authority.numbers.from_}" if authority.numbers else ""
    when = " when a turn begins" if authority.when else ""
    defers = "; rules that it enacts supersede no other" * bool(authority.defers)
    return f"{what} under this rule may {joined(authority.to, 'or')} rules{numbers}{when}{defers}."


def _license(subject: ChangeUnderAuthority, state: State) -> Verdict:
    """Return the rule that lets an act or a judgement make a change: the one named in `under`."""
    instrument, instruction, law = subject.instrument, subject.instruction, state.law
    change = judged_verb(instruction)
    if change is None:
        return Verdict()
    matter = instrument.matter
    assert isinstance(matter, ActMatter | JudgementMatter)
    under = None if matter.under is None else state.ruleset.once_numbered(matter.under)
    own = [authority for rule, authority in law.every(Authority) if rule is under]
    able = [authority for authority in own if _lets(authority, instrument, instruction)]
    if under is None or not able:
        return Verdict(findings=(_missing(instrument, instruction, matter.under, own),))
    into = target_tier(instruction, subject.rule, state.records.settings)
    findings = (
        *_protected(instruction, subject.rule, into, law, under),
        *_untimely(instrument, able, under, state),
        *_superseding(instruction, able, under, law),
        *_reserved(
            instruction, change, [subject.rule.tier if subject.rule else None, into], law, under
        ),
    )
    return Verdict((license_of(under, Authority),), findings)


def _lets(authority: Authority, instrument: Instrument, instruction: Instruction) -> bool:
    """Return whether a provision is about this kind of instrument, change and number."""
    change = judged_verb(instruction)
    voids = instruction.verb == "mark" and change == "repeal"
    if authority.by != instrument.kind or not (
        change in authority.to or (voids and "void" in authority.to)
    ):
        return False
    return authority.numbers is None or all(
        number >= authority.numbers.from_ for number in _numbers(instruction)
    )


def _numbers(instruction: Instruction) -> tuple[int, ...]:
    """Return the number of the rule that is changed, and the one that is given to a rule: 0 if an
    enactment leaves it open.
    """
    target = (instruction.target.number,) if instruction.target else ()
    return (
        (*target, instruction.number or 0) if instruction.verb in ("enact", "renumber") else target
    )


def _protected(
    instruction: Instruction, rule: Rule | None, into: str | None, law: Law, under: Rule
) -> Iterator[Finding]:
    """Yield why a change is forbidden, whether by a vote or under an authority."""
    short = f"the authority of Rule {under.number} does not reach that: put to the vote what Rule"
    for forbids in hooks(lambda kind: kind.forbids):
        for finding in forbids(instruction, rule, into, law):
            yield replace(finding, help=f"{short} {finding.rule} allows")


def _untimely(
    instrument: Instrument, able: list[Authority], under: Rule, state: State
) -> Iterator[Finding]:
    """Yield that a change that may be made only when a turn begins is made on another day."""
    day = instrument.matter.effective or instrument.decided
    if day is None or any(authority.when is None for authority in able):
        return
    begun = [
        turn.matter.began for turn in state.records.turns.values() if turn.matter.began is not None
    ]
    # Whether a turn begins on a day that is to come, nobody knows.
    is_known = day == instrument.decided or any(day.precedes(began) for began in begun)
    if is_known and not any(began.day == day.day for began in begun):
        yield Finding(
            slug="effect-wrong",
            span=instrument.source.at("date"),
            message=f"{instrument.name} changes rules on {day}; Rule {under.number} allows this "
            "only when a turn begins",
            help="record it when the next turn has begun, with that day as its date",
            rule=under.number,
        )


def _superseding(
    instruction: Instruction, able: list[Authority], under: Rule, law: Law
) -> Iterator[Finding]:
    """Yield that a new rule may not go before others, or say what votes need."""
    if (
        instruction.verb != "enact"
        or instruction.block is None
        or not all(authority.defers for authority in able)
    ):
        return
    asking = schemas_of("matching")
    for kind, provisions in parse_provisions(instruction.block.provisions, None)[0].kinds.items():
        asked = [
            number
            for one in provisions
            if type(one) in asking
            for number in law.rules_of(type(one))
        ]
        over = [number for one in provisions for number in one.over]
        if over or asked:
            yield Finding(
                slug="authority-missing",
                span=instruction.span,
                message=f"{instruction.heading}: its `{kind}` would go before Rule "
                f"{(over or asked)[0]}, and Rule {under.number} lets {with_article(able[0].by)} "
                "make only rules that supersede no other",
                help=f"leave `{'over' if over else kind}` out of its provisions, or propose the "
                "rule",
                rule=under.number,
            )


def _reserved(
    instruction: Instruction, change: str, tiers: list[str | None], law: Law, under: Rule
) -> Iterator[Finding]:
    """Yield each more entrenched rule that reserves a change for a vote: its `adoption` names it.

    `tiers` are the rule's tier before the change (None for a new rule) and after it.
    """
    into = tiers[1] if change in ("enact", "transmute") else None
    for rule, adoption in conditions_for(change, tiers[0], into, law):
        if adoption.to is not None and law.ranks[rule.tier] < law.ranks[under.tier]:
            yield Finding(
                slug="authority-missing",
                span=instruction.span,
                message=f"{instruction.heading}: Rule {rule.number} is {rule.tier} and asks for a "
                f"vote on it; Rule {under.number} is {under.tier} and cannot permit it without one",
                help="put the change to the vote as a proposal",
                rule=rule.number,
            )


def _missing(
    instrument: Instrument, instruction: Instruction, number: int | None, own: list[Authority]
) -> Finding:
    what = "an act" if instrument.kind == "act" else "a judgement"
    remedy = (
        "name in `under` a rule in force whose `authority` provision allows it, or make it "
        "a proposal"
    )
    if number is None:
        message = (
            f"{instruction.heading}: {what} changes rules only under a rule that lets it, "
            "and names none"
        )
    else:
        message = f"{instruction.heading}: Rule {number} gives {what} no authority for it"
        fitting = [authority for authority in own if authority.by == instrument.kind]
        sentences = " ".join(sentence(authority) for authority in fitting or own)
        remedy += f". Rule {number}: {sentences}" if sentences else ""
    return Finding(
        slug="authority-missing",
        span=instruction.span if number is None else instrument.source.at("under"),
        message=message,
        help=remedy,
        rule=number,
    )


KIND = JudgingKind(
    schema=Authority,
    sentence=_sentence,
    combines="all",
    licenses=(effect_judge(ChangeUnderAuthority, _license),),
)
