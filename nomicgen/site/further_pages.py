"""Long lists in pages: the newest on the list's own page, the rest on further ones that stay what they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from nomicgen.site.page import Page

_MOST = 60_000
"""Bytes of a further page; the list's own holds up to twice as many."""


class ListPage(Struct, frozen=True, kw_only=True):
    """A further page of a list, and which of the items, the newest first, stand on it: `first` to `last`, exclusive."""

    page: str
    first: int
    last: int


def further_list_pages(page: str, sizes: Sequence[int]) -> tuple[ListPage, ...]:
    """The further pages of a list, the newest first, by how many bytes each item takes; none where all fit on one.

    They are counted from the oldest item, so that what is new moves nothing that has an address.
    """
    folder, count = page.removesuffix(".md").removesuffix("/index"), len(sizes)
    # No file of a game has an underline in its name. The last two pieces stand on the list's own page.
    cuts = cut_by_size(sizes[::-1])[:-2]
    found = [
        ListPage(page=f"{folder}/list_{at}.md", first=count - last, last=count - first)
        for at, (first, last) in enumerate(cuts, 1)
    ]
    return tuple(reversed(found))


def first_page(page: str, leaves: Sequence[ListPage], count: int) -> ListPage:
    """What of so many items stands on the list's own page, where it has these further ones."""
    return ListPage(page=page, first=0, last=leaves[0].first if leaves else count)


def cut_by_size(sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Where a list is cut, from its first item on: each piece from one index to another, exclusive."""
    found: list[tuple[int, int]] = []
    first, size = 0, 0
    for at, one in enumerate(sizes):
        if size and size + one > _MOST:
            found.append((first, at))
            first, size = at, 0
        size += one
    return [*found, (first, len(sizes))] if sizes else []


def weight(item: Mapping[str, Any] | Sequence[Any] | object) -> int:
    """About how many bytes an item takes on a page."""
    if isinstance(item, Mapping):
        return 60 + sum(map(weight, item.values()))
    if isinstance(item, list | tuple):
        return sum(map(weight, item))
    return len(str(item).encode())


def list_page_links(page: Page, leaves: Sequence[ListPage], names: Sequence[str]) -> Sequence[tuple[str, str]]:
    """The address and the name of each further page of a list; for the page itself the address is ''."""
    return [
        ("" if leaf.page == page.path else page.href(leaf.page), name) for leaf, name in zip(leaves, names, strict=True)
    ]
