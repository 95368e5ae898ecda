"""Votes that were cast on GitHub, read from its JSON: what everybody said, and what cannot count whoever said it.

Who is a player, what is voted on and when, the game knows (`game/forge_tally.py`). Whatever users write is data here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Literal

from msgspec import Struct

from nomicgen.forge.api_objects import Deleted, Item, Reacted
from nomicgen.forge.comments import Asked, Commands, marked, read_words
from nomicgen.forge.json_documents import LIMIT, Problem, Trouble
from nomicgen.forge.recording_pages import Gathered, gather
from nomicgen.identifiers import CommitId, Digest
from nomicgen.model import Choice

__all__ = ["BALLOTS_BY", "LIMIT", "Ballot", "Cast", "Problem", "Recorded", "Request", "read_recorded"]

BALLOTS_BY = "github-actions[bot]"
"""The account that GitHub's own workflows write as."""

_STATES: dict[str, Choice] = {"APPROVED": "for", "CHANGES_REQUESTED": "against"}
_REACTIONS: dict[str, Choice] = {
    "+1": "for",
    "THUMBS_UP": "for",
    "-1": "against",
    "THUMBS_DOWN": "against",
    "eyes": "abstain",
    "EYES": "abstain",
}
_NEVER = datetime.min.replace(tzinfo=UTC)

_EDITED = "it was edited"
_TIMELESS = "the recording does not say when"
_UNSAID = {
    "review": "the recording does not say whether the review was edited: record its timeline too, or vote in a comment",
    "comment": "the recording does not say whether it was edited",
}
_HIDDEN = "its `/vote` is no plain line of its own: write it outside of lists, quotations, code and HTML"
_LONG = "it is too long to look for a vote in: write the vote in a comment of its own"
_UNREADABLE = "it cannot be read as Markdown: write the vote in a comment of its own, in plain words"
_SEVERAL = "it holds more than one vote"
_WORDLESS = "the word after `/vote` is none of for, against and abstain"
_NO_SIGN = "no such sign is a vote: +1 is for, -1 against, eyes abstains"


class Cast(Struct, frozen=True, kw_only=True):
    """A vote, or what was meant for one.

    `by` is a login as REST has it, None for an account that is gone. `at` is in UTC. `choice` is None where `fault`
    says why this cannot count whoever cast it. `commit` is what a review was written on. `ballot` is the name, such as
    `301-k7q2m4x9ta`, that the comment says, or that of the ballot which a reaction is on; that one says the `digest`.
    `signature` is a signed vote, as the comment has it in a fence.
    """

    by: str | None
    bot: bool = False
    kind: Literal["review", "comment", "reaction"]
    at: datetime | None
    choice: Choice | None
    fault: str = ""
    commit: CommitId | None = None
    ballot: str | None = None
    digest: Digest | None = None
    signature: str | None = None
    url: str | None = None
    body: str = ""


class Request(Struct, frozen=True, kw_only=True):
    """A comment that asks for something: `/vote` alone, `/resubmit`, `/withdraw`. With a `fault` it asks nothing."""

    by: str | None
    bot: bool = False
    what: Asked
    at: datetime | None
    url: str | None = None
    fault: str = ""


class Ballot(Struct, frozen=True, kw_only=True):
    """A comment of the workflow's own account that is to be voted on by reactions."""

    comment: str
    name: str
    digest: Digest
    at: datetime | None
    by: str


class Recorded(Struct, frozen=True, kw_only=True):
    """What a recording says, in the order of time. `deleted` are comments of which nobody knows what they said.

    Where a problem is fatal nobody knows what is missing, and nothing may be counted.
    """

    casts: tuple[Cast, ...] = ()
    requests: tuple[Request, ...] = ()
    ballots: tuple[Ballot, ...] = ()
    deleted: tuple[Cast, ...] = ()
    notes: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def fatal(self) -> tuple[Problem, ...]:
        return tuple(one for one in self.problems if one.fatal)


def read_recorded(files: Sequence[tuple[str, bytes]], *, ballots_by: str = BALLOTS_BY) -> Recorded:
    """Reads files of GitHub's JSON, each with its name: `…/reactions/COMMENT.json` says what its reactions are on.

    Nothing in them raises: what is odd is one of the problems.
    """
    trouble = Trouble()
    found = gather(files, trouble)
    casts: list[Cast] = []
    requests: list[Request] = []
    ballots: list[Ballot] = []
    notes = list(found.notes)
    for one in found.items:
        said = read_words(one.body)
        if not _is_own(one, ballots_by):
            casts.extend(_casts(one, said))
            requests.extend(_requests(one, said))
        mark = marked(one.body) if one.place == "comment" else None
        if mark is None:
            continue
        why = _no_ballot(one, ballots_by)
        if not why:
            ident, by = one.ids[0] if one.ids else "", one.who.shown or ""
            ballots.append(Ballot(comment=ident, name=mark[0], digest=Digest(mark[1]), at=one.at, by=by))
        on = found.reactions_on(one)
        casts.extend(_reaction(each, one, mark, why) for each in on or ())
        if not why and len(on or ()) < one.counted:
            notes.append(_unrecorded(one, on))
    return Recorded(
        casts=tuple(sorted(casts, key=lambda cast: cast.at or _NEVER)),
        requests=tuple(sorted(requests, key=lambda request: request.at or _NEVER)),
        ballots=tuple(sorted(ballots, key=lambda ballot: ballot.at or _NEVER)),
        deleted=tuple(sorted(_deleted(found), key=lambda cast: cast.at or _NEVER)),
        notes=tuple(dict.fromkeys(notes)),
        problems=trouble.problems(),
    )


def _casts(one: Item, said: Commands) -> Iterator[Cast]:
    """The vote of a review or a comment, if it is one or was meant for one."""
    choice, fault = _reviewed(one, said) if one.place == "review" else _commented(one, said)
    if choice is None and not fault:
        return
    yield Cast(
        by=one.who.shown,
        bot=one.who.bot,
        kind="review" if one.place == "review" else "comment",
        at=one.at,
        choice=None if fault else choice,
        fault=fault,
        commit=one.commit,
        ballot=said.votes[0].ballot if len(said.votes) == 1 else None,
        signature=said.signed[0] if said.signed else None,
        url=one.url,
        body=one.body,
    )


def _commented(one: Item, said: Commands) -> tuple[Choice | None, str]:
    """The choice of the one command in a body, or why there is none."""
    choice, fault = _worded(said)
    if choice is None and not fault:
        return None, ""
    if one.edited is None:
        fault = fault or _UNSAID["review" if one.place == "review" else "comment"]
    return choice, (_EDITED if one.edited else fault) or _dated(one)


def _worded(said: Commands) -> tuple[Choice | None, str]:
    if said.long:
        return None, _LONG
    if said.unreadable:
        return None, _UNREADABLE
    if len(said.votes) > 1 or len(said.signed) > 1:
        return None, _SEVERAL
    if said.votes:
        choice = said.votes[0].choice
        return choice, "" if choice is not None else _WORDLESS
    return None, _HIDDEN if said.hidden else ""


def _reviewed(one: Item, said: Commands) -> tuple[Choice | None, str]:
    """The choice of a review: what it is, and what its words say must not contradict it."""
    if one.state == "DISMISSED":
        return None, "the review was dismissed"
    if one.state == "PENDING":
        return None, "the review was never submitted"
    choice = _STATES.get(one.state)
    if choice is None:
        return _commented(one, said)
    worded, fault = _worded(said)
    if said.votes and (fault or worded != choice):
        what = "approves" if choice == "for" else "requests changes"
        return None, f"the review {what}, and its words say otherwise"
    if said.votes and one.edited:
        return None, _EDITED
    return choice, _dated(one)


def _dated(one: Item | Reacted) -> str:
    return "" if one.at is not None else _TIMELESS


def _requests(one: Item, said: Commands) -> Iterator[Request]:
    for what in said.asked:
        fault = _EDITED if one.edited else _dated(one)
        if one.edited is None:
            fault = fault or _UNSAID["review" if one.place == "review" else "comment"]
        if one.state in ("DISMISSED", "PENDING"):
            fault = "it stands in a review that was dismissed or never submitted"
        yield Request(by=one.who.shown, bot=one.who.bot, what=what, at=one.at, url=one.url, fault=fault)


def _no_ballot(one: Item, ballots_by: str) -> str:
    """Why a comment that is marked as a ballot is none, or ''."""
    if not _is_own(one, ballots_by):
        return f"the comment that it is on is marked as a ballot, and is not of {ballots_by}"
    if one.edited or one.edited is None:
        return "the ballot that it is on was edited, or the recording does not say that it was not"
    return ""


def _is_own(one: Item, ballots_by: str) -> bool:
    """Whether it is the game's own comment, which shows how to vote and is no vote."""
    return one.who.bot and _plain(one.who.shown) == _plain(ballots_by)


def _plain(login: str | None) -> str:
    """A login in the one form in which two of them are compared."""
    return "".join(char.lower() if char.isascii() else char for char in login or "").removesuffix("[bot]")


def _reaction(one: Reacted, on: Item, mark: tuple[str, str], why: str) -> Cast:
    choice = _REACTIONS.get(one.content)
    fault = why or ("" if choice is not None else _NO_SIGN) or _dated(one)
    return Cast(
        by=one.who.shown,
        bot=one.who.bot,
        kind="reaction",
        at=one.at,
        choice=None if fault else choice,
        fault=fault,
        ballot=mark[0],
        digest=Digest(mark[1]),
        url=on.url,
    )


def _unrecorded(one: Item, on: Sequence[Reacted] | None) -> str:
    where = one.url or "a ballot"
    if on is None:
        return f"reactions on {where} were not recorded: the recording says only that there are some"
    return f"only {len(on)} of {one.counted} reactions on {where} were recorded"


def _deleted(found: Gathered) -> Iterator[Cast]:
    for one in found.deleted:
        yield Cast(
            by=one.author.shown if one.author else None,
            bot=one.author.bot if one.author else False,
            kind="comment",
            at=one.at,
            choice=None,
            fault=_who_deleted(one),
        )


def _who_deleted(one: Deleted) -> str:
    by = f" by {one.by.shown}" if one.by.shown is not None else ""
    return f"a comment was deleted{by}, and what it said is not recorded"
