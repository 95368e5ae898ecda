"""Where the proposal of a pull request stands on the base: its number, its vote, what became of
it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from nomicgen.law.judging_kind import Due
from nomicgen.law.precedence import Law
from nomicgen.law.prospects import against_opening, possible_deeds
from nomicgen.law.questions import (
    again_until,
    may_withdraw,
    silence_due,
    what_forbids_abstention,
)
from nomicgen.law.replay.results import Outcome, Replay
from nomicgen.law.voting.tally import Tally
from nomicgen.model.front_matters import Choice, ProposalMatter
from nomicgen.model.identifiers import Digest, PlayerId
from nomicgen.model.records import Proposal, Records
from nomicgen.model.values import Moment


class VoteOnFile(Struct, frozen=True, kw_only=True):
    """A vote that counts, as the proposal's file has it. `url` is the address where it was cast,
    `weight` how many votes it counts as. JSON calls it a ballot.
    """

    player: PlayerId
    choice: Choice
    at: Moment | None = None
    url: str | None = None
    weight: int = 1


class UncountedVote(Struct, frozen=True, kw_only=True):
    """A vote, or words that were meant for one, that does not count; `reason` says why in one line
    of English.

    `login` is the account that cast it (None for one that is gone), `player` the player of that
    account, if known. If the vote stands in the proposal's file, `login` is the player's id.
    """

    login: str | None
    reason: str
    url: str | None = None
    player: PlayerId | None = None
    kind: Literal["review", "comment", "reaction"] | None = None
    at: Moment | None = None


class ProposalStatus(Struct, frozen=True, kw_only=True):
    """Where a registered proposal stands.

    `debate_until` is the day before which its vote may not open, None where no day keeps it
    waiting. `effective` is when it takes effect, None also while it waits for a turn; `effect` is
    what has become of its changes, if it is adopted. `closes` is the last moment of an open vote,
    None where no rule ends it. `again` says until when a rule lets the vote begin again, and which
    rule; by itself the vote ends only after that. `silence` is the deadline after which the vote
    waits no longer for whoever has not voted. `may_end` says whether the vote can end as it stands.
    `fewest` is the smallest number of further votes in favour that would pass it, None where none
    would and where no vote is open. `missing` may vote and have not. `changed` says that the pull
    request does not hold what is voted on. `deeds` names what players can do about it under the
    rules, each with who may. `lapsed` are the voters whose votes lapsed when the text was last put
    to the vote again, and who have not voted since. `strays` are votes that do not count.
    `may_abstain` says whether the rules take an abstention, `may_withdraw` whether the proposal's
    author may withdraw it. `is_counted` is False where votes on the pull request were not looked
    at.
    """

    number: int
    status: Literal["debate", "open", "adopted", "defeated", "withdrawn", "void"]
    ballot: str | None = None
    digest: Digest | None = None
    debate_until: Moment | None = None
    opened: Moment | None = None
    closes: Moment | None = None
    again: tuple[Moment, int] | None = None
    silence: Due | None = None
    decided: Moment | None = None
    effective: Moment | None = None
    effect: Outcome | None = None
    may_vote: tuple[PlayerId, ...] = ()
    missing: tuple[str, ...] = ()
    lapsed: tuple[PlayerId, ...] = ()
    votes: tuple[VoteOnFile, ...] = ()
    strays: tuple[UncountedVote, ...] = ()
    may_end: bool = False
    fewest: int | None = None
    discussion: str | None = None
    changed: bool = False
    is_counted: bool = True
    may_abstain: bool = True
    may_withdraw: bool = True
    deeds: tuple[tuple[str, tuple[PlayerId, ...]], ...] = ()

    @property
    def is_undecided(self) -> bool:
        return self.status in ("debate", "open")

    def count(self, choice: Choice) -> int:
        """Return how many votes make this choice, each counted by its weight."""
        return sum(vote.weight for vote in self.votes if vote.choice == choice)


def proposal_status(
    proposal: Proposal,
    records: Records,
    replay: Replay,
    moment: Moment,
    *,
    strays: Iterable[UncountedVote] = (),
    changed: bool = False,
    is_counted: bool = True,
) -> ProposalStatus:
    """Return where a registered proposal stands at `moment`, with the votes in its file.

    A caller who also counts votes from a forge first puts them into the proposal and the records,
    and gives as `strays` those that do not count.
    """
    matter, tally = proposal.matter, replay.tallies.get(proposal.path)
    step = next((one for one in replay.steps if one.instrument.path == proposal.path), None)
    law = Law.of(replay.current, records.settings, moment)
    against = (
        against_opening(proposal, records, replay, moment) if matter.status == "debate" else ()
    )
    opens = (finding.waits.since for finding in against if finding.waits is not None)
    deeds = possible_deeds(records, replay, moment)
    assert matter.number is not None
    assert matter.status != "draft"
    votes = sorted((matter.votes or {}).items())
    # A player's vote stays in the file when they leave, and the law no longer counts it. (Where
    # votes are unrecorded, all count.)
    uncounted = (
        set()
        if tally is None or not tally.recorded
        else {player for player, _ in votes} - _counted_voters(tally)
    )
    tally = tally or Tally()
    may_vote = tuple(voter for voter in tally.eligible if voter not in tally.gone)
    return ProposalStatus(
        number=matter.number,
        status=matter.status,
        ballot=matter.ballot_name,
        digest=matter.digest or proposal.digest,
        debate_until=max((day for day in opens if day is not None), default=None),
        opened=matter.opened,
        closes=tally.closes if matter.status == "open" else None,
        again=again_until(proposal, records.turns, law, moment)
        if matter.status == "open"
        else None,
        silence=silence_due(tally.missing, records, replay, moment)
        if matter.status == "open"
        else None,
        decided=matter.decided,
        effective=step.effective if step is not None else None,
        effect=step.outcome if step is not None else None,
        may_vote=may_vote,
        missing=tally.missing,
        lapsed=_lapsed(matter, may_vote),
        votes=tuple(
            VoteOnFile(
                player=player,
                choice=cast.vote,
                at=cast.at,
                url=cast.source,
                weight=tally.weights.get(player, 1),
            )
            for player, cast in votes
            if player not in uncounted
        ),
        strays=(
            *strays,
            *(
                UncountedVote(login=player, reason="may not vote any more", url=cast.source)
                for player, cast in votes
                if player in uncounted
            ),
        ),
        may_end=tally.may_end,
        fewest=tally.fewest,
        discussion=matter.discussion,
        changed=changed,
        is_counted=is_counted,
        may_abstain=what_forbids_abstention(law) is None,
        may_withdraw=may_withdraw(matter, law),
        deeds=tuple(
            (kind.name, tuple(able)) for kind, deed, able in deeds if deed.path == proposal.path
        ),
    )


def _lapsed(matter: ProposalMatter, may_vote: Sequence[PlayerId]) -> tuple[PlayerId, ...]:
    if not matter.earlier or matter.status != "open":
        return ()
    return tuple(
        voter
        for voter in may_vote
        if voter in matter.earlier[-1].votes and voter not in (matter.votes or {})
    )


def _counted_voters(tally: Tally) -> set[str | None]:
    return {*tally.for_, *tally.against, *tally.abstain, tally.tie_broken_by}
