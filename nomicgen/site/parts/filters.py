"""The filters of a list, and the neighbours of an item in one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nomicgen.site.site_view import Site
from nomicgen.site.texts.short_words import shorten

# The most columns of a player's name: browsers make a list of choices as wide as the widest of it.
_NAME = 30


def choices(*values: object) -> str:
    """Return the values by which a select finds an item, for an attribute: `wren|quill`. A bar in a
    value becomes a slash, so that it parts nothing.
    """
    return "|".join(
        " ".join(str(value).replace("|", "/").split())
        for value in values
        if value not in (None, "")
    )


def select(name: str, label: str, options: Iterable[tuple[object, str]]) -> Mapping[str, Any]:
    """Return a select of a filter, for the template; `options` are pairs of a value and words."""
    return {
        "name": name,
        "label": label,
        "options": [{"value": choices(value), "text": words} for value, words in options],
    }


def with_choices(selects: Iterable[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Return the selects that have more than one option."""
    return [one for one in selects if len(one["options"]) > 1]


def player_select(
    site: Site, name: str, label: str, idents: Iterable[str | None]
) -> Mapping[str, Any]:
    """Return a select of players, in the order of their names."""
    named = sorted({(site.name(ident), ident) for ident in idents if ident})
    return select(name, label, ((ident, shorten(words, _NAME)) for words, ident in named))


def neighbours(items: Sequence[object], index: int) -> dict[str, Any]:
    """Return the items `before` and `after` the one at an index; None at an end."""
    places = {"before": index - 1, "after": index + 1}
    return {name: items[at] if 0 <= at < len(items) else None for name, at in places.items()}
