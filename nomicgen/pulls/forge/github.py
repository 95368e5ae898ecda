"""Votes and requests on GitHub, read from its JSON: what everybody said, and what of it cannot
count, whoever said it.

Who is a player, what is voted on, and when, is asked elsewhere (`pulls/forge_tally.py`). Whatever
users write is data here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Literal

from msgspec import Struct

from nomicgen.files.file_findings import quoted
from nomicgen.model.front_matters import Choice
from nomicgen.model.identifiers import CommitId, Digest
from nomicgen.pulls.forge.comments import Commands, ballot_mark, read_commands
from nomicgen.pulls.forge.json_documents import JsonProblem
from nomicgen.pulls.forge.recordings import DeletedComment, Post, Reaction, read_recording

BALLOTS_BY = "github-actions[bot]"
"""The account that GitHub's own workflows write as."""

_STATES: dict[str, Choice] = {"APPROVED": "for", "CHANGES_REQUESTED": "against"}
_SIGNS: dict[str, Choice] = {"+1": "for", "-1": "against", "eyes": "abstain"}
_NEVER = datetime.min.replace(tzinfo=UTC)

_EDITED = "it was edited"
_TIMELESS = "the recording does not say when"
# By kind of post: why its words do not count if the recording does not say whether it was edited.
_UNSAID = {
    "review": "the recording does not say whether the review was edited: record its timeline "
    "too, or vote in a comment",
    "comment": "the recording does not say whether it was edited",
}
_HIDDEN = (
    "its `/vote` is no plain line of its own: write it outside of lists, quotations, code and HTML"
)
_LONG = "it is too long to look for a vote in: write the vote in a comment of its own"
_UNREADABLE = "it cannot be read as Markdown: write `/vote` and its words alone in a new comment"
_NEARLY = "{} looks like a vote and is not one: write `/vote` and its words on a line of their own"
_SEVERAL = "it holds more than one vote: write a single one, in a new comment"
_WORDLESS = "after `/vote` it needs one of these words: for, against, abstain"
_NO_SIGN = "no such sign is a vote: +1 is for, -1 against, eyes abstains"


class Cast(Struct, frozen=True, kw_only=True):
    """A vote, or what was meant for one.

    `by` is a login as REST has it, None for an account that is gone. `at` is in UTC. `choice` is
    None where `fault` says why this cannot count, whoever cast it. `commit` is what a review was
    written on. `ballot` is the name of a ballot that its words give, such as `301-k7q2m4x9ta`. Of a
    reaction, `ballot` and `digest` are those of the comment that it is on.
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
    url: str | None = None


class Request(Struct, frozen=True, kw_only=True):
    """A line of a comment or review that asks for something, such as `/open`, or records a deed,
    such as `/second 305`.

    With a `fault`, which says why, it does not count. `what` is its command; `about` are the words
    after a deed, such as `305`, None without any.
    """

    by: str | None
    bot: bool = False
    what: str
    about: str | None = None
    at: datetime | None
    fault: str = ""


class Recorded(Struct, frozen=True, kw_only=True):
    """What a recording says, in the order of time.

    `ballots` are the names of ballots that the workflows have posted; `deleted` are comments whose
    words are unknown. `notes` say what may be missing. If a problem is fatal, nobody knows what is
    missing, and nothing may be counted.
    """

    casts: tuple[Cast, ...] = ()
    requests: tuple[Request, ...] = ()
    ballots: frozenset[str] = frozenset()
    deleted: tuple[Cast, ...] = ()
    notes: tuple[str, ...] = ()
    problems: tuple[JsonProblem, ...] = ()

    @property
    def fatal(self) -> tuple[JsonProblem, ...]:
        return tuple(problem for problem in self.problems if problem.fatal)


def read_recorded(files: Sequence[tuple[str, bytes]]) -> Recorded:
    """Return what files of GitHub's JSON say; `files` are pairs of a name and bytes. The name
    `…/reactions/ID.json` gives the comment that the reactions are on.

    No text raises an error: what is odd is one of the problems.
    """
    recording = read_recording(files)
    casts: list[Cast] = []
    requests: list[Request] = []
    ballots: set[str] = set()
    notes = list(recording.notes)
    for post in recording.posts:
        if not _is_own(post):
            commands = read_commands(post.body)
            casts.extend(_casts(post, commands))
            requests.extend(_requests(post, commands))
        ballot = ballot_mark(post.body) if not post.is_review else None
        if ballot is None:
            continue
        fault = _no_ballot(post)
        casts.extend(_reaction(reaction, post, ballot, fault) for reaction in post.reactions or ())
        if not fault:
            ballots.add(ballot[0])
            if post.reactions is None and post.reacted:
                notes.append(
                    f"reactions on {post.url or 'a ballot'} were not recorded, and there are some"
                )
    return Recorded(
        casts=tuple(sorted(casts, key=lambda cast: cast.at or _NEVER)),
        requests=tuple(sorted(requests, key=lambda request: request.at or _NEVER)),
        ballots=frozenset(ballots),
        deleted=tuple(sorted(map(_deleted, recording.deleted), key=lambda cast: cast.at or _NEVER)),
        notes=tuple(notes),
        problems=recording.problems,
    )


def _casts(post: Post, commands: Commands) -> Iterator[Cast]:
    """Yield the vote of a review or a comment, if it is one or was meant for one."""
    choice, fault = (
        _review_choice(post, commands) if post.is_review else _comment_choice(post, commands)
    )
    if choice is None and not fault:
        return
    yield Cast(
        by=post.who.login,
        bot=post.who.bot,
        kind="review" if post.is_review else "comment",
        at=post.at,
        choice=None if fault else choice,
        fault=fault,
        commit=post.commit,
        ballot=commands.votes[0].ballot if len(commands.votes) == 1 else None,
        url=post.url,
    )


def _comment_choice(post: Post, commands: Commands) -> tuple[Choice | None, str]:
    """Return the choice of the one vote in a body, and why it does not count ('' if it does). If
    there is no such vote, the choice is None; if none was meant, the reason is '' as well.
    """
    choice, fault = _choice_in_words(commands)
    if choice is None and not fault:
        return None, ""
    return choice, _edited_or_dateless(post, fault)


def _edited_or_dateless(post: Post, fault: str = "") -> str:
    """Return why the words of a review or comment do not count; '' if they do. `fault` is what is
    wrong with the words themselves.
    """
    if post.edited:
        return _EDITED
    if fault:
        return fault
    return (
        _UNSAID["review" if post.is_review else "comment"]
        if post.edited is None
        else _dateless(post)
    )


def _choice_in_words(commands: Commands) -> tuple[Choice | None, str]:
    if commands.long:
        return None, _LONG
    if commands.unreadable:
        return None, _UNREADABLE
    if len(commands.votes) > 1:
        return None, _SEVERAL
    if commands.votes:
        choice = commands.votes[0].choice
        return choice, "" if choice is not None else _WORDLESS
    if commands.hidden:
        return None, _HIDDEN
    return None, _NEARLY.format(quoted(commands.nearly)) if commands.nearly else ""


def _review_choice(post: Post, commands: Commands) -> tuple[Choice | None, str]:
    """Return the choice of a review by its state, which a vote in its words must not contradict. If
    the state takes no side, it is that of its words.
    """
    if post.state == "DISMISSED":
        return None, "the review was dismissed"
    if post.state == "PENDING":
        return None, "the review was never submitted"
    choice = _STATES.get(post.state)
    if choice is None:
        return _comment_choice(post, commands)
    worded, fault = _choice_in_words(commands)
    if commands.votes and (fault or worded != choice):
        what = "approves" if choice == "for" else "requests changes"
        return None, f"the review {what}, and its words say otherwise"
    if commands.votes and post.edited:
        return None, _EDITED
    return choice, _dateless(post)


def _dateless(record: Post | Reaction) -> str:
    return "" if record.at is not None else _TIMELESS


def _requests(post: Post, commands: Commands) -> Iterator[Request]:
    fault = _edited_or_dateless(post)
    if post.state in ("DISMISSED", "PENDING"):
        fault = "it stands in a review that was dismissed or never submitted"
    for what, about in (*((asked, None) for asked in commands.asked), *commands.deeds):
        yield Request(
            by=post.who.login, bot=post.who.bot, what=what, about=about, at=post.at, fault=fault
        )


def _no_ballot(post: Post) -> str:
    """Return why a comment that is marked as a ballot is none; '' if it is one."""
    if not _is_own(post):
        return f"the comment that it is on is marked as a ballot, and is not of {BALLOTS_BY}"
    if post.edited or post.edited is None:
        return "the ballot that it is on was edited, or the recording does not say that it was not"
    return ""


def _is_own(post: Post) -> bool:
    """Return whether it is the game's own comment, which shows how to vote and is no vote."""
    return post.who.bot and (post.who.login or "").lower() == BALLOTS_BY


def _reaction(reaction: Reaction, post: Post, ballot: tuple[str, str], fault: str) -> Cast:
    choice = _SIGNS.get(reaction.sign)
    fault = fault or ("" if choice is not None else _NO_SIGN) or _dateless(reaction)
    return Cast(
        by=reaction.who.login,
        bot=reaction.who.bot,
        kind="reaction",
        at=reaction.at,
        choice=None if fault else choice,
        fault=fault,
        ballot=ballot[0],
        digest=Digest(ballot[1]),
        url=post.url,
    )


def _deleted(comment: DeletedComment) -> Cast:
    by = f" by {comment.by.login}" if comment.by.login is not None else ""
    return Cast(
        by=None,
        kind="comment",
        at=comment.at,
        choice=None,
        fault=f"a comment was deleted{by}, and what it said is not recorded",
    )
