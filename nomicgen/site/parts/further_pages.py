"""Long lists in pages: the newest on the list's own page, the rest on further ones that stay what
they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

_MOST = 100
"""Entries of a further page; the list's own holds up to twice as many."""

_Item = TypeVar("_Item")


class ListPage(Struct, Generic[_Item], frozen=True, kw_only=True):
    """A page of a list, with some of its items, the newest first; the list's own page has no
    `name`.
    """

    path: str
    name: str
    items: Sequence[_Item]


def list_pages(
    path: str,
    items: Sequence[_Item],
    name_of: Callable[[Sequence[_Item]], str],
    entries_of: Callable[[_Item], int] = lambda _: 1,
) -> Sequence[ListPage[_Item]]:
    """Return the pages of a list, whose items are given the newest first: its own, then the further
    ones.

    Further pages are counted from the oldest item, so that what is new moves nothing that has an
    address.
    """
    pieces: list[list[_Item]] = [[]]
    count = 0
    for item in reversed(items):
        count += entries_of(item)
        if count > _MOST and pieces[-1]:
            pieces.append([])
            count = entries_of(item)
        pieces[-1].insert(0, item)
    own = [item for piece in reversed(pieces[-2:]) for item in piece]
    # No file of a game has an underline in its name.
    folder = path.removesuffix(".md").removesuffix("/index")
    further = [
        ListPage(path=f"{folder}/list_{number}.md", name=name_of(piece), items=piece)
        for number, piece in enumerate(pieces[:-2], 1)
    ]
    return [ListPage(path=path, name="", items=own), *reversed(further)]
