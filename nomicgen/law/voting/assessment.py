"""Whether a proposal may be adopted under the law of a moment, and whether its outcome agrees with
its votes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from nomicgen.law.change_kinds import judged_verb
from nomicgen.law.judging_kind import hooks
from nomicgen.law.precedence import Law, rule_finding
from nomicgen.law.provisions.adoption import Adoption
from nomicgen.law.provisions.ballot import Ballot
from nomicgen.law.replay.carrying_out import target_tier
from nomicgen.law.replay.effects import Licence
from nomicgen.law.replay.results import Rule
from nomicgen.law.replay.scene import Scene
from nomicgen.law.sentences import sentence
from nomicgen.law.subjects import license_of
from nomicgen.law.voting.conditions import Requirements, requirements_for
from nomicgen.law.voting.tally import Tally
from nomicgen.law.voting.vote_count import count_votes
from nomicgen.law.voting.voters import judge_voters
from nomicgen.law.voting.voting_rights import silence_rule
from nomicgen.model.findings import Finding, Findings
from nomicgen.model.records import Instruction, Proposal
from nomicgen.model.values import Span


class Assessment(Struct, frozen=True):
    """The tally of a proposal, and what is wrong: `illegal` with its changes, `findings` with its
    votes and its outcome.

    `licences` has, for each instruction, the rules that say how it is adopted, with the arithmetic
    of the vote.
    """

    tally: Tally
    illegal: Findings = ()
    findings: Findings = ()
    licences: tuple[tuple[Licence, ...], ...] = ()


def assess(
    instrument: Proposal,
    scene: Scene,
    *,
    dropped: Collection[Span] = (),
    since: Sequence[Scene] = (),
) -> Assessment:
    """Judge a proposal by the rules and the players of a moment.

    Whether the vote passed is `Tally.adopted`; `_outcome` compares it with the status in the file.
    `dropped` has the places of instructions that are left out, while the others are carried out:
    they ask for no votes.

    `since` has the rules that may have been in force since the vote opened, the latest first. What
    one of them allowed is no mistake of a voter, though the votes are counted by the law of
    `scene`. A change of a rule that is gone needs what it needed while the rule stood.
    """
    matter, law, lawless = instrument.matter, scene.law, scene.lawless
    illegal: list[Finding] = []
    conditions: dict[tuple[int, Adoption], tuple[Rule, Adoption]] = {}
    # By the number of an adoption rule, the first instruction that it has a condition for.
    first: dict[int, Instruction] = {}
    covered, asked = not lawless, list[Requirements]()
    for instruction in instrument.instructions:
        rule = scene.ruleset.get(instruction.target.number) if instruction.target else None
        tier = target_tier(instruction, rule, scene.settings)
        needed = requirements_for(
            instruction, rule or _gone(instruction, since), tier, law, scene.ruleset
        )
        asked.append(needed)
        if instruction.span in dropped:
            continue
        for forbids in hooks(lambda kind: kind.forbids):
            illegal.extend(forbids(instruction, rule, tier, law))
        known = rule is not None or instruction.target is None
        if not needed and known and not lawless and judged_verb(instruction):
            covered = False
            illegal.append(
                Finding(
                    slug="adoption-missing",
                    span=instruction.span,
                    message=f"no rule in force says how a change such as `{instruction.heading}` "
                    "is adopted",
                    help="a change that no rule permits is forbidden: let an `adoption` "
                    "provision of a rule cover it",
                )
            )
        for demanding, adoption in needed:
            conditions.setdefault((demanding.identity, adoption), (demanding, adoption))
            first.setdefault(demanding.number, instruction)
    tally = count_votes(
        matter, scene.players, law, scene.moment, conditions.values(), covered=covered
    )
    findings = [*_wrong_votes(instrument, scene, tally, since)]
    if matter.status in ("adopted", "defeated") and tally.recorded:
        findings.extend(_outcome(instrument, tally, law, first))
    sums = {
        (condition.rule, condition.sentence): condition.arithmetic for condition in tally.conditions
    }
    licences = tuple(
        tuple(
            license_of(rule, Adoption, sums.get((rule.number, sentence(adoption)), ""))
            for rule, adoption in each
        )
        for each in asked
    )
    return Assessment(tally, tuple(illegal), tuple(findings), licences)


def _gone(instruction: Instruction, since: Sequence[Scene]) -> Rule | None:
    """Return the rule that an instruction names, as it was before it lost that number."""
    if instruction.target is None:
        return None
    return next(
        (
            rule
            for scene in since
            if (rule := scene.ruleset.get(instruction.target.number)) is not None
        ),
        None,
    )


def _wrong_votes(
    instrument: Proposal, scene: Scene, tally: Tally, since: Sequence[Scene]
) -> Iterator[Finding]:
    """Yield what is wrong with votes under the law of `scene` and under each earlier one."""
    wrong = [*judge_voters(instrument, scene.players, scene.law, scene.moment, tally)]
    for earlier in since if wrong else ():
        known = {
            (finding.slug, finding.span)
            for finding in judge_voters(instrument, scene.players, earlier.law, scene.moment, tally)
        }
        silent = {
            instrument.source.key("votes", voter)
            for voter, vote in (instrument.matter.votes or {}).items()
            if vote.cast_by == "silence"  # what silence is, only the law of `scene` says
        }
        wrong = [
            finding
            for finding in wrong
            if (finding.slug, finding.span) in known or finding.span in silent
        ]
    yield from wrong


def _ended_too_soon(instrument: Proposal, tally: Tally, law: Law) -> Iterator[Finding]:
    """Yield that a vote ended too soon: some votes are missing, and the rules wait for them."""
    if tally.may_end:
        return
    matter, missing = instrument.matter, ", ".join(tally.missing)
    once = _cast_after_all(instrument, tally)
    if tally.must_vote:
        demanding = silence_rule(law)
        demands = f"Rule {demanding.rule} demands" if demanding else "the rules demand"
        message = f"{matter.status} without the votes of {missing}; {demands} every vote"
        remedy = f"{once}{'else ' * bool(once)}{_REOPENED}, and wait for their votes"
        yield rule_finding(
            "vote-missing", instrument.source.key("votes"), demanding, message, remedy
        )
    else:
        ended = f"{matter.status} on {matter.decided} without the votes of {missing}"
        message, remedy = (
            f"{ended}, who could vote until {tally.closes}",
            f"{once}{'or ' * bool(once)}correct `decided`, if the day is wrong; "
            f"else {_REOPENED}, and wait",
        )
        closing = law.says(Ballot.closes_after)
        yield rule_finding("vote-early", instrument.source.at("decided"), closing, message, remedy)


_REOPENED = (
    "put back `status: open`, delete `decided` and `effective`, then `nomicgen apply` if the "
    "change is in rules/"
)


def _cast_after_all(instrument: Proposal, tally: Tally) -> str:
    """Return how to record a vote that was cast; '' if several are missing: none goes in alone."""
    command = f"nomicgen correct {instrument.path} votes.{tally.missing[0]} for|against"
    return f"if they voted, `{command} --evidence TEXT`; " if len(tally.missing) == 1 else ""


def _outcome(
    instrument: Proposal, tally: Tally, law: Law, first: Mapping[int, Instruction]
) -> Iterator[Finding]:
    """Yield that a vote ended too soon, or that the status in the file contradicts the count.

    `first` has, by the number of an adoption rule, the first instruction that it is about.
    """
    yield from _ended_too_soon(instrument, tally, law)
    status = instrument.matter.status
    adopted = status == "adopted"
    if adopted:
        wrong = [condition for condition in tally.conditions if not condition.met]
    else:
        wrong = [*tally.conditions[:1]] if first and tally.adopted else []
    how, other = "enough votes", "against"
    mended = "Set `status: adopted`, and `effective` unless it waits for a turn"
    if adopted:
        how, other = "too few votes", "for"
        mended = "Set `status: defeated`, and delete `effective`"
    for condition in wrong:
        transmutes = condition.rule in first and first[condition.rule].verb == "transmute"
        yield Finding(
            slug="votes-enough"
            if not adopted
            else "transmutation-votes"
            if transmutes
            else "votes-few",
            span=instrument.source.at("status"),
            message=f"{status} with {how}: {condition.arithmetic}",
            help=f"Rule {condition.rule} as it was then: {condition.sentence} {mended}, or correct "
            f"the votes: `nomicgen correct {instrument.path} votes.ID {other} --evidence TEXT`",
            rule=condition.rule,
        )
