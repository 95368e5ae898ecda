"""A count of recorded votes as documents have it."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo

from nomicgen.forge.github import Recorded
from nomicgen.formats.tally_text import CountedVote, UncountedVote, VoteCount
from nomicgen.game.forge_tally import Count, local
from nomicgen.game.load import zone_of
from nomicgen.game.vote_status import vote_line


def count_view(count: Count, recorded: Recorded) -> VoteCount:
    """A count, with what its recording lacks."""
    zone = zone_of(count.game.settings.timezone) or UTC
    return VoteCount(
        number=count.number,
        ballot=count.ballot,
        digest=count.digest,
        on=count.on,
        votes=tuple(
            CountedVote(
                player=one.player,
                vote=one.choice,
                at=str(one.at),
                account=one.cast.by or "",
                kind=one.cast.kind,
                url=one.url,
            )
            for one in count.votes
        ),
        uncounted=tuple(
            UncountedVote(
                player=one.player,
                account=one.cast.by,
                kind=one.cast.kind,
                at=_shown(one.cast.at, zone),
                url=one.cast.url,
                reason=one.reason,
            )
            for one in count.uncounted
        ),
        tally=count.tally,
        notes=recorded.notes,
        unread=tuple(map(str, recorded.problems)),
    )


def count_lines(count: Count) -> tuple[str, ...]:
    """How the vote stands after a count."""
    return vote_line(count.game, count.number, count.tally)


def _shown(at: datetime | None, zone: tzinfo) -> str | None:
    return None if at is None else str(local(at, zone))
