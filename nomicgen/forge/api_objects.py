"""The shapes of GitHub's JSON, REST and GraphQL, made one: reviews, comments, reactions, deletions.

Nothing is judged here. What has not the type that the API gives it is no item, and a problem says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from msgspec import Struct

from nomicgen.forge.json_documents import UnreadValue
from nomicgen.identifiers import CommitId
from nomicgen.patterns import lazy_pattern

Place = Literal["review", "comment", "thread"]
"""A review, a comment of the pull request, or one on lines of its files."""

_TIME = lazy_pattern(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)", re.ASCII)
_COMMIT = lazy_pattern("[0-9a-f]{40}|[0-9a-f]{64}")
_STATES = ("APPROVED", "CHANGES_REQUESTED", "COMMENTED", "DISMISSED", "PENDING")
_COUNTED = ("+1", "-1", "eyes", "THUMBS_UP", "THUMBS_DOWN", "EYES")
_BOT = "[bot]"
# The account that GitHub puts in the place of one that was deleted.
_GHOST = "ghost"


class NotRead(Exception):
    """An item that is not of the shape that it should have; its text is a clause."""


class Account(Struct, frozen=True, kw_only=True):
    """Whose an item is: `login` without `[bot]`, None for an account that is gone."""

    login: str | None
    bot: bool = False

    @property
    def shown(self) -> str | None:
        """The login as REST gives it."""
        return f"{self.login}{_BOT}" if self.bot and self.login is not None else self.login


class Reacted(Struct, frozen=True, kw_only=True):
    """A reaction: `content` as REST or GraphQL name it."""

    who: Account
    content: str
    at: datetime | None


class Deleted(Struct, frozen=True, kw_only=True):
    """A comment that was deleted; `author` is None where the API does not say whose it was."""

    by: Account
    author: Account | None
    at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A review or comment. `ids` are all the names that it has, `edited` is None where the API does not say.

    `state` is a review's. `counted` is how many reactions there are that could be votes, as far as it is said.
    """

    place: Place
    ids: tuple[str, ...]
    who: Account
    at: datetime | None
    edited: bool | None
    body: str
    url: str | None
    state: str = ""
    commit: CommitId | None = None
    counted: int = 0
    raw: Mapping[str, Any] = field(compare=False, repr=False)


def kind_of(value: Mapping[str, Any], told: str) -> str:
    """What a mapping is: a Place, `reaction`, `deleted`, `lines` (with comments of its own), or '' for what is no
    concern. `told` is what the list that it stands in is of, or ''. Raises NotRead for what nobody knows."""
    event = value.get("event")
    if isinstance(event, str):
        events = {"reviewed": "review", "commented": "comment", "comment_deleted": "deleted", "line-commented": "lines"}
        return events.get(event, "")
    name = value.get("__typename")
    if told == "timeline":
        named = {"CommentDeletedEvent": "deleted", "IssueComment": "comment", "PullRequestReview": "review"}
        return named.get(name, "") if isinstance(name, str) else _guessed(value)
    return told or _guessed(value)


def _guessed(value: Mapping[str, Any]) -> str:
    if "content" in value and "body" not in value:
        return "reaction"
    if "diff_hunk" in value or "pull_request_review_id" in value:
        return "thread"
    if "deletedCommentAuthor" in value:
        return "deleted"
    if "state" in value and not ("title" in value or "head" in value):
        return "review"
    if "body" in value and not ("title" in value or "state" in value):
        return "comment"
    raise NotRead("it is no review, comment or reaction of a pull request")


def item(value: Mapping[str, Any], place: Place) -> Item:
    """A review or comment. Raises NotRead."""
    rest = "user" in value or "html_url" in value or "created_at" in value or "submitted_at" in value
    return Item(
        place=place,
        ids=_ids(value),
        who=_account(value, "user" if rest else "author"),
        at=_moment(value, ("submitted_at", "submittedAt") if place == "review" else ("created_at", "createdAt")),
        edited=_edited(value, place, rest=rest),
        body=_text(value, "body"),
        url=_address(value.get("html_url", value.get("url"))),
        state=_state(value) if place == "review" else "",
        commit=_commit(value) if place == "review" else None,
        counted=_count(value),
        raw=value,
    )


def reacted(value: object) -> Reacted:
    """A reaction. Raises NotRead."""
    if not isinstance(value, Mapping):
        raise NotRead(f"it is {_odd(value, 'an object')}")
    content = value.get("content")
    if not isinstance(content, str):
        raise NotRead(f"its `content` is {_odd(content, 'a text')}")
    return Reacted(who=_account(value, "user"), content=content, at=_moment(value, ("created_at", "createdAt")))


def deletion(value: Mapping[str, Any]) -> Deleted:
    """An event of the timeline that a comment was deleted. Raises NotRead."""
    author = _account(value, "deletedCommentAuthor") if "deletedCommentAuthor" in value else None
    return Deleted(by=_account(value, "actor"), author=author, at=_moment(value, ("created_at", "createdAt")))


def reactions_of(value: Mapping[str, Any]) -> object:
    """The reactions that a comment carries itself: a list or a GraphQL connection; None where it has only counts."""
    found = value.get("reactions")
    return found if isinstance(found, list) or (isinstance(found, Mapping) and "nodes" in found) else None


def _odd(value: object, wanted: str) -> str:
    if isinstance(value, UnreadValue):
        return f"no {wanted.removeprefix('a ').removeprefix('an ')}: {value.why}"
    return "missing" if value is None else f"not {wanted}"


def _text(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise NotRead(f"its `{key}` is {_odd(found, 'a text')}")
    return found


def _ids(value: Mapping[str, Any]) -> tuple[str, ...]:
    names = (value.get(key) for key in ("id", "node_id", "databaseId", "fullDatabaseId"))
    return tuple(str(one) for one in names if isinstance(one, (int, str)) and not isinstance(one, bool))


def _account(value: Mapping[str, Any], key: str) -> Account:
    found = value.get(key)
    if found is None:
        return Account(login=None)
    login = found.get("login") if isinstance(found, Mapping) else None
    if not isinstance(login, str) or not login:
        raise NotRead(f"its `{key}` names no account")
    bot = login.endswith(_BOT) or "Bot" in (found.get("type"), found.get("__typename"))
    if login == _GHOST:
        return Account(login=None)
    return Account(login=login.removesuffix(_BOT), bot=bot)


def _moment(value: Mapping[str, Any], keys: tuple[str, ...]) -> datetime | None:
    found = next((value[key] for key in keys if value.get(key) is not None), None)
    if not isinstance(found, str) or _TIME.fullmatch(found) is None:
        return None
    try:
        read = datetime.fromisoformat(found).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    # No forge is older, and what lies at the calendar's end has no time in other zones.
    return read if 1970 <= read.year <= 9000 else None


def _edited(value: Mapping[str, Any], place: Place, *, rest: bool) -> bool | None:
    if not rest:
        told = [value[key] for key in ("lastEditedAt", "includesCreatedEdit") if key in value]
        return any(one is not None and one is not False for one in told) if told else None
    # Of reviews only the timeline says when they were last changed.
    updated, made = value.get("updated_at"), value.get("submitted_at" if place == "review" else "created_at")
    return None if updated is None or made is None else updated != made


def _state(value: Mapping[str, Any]) -> str:
    found = value.get("state")
    # The timeline of REST has states in small letters.
    state = found.upper() if isinstance(found, str) and found.isascii() else ""
    if state not in _STATES:
        raise NotRead("its `state` is none that a review has")
    return state


def _commit(value: Mapping[str, Any]) -> CommitId | None:
    commit = value.get("commit")
    found = commit.get("oid") if isinstance(commit, Mapping) else value.get("commit_id")
    return CommitId(found) if isinstance(found, str) and _COMMIT.fullmatch(found) else None


def _address(found: object) -> str | None:
    return found if isinstance(found, str) and re.fullmatch(r"https?://[!-~]{1,2000}", found) else None


def _count(value: Mapping[str, Any]) -> int:
    """How many reactions that could be votes REST's counts, or `reactionGroups` of GraphQL, speak of."""
    found: list[object] = []
    counts, groups = value.get("reactions"), value.get("reactionGroups")
    if isinstance(counts, Mapping) and "nodes" not in counts:
        found += [counts.get(content) for content in _COUNTED]
    if isinstance(groups, list):
        for one in groups:
            users = one.get("users") if isinstance(one, Mapping) and one.get("content") in _COUNTED else None
            found.append(users.get("totalCount") if isinstance(users, Mapping) else None)
    return sum(one for one in found if isinstance(one, int) and not isinstance(one, bool) and one > 0)
