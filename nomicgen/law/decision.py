"""Whether a proposal may be adopted under the law of a moment, and whether its outcome agrees with its votes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nomicgen.diagnostics import Finding
from nomicgen.law.ballot import conditions_for, count_votes, electorate, is_protected, touches_law
from nomicgen.law.effect import least_tier
from nomicgen.law.precedence import Law, verb_class
from nomicgen.law.shapes import Adoption
from nomicgen.law.state import Rule, Ruleset, Tally
from nomicgen.model import Instruction, Instrument, Moment, Player, ProposalMatter, Settings

__all__ = ["Decision", "decide", "permission", "target_tier"]


@dataclass(frozen=True, slots=True)
class Decision:
    """The tally of a proposal, what its changes lack by the law, and what is wrong with its votes and outcome."""

    tally: Tally
    legality: tuple[Finding, ...] = ()
    findings: tuple[Finding, ...] = ()


def target_tier(instruction: Instruction, rule: Rule | None, settings: Settings) -> str | None:
    """The tier that an instruction enacts or transmutes a rule into."""
    if instruction.verb == "enact":
        return (instruction.block and instruction.block.mutability) or least_tier(settings)
    if instruction.verb == "transmute":
        return instruction.tier
    return rule.tier if rule else None


def permission(instruction: Instruction, rule: Rule | None, law: Law, settings: Settings) -> tuple[Finding, ...]:
    """What the entrenchment of the tiers forbids: the tier of the rule, and the one that it is to come into."""
    verb = verb_class(instruction.verb, touches_law(instruction))
    if verb is None:
        return ()
    tiers = dict.fromkeys(tier for tier in (rule and rule.tier, target_tier(instruction, rule, settings)) if tier)
    found = []
    for tier in tiers:
        offended = is_protected(verb, tier, law)
        if offended is not None:
            what = f"Rule {rule.ref} is {tier}" if rule and rule.tier == tier else f"the rule would be {tier}"
            said = law.of_tier("entrenchment", tier)
            allowed = ", ".join(said.value) if said and said.value else "nothing"
            found.append(
                Finding(
                    slug="tier-protected",
                    span=instruction.span,
                    message=f"{what}; Rule {offended} forbids the {_noun(verb)} of {tier} rules (it allows: {allowed})",
                    help=f"transmute it first (`## Transmute Rule {instruction.target} to …`)"
                    if said and "transmute" in said.value and verb != "transmute" and rule
                    else f"amend Rule {offended} first, if the rules let you",
                    rule=offended,
                )
            )
    return tuple(found)


def _noun(verb: str) -> str:
    return {"enact": "enactment", "amend": "amendment", "repeal": "repeal", "transmute": "transmutation"}[verb]


def decide(
    instrument: Instrument,
    ruleset: Ruleset,
    law: Law,
    players: Mapping[str, Player],
    settings: Settings,
    moment: Moment | None,
    *,
    lawless: bool,
) -> Decision:
    """Judges a proposal under the law of `moment`. `lawless` says that no rule of the game ever carried a provision."""
    matter = instrument.matter
    assert isinstance(matter, ProposalMatter)
    legality: list[Finding] = []
    conditions: dict[tuple[int, Adoption], tuple[Rule, Adoption, Instruction]] = {}
    covered = not lawless
    for instruction in instrument.instructions:
        rule = ruleset.get(instruction.target.number) if instruction.target else None
        legality.extend(permission(instruction, rule, law, settings))
        found = conditions_for(instruction, rule, target_tier(instruction, rule, settings), law, ruleset)
        known = rule is not None or instruction.target is None
        if not found and known and not lawless and verb_class(instruction.verb, touches_law(instruction)):
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
    findings = [*_voters(instrument, matter, players, law, moment)]
    if matter.status in ("adopted", "defeated") and tally.recorded:
        findings.extend(_outcome(instrument, matter, tally, law, first))
    return Decision(tally, tuple(legality), tuple(findings))


def _voters(
    instrument: Instrument, matter: ProposalMatter, players: Mapping[str, Player], law: Law, moment: Moment | None
) -> list[Finding]:
    found = []
    for voter, vote in (matter.votes or {}).items():
        # Without a day of its own a vote was cast at some time between the two: who left or joined meanwhile could.
        days = (vote.at,) if vote.at else (matter.opened or moment, moment)
        span = instrument.source.key("votes", voter)
        if voter not in players:
            found.append(
                Finding(
                    slug="voter-unknown",
                    span=span,
                    message=f"{voter} voted, and there is no players/{voter}.yml",
                    help=f"add players/{voter}.yml with the day of joining, or take the vote out",
                )
            )
        elif not any(voter in electorate(players, law, day)[0] for day in days):
            said = law.says("ballot", "electorate")
            found.append(
                Finding(
                    slug="voter-unknown",
                    span=span,
                    message=f"{voter} voted, and was no eligible voter on {days[-1]}",
                    help=f"players/{voter}.yml says when {voter} played; mend it there, or take the vote out",
                    rule=said.rule if said else None,
                )
            )
    return found


def _outcome(
    instrument: Instrument, matter: ProposalMatter, tally: Tally, law: Law, first: Mapping[int, Instruction]
) -> list[Finding]:
    found = []
    must_vote = law.says("ballot", "everyone_votes")
    if tally.must_vote and tally.missing and must_vote:
        found.append(
            Finding(
                slug="vote-missing",
                span=instrument.source.key("votes"),
                message=f"{matter.status} without the votes of {', '.join(tally.missing)}; "
                f"Rule {must_vote.rule} demands every vote",
                help=f"record each with `nomicgen vote {instrument.number} for --player {tally.missing[0]}`",
                rule=must_vote.rule,
            )
        )
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
