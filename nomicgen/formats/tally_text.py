"""A count of votes that were recorded on a forge: as JSON, for a terminal, and for a comment.

Of what users wrote only their logins and addresses are shown, and nothing in them is markup.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from nomicgen.diagnostics import counted
from nomicgen.formats.documents import FORMAT, Shape
from nomicgen.formats.json_parts import TALLY
from nomicgen.formats.markdown_templates import markdown_templates
from nomicgen.identifiers import Digest
from nomicgen.law.replay_state import Tally
from nomicgen.model import Choice, Moment

Kind = Literal["review", "comment", "reaction"]


class CountedVote(Struct, frozen=True, kw_only=True):
    """A vote that counts: the player's, and by which `account` and as what it was cast, when and where."""

    player: str
    vote: Choice
    at: str
    account: str
    kind: Kind
    url: str | None


class UncountedVote(Struct, frozen=True, kw_only=True):
    """A vote, or what was meant for one, that does not count; what is not known is None."""

    player: str | None
    account: str | None
    kind: Kind
    at: str | None
    url: str | None
    reason: str


class VoteCount(Struct, frozen=True, kw_only=True):
    """The votes of a recording, counted by the rules in force as of a day; `unread` is what could not be read."""

    number: int
    ballot: str | None
    digest: Digest
    on: Moment
    votes: tuple[CountedVote, ...]
    uncounted: tuple[UncountedVote, ...]
    tally: Tally
    notes: tuple[str, ...]
    unread: tuple[str, ...]


COUNTED = Shape(
    "CountedView",
    "A vote that counts.",
    CountedVote,
    player="the id of the player whose it is",
    vote="what was voted",
    at="when it was cast, in the game's own time zone",
    account="the login that cast it",
    kind="as what it was cast",
    url="where it was cast",
)
UNCOUNTED = Shape(
    "UncountedView",
    "A vote, or what was meant for one, that does not count.",
    UncountedVote,
    player="the id of the player whose it is, where that is known",
    account="the login; null for an account that is gone",
    kind="as what it was cast",
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
    on="the day as of which is counted",
    votes=COUNTED("by player"),
    uncounted=UNCOUNTED("in the order of time"),
    tally=TALLY("the vote with them, and with what the proposal's file has already"),
    notes="what the recording may lack",
    unread="what stands in the recording and could not be read",
)


def count_text(count: VoteCount, standing: Sequence[str]) -> Iterator[str]:
    """The count in lines, then those that say how the vote stands. They are plain text, and not yet safe."""
    yield f"{f'ballot {count.ballot}' if count.ballot is not None else f'proposal {count.number}'}: {_sum(count)}"
    names = max((len(one.player) for one in count.votes), default=0)
    for one in count.votes:
        yield f"  {one.player.ljust(names)}  {one.vote.ljust(7)}  {_how(one)}"
    if count.uncounted:
        yield "not counted:"
    for other in count.uncounted:
        yield f"  {_how(other)}"
        yield f"    {other.reason}"
    yield from (f"note: {_one_line(note)}" for note in count.notes)
    yield from (f"not read: {_one_line(problem)}" for problem in count.unread)
    yield from standing


def count_markdown(count: VoteCount, standing: Sequence[str]) -> str:
    """The count as Markdown, with one line feed at its end."""
    remarks = [*count.notes, *(f"not read: {problem}" for problem in count.unread)]
    template = markdown_templates().get_template("tally.md")
    return template.render(count=count, sum=_sum(count), remarks=remarks, standing=standing)


def _sum(count: VoteCount) -> str:
    number = len(count.uncounted)
    others = f", {number} {'does' if number == 1 else 'do'} not" if number else ""
    return (
        f"{counted(len(count.votes), 'vote')} of the recording {'counts' if len(count.votes) == 1 else 'count'}{others}"
    )


def _how(one: CountedVote | UncountedVote) -> str:
    """`2026-01-04T18:30  review of wren-on-the-forge  https://…`."""
    whose = f"{one.kind} of {_one_line(one.account) if one.account is not None else 'nobody known'}"
    return "  ".join(part for part in (one.at or "at no known time", whose, one.url) if part)


def _one_line(text: str) -> str:
    return " ".join(text.split())
