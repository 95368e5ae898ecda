"""A vote that its voter signed: the statement, and the document that it makes with its signature. Pure."""

from __future__ import annotations

import re
from datetime import datetime, tzinfo
from typing import Literal

from msgspec import Struct

from nomicgen.model.identifiers import Digest, PlayerId
from nomicgen.model.values import Moment
from nomicgen.repository.statements import (
    ARMOUR,
    is_ident,
    read_statement,
    require_lines,
    require_time,
    write_statement,
)

VOTE_NAMESPACE = "nomicgen-vote"
"""What a signature of a vote is made for: none that was made for something else counts."""

_TITLE = "nomicgen vote 1"
_BALLOT = r"[1-9][0-9]{0,8}-[a-z][0-9a-z]{9}\Z"
_DIGEST = r"[0-9a-f]{64}\Z"


class SignedVote(Struct, frozen=True, kw_only=True):
    """That a player votes so on a ballot, `301-k7q2m4x9ta`, whose text has this digest, in the game of this name.

    `date` is the signer's clock in the game's own time zone, ISO 8601 with its offset.
    """

    game: str
    ballot: str
    digest: Digest
    player: PlayerId
    vote: Literal["for", "against", "abstain"]
    date: str

    def __post_init__(self) -> None:
        require_lines(self.game)
        if not re.match(_BALLOT, self.ballot) or not re.match(_DIGEST, self.digest):
            raise ValueError("its ballot or its digest is none")
        if not is_ident(self.player):
            raise ValueError("its player is no id")
        require_time(self.date)

    def moment(self, zone: tzinfo) -> Moment:
        """When it was signed, in the game's zone, to the second."""
        there = datetime.fromisoformat(self.date).astimezone(zone)
        return Moment(there.date(), there.time().replace(microsecond=0), timed=True)


def write_vote(vote: SignedVote) -> bytes:
    """The text that is signed: its bytes are the same for the same vote."""
    return write_statement(_TITLE, vote)


def read_signed(document: str) -> tuple[SignedVote, bytes]:
    """The vote and the signature of a document, which is the one after the other.

    Raises ValueError for what has no vote of the one form; of the signature nothing is read.
    """
    text, begins, rest = document.replace("\r\n", "\n").partition(ARMOUR)
    if not begins:
        raise ValueError("there is no SSH signature in it")
    vote = read_statement(_TITLE, SignedVote, text.encode("utf-8", "surrogatepass"))
    return vote, f"{begins}\n{rest.strip()}\n".encode("ascii", "replace")


def disagreement(vote: SignedVote, *, ballot: str | None, digest: Digest | None, player: PlayerId, choice: str) -> str:
    """In what a signed vote is another than the one that is recorded, or ''."""
    signed = {"ballot": vote.ballot, "digest": vote.digest, "player": vote.player, "vote": vote.vote}
    recorded = {"ballot": ballot, "digest": digest, "player": player, "vote": choice}
    wrong = next((key for key in signed if signed[key] != recorded[key]), None)
    return "" if wrong is None else f"it was signed for the {wrong} {signed[wrong]}, and not for {recorded[wrong]}"
