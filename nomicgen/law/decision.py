"""Whether a proposal may be adopted under the law of a moment, and whether its outcome agrees with its votes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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
)

__all__ = ["Decision", "decide", "forbidden", "judge_opening"]


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
    fallen: Iterable[Finding] = (),
) -> Decision:
    """Judges a proposal under the law of `moment`. `lawless` says that no rule of the game ever carried a provision.

    `fallen` says which instructions fall alone: they ask for no votes.
    """
    matter = instrument.matter
    assert isinstance(matter, ProposalMatter)
    legality: list[Finding] = []
    conditions: dict[tuple[int, Adoption], tuple[Rule, Adoption, Instruction]] = {}
    down = {one.span for one in fallen}
    asked = list[tuple[tuple[Rule, Adoption], ...]]()
    for instruction in instrument.instructions:
        found, wrong = _judge_change(instruction, ruleset, law, settings, lawless=lawless)
        asked.append(found)
        if instruction.span in down:
            continue
        legality.extend(wrong)
        for where, one in found:
            conditions.setdefault((where.identity, one), (where, one, instruction))
    pairs = [(where, one) for where, one, _ in conditions.values()]
    covered = not lawless and not any(one.slug == "adoption-missing" for one in legality)
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


def forbidden(
    instrument: Instrument, ruleset: Ruleset, law: Law, settings: Settings, *, lawless: bool
) -> tuple[Finding, ...] | None:
    """What the rules forbid of a proposal that is carried out in part; None where it is so whole or not at all."""
    said = law.says("effect", "impossible")
    if instrument.kind != "proposal" or said is None or said.value == "all":
        return None
    judged = (_judge_change(one, ruleset, law, settings, lawless=lawless) for one in instrument.instructions)
    return tuple(one for _, wrong in judged for one in wrong)


def _judge_change(
    instruction: Instruction, ruleset: Ruleset, law: Law, settings: Settings, *, lawless: bool
) -> tuple[tuple[tuple[Rule, Adoption], ...], list[Finding]]:
    """How a change is adopted, and why it is forbidden."""
    rule = ruleset.get(instruction.target.number) if instruction.target else None
    tier = target_tier(instruction, rule, settings)
    permits = (kind.permits for kind in kinds_that("permits") if kind.permits)
    wrong = [one for judge in permits for one in judge(instruction, rule, tier, law)]
    found = conditions_for(instruction, rule, tier, law, ruleset)
    known = rule is not None or instruction.target is None
    if not found and known and not lawless and change_of(instruction):
        wrong.append(
            Finding(
                slug="adoption-missing",
                span=instruction.span,
                message=f"no rule in force says how a change such as `{instruction.heading}` is adopted",
                help="a change that no rule permits is forbidden: let an `adoption` provision of a rule cover it",
            )
        )
    return found, wrong


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
    elif not unmet and tally.conditions and tally.adopted:
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
