"""The filters of a list, and the neighbours of an item in one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nomicgen.site.site_view import Site
from nomicgen.site.texts.short_words import shorten

# Browsers make a list of choices as wide as its widest.
_NAME = 30


def choices(*values: object) -> str:
    """Return the values of an item that a select may ask for; several are parted by a bar."""
    return "|".join(
        " ".join(str(value).replace("|", "/").split())
        for value in values
        if value not in (None, "")
    )


def select(name: str, label: str, options: Iterable[tuple[object, str]]) -> Mapping[str, Any]:
    """Return a select of a filter, by (value, words)."""
    return {
        "name": name,
        "label": label,
        "options": [{"value": choices(value), "text": words} for value, words in options],
    }


def with_choices(selects: Iterable[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Return the selects that leave a choice."""
    return [choice for choice in selects if len(choice["options"]) > 1]


def player_select(
    site: Site, name: str, label: str, idents: Iterable[str | None]
) -> Mapping[str, Any]:
    """Return a select of players, by their names."""
    named = sorted({(site.name(ident), ident) for ident in idents if ident})
    return select(name, label, ((ident, shorten(words, _NAME)) for words, ident in named))


def neighbours(items: Sequence[object], index: int) -> dict[str, Any]:
    """Return the item `before` one and that `after` it; None at an end."""
    places = {"before": index - 1, "after": index + 1}
    return {name: items[at] if 0 <= at < len(items) else None for name, at in places.items()}
