"""Front matter above a rule's text: lines `key: value` between two lines of three hyphens.

A map says which keys give a rule's number, tier, title and revision. The other keys are no part of
the rule's text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal

from msgspec import Struct

from nomicgen.importers.tiers import RANKS

Meaning = Literal["number", "tier", "title", "revision"]
"""What a key of front matter says of a rule."""

_USUAL_KEYS: Mapping[Meaning, tuple[str, ...]] = MappingProxyType(
    {
        "number": ("number", "rule", "no", "id"),
        "tier": ("mutability", "tier", "type", "class", "status"),
        "title": ("title", "name"),
        "revision": ("revision",),
    }
)
"""The names that the key of each meaning usually has; the first that is there counts, or for a tier
the first that holds a known one.
"""
_RULER = "---"
_KEY = r"(?P<key>[A-Za-z][\w .-]{0,40}?)[ \t]*:(?:[ \t]+(?P<value>.*))?"
_CONTINUED = r"(?:[ \t]+|- |#).*"
"""A line that goes on with the value of the key above it, or a comment."""
_NUMBER = r"(?i)(?:rule[ #]*)?(?P<number>[1-9][0-9]{0,8})"
_MOST = 100
"""The most lines that a front matter may have."""


class FrontMatter(Struct, frozen=True, kw_only=True):
    """What a front matter says of a rule, by meaning; `end` is the line below it, counted from 0.

    `others` are the lines of keys without a meaning, with their numbers, counted from 1.
    """

    end: int
    said: Mapping[str, str]
    others: tuple[tuple[int, str], ...]


def read_front_matter(lines: Sequence[str], keys: Mapping[str, Meaning]) -> FrontMatter | None:
    """Return the front matter at the beginning of some lines, None where there is none.

    `keys` gives the meaning of each key, in small letters.
    """
    found = _values(lines)
    if found is None:
        return None
    values, key_by_line = found
    said: dict[str, str] = {
        meaning: values[key] for key, meaning in keys.items() if values.get(key)
    }
    if match := re.fullmatch(_NUMBER, said.pop("number", "")):
        said["number"] = match["number"]
    others = ((at, lines[at - 1]) for at, key in enumerate(key_by_line, 2) if key not in keys)
    return FrontMatter(end=len(key_by_line) + 2, said=said, others=tuple(others))


def _values(lines: Sequence[str]) -> tuple[dict[str, str], list[str]] | None:
    """Return a front matter's values by key, and the key of each of its lines, in small letters;
    None if the lines begin with none.
    """
    if not lines or lines[0].rstrip() != _RULER:
        return None
    values: dict[str, str] = {}
    key_by_line: list[str] = []
    for line in lines[1:_MOST]:
        if line.rstrip() == _RULER:
            return (values, key_by_line) if values else None
        if match := re.fullmatch(_KEY, line.rstrip()):
            key_by_line.append(match["key"].casefold())
            values.setdefault(key_by_line[-1], (match["value"] or "").strip().strip("\"'"))
        elif line.strip() and re.fullmatch(_CONTINUED, line) is None:
            return None
        else:
            key_by_line.append(key_by_line[-1] if key_by_line else "")
    return None


def keys_of_front_matter(lines: Sequence[str]) -> dict[Meaning, str]:
    """Return the keys of a front matter whose names tell a meaning, by meaning; empty where none
    holds a rule's number.
    """
    found = _values(lines)
    if found is None:
        return {}
    keys: dict[Meaning, str] = {}
    for meaning, names in _USUAL_KEYS.items():
        named = [name for name in names if name in found[0]]
        if meaning == "tier":
            named = [name for name in named if found[0][name].casefold() in RANKS]
        if named:
            keys[meaning] = named[0]
    return keys if re.fullmatch(_NUMBER, found[0].get(keys.get("number", ""), "")) else {}
