"""Ballots: whenever a vote opens, it gets a random token, which those who vote can name.

Ballot `301-k7q2m4x9ta` is a vote on Proposal 301; the token is `k7q2m4x9ta`.
"""

from __future__ import annotations

import secrets

from nomicgen.law.precedence import Law
from nomicgen.law.questions import due_digest
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.records import Instrument, Records
from nomicgen.model.values import Moment
from nomicgen.play.load import Game
from nomicgen.play.refusal import Refused

# Without i, l, o and u, which are easily taken for others.
_LETTERS = "abcdefghjkmnpqrstvwxyz"
_SIGNS = f"0123456789{_LETTERS}"


def ballot_keys(game: Game, instrument: Instrument, law: Law, on: Moment) -> dict[str, object]:
    """Return what a file gets when its vote opens: day, token, and the digest of its content."""
    return {"opened": on, "ballot": _new_token(game.records), "digest": due_digest(instrument, law)}


def _new_token(records: Records) -> str:
    """Return a token that is new. It begins with a letter, so that YAML reads no number."""
    taken = tokens_of(records)
    while True:
        token = secrets.choice(_LETTERS) + "".join(secrets.choice(_SIGNS) for _ in range(9))
        if token not in taken:
            return token


def tokens_of(records: Records) -> set[str]:
    """Return the tokens of all votes that were ever opened in a game."""
    ballots = [
        ballot
        for proposal in records.of_kind("proposal")
        for ballot in (proposal.matter, *(proposal.matter.earlier or ()))
    ]
    return {ballot.ballot for ballot in ballots if ballot.ballot is not None}


def require_opened(matter: ProposalMatter, on: Moment) -> None:
    """Raise Refused if `on` is before the vote on a proposal opened."""
    if on.precedes(matter.opened):
        raise Refused(
            f"the vote on proposal {matter.number} opened on {matter.opened}",
            "give --on that day or a later one",
        )


def require_ballot(matter: ProposalMatter, token: str | None) -> None:
    """Raise Refused if `token` is not that of the open ballot. None names no ballot, and passes."""
    if token is None or token == matter.ballot:
        return
    earlier = next((ballot for ballot in matter.earlier or () if ballot.ballot == token), None)
    if earlier is not None:
        raise Refused(
            f"the ballot {matter.number}-{token} opened on {earlier.opened}; the text has been "
            "put to the vote again",
            f"ask for a vote on the text as it is now: {matter.ballot_name}",
        )
    if matter.ballot is None:
        raise Refused(
            f"proposal {matter.number} has no token yet",
            f"leave it out: nomicgen vote {matter.number} …",
        )
    raise Refused(
        f"proposal {matter.number} has no ballot {matter.number}-{token}",
        f"the open one is {matter.ballot_name}",
    )
