"""What a recording of a pull request holds: reviews, comments, their reactions, and events that
tell of deleted comments.

It is JSON of GitHub's REST API, in lists or pages of lists. Whatever has a body and no title is a
review or a comment, wherever it stands. Records with one address are of one thing. Nothing is
judged here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.model.identifiers import CommitId
from nomicgen.pulls.forge.json_documents import (
    JsonPlace,
    JsonProblem,
    Problems,
    entries,
    objects,
    read_documents,
)

_REACTIONS_FILE = r"(?a)(?:^|[\\/])reactions[\\/]([0-9]{1,18})\.json$"
_COMMIT = "[0-9a-f]{40}|[0-9a-f]{64}"
_ADDRESS = r"https?://[!-~]{1,2000}"
_STATES = ("APPROVED", "CHANGES_REQUESTED", "COMMENTED", "DISMISSED", "PENDING")
_BOT = "[bot]"
# The account that GitHub puts in the place of one that was deleted.
_GHOST = "ghost"
_PARTS = ("reviews", "comments")
"""Keys of lists: null for one of them means that GitHub left out what should be there."""
_GRAPHQL = frozenset({"data", "nodes", "createdAt", "submittedAt"})
"""Keys of GitHub's other API, and of what `gh pr view` prints."""
_PAGE_SIZES = (30, 100)  # what GitHub puts on a page: unasked, and at most
_RECORD_AGAIN = "record it again, every page of it: `gh api --paginate`"


class NotRead(Exception):
    """Raised where something does not have the shape that it should have; its text is a clause."""


class Account(Struct, frozen=True, kw_only=True):
    """The account that did something: `login` ends in `[bot]` for a bot, and is None for an
    account that is gone.
    """

    login: str | None
    bot: bool = False


class Reaction(Struct, frozen=True, kw_only=True):
    """A reaction: `sign` as REST names it, such as `+1`."""

    who: Account
    sign: str
    at: datetime | None


class DeletedComment(Struct, frozen=True, kw_only=True):
    """A comment that was deleted; `by` deleted it. The API does not say who had written it."""

    by: Account
    at: datetime | None


class Post(Struct, frozen=True, kw_only=True):
    """A review or a comment; `edited` is None where the API does not say.

    `state` and `commit` are a review's. `reactions` is None where the recording has no list of
    them; `reacted` says that its summary counts some.
    """

    is_review: bool
    ident: str
    who: Account
    at: datetime | None
    edited: bool | None
    body: str
    url: str | None
    state: str = ""
    commit: CommitId | None = None
    reactions: tuple[Reaction, ...] | None = None
    reacted: bool = False


class Recording(Struct, frozen=True, kw_only=True):
    """All that a recording's files hold, in the order of reading, and what was unreadable."""

    posts: tuple[Post, ...]
    deleted: tuple[DeletedComment, ...]
    notes: tuple[str, ...]
    problems: tuple[JsonProblem, ...]


def read_recording(files: Sequence[tuple[str, bytes]]) -> Recording:
    """Return everything that files of GitHub's JSON hold; `files` are pairs of a name and bytes.

    `reactions/ID.json` has the reactions on the comment with that id.
    """
    reading = _Reading()
    for file, data in files:
        of_one = re.search(_REACTIONS_FILE, file)
        document: object = None
        for line, document in read_documents(file, data, reading.problems):
            reading.file, reading.line = file, line
            if of_one is None:
                reading.read(document)
            else:
                reading.read_reactions(document, of_one[1])
        if (size := _last_page(document)) in _PAGE_SIZES:
            reading.notes.append(
                f"{file} ends with a full page of {size}: if it was not recorded with "
                "`--paginate`, more may be missing"
            )
    return reading.result()


def _last_page(document: object) -> int:
    """Return the length of the last list of a document of REST's, 0 for anything else."""
    while isinstance(document, list) and document and isinstance(document[-1], list):
        document = document[-1]
    return len(document) if isinstance(document, list) else 0


class _Reading:
    """What was read so far; `file` and `line` are of the document that is being read."""

    def __init__(self) -> None:
        self.file, self.line = "", 1
        self.posts: dict[str, Post] = {}
        self.deleted: list[DeletedComment] = []
        self.reactions: dict[str, tuple[Reaction, ...]] = {}
        self.notes: list[str] = []
        self.problems = Problems()

    def read(self, document: object) -> None:
        for place, entry in entries(document):
            if not isinstance(entry, Mapping):
                self._add_problem(place, "it is no object")
            elif (error := _error_of(entry)) is not None:
                self._add_fatal(
                    f"GitHub answered with an error{error}", "see to that, and record it again"
                )
            else:
                for inner_place, value in objects(place, entry):
                    self._read_object(value, inner_place, is_entry=value is entry)

    def read_reactions(self, document: object, comment: str) -> None:
        """Read the list of the reactions on the comment whose id is `comment`."""
        if not isinstance(document, list):
            self._add_fatal("this is no list of reactions", _RECORD_AGAIN)
            return
        reactions = tuple(self._reactions_in(entries(document)))
        self.reactions[comment] = (*self.reactions.get(comment, ()), *reactions)

    def _read_object(self, value: Mapping[str, Any], place: JsonPlace, *, is_entry: bool) -> None:
        for part in _PARTS:
            if part in value and value[part] is None:
                self._add_fatal(f"{f'{place}.{part}'.removeprefix('.')} is null", _RECORD_AGAIN)
        if not _GRAPHQL.isdisjoint(value):
            self._add_fatal("this is not of GitHub's REST API", _RECORD_AGAIN)
            return
        try:
            if value.get("event") == "comment_deleted":
                by, at = _account(value, "actor"), _moment(value.get("created_at"))
                self.deleted.append(DeletedComment(by=by, at=at))
            elif _is_post(value):
                self._keep(self._post(value))
            elif is_entry and "content" in value:
                raise NotRead(
                    "nobody knows what it is on: put reactions into a file `reactions/COMMENT.json`"
                )
            elif is_entry and not any(
                isinstance(inner, (Mapping, list)) for inner in value.values()
            ):
                raise NotRead("it is no review, comment or reaction of a pull request")
        except NotRead as error:
            self._add_problem(place, str(error))

    def _post(self, value: Mapping[str, Any]) -> Post:
        """Return a review or a comment. Raises NotRead."""
        is_review = "state" in value
        time = "submitted_at" if is_review else "created_at"
        reactions = value.get("reactions")  # a list of them, or most often how many of each sign
        return Post(
            is_review=is_review,
            ident=str(value.get("id")),
            who=_account(value, "user"),
            at=_moment(value.get(time)),
            edited=_is_edited(value, time),
            body=_body(value),
            url=_address(value.get("html_url")),
            state=_state(value) if is_review else "",
            commit=_commit_id(value) if is_review else None,
            reactions=tuple(self._reactions_in(entries(reactions)))
            if isinstance(reactions, list)
            else None,
            reacted=isinstance(reactions, Mapping) and bool(reactions.get("total_count")),
        )

    def _reactions_in(self, entries: Iterator[tuple[JsonPlace, object]]) -> Iterator[Reaction]:
        for place, value in entries:
            try:
                yield _reaction(value)
            except NotRead as error:
                self._add_problem(place, f"a reaction: {error}")

    def _keep(self, post: Post) -> None:
        """Keep a review or a comment. A further record of it is merged with those before."""
        name = post.url or f"{len(self.posts)}"
        first = self.posts.get(name)
        self.posts[name] = post if first is None else _merge_records(first, post)

    def _problem(self, message: str, help: str = "", *, fatal: bool = False) -> JsonProblem:
        return JsonProblem(file=self.file, line=self.line, message=message, help=help, fatal=fatal)

    def _add_problem(self, place: JsonPlace, message: str) -> None:
        self.problems.add(self._problem(f"{str(place) or 'this'} is not read: {message}"))

    def _add_fatal(self, message: str, help: str) -> None:
        self.problems.add(self._problem(message, help, fatal=True))

    def result(self) -> Recording:
        return Recording(
            posts=tuple(self._with_reactions(post) for post in self.posts.values()),
            deleted=tuple(dict.fromkeys(self.deleted)),
            notes=tuple(self.notes),
            problems=self.problems.listed(),
        )

    def _with_reactions(self, post: Post) -> Post:
        """Return a comment with the reactions from the file of its id; a review as it is."""
        reactions = self.reactions.get(post.ident) if not post.is_review else None
        if reactions is None:
            return post
        return replace(post, reactions=tuple(dict.fromkeys((*(post.reactions or ()), *reactions))))


def _error_of(entry: Mapping[str, Any]) -> str | None:
    """Return `: MESSAGE` if an entry is an error with which GitHub answered; None if it is none."""
    if "message" not in entry or "body" in entry or "event" in entry:
        return None
    message = entry["message"]
    return f": {' '.join(message[:200].split())}" if isinstance(message, str) else ""


def _is_post(value: Mapping[str, Any]) -> bool:
    """Return whether an object is a review or a comment. Issues and pull requests, which have
    bodies as well, have titles or lists of reviews.
    """
    has_words = "body" in value or "submitted_at" in value
    return has_words and not ("title" in value or "reviews" in value)


def _reaction(value: object) -> Reaction:
    """Return a reaction. Raise NotRead."""
    sign = value.get("content") if isinstance(value, Mapping) else None
    if not isinstance(value, Mapping) or not isinstance(sign, str):
        raise NotRead("it has no `content`")
    return Reaction(who=_account(value, "user"), sign=sign, at=_moment(value.get("created_at")))


def _account(value: Mapping[str, Any], key: str) -> Account:
    """Return the account that a key names. Raise NotRead."""
    account = value.get(key)
    if account is None:
        return Account(login=None)
    login = account.get("login") if isinstance(account, Mapping) else None
    if not isinstance(login, str) or not login:
        raise NotRead(f"its `{key}` names no account")
    if login == _GHOST:
        return Account(login=None)
    if login.endswith(_BOT) or account.get("type") == "Bot":
        return Account(login=f"{login.removesuffix(_BOT)}{_BOT}", bot=True)
    return Account(login=login)


def _moment(time: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(time) if isinstance(time, str) else None
        # No forge is older, and a time at the calendar's end cannot be given in other zones.
        if moment is None or moment.tzinfo is None or not 1970 <= moment.year <= 9000:
            return None
        return moment.astimezone(UTC)
    except ValueError:
        return None


def _is_edited(value: Mapping[str, Any], time: str) -> bool | None:
    """Return whether a text was changed; None where that is not said. Of a review only the timeline
    says it.
    """
    updated, first = value.get("updated_at"), value.get(time)
    return None if updated is None or first is None else updated != first


def _body(value: Mapping[str, Any]) -> str:
    """Return the text, '' if there is none. Raise NotRead."""
    body = value.get("body") or ""
    if not isinstance(body, str):
        raise NotRead("its `body` is not a text")
    return body


def _state(value: Mapping[str, Any]) -> str:
    """Return the state of a review. Raise NotRead."""
    # The timeline writes states in small letters.
    state = str(value.get("state")).upper()
    if state not in _STATES:
        raise NotRead("a review has no such `state`")
    return state


def _commit_id(value: Mapping[str, Any]) -> CommitId | None:
    ident = value.get("commit_id")
    return CommitId(ident) if isinstance(ident, str) and re.fullmatch(_COMMIT, ident) else None


def _address(url: object) -> str | None:
    return url if isinstance(url, str) and re.fullmatch(_ADDRESS, url) else None


def _merge_records(first: Post, second: Post) -> Post:
    """Return two records of one thing as one: edited if either says so, or if they differ."""
    differs = bool(first.body and second.body) and first.body != second.body
    reactions = (*(first.reactions or ()), *(second.reactions or ()))
    return replace(
        second,
        body=second.body or first.body,
        edited=True
        if differs or second.edited
        else first.edited
        if first.edited is not None
        else second.edited,
        state="DISMISSED" if "DISMISSED" in (first.state, second.state) else second.state,
        commit=second.commit or first.commit,
        reactions=None
        if first.reactions is None is second.reactions
        else tuple(dict.fromkeys(reactions)),
        reacted=first.reacted or second.reacted,
    )
