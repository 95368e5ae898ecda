"""Who vouches for the votes of a game: their voters by a signature, a forge, or whoever typed them. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from msgspec import Struct

from nomicgen.model.front_matters import ProposalMatter, Vote
from nomicgen.model.identifiers import Digest, PlayerId
from nomicgen.model.records import Instrument, Records


class RecordedVote(Struct, frozen=True, kw_only=True):
    """A vote that a player cast, with the proposal and the ballot that it is recorded on."""

    proposal: Instrument
    place: tuple[str | int, ...]
    ballot: str | None
    digest: Digest | None
    player: PlayerId
    vote: Vote


class Vouchers(Struct, frozen=True, kw_only=True):
    """How many votes each player signed, how many stand on the word of which forge, and how many on a keeper's."""

    signed: Mapping[str, int] = {}
    forges: Mapping[str, int] = {}
    typed: int = 0

    @property
    def unsigned(self) -> int:
        return self.typed + sum(self.forges.values())


def recorded_votes(records: Records) -> Iterator[RecordedVote]:
    """The votes of all proposals that players cast themselves, with those on earlier texts; not by die or silence."""
    for proposal in records.of_kind("proposal"):
        matter = proposal.matter
        assert isinstance(matter, ProposalMatter)
        ballots = [
            (("earlier", at), each.ballot, each.digest, each.votes) for at, each in enumerate(matter.earlier or ())
        ]
        for place, token, digest, votes in (*ballots, ((), matter.ballot, matter.digest, matter.votes or {})):
            for player, vote in votes.items():
                if vote.cast_by == "player":
                    yield RecordedVote(
                        proposal=proposal,
                        place=(*place, "votes", player),
                        ballot=None if token is None else f"{matter.number}-{token}",
                        digest=digest,
                        player=player,
                        vote=vote,
                    )


def vouchers_of(votes: Iterator[RecordedVote]) -> Vouchers:
    """Who vouches for votes; a signature is taken for a good one."""
    signed: dict[str, int] = {}
    forges: dict[str, int] = {}
    typed = 0
    for recorded in votes:
        if recorded.vote.signature is not None:
            signed[recorded.player] = signed.get(recorded.player, 0) + 1
        elif (host := _host(recorded.vote.source)) is not None:
            forges[host] = forges.get(host, 0) + 1
        else:
            typed += 1
    return Vouchers(signed=dict(sorted(signed.items())), forges=dict(sorted(forges.items())), typed=typed)


def _host(source: str | None) -> str | None:
    try:
        return urlsplit(source).hostname if source is not None else None
    except ValueError:
        return None


def vouchers_line(vouchers: Vouchers) -> str:
    """`votes: 3 signed (quill 2, wren 1), 4 recorded from github.com, 1 recorded by hand`; '' where there are none."""
    signed = ", ".join(f"{player} {count}" for player, count in vouchers.signed.items())
    words = [f"{sum(vouchers.signed.values())} signed ({signed})"] if signed else []
    words += [f"{count} recorded from {host}" for host, count in vouchers.forges.items()]
    words += [f"{vouchers.typed} recorded by hand"] if vouchers.typed else []
    return f"votes: {', '.join(words)}" if words else ""
