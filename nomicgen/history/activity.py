"""What each player did: proposals, votes, judgements and turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from nomicgen.law.replay.player_spans import is_active, is_player
from nomicgen.law.replay.results import Replay
from nomicgen.law.voting.tally import Tally
from nomicgen.model.findings import counted
from nomicgen.model.front_matters import Choice, ProposalMatter, Vote
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Instrument, Player, Proposal, Records, Turn
from nomicgen.model.values import Moment

PlayerStatus = Literal["playing", "inactive", "to come", "left", "past", "dummy", "bot"]


class CastVote(Struct, frozen=True, kw_only=True):
    """One vote of one player.

    `how` says what is special about it, such as `by silence`; '' for a plain vote. `counted` is
    False where the law does not count it. `majority` says whether the vote was on the side that had
    more votes; None where both had as many, or the vote took no side or does not count.
    """

    proposal: Instrument
    choice: Choice
    how: str = ""
    counted: bool = True
    majority: bool | None = None


class Activity(Struct, kw_only=True):
    """What one player did, in the order of numbers; acts by path, turns in the order of play.
    `judged` has the judgements of which the player is the judge, `called` those that the player
    asked for, `late` those that the player was to give and did not give in time.
    """

    proposals: list[Proposal] = []
    votes: list[CastVote] = []
    judged: list[Instrument] = []
    called: list[Instrument] = []
    late: list[Instrument] = []
    acts: list[Instrument] = []
    turns: list[Turn] = []


def player_status(player: Player, moment: Moment) -> PlayerStatus:
    """Return whether a person plays at `moment`: `playing`, `inactive`, `to come` or `left`; for
    any other player, the kind: `past`, `dummy` or `bot`.
    """
    if player.matter.kind != "person":
        return player.matter.kind
    if not is_player(player, moment):
        joined = player.matter.joined
        return "to come" if moment.precedes(joined) else "left"
    return "playing" if is_active(player, moment) else "inactive"


def activity_of(records: Records, replay: Replay) -> Mapping[PlayerId, Activity]:
    """Return what everyone in `players/` did, by id. Others are left out."""
    activities = {ident: Activity() for ident in records.players}
    nobody = Activity()

    def activity_for(player: PlayerId | None) -> Activity:
        return nobody if player is None else activities.get(player, nobody)

    for proposal in records.of_kind("proposal"):
        activity_for(proposal.matter.author).proposals.append(proposal)
        for voter, vote in _votes_on(proposal, proposal.matter, replay.tallies.get(proposal.path)):
            activity_for(voter).votes.append(vote)
    for judgement in records.of_kind("judgement"):
        activity_for(judgement.matter.judge).judged.append(judgement)
        activity_for(judgement.matter.called_by).called.append(judgement)
        for late in judgement.matter.late:
            activity_for(late).late.append(judgement)
    for act in records.of_kind("act"):
        activity_for(act.actor).acts.append(act)
    for turn in records.turns_in_order:
        activity_for(turn.matter.player).turns.append(turn)
    return activities


def _votes_on(
    instrument: Instrument, matter: ProposalMatter, tally: Tally | None
) -> Iterator[tuple[PlayerId, CastVote]]:
    votes = matter.votes or {}
    counted = set[PlayerId]()
    if tally is not None and tally.recorded:
        ahead = tally.votes_for - tally.votes_against
        sides: tuple[tuple[Choice, tuple[PlayerId, ...], bool | None], ...] = (
            ("for", tally.for_, ahead > 0 if ahead else None),
            ("against", tally.against, ahead < 0 if ahead else None),
            ("abstain", tally.abstain, None),
        )
        for choice, voters, majority in sides:
            # While the vote is open, silence is no vote yet.
            for ident in voters if matter.status != "open" else set(voters) - set(tally.silent):
                how = how_cast(ident, votes.get(ident), tally)
                yield (
                    ident,
                    CastVote(proposal=instrument, choice=choice, how=how, majority=majority),
                )
            counted.update(voters)
    for ident in sorted(set(votes) - counted):
        yield ident, CastVote(proposal=instrument, choice=votes[ident].vote, counted=False)


def how_cast(ident: PlayerId, vote: Vote | None, tally: Tally) -> str:
    """Return what is special about a player's vote: `by silence`, `signed, counts 2`; else ''. The
    `vote` is None where the file has none.
    """
    notes = ["breaks the tie"] if ident == tally.tie_broken_by else []
    if ident in tally.silent:
        notes.append("by silence")
    elif vote is None and ident in (*tally.for_, *tally.against):
        notes.append("by proposing")
    elif vote is not None:
        notes += [f"by {vote.cast_by}"] if vote.cast_by != "player" else []
        notes += [f"threw {vote.die}"] if vote.die is not None else []
        notes += ["signed"] if vote.signature is not None else []
    notes += [f"counts {tally.weights[ident]}"] if ident in tally.weights else []
    return ", ".join(notes)


def who_may_vote(tally: Tally) -> list[str]:
    """Return who may vote on a proposal, such as `wren`, or `osprey (2 votes)` if the vote does not
    count as one.
    """
    here = (voter for voter in tally.eligible if voter not in tally.gone)
    return [
        f"{voter} ({counted(tally.weights[voter], 'vote')})" if voter in tally.weights else voter
        for voter in here
    ]
