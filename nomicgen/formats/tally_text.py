"""A count of votes that were recorded on a forge: as JSON, for a terminal, and for a comment.

Of what users wrote only their logins and addresses are shown, and nothing in them is markup.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from pydantic import Field

from nomicgen.diagnostics import counted
from nomicgen.formats.json_parts import Document, TallyView, View
from nomicgen.formats.preview_markdown import code_span, plain_words

Kind = Literal["review", "comment", "reaction"]


class CountedView(View):
    """A vote that counts."""

    player: str = Field(description="the id of the player whose it is")
    vote: Literal["for", "against", "abstain"] = Field(description="what was voted")
    at: str = Field(description="when it was cast, in the game's own time zone")
    account: str = Field(description="the login that cast it")
    kind: Kind = Field(description="as what it was cast")
    url: str | None = Field(description="where it was cast")


class UncountedView(View):
    """A vote, or what was meant for one, that does not count."""

    player: str | None = Field(description="the id of the player whose it is, where that is known")
    account: str | None = Field(description="the login; null for an account that is gone")
    kind: Kind = Field(description="as what it was cast")
    at: str | None = Field(description="when, in the game's own time zone; null where the recording does not say")
    url: str | None = Field(description="where it is")
    reason: str = Field(description="why it does not count")


class CountView(Document):
    """The votes of a recording, counted by the rules in force; nothing is written."""

    number: int = Field(description="the proposal's number")
    ballot: str | None = Field(description="the name of the ballot, such as 301-k7q2m4x9ta; null where it has no token")
    digest: str = Field(description="SHA-256 of what is voted on")
    on: str = Field(description="the day as of which is counted")
    votes: tuple[CountedView, ...] = Field(description="by player")
    uncounted: tuple[UncountedView, ...] = Field(description="in the order of time")
    tally: TallyView = Field(description="the vote with them, and with what the proposal's file has already")
    notes: tuple[str, ...] = Field(description="what the recording may lack")
    unread: tuple[str, ...] = Field(description="what stands in the recording and could not be read")


def count_json(view: CountView) -> dict[str, Any]:
    """The count as a mapping."""
    return view.model_dump(mode="json", by_alias=True)


def count_text(view: CountView, standing: Sequence[str]) -> Iterator[str]:
    """The count in lines, then those that say how the vote stands. They are plain text, and not yet safe."""
    yield f"{f'ballot {view.ballot}' if view.ballot is not None else f'proposal {view.number}'}: {_sum(view)}"
    names = max((len(one.player) for one in view.votes), default=0)
    for one in view.votes:
        yield f"  {one.player.ljust(names)}  {one.vote.ljust(7)}  {_how(one)}"
    if view.uncounted:
        yield "not counted:"
    for other in view.uncounted:
        yield f"  {_how(other)}"
        yield f"    {other.reason}"
    yield from (f"note: {_one_line(note)}" for note in view.notes)
    yield from (f"not read: {_one_line(problem)}" for problem in view.unread)
    yield from standing


def count_markdown(view: CountView, standing: Sequence[str]) -> str:
    """The count as Markdown, with one line feed at its end."""
    lines = [
        f"### Votes on proposal {view.number}",
        "",
        f"On {code_span(view.ballot or str(view.number))}: {_sum(view)}.",
        "",
    ]
    lines += [f"- {code_span(one.player)} {one.vote}: {_how_markdown(one)}" for one in view.votes]
    if view.uncounted:
        lines += ["", "#### Not counted", ""]
        lines += [f"- {_how_markdown(one)}: {plain_words(_one_line(one.reason))}" for one in view.uncounted]
    remarks = [*view.notes, *(f"not read: {problem}" for problem in view.unread)]
    if remarks:
        lines += ["", "#### About the recording", "", *(f"- {code_span(one)}" for one in remarks)]
    lines += ["", *(f"- {plain_words(line.strip())}" for line in standing)]
    return "\n".join(lines) + "\n"


def _sum(view: CountView) -> str:
    number = len(view.uncounted)
    others = f", {number} {'does' if number == 1 else 'do'} not" if number else ""
    return (
        f"{counted(len(view.votes), 'vote')} of the recording {'counts' if len(view.votes) == 1 else 'count'}{others}"
    )


def _how(one: CountedView | UncountedView) -> str:
    """`2026-01-04T18:30  review of wren-on-the-forge  https://…`."""
    whose = f"{one.kind} of {_one_line(one.account) if one.account is not None else 'nobody known'}"
    return "  ".join(part for part in (one.at or "at no known time", whose, one.url) if part)


def _how_markdown(one: CountedView | UncountedView) -> str:
    whose = code_span(one.account) if one.account is not None else "nobody known"
    where = f", {code_span(one.url)}" if one.url is not None else ""
    return f"{one.kind} of {whose}, {one.at or 'at no known time'}{where}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
