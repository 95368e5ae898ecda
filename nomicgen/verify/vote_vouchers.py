"""Who vouches for the votes of a game: a forge, or whoever typed them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from msgspec import Struct

from nomicgen.model.front_matters import Vote
from nomicgen.model.records import Records


class Vouchers(Struct, frozen=True, kw_only=True):
    """How many votes were recorded from which forge, by its host, and how many others there are."""

    forges: Mapping[str, int] = {}
    typed: int = 0


def _recorded_votes(records: Records) -> Iterator[Vote]:
    """Yield the votes that players cast themselves, not by die or silence, on all proposals; those
    on earlier texts, too.
    """
    for proposal in records.of_kind("proposal"):
        matter = proposal.matter
        for votes in (*(ballot.votes for ballot in matter.earlier or ()), matter.votes or {}):
            yield from (vote for vote in votes.values() if vote.cast_by == "player")


def vouchers_of(records: Records) -> Vouchers:
    """Return who vouches for the votes of a game."""
    forges: dict[str, int] = {}
    typed = 0
    for vote in _recorded_votes(records):
        if (host := _host(vote.source)) is not None:
            forges[host] = forges.get(host, 0) + 1
        else:
            typed += 1
    return Vouchers(forges=dict(sorted(forges.items())), typed=typed)


def _host(source: str | None) -> str | None:
    try:
        return urlsplit(source).hostname if source is not None else None
    except ValueError:
        return None


def vouchers_line(vouchers: Vouchers) -> str:
    """Return `votes: 4 recorded from github.com, 1 recorded by hand`; '' where there are none."""
    words = [f"{count} recorded from {host}" for host, count in vouchers.forges.items()]
    words += [f"{vouchers.typed} recorded by hand"] if vouchers.typed else []
    return f"votes: {', '.join(words)}" if words else ""
