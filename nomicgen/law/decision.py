"""Whether a proposal may be adopted under the law of a moment, and whether its outcome agrees with its votes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from nomicgen.diagnostics import Finding, counted
from nomicgen.law.effect import target_tier
from nomicgen.law.effects import Licence
from nomicgen.law.kinds import kinds_that
from nomicgen.law.licence import license_of
from nomicgen.law.precedence import Law
from nomicgen.law.provisions.adoption import Adoption, change_of, conditions_for
from nomicgen.law.sentences import sentence
from nomicgen.law.state import Rule, Ruleset, Tally
from nomicgen.law.tally import count_votes
from nomicgen.law.voters import judge_voters
from nomicgen.model import (
    Instruction,
    Instrument,
    Moment,
    Player,
    ProposalMatter,
    Settings,
    Span,
)

__all__ = ["Decision", "decide", "judge_opening"]


@dataclass(frozen=True, slots=True)
class Decision:
    """The tally of a proposal, what its changes lack by the law, and what is wrong with its votes and outcome.

    `licences` has, for each instruction, the rules that say how it is adopted, with the arithmetic of the vote.
    """

    tally: Tally
    legality: tuple[Finding, ...] = ()
    findings: tuple[Finding, ...] = ()
    licences: tuple[tuple[Licence, ...], ...] = ()


def decide(
    instrument: Instrument,
    ruleset: Ruleset,
    law: Law,
    players: Mapping[str, Player],
    settings: Settings,
    moment: Moment | None,
    *,
    lawless: bool,
    down: Collection[Span] = (),
) -> Decision:
    """Judges a proposal under the law of `moment`. `lawless` says that no rule of the game ever carried a provision.

    `down` has the places of the instructions that fall alone: they ask for no votes.
    """
    matter = instrument.matter
    assert isinstance(matter, ProposalMatter)
    legality: list[Finding] = []
    conditions: dict[tuple[int, Adoption], tuple[Rule, Adoption, Instruction]] = {}
    covered, asked = not lawless, list[tuple[tuple[Rule, Adoption], ...]]()
    for instruction in instrument.instructions:
        rule = ruleset.get(instruction.target.number) if instruction.target else None
        tier = target_tier(instruction, rule, settings)
        found = conditions_for(instruction, rule, tier, law, ruleset)
        asked.append(found)
        if instruction.span in down:
            continue
        permits = (kind.permits for kind in kinds_that("permits") if kind.permits)
        legality.extend(one for judge in permits for one in judge(instruction, rule, tier, law))
        known = rule is not None or instruction.target is None
        if not found and known and not lawless and change_of(instruction):
            covered = False
            legality.append(
                Finding(
                    slug="adoption-missing",
                    span=instruction.span,
                    message=f"no rule in force says how a change such as `{instruction.heading}` is adopted",
                    help="a change that no rule permits is forbidden: let an `adoption` provision of a rule cover it",
                )
            )
        for where, one in found:
            conditions.setdefault((where.identity, one), (where, one, instruction))
    pairs = [(where, one) for where, one, _ in conditions.values()]
    tally = count_votes(matter, players, law, moment, pairs, covered=covered)
    first = {where.number: instruction for where, _, instruction in reversed(list(conditions.values()))}
    findings = [*judge_voters(instrument, matter, players, law, moment, tally)]
    if matter.status in ("adopted", "defeated") and tally.recorded:
        findings.extend(_outcome(instrument, matter, tally, law, first))
    sums = {(one.rule, one.sentence): one.arithmetic for one in tally.conditions}
    licences = tuple(
        tuple(
            license_of(rule, "adoption", sums.get((rule.number, sentence("adoption", one)), "")) for rule, one in each
        )
        for each in asked
    )
    return Decision(tally, tuple(legality), tuple(findings), licences)


def judge_opening(instrument: Instrument, matter: ProposalMatter, law: Law) -> Iterator[Finding]:
    """What is wrong with the opening of a vote, under the law of that moment.

    One that does not say when it opened did so no later than it was decided.
    """
    debate, again = law.says("ballot", "debate"), law.says("ballot", "resubmissions")
    said = debate if debate is not None and debate.value else law.says("ballot", "closes_after")
    if said is not None and matter.votes and matter.date is None and (debate is said or matter.opened is None):
        yield Finding(
            slug="status-incomplete",
            span=instrument.source.at("status"),
            message=f"{matter.status}, and no day in `date`, from which Rule {said.rule} counts",
            help="add `date: ` and the day on which it was put forward",
            rule=said.rule,
        )
    key, how = ("opened", "the vote opened") if matter.opened is not None else ("decided", matter.status)
    opened = matter.opened or matter.decided
    if debate is not None and matter.date is not None and opened is not None:
        due = matter.date.plus(debate.value)
        if opened.precedes(due):
            yield Finding(
                slug="debate-short",
                span=instrument.source.at(key),
                message=f"{how} on {opened}; Rule {debate.rule} leaves {counted(debate.value, 'day')} "
                f"for debate, until {due}",
                help=f"mend `{key}` or `date`; a vote that opened too early is void, and is held again",
                rule=debate.rule,
            )
    times = len(matter.earlier or ())
    edits = law.says("ballot", "edits")
    before = matter.earlier[-1].digest if matter.earlier else None
    if edits is not None and edits.value == "forbidden" and before is not None and not instrument.bears(before):
        yield Finding(
            slug="digest-differs",
            span=instrument.source.at("digest"),
            message=f"put to the vote again with other words; Rule {edits.rule} forbids that",
            help="bring back the text that was voted on before, or withdraw it and put forward another proposal",
            rule=edits.rule,
        )
    if again is not None and times > again.value:
        yield Finding(
            slug="resubmissions-many",
            span=instrument.source.at("earlier"),
            message=f"put to the vote again {counted(times, 'time')}; Rule {again.rule} allows {again.value}",
            help="withdraw it, and put forward another proposal",
            rule=again.rule,
        )


def _ended(instrument: Instrument, matter: ProposalMatter, tally: Tally, law: Law) -> Iterator[Finding]:
    """A vote that was ended before everyone had voted, though the rules wait for them or for a day."""
    if tally.may_end:
        return
    missing = ", ".join(tally.missing)
    if tally.must_vote:
        said = law.says("ballot", "silence") or law.says("ballot", "everyone_votes")
        yield Finding(
            slug="vote-missing",
            span=instrument.source.key("votes"),
            message=f"{matter.status} without the votes of {missing}; "
            f"{f'Rule {said.rule} demands' if said else 'the rules demand'} every vote",
            help=f"record each with `nomicgen vote {instrument.number} for --player {tally.missing[0]}`",
            rule=said.rule if said else None,
        )
    else:
        said = law.says("ballot", "closes_after")
        yield Finding(
            slug="vote-early",
            span=instrument.source.at("decided"),
            message=f"{matter.status} on {matter.decided} without the votes of {missing}, "
            f"who could vote until {tally.closes}",
            help="mend `decided`, or record their votes",
            rule=said.rule if said else None,
        )


def _outcome(
    instrument: Instrument, matter: ProposalMatter, tally: Tally, law: Law, first: Mapping[int, Instruction]
) -> list[Finding]:
    found = [*_ended(instrument, matter, tally, law)]
    unmet = [one for one in tally.conditions if not one.met]
    if matter.status == "adopted":
        for one in unmet:
            transmutes = one.rule in first and first[one.rule].verb == "transmute"
            found.append(
                Finding(
                    slug="transmutation-votes" if transmutes else "votes-few",
                    span=instrument.source.at("status"),
                    message=f"adopted with too few votes: {one.arithmetic}",
                    help=f"Rule {one.rule} as it stood then: {one.sentence} "
                    "Set the status to defeated, or mend the votes",
                    rule=one.rule,
                )
            )
    elif not unmet and first and tally.adopted:
        one = tally.conditions[0]
        found.append(
            Finding(
                slug="votes-enough",
                span=instrument.source.at("status"),
                message=f"defeated with votes enough: {one.arithmetic}",
                help=f"Rule {one.rule} as it stood then: {one.sentence} Set the status to adopted, or mend the votes",
                rule=one.rule,
            )
        )
    return found
