"""The list of pull requests that GitHub's REST API gives, page after page. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from nomicgen.forge.json_documents import Problem, Trouble, read_documents
from nomicgen.patterns import lazy_pattern

_LARGEST = 10**9
_COMMIT = lazy_pattern(r"[0-9a-f]{40}|[0-9a-f]{64}")
_ADDRESS = lazy_pattern(r"https?://[!-;=?-~]{1,500}")
_LOGIN = lazy_pattern(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}(?:\[bot\])?")


class PullRequest(Struct, frozen=True, kw_only=True):
    """A pull request: `login` is its author's account, None for one that is gone; `head` the id of its last commit.

    `branch` is the address of the branch that it comes from, None where that is gone.
    """

    number: int
    url: str
    login: str | None
    head: str
    labels: frozenset[str] = frozenset()
    is_open: bool = True
    branch: str | None = None


def read_pulls(file: str, data: bytes) -> tuple[tuple[PullRequest, ...], tuple[Problem, ...]]:
    """The pull requests of a file by number, and what could not be read; the last word on a number counts."""
    trouble = Trouble()
    found: dict[int, PullRequest] = {}
    for line, document in read_documents(file, data, trouble):
        for one in _listed(document):
            pull = _pull(one)
            if pull is not None:
                found[pull.number] = pull
            else:
                trouble.add(
                    Problem(file=file, line=line, message=f"{_shown(one)} is no pull request as GitHub lists it")
                )
    return tuple(found[number] for number in sorted(found)), trouble.problems()


def _listed(document: Any) -> Iterator[Any]:
    """What a page, or a list of pages, has."""
    for one in document if isinstance(document, list) else [document]:
        if isinstance(one, list):
            yield from one
        else:
            yield one


def _pull(one: Any) -> PullRequest | None:
    if not isinstance(one, dict):
        return None
    number, url, head = one.get("number"), one.get("html_url"), _inner(one.get("head"), "sha")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 < number <= _LARGEST:
        return None
    if not (isinstance(url, str) and _ADDRESS.fullmatch(url) and isinstance(head, str) and _COMMIT.fullmatch(head)):
        return None
    login = _inner(one.get("user"), "login")
    labels = one.get("labels")
    names = (_inner(label, "name") for label in labels) if isinstance(labels, list) else ()
    return PullRequest(
        number=number,
        url=url,
        login=login if isinstance(login, str) and _LOGIN.fullmatch(login) else None,
        head=head,
        labels=frozenset(name for name in names if isinstance(name, str)),
        is_open=one.get("state", "open") == "open",
        branch=_branch(one.get("head")),
    )


def _branch(head: Any) -> str | None:
    fork, ref = _inner(_inner(head, "repo"), "html_url"), _inner(head, "ref")
    address = f"{fork}/tree/{ref}"
    return address if isinstance(fork, str) and isinstance(ref, str) and _ADDRESS.fullmatch(address) else None


def _inner(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None


def _shown(one: Any) -> str:
    number = _inner(one, "number")
    return f"number {number}" if isinstance(number, int) else "one of its items"
