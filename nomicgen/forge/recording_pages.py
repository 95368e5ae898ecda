"""What a recording of a pull request holds, gathered from all its files, pages and documents, and whether it is whole.

A thing that is recorded twice is one thing: pages overlap, and the same comment stands in several answers.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.forge.api_objects import (
    Deleted,
    Item,
    NotRead,
    Place,
    Reacted,
    deletion,
    item,
    kind_of,
    reacted,
    reactions_of,
)
from nomicgen.forge.json_documents import Problem, Trouble, UnreadValue, read_documents
from nomicgen.patterns import lazy_pattern

# What the lists of a recording are called, each with what stands in it.
_LISTS = {
    "reviews": "review",
    "comments": "comment",
    "review_comments": "thread",
    "reviewComments": "thread",
    "reviewThreads": "lines",
    "timeline": "timeline",
    "timelineItems": "timeline",
}
_PLACES: tuple[Place, ...] = ("review", "comment", "thread")
_DEEPEST = 4
_OF_ONE = lazy_pattern(r"(?:^|[\\/])reactions[\\/]([0-9]{1,18})\.json$", re.ASCII)
_IDENT = lazy_pattern(r"[A-Za-z0-9_=-]{1,100}")
_AGAIN = "record it again, every page of it: `gh api --paginate`"


class _Connection(Struct):
    """The pages of one GraphQL connection: the nodes seen, and what its pages say of each other."""

    at: _Where
    nodes: set[str] = set()
    total: int = 0
    begins: bool = False
    ends: bool = False


class _Where(Struct, frozen=True, kw_only=True):
    """A place in a document, for a person: `reviews[3].user`."""

    file: str
    line: int
    path: str = ""

    def key(self, name: str) -> _Where:
        return replace(self, path=f"{self.path}.{name}" if self.path else name)

    def at(self, index: int) -> _Where:
        return replace(self, path=f"{self.path}[{index}]")

    def problem(self, message: str, help: str = "", *, fatal: bool = False) -> Problem:
        said = f"{self.path} is not read: {message}" if self.path and not fatal else message
        return Problem(file=self.file, line=self.line, message=said, help=help, fatal=fatal)


class Gathered(Struct):
    """The items of a recording in the order in which they were read, each once; reactions by a comment's ids."""

    items: list[Item] = []
    deleted: dict[Deleted, None] = {}
    reactions: dict[str, dict[tuple[str, str], Reacted]] = {}
    notes: list[str] = []
    known: dict[tuple[str, str], int] = {}
    connections: dict[str, _Connection] = {}

    def reactions_on(self, one: Item) -> tuple[Reacted, ...] | None:
        """The reactions on a comment; None where the recording does not have them."""
        lists = [self.reactions[ident] for ident in one.ids if ident in self.reactions]
        if not lists:
            return None
        return tuple({key: each for found in lists for key, each in found.items()}.values())


def gather(files: Sequence[tuple[str, bytes]], trouble: Trouble) -> Gathered:
    """Everything that the files of a recording hold; what cannot be read is added to `trouble`."""
    reading = _Reading(trouble)
    for name, data in files:
        of_one = _OF_ONE.search(name)
        last: object = None
        for line, value in read_documents(name, data, trouble):
            where = _Where(file=name, line=line)
            if of_one is not None:
                reading.reactions((of_one[1],), value, where)
            else:
                reading.document(value, where)
            last = value
        if (size := _last_page(last)) in (30, 100):
            reading.found.notes.append(
                f"{name} ends with a full page of {size}: if it was not recorded with `--paginate`, more may be missing"
            )
    reading.finish()
    return reading.found


def _last_page(value: object) -> int:
    """The length of the last list of a file of REST's, 0 for anything else."""
    while isinstance(value, list) and value and isinstance(value[-1], list):
        value = value[-1]
    return len(value) if isinstance(value, list) else 0


class _Reading:
    def __init__(self, trouble: Trouble) -> None:
        self.trouble = trouble
        self.found = Gathered()

    def document(self, value: object, where: _Where) -> None:
        """A whole document: a list, a bundle of lists, or an answer of GraphQL's."""
        for one, place in _flat(value, where):
            if not isinstance(one, Mapping):
                self._odd(one, place)
            elif "data" in one or "errors" in one:
                self._answer(one, place)
            elif "message" in one and "body" not in one and "event" not in one:
                self._failure(one.get("message"), place)
            elif _is_bundle(one):
                self._bundle(one, place)
            else:
                self._item(one, "", place)

    def _answer(self, value: Mapping[str, Any], where: _Where) -> None:
        errors = value.get("errors")
        if errors:
            first = errors[0] if isinstance(errors, list) else None
            self._failure(first.get("message") if isinstance(first, Mapping) else None, where)
            return
        inner, path = value.get("data"), where.key("data")
        for key in ("repository", "pullRequest"):
            if isinstance(inner, Mapping) and key in inner:
                inner, path = inner[key], path.key(key)
        if isinstance(inner, Mapping) and inner:
            self._bundle(inner, path)
        else:
            self._fatal(f"{path.path} holds no pull request", where, "see whether the query names the right one")

    def _failure(self, message: object, where: _Where) -> None:
        said = f": {' '.join(message[:200].split())}" if isinstance(message, str) else ""
        self._fatal(f"GitHub answered with an error{said}", where, "see to that, and record it again")

    def _bundle(self, value: Mapping[str, Any], where: _Where) -> None:
        inner = value.get("pullRequest")
        if isinstance(inner, Mapping):
            self._bundle(inner, where.key("pullRequest"))
        for name, told in _LISTS.items():
            if name in value:
                self._list(value[name], told, where.key(name), name)
        reactions = value.get("reactions")
        # Those of the pull request itself are counts, and no votes.
        if isinstance(reactions, Mapping) and not ("nodes" in reactions or "total_count" in reactions):
            for ident, found in reactions.items():
                if _IDENT.fullmatch(ident):
                    self.reactions((ident,), found, where.key("reactions").key(ident))
                else:
                    self.trouble.add(where.key("reactions").problem("one of its keys is no comment's id"))

    def _list(self, value: object, told: str, where: _Where, name: str) -> None:
        """A list, pages of lists, or a GraphQL connection, of what `told` says."""
        for index, one in enumerate(self._nodes(value, where, name)):
            if isinstance(one, Mapping):
                self._item(one, told, where.at(index))
            else:
                self._odd(one, where.at(index))

    def _nodes(self, value: object, where: _Where, name: str) -> Iterator[object]:
        if isinstance(value, list):
            yield from (one for one, _ in _flat(value, where))
            return
        nodes = value.get("nodes") if isinstance(value, Mapping) else None
        if not isinstance(value, Mapping) or not isinstance(nodes, list):
            self._fatal(f"{where.path} is no list", where, _AGAIN)
            return
        pages = self.found.connections.setdefault(name, _Connection(where))
        info = value.get("pageInfo")
        info = info if isinstance(info, Mapping) else {}
        pages.ends |= info.get("hasNextPage") in (False, None)
        pages.begins |= info.get("hasPreviousPage") in (False, None)
        total = value.get("totalCount")
        if isinstance(total, int) and not isinstance(total, bool):
            pages.total = max(pages.total, total)
        for at, node in enumerate(nodes):
            if node is not None:
                pages.nodes.add(_identity(node, f"{len(pages.nodes)}:{at}"))
                yield node

    def _item(self, value: Mapping[str, Any], told: str, where: _Where) -> None:
        try:
            kind = kind_of(value, told)
            if kind == "lines":
                self._list(value.get("comments"), "thread", where.key("comments"), _identity(value, where.path))
            elif kind == "deleted":
                self.found.deleted[deletion(value)] = None
            elif kind == "reaction":
                raise NotRead('nobody knows what it is on: give reactions as {"reactions": {"COMMENT": […]}}')
            elif kind:
                self._keep(item(value, next(one for one in _PLACES if one == kind)), where)
                if kind == "review" and "comments" in value:
                    self._list(value["comments"], "thread", where.key("comments"), f"in {_identity(value, where.path)}")
        except NotRead as error:
            self.trouble.add(where.problem(str(error)))

    def _keep(self, one: Item, where: _Where) -> None:
        """Keeps an item, or what a second record of it adds to the first."""
        at = next(
            (self.found.known[one.place, ident] for ident in one.ids if (one.place, ident) in self.found.known), -1
        )
        if at < 0:
            at = len(self.found.items)
            self.found.items.append(one)
        else:
            one = self.found.items[at] = _merged(self.found.items[at], one)
        for ident in one.ids:
            self.found.known[one.place, ident] = at
        own = reactions_of(one.raw)
        if own is not None and one.place == "comment":
            self.reactions(one.ids, own, where.key("reactions"))

    def reactions(self, idents: Sequence[str], value: object, where: _Where) -> None:
        """The reactions on the comment that has these ids."""
        kept: dict[tuple[str, str], Reacted] = {}
        name = f"reactions on {idents[0] if idents else where.path}"
        for index, one in enumerate(self._nodes(value, where, name)):
            try:
                read = reacted(one)
            except NotRead as error:
                self.trouble.add(where.at(index).problem(str(error)))
                continue
            # An account reacts once with each sign; of accounts that are gone each is another.
            kept[read.who.login or f"\0{index}", read.content] = read
        for ident in idents:
            self.found.reactions.setdefault(ident, {}).update(kept)

    def _odd(self, value: object, where: _Where) -> None:
        why = value.why if isinstance(value, UnreadValue) else "it is no object"
        self.trouble.add(where.problem(why) if where.path else where.problem(f"this is not read: {why}"))

    def _fatal(self, message: str, where: _Where, help: str) -> None:
        self.trouble.add(where.problem(message, help, fatal=True))

    def finish(self) -> None:
        """Says of which GraphQL connections pages are missing."""
        for pages in self.found.connections.values():
            if len(pages.nodes) < pages.total:
                missing = f"{len(pages.nodes)} of {pages.total} are here"
            elif not (pages.ends and pages.begins):
                missing = "there are more pages"
            else:
                continue
            self._fatal(f"the recording is incomplete: {pages.at.path}: {missing}", pages.at, _AGAIN)


def _is_bundle(value: Mapping[str, Any]) -> bool:
    """Whether it is made of lists, as a recorder or `gh pr view --json` make it, and no item."""
    if "id" in value or "body" in value:
        return any(isinstance(value.get(name), list) for name in ("reviews", "comments"))
    return not (_LISTS.keys() | {"reactions", "pullRequest"}).isdisjoint(value)


def _flat(value: object, where: _Where, depth: int = 0) -> Iterator[tuple[object, _Where]]:
    """What a list holds, and the lists in it, which are pages; anything else is itself."""
    if not isinstance(value, list) or depth > _DEEPEST:
        yield value, where
        return
    for index, one in enumerate(value):
        yield from _flat(one, where.at(index), depth + 1)


def _identity(node: object, otherwise: str) -> str:
    names = node if isinstance(node, Mapping) else {}
    found = next(
        (names[key] for key in ("id", "databaseId", "node_id") if isinstance(names.get(key), (int, str))), None
    )
    if found is not None:
        return str(found)
    user = names.get("user")
    login = user.get("login") if isinstance(user, Mapping) else None
    return f"{login} {names.get('content')}" if isinstance(login, str) else otherwise


def _merged(first: Item, second: Item) -> Item:
    """One item of two records of it: edited if either says so, or if they differ."""
    edited = second.edited if first.edited is None else first.edited
    changed = first.body != second.body and None not in (first.raw.get("body"), second.raw.get("body"))
    state = "DISMISSED" if "DISMISSED" in (first.state, second.state) else second.state
    return dataclasses.replace(
        second,
        body=second.body or first.body,
        ids=tuple(dict.fromkeys((*first.ids, *second.ids))),
        edited=True if changed or second.edited else edited,
        state=state,
        commit=second.commit or first.commit,
        url=second.url or first.url,
        counted=max(first.counted, second.counted),
    )
