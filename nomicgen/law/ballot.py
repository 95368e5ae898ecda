"""Votes: who may vote on a day, and the arithmetic of a vote under the law of that day."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from nomicgen.law.precedence import Law, drop_defeated, verb_class
from nomicgen.law.sentences import needs_words, sentence
from nomicgen.law.shapes import Adoption, Threshold
from nomicgen.law.state import Condition, Rule, Ruleset, Tally
from nomicgen.model import Instruction, Moment, Player, ProposalMatter, Vote

__all__ = ["conditions_for", "count_votes", "electorate", "is_player", "is_protected"]


def is_player(player: Player, moment: Moment | None) -> bool:
    """Whether somebody plays at `moment`: from the moment of joining to before that of leaving."""
    if moment is None:
        return True
    joined, left = player.matter.joined, player.matter.left
    return (joined is None or not moment.precedes(joined)) and (left is None or moment.precedes(left))


def is_active(player: Player, moment: Moment | None) -> bool:
    """Whether a player is outside all spans of inactivity at `moment`."""
    if moment is None:
        return True
    return not any(
        not moment.precedes(span.since) and (span.until is None or moment.precedes(span.until))
        for span in player.matter.inactive
    )


def electorate(players: Mapping[str, Player], law: Law, moment: Moment | None) -> tuple[list[str], list[str]]:
    """Ids of those who may vote at `moment`, and of all players; bots never vote of themselves."""
    everyone = [one for one in players.values() if one.matter.kind != "bot" and is_player(one, moment)]
    said = law.says("ballot", "electorate")
    active_only = said is not None and said.value == "active"
    eligible = [one for one in everyone if not active_only or is_active(one, moment)]
    return sorted(one.ident for one in eligible), sorted(one.ident for one in everyone)


def matching(
    instruction: Instruction, rule: Rule | None, tier: str | None, law: Law
) -> tuple[tuple[Rule, Adoption], ...]:
    """The adoption conditions that are about an instruction; `tier` is the tier that it enacts or transmutes into."""
    verb = verb_class(instruction.verb, touches_law(instruction))
    if verb is None:
        return ()
    from_ = None if rule is None else rule.tier
    into = tier if verb in ("enact", "transmute") else None
    return tuple(
        (where, one)
        for where, one in law.adoptions
        if (one.to is None or verb in one.to)
        and (one.from_ is None or from_ in one.from_)
        and (one.into is None or into in one.into)
    )


def touches_law(instruction: Instruction) -> bool:
    """Whether a Mark changes provisions, and so needs what an amendment needs."""
    return instruction.block is not None and instruction.block.provisions is not None


def conditions_for(
    instruction: Instruction, rule: Rule | None, tier: str | None, law: Law, ruleset: Ruleset
) -> tuple[tuple[Rule, Adoption], ...]:
    """What must be met for one instruction: all that match, without those that another names in `over`."""
    return drop_defeated(matching(instruction, rule, tier, law), ruleset, law)


def is_protected(verb: str, tier: str, law: Law) -> int | None:
    """The number of the rule that forbids a kind of change to a tier, None where it is allowed."""
    said = law.of_tier("entrenchment", tier)
    return said.rule if said and verb not in said.value else None


def count_votes(
    matter: ProposalMatter,
    players: Mapping[str, Player],
    law: Law,
    moment: Moment | None,
    conditions: Iterable[tuple[Rule, Adoption]],
    *,
    covered: bool = True,
) -> Tally:
    """The tally of a proposal's votes at `moment`. `covered` is False where some change has no adoption provision."""
    eligible, everyone = electorate(players, law, moment)
    if matter.votes is None:
        return Tally(recorded=False, eligible=tuple(eligible), players=tuple(everyone))
    votes = {voter: vote for voter, vote in matter.votes.items() if voter in eligible}
    for_, against, abstain = (_voters(votes, kind) for kind in ("for", "against", "abstain"))
    said = law.says("ballot", "abstention")
    counts = said is not None and said.value == "counts"
    cast = len(for_) + len(against) + (len(abstain) if counts else 0)
    bases = {"eligible": len(eligible), "cast": cast, "players": len(everyone)}
    met = tuple(dict.fromkeys(_condition(rule, one, len(for_), bases) for rule, one in conditions))
    must_vote = law.says("ballot", "everyone_votes")
    missing = tuple(voter for voter in eligible if voter not in votes)
    complete = not missing or not (must_vote and must_vote.value)
    return Tally(
        for_=for_,
        against=against,
        abstain=abstain,
        eligible=tuple(eligible),
        players=tuple(everyone),
        missing=missing,
        must_vote=bool(must_vote and must_vote.value),
        conditions=met,
        adopted=all(one.met for one in met) if complete and covered else None,
    )


def _voters(votes: Mapping[str, Vote], kind: str) -> tuple[str, ...]:
    return tuple(sorted(voter for voter, vote in votes.items() if vote.vote == kind))


def _condition(rule: Rule, one: Adoption, for_: int, bases: Mapping[str, int]) -> Condition:
    parts = [_measure(one.needs, one.of, for_, bases)]
    if one.and_:
        parts.append(_measure(one.and_.threshold, one.and_.of, for_, bases))
    return Condition(
        rule=rule.number,
        sentence=sentence("adoption", one),
        arithmetic="; ".join(text for text, _ in parts),
        met=all(met for _, met in parts),
    )


def _measure(needs: str | Threshold, of: str, for_: int, bases: Mapping[str, int]) -> tuple[str, bool]:
    """What was needed and what there was, and whether it suffices; exact."""
    base = bases[of]
    what = needs_words(needs, of)
    if isinstance(needs, Threshold) and needs.at_least is None:
        assert needs.more_than is not None
        need, met = needs.more_than.of(base), for_ > needs.more_than.of(base)
    elif needs == "majority":
        need, met = Fraction(base, 2), for_ > Fraction(base, 2)
    elif isinstance(needs, Threshold):
        assert needs.at_least is not None
        need, met = needs.at_least.of(base), for_ >= needs.at_least.of(base)
    else:
        need = Fraction(base) if needs == "unanimous" else Fraction(2 * base, 3)
        met = base > 0 and for_ >= need
    more = "more than " if needs == "majority" or (isinstance(needs, Threshold) and needs.more_than) else ""
    shown = need if need.denominator == 1 else f"{float(need):.2f}".rstrip("0")
    return f"{for_} for; {what} ({base}): {more}{shown} needed", met
