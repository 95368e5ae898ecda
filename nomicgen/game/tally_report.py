"""A count of recorded votes as documents have it."""

from __future__ import annotations

from nomicgen.forge.github import Recorded
from nomicgen.formats.tally_text import CountedVote, UncountedVote, VoteCount
from nomicgen.game.forge_tally import ForgeCount
from nomicgen.game.load import local
from nomicgen.game.vote_status import vote_line
from nomicgen.identifiers import Digest


def count_view(count: ForgeCount, recorded: Recorded) -> VoteCount:
    """A count, with what its recording lacks."""
    return VoteCount(
        number=count.proposal.number or 0,
        ballot=count.proposal.matter.ballot_name,
        digest=count.proposal.matter.digest or Digest(""),
        on=count.on,
        votes=tuple(
            CountedVote(
                player=one.player.ident,
                vote=one.choice,
                at=str(one.at),
                account=one.cast.by or "",
                kind=one.cast.kind,
                url=one.cast.url,
            )
            for one in count.votes
        ),
        uncounted=tuple(
            UncountedVote(
                player=one.player,
                account=one.cast.by,
                kind=one.cast.kind,
                at=str(local(one.cast.at, count.game.settings)) if one.cast.at is not None else None,
                url=one.cast.url,
                reason=one.reason,
            )
            for one in count.uncounted
        ),
        tally=count.tally,
        notes=recorded.notes,
        unread=tuple(map(str, recorded.problems)),
    )


def count_lines(count: ForgeCount) -> tuple[str, ...]:
    """How the vote stands after a count."""
    return vote_line(count.game, count.proposal.number or 0, count.tally)
