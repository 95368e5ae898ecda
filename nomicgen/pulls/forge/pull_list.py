"""The list of pull requests that GitHub's REST API gives, page after page. Pure."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from nomicgen.pulls.forge.json_documents import JsonProblem, Problems, entries, read_documents

Address = Annotated[str, Meta(pattern=r"^https?://[!-;=?-~]{1,500}\Z")]
Login = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\[bot\])?\Z")]


class PullRequest(Struct, frozen=True, kw_only=True):
    """A pull request: `login` is its author's account, None for one that is gone; `head` the id of
    its last commit.

    `branch` is the address of the branch that it comes from, None where its repository is gone;
    `opened` is when it was opened, None where the list does not say.
    """

    number: int
    url: str
    login: str | None
    head: str
    labels: frozenset[str] = frozenset()
    is_open: bool = True
    branch: str | None = None
    opened: datetime | None = None


class _User(Struct):
    login: Login


class _Label(Struct):
    name: str


class _Repository(Struct):
    html_url: Address


class _Head(Struct):
    sha: Annotated[str, Meta(pattern=r"^([0-9a-f]{40}|[0-9a-f]{64})\Z")]
    ref: str = ""
    repo: _Repository | None = None


class _ListedPull(Struct):
    """The keys of a pull request in the API's answer that are read."""

    number: Annotated[int, Meta(gt=0, le=10**9)]
    html_url: Address
    head: _Head
    user: _User | None = None
    labels: list[_Label] = []
    state: str = "open"
    created_at: Annotated[datetime, Meta(tz=True)] | None = None


def read_pulls(file: str, data: bytes) -> tuple[tuple[PullRequest, ...], tuple[JsonProblem, ...]]:
    """Return the pull requests of a file in the order of their numbers, and what could not be read.
    If a number comes twice, the later entry counts.
    """
    problems = Problems()
    pulls: dict[int, PullRequest] = {}
    for line, document in read_documents(file, data, problems):
        for place, entry in entries(document):
            try:
                listed = msgspec.convert(entry, _ListedPull)
            except (
                msgspec.ValidationError,
                UnicodeEncodeError,
            ) as error:  # no UTF-8 has half of a surrogate pair
                message = f"{str(place) or 'this'} is no pull request as GitHub lists it: {error}"
                problems.add(JsonProblem(file=file, line=line, message=message))
            else:
                pulls[listed.number] = _pull_request(listed)
    return tuple(pulls[number] for number in sorted(pulls)), problems.listed()


def _pull_request(listed: _ListedPull) -> PullRequest:
    repository = listed.head.repo
    return PullRequest(
        number=listed.number,
        url=listed.html_url,
        login=listed.user.login if listed.user is not None else None,
        head=listed.head.sha,
        labels=frozenset(label.name for label in listed.labels),
        is_open=listed.state == "open",
        opened=listed.created_at,
        branch=f"{repository.html_url}/tree/{listed.head.ref}" if repository is not None else None,
    )
