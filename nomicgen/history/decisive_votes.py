"""Decisive votes: had that one player voted otherwise, the outcome would have been another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from msgspec.structs import replace

from nomicgen.law.replay.results import Replay
from nomicgen.law.replay.scene import Scene
from nomicgen.law.voting.assessment import assess
from nomicgen.model.front_matters import Vote
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Proposal, Records


def decisive_votes(
    records: Records, replay: Replay
) -> Mapping[PlayerId, tuple[tuple[Proposal, ...], int]]:
    """Return for each voter the proposals on which their vote was decisive, and how many of their
    votes were looked at: each recorded one that counts.

    The opposite takes its place; for an abstention, either side; for a vote by a die, nothing. A
    proposal is left out if its recorded votes do not give its outcome: nobody can tell.
    """
    before = {step.instrument.path: step.before for step in replay.steps}
    found: dict[PlayerId, tuple[tuple[Proposal, ...], int]] = {}
    for proposal in records.of_kind("proposal"):
        matter = proposal.matter
        if (
            matter.status not in ("adopted", "defeated")
            or matter.decided is None
            or not matter.votes
        ):
            continue
        ruleset = before.get(proposal.path) or replay.on(matter.decided)
        scene = Scene.of(ruleset, records, matter.decided)
        tally = assess(proposal, scene).tally
        if tally.adopted is not (matter.status == "adopted"):
            continue
        counted = {*tally.for_, *tally.against, *tally.abstain}
        for voter, vote in (
            (voter, vote) for voter, vote in matter.votes.items() if voter in counted
        ):
            was, count = found.get(voter, ((), 0))
            decided = any(
                _adopted(other, scene) is (matter.status != "adopted")
                for other in _others(proposal, voter, vote)
            )
            found[voter] = ((*was, proposal) if decided else was, count + 1)
    return found


def _others(proposal: Proposal, voter: PlayerId, vote: Vote) -> Iterator[Proposal]:
    """Yield the proposal with the voter's vote turned; nothing for a vote by a die, which nobody
    chose.
    """
    for choice in ("for", "against"):
        if choice != vote.vote and vote.die is None:
            votes = {
                **cast("Mapping[PlayerId, Vote]", proposal.matter.votes),
                voter: vote.replace(vote=choice),
            }
            yield replace(proposal, matter=proposal.matter.replace(votes=votes))


def _adopted(proposal: Proposal, scene: Scene) -> bool | None:
    return assess(proposal, scene).tally.adopted
