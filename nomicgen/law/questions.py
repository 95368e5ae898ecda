"""What other rooms ask about provisions: they import no kind of provision.

Questions that only other rooms and `checks/` ask are answered here. Those that other parts of
`law/` ask, too, are answered there, and only imported here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction

from msgspec import Struct

from nomicgen.law.judging_kind import Due
from nomicgen.law.kind import Many
from nomicgen.law.precedence import Law, Said
from nomicgen.law.prospects import deadlines
from nomicgen.law.provisions.adoption import Adoption
from nomicgen.law.provisions.awards import Awards
from nomicgen.law.provisions.ballot import Ballot, Quorum, Silence, quorum_sentence
from nomicgen.law.provisions.cap import Cap
from nomicgen.law.provisions.deadline import Deadline
from nomicgen.law.provisions.effect import (
    EffectTiming,
    due_moment,
    effect_words,
    falls_alone,
    is_next_turn,
    own_moment,
)
from nomicgen.law.provisions.entrenchment import Entrenchment
from nomicgen.law.provisions.floor import Floor
from nomicgen.law.provisions.judgements import Judgements
from nomicgen.law.provisions.numbering import Numbering, surplus_changes
from nomicgen.law.provisions.points import Points
from nomicgen.law.provisions.stay import what_holds
from nomicgen.law.provisions.sunset import Sunset
from nomicgen.law.provisions.turns import Turns
from nomicgen.law.provisions.victory import Victory
from nomicgen.law.replay.results import NextTurn, Replay, Rule
from nomicgen.law.replay.turn_order import (
    anybody_proposes,
    awaited_turn,
    lets_overlap,
    next_turn_of,
    rule_of_proposers,
    turn_after_last,
)
from nomicgen.law.subjects import State
from nomicgen.law.voting import opening
from nomicgen.law.voting.voters import what_forbids_abstention
from nomicgen.law.voting.voting_rights import (
    breaks_ties,
    die_of,
    due_digest,
    electorate,
    electorate_moment,
    may_vote,
    tie_break,
    vote_closes,
)
from nomicgen.model.front_matters import ProposalMatter, TurnMatter
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Proposal, Records, Turn
from nomicgen.model.values import Moment, Source

# Answered in other modules of `law/`.
__all__ = ["Adoption", "Quorum", "awaited_turn", "breaks_ties", "die_of", "due_digest"]
__all__ += [
    "due_moment",
    "effect_words",
    "electorate",
    "electorate_moment",
    "falls_alone",
    "is_next_turn",
    "may_vote",
]
__all__ += [
    "next_turn_of",
    "own_moment",
    "quorum_sentence",
    "surplus_changes",
    "tie_break",
    "turn_after_last",
    "vote_closes",
]
__all__ += ["anybody_proposes", "lets_overlap", "rule_of_proposers", "what_forbids_abstention"]

# --- rules ----------------------------------------------------------------------------------------


def bounds_of(tier: str, law: Law) -> tuple[int | None, int | None]:
    """Return the fewest and the most rules that a tier may have; None where no rule says it."""
    floor, cap = law.of_tier(Floor, tier), law.of_tier(Cap, tier)
    return None if floor is None else floor.value, None if cap is None else cap.value


def is_guarded(tier: str, law: Law) -> bool:
    """Return whether rules protect a tier: by `entrenchment`, or an `adoption` for amending it."""
    stricter = (
        tier in (adoption.from_ or ()) and "amend" in (adoption.to or ("amend",))
        for _, adoption in law.every(Adoption)
    )
    return law.of_tier(Entrenchment, tier) is not None or any(stricter)


def first_number(law: Law) -> int:
    """Return the number of the first proposal: 301, if no rule says it."""
    return law.value(Numbering.first) or 301


def most_changes(law: Law) -> Said[int] | None:
    """Return how many changes a proposal may hold, and which rule says so; None for any number."""
    said: Said[Many] | None = law.says(Numbering.changes)
    return None if said is None or said.value == "any" else Said(said.value, said.rule, said.rank)


def waiting_text(before: Rule | None, after: Rule) -> str | None:
    """Return the text that a rule will get by itself, if a change gave it a sunset with one."""
    sunsets = after.law.of(Sunset)
    if not sunsets or (before is not None and before.law.of(Sunset) == sunsets):
        return None
    becomes = sunsets[0].becomes
    return None if isinstance(becomes, str) else becomes.text


# --- proposals and votes --------------------------------------------------------------------------


def rule_of_effect(law: Law) -> int | None:
    """Return the rule on a proposal's own day of effect; if there is none, the rule that says when
    changes take effect.
    """
    said: Said[object] | None = law.says(EffectTiming.own_day) or law.says(EffectTiming.timing)
    return None if said is None else said.rule


def may_withdraw(matter: ProposalMatter, law: Law) -> bool:
    """Return whether the author may withdraw a proposal that is debated or voted on."""
    return opening.may_withdraw(law.value(Ballot.withdrawal), opened=matter.status == "open")


def command_after_change(matter: ProposalMatter, edits: str | None, law: Law) -> str:
    """Return the command of `nomicgen proposal` that goes on from a text which changed during its
    vote: `resubmit` or `withdraw`.

    '' where the rules allow neither: then the text that was voted on has to come back. `edits` is
    what `Replay.edits` says of the proposal.
    """
    most = law.value(Ballot.resubmissions)
    if edits != "forbidden" and (most is None or len(matter.earlier or ()) < most):
        return "resubmit"
    return "withdraw" if may_withdraw(matter, law) else ""


def debate_of(law: Law) -> Said[int] | None:
    """Return how many days a rule leaves for debate, if it leaves any."""
    said = law.says(Ballot.debate)
    return said if said is not None and said.value else None


class RoleGroup(Struct, frozen=True):
    """Roles of which a player has one at a time, their rule, and the points for changing the role.

    `points` is None unless an act may give them, and their number is fixed.
    """

    rule: int
    roles: tuple[str, ...]
    points: Fraction | None


def exclusive_roles(law: Law) -> tuple[RoleGroup, ...]:
    """Return the groups of roles of which a player has one at a time."""
    return tuple(
        RoleGroup(rule.number, awards.between, awards.amount if "act" in awards.in_ else None)
        for rule, awards in law.every(Awards)
        if awards.between
    )


def roles_named(law: Law) -> frozenset[str]:
    """Return the roles that provisions speak of."""
    weights, judge = law.value(Ballot.weights), law.value(Judgements.judge)
    parties: list[object] = [judge, *(points.to for _, points in law.every(Points))]
    parties += [party for _, awards in law.every(Awards) for party in (awards.by, awards.to)]
    named = {party["role"] for party in parties if isinstance(party, dict)}
    grouped = {role for group in exclusive_roles(law) for role in group.roles}
    return frozenset(named | grouped | (set(weights) if isinstance(weights, dict) else set()))


def stay_of_turn(
    coming: NextTurn, records: Records, replay: Replay, on: Moment
) -> tuple[str, str] | None:
    """Return why the next turn cannot begin on a day (`while Judgement 1 is pending; …`), and what
    to do; None if no judgement holds it up.
    """
    turn = Turn(
        ident=coming.ident,
        matter=TurnMatter(player=coming.player, began=on),
        source=Source(file=f"turns/{coming.ident}.yml"),
    )
    return next(what_holds(turn, State.at(records, replay, on)), None)


def overruled_before_next_turn(law: Law) -> int | None:
    """Return the rule by which a judgement can be overruled until the next turn begins.

    None where no rule says that, or a rule says another time.
    """
    said: Said[object] | None = law.says(Judgements.overruled_until)
    return said.rule if said is not None and said.value == "next-turn" else None


def quorum_of(law: Law) -> Said[Quorum] | None:
    """Return how many of the electorate must vote, and which rule says so."""
    return law.says(Ballot.quorum)


def rule_of_electorate_moment(law: Law) -> int | None:
    """Return the rule that says on which moment the electorate of a vote depends."""
    said = law.says(Ballot.electorate_at)
    return None if said is None else said.rule


def wakes_voters(law: Law) -> bool:
    """Return whether inactive players may vote, which makes them active again."""
    return bool(law.value(Ballot.inactive_may_vote))


def lets_abstain(law: Law) -> bool:
    """Return whether a rule says that a voter may abstain."""
    return law.value(Ballot.abstention) in ("counts", "ignored")


def again_until(
    proposal: Proposal, turns: Mapping[str, Turn], law: Law, moment: Moment | None = None
) -> tuple[Moment, int] | None:
    """Return until when a rule lets a vote begin again, and which rule.

    None if no rule limits how often, or none until when; if it has begun again as often as it may;
    if the proposal is in no turn that has begun; or if the time is over at `moment`.
    """
    matter, most = proposal.matter, law.value(Ballot.resubmissions)
    turn = turns.get(matter.turn or "")
    if (
        most is None
        or len(matter.earlier or ()) >= most
        or turn is None
        or turn.matter.began is None
    ):
        return None
    for rule, deadline in law.every(Deadline):
        if deadline.for_ == "resubmission":
            until = turn.matter.until or turn.matter.began.plus(deadline.within)
            until = min(until, turn.matter.ended or until)
            return None if until.precedes(moment) else (until, rule.number)
    return None


def silence_due(
    missing: Collection[PlayerId], records: Records, replay: Replay, on: Moment
) -> Due | None:
    """Return the deadline after which a rule makes all who have not voted inactive, so that the
    vote waits for them no longer. None if there is none, or if all players are the electorate.
    """
    law = Law.of(replay.current, records.settings, on)
    if not missing or law.value(Ballot.electorate) != "active":
        return None
    paths = {f"players/{voter}.yml" for voter in missing}
    return next((due for due in deadlines(records, replay, on) if paths <= due.writes.keys()), None)


# --- turns and points -----------------------------------------------------------------------------


def has_turn_order(law: Law) -> bool:
    """Return whether a rule says in which order turns go round."""
    return law.value(Turns.order) is not None


def rule_of_drawn_order(law: Law) -> int | None:
    """Return the rule by which the players draw the order of turns by lot."""
    said = law.says(Turns.order)
    return said.rule if said is not None and said.value == "random" else None


def rule_of_own_turn(law: Law) -> int | None:
    """Return the rule by which players propose in their own turn only."""
    said = law.says(Turns.own_turn)
    return said.rule if said is not None and said.value else None


def has_room(proposals: int, law: Law) -> bool:
    """Return whether a turn that has this many proposals may have another one."""
    most = law.value(Turns.proposals)
    return most is None or proposals < most


def needs_proposal(law: Law) -> bool:
    """Return whether a turn has to have a proposal."""
    return bool(law.value(Turns.proposal_required))


def may_pass(law: Law) -> bool:
    """Return whether no rule forbids passing a turn."""
    return law.value(Turns.passing) is not False


def lets_pass(law: Law) -> bool:
    """Return whether a rule says that a turn may be passed."""
    return bool(law.value(Turns.passing))


def may_overlap(law: Law) -> bool:
    """Return whether no rule forbids that turns overlap."""
    return law.value(Turns.overlap) is not False


def points_for_silence(rule: Rule) -> tuple[Points, ...]:
    """Return the `points` of a rule that go to those whose silence counts as a vote."""
    return tuple(one for one in rule.law.of(Points) if one.to == "silent")


def uncounted_silence(law: Law) -> Said[Silence] | None:
    """Return the rule by which silence is no vote, with its word: `waits` or `ignored`.

    None if silence is a vote, or if no rule says what it is.
    """
    said: Said[Silence] | None = law.says(Ballot.silence)
    return None if said is None or said.value in ("for", "against") else said


def points_that_win(law: Law) -> Said[Fraction] | None:
    """Return how many points win the game."""
    return law.says(Victory.points)
