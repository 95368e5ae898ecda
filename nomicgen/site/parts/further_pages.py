"""Long lists in several pages: the newest items are on the list's own page, the others on further
pages, which do not change when items are added.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

_MOST = 100
"""The most entries of a further page, unless one item has more; the list's own page may have twice
as many.
"""

_Item = TypeVar("_Item")


class ListPage(Struct, Generic[_Item], frozen=True, kw_only=True):
    """A page of a list, with some of its items, the newest first. The `name` of a further page is
    such as `301–325`; that of the list's own page is ''.
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
    """Return the pages of a list: its own, at `path`, then the further ones. The `items` are given
    the newest first.

    `name_of` names a further page by its items; `entries_of` says how many entries an item has (a
    day of the history may have many). The oldest items are on `list_1.md`, so that a new item
    changes no further page.
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
    # No rule or instrument has an underscore in the name of its file, so no other page is there.
    folder = path.removesuffix(".md").removesuffix("/index")
    further = [
        ListPage(path=f"{folder}/list_{number}.md", name=name_of(piece), items=piece)
        for number, piece in enumerate(pieces[:-2], 1)
    ]
    return [ListPage(path=path, name="", items=own), *reversed(further)]
