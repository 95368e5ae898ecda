"""A count of votes that were recorded on a forge: as JSON, and for a terminal.

Of users it shows only the logins, and the addresses of their votes, both as plain text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from nomicgen.formats.documents import FORMAT, Shape, at
from nomicgen.formats.json_parts import TALLY
from nomicgen.law.voting.tally import Tally
from nomicgen.model.front_matters import Choice
from nomicgen.model.identifiers import Digest, PlayerId
from nomicgen.model.values import Moment
from nomicgen.pulls.status import UncountedVote

Kind = Literal["review", "comment", "reaction"]


class CountedVote(Struct, frozen=True, kw_only=True):
    """A vote on a forge that counts. `login` is the account that cast it; `kind` says in what form,
    `url` where, and `at` when, in the game's time zone.
    """

    player: PlayerId
    vote: Choice
    at: Moment
    login: str
    kind: Kind
    url: str | None = None


class VoteCount(Struct, frozen=True, kw_only=True):
    """The votes of a recording, counted by the rules in force at `on`; `tally` also has those in
    the proposal's file. `notes` say what the recording may lack, `unread` what could not be read.
    """

    number: int
    ballot: str | None
    digest: Digest
    on: Moment
    votes: tuple[CountedVote, ...]
    uncounted: tuple[UncountedVote, ...]
    tally: Tally
    notes: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


COUNTED = Shape(
    "CountedView",
    "A vote that counts.",
    CountedVote,
    player="the id of the player who voted",
    vote="what was voted",
    at="when it was cast, in the game's own time zone",
    account=at("login", "the login that cast it"),
    kind="in what form it was cast",
    url="where it was cast",
)
UNCOUNTED = Shape(
    "UncountedView",
    "A vote, or what was meant for one, that does not count.",
    UncountedVote,
    player="the id of the player who voted, where that is known",
    account=at("login", "the login; null for an account that is gone"),
    kind=at("kind", "in what form it was cast", Kind),
    at="when, in the game's own time zone; null where the recording does not say",
    url="where it is",
    reason="why it does not count",
)
COUNT = Shape(
    "CountView",
    "The votes of a recording, counted by the rules in force; nothing is written.",
    VoteCount,
    format=FORMAT,
    number="the proposal's number",
    ballot="the name of the ballot, such as 301-k7q2m4x9ta; null where it has no token",
    digest="SHA-256 of what is voted on",
    on="the day by whose rules they are counted",
    votes=COUNTED("by player"),
    uncounted=UNCOUNTED("in the order of time"),
    tally=TALLY("the result of these votes and of those in the proposal's file"),
    notes="what the recording may lack",
    unread="what stands in the recording and could not be read",
)


def count_text(count: VoteCount) -> Iterator[str]:
    """Yield the count in lines. They are plain text, but may hold control characters."""
    name = f"proposal {count.number}" if count.ballot is None else f"ballot {count.ballot}"
    yield f"{name}: {_sum(count)}"
    width = max((len(vote.player) for vote in count.votes), default=0)
    for vote in count.votes:
        yield f"  {vote.player.ljust(width)}  {vote.vote.ljust(7)}  {_how(vote)}"
    if count.uncounted:
        yield "read, and not counted:"
    for uncounted in count.uncounted:
        yield f"  {_how(uncounted)}"
        yield f"    {uncounted.reason}"
    yield from (f"note: {_one_line(note)}" for note in count.notes)
    yield from (f"not read: {_one_line(problem)}" for problem in count.unread)


def _sum(count: VoteCount) -> str:
    number = len(count.uncounted)
    others = f", {number} {'does' if number == 1 else 'do'} not" if number else ""
    return (
        f"{len(count.votes)} of the recorded votes "
        f"{'counts' if len(count.votes) == 1 else 'count'}{others}"
    )


def _how(vote: CountedVote | UncountedVote) -> str:
    """Return `2026-01-04T18:30 review of wren-on-the-forge https://…`."""
    whose = f"{vote.kind} of {_one_line(vote.login) if vote.login is not None else 'nobody known'}"
    when = str(vote.at) if vote.at is not None else "at no known time"
    return "  ".join(part for part in (when, whose, vote.url) if part)


def _one_line(text: str) -> str:
    return " ".join(text.split())
