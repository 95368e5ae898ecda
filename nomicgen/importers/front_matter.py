"""Front matter above a rule's text: lines `key: value` between two lines of three hyphens.

A map says which key means what. What the other keys say belongs to nobody's law, and is no part of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from nomicgen.importers.tiers import RANKS

Meaning = Literal["number", "tier", "title", "revision"]

_CALLED: Mapping[Meaning, tuple[str, ...]] = MappingProxyType(
    {
        "number": ("number", "rule", "no", "id"),
        "tier": ("mutability", "tier", "type", "class", "status"),
        "title": ("title", "name"),
        "revision": ("revision",),
    }
)
_RULER = "---"
_KEY = r"(?P<key>[A-Za-z][\w .-]{0,40}?)[ \t]*:(?:[ \t]+(?P<value>.*))?"
_MORE = r"(?:[ \t]+|- |#).*"
_NUMBER = r"(?i)(?:rule[ #]*)?(?P<number>[1-9][0-9]{0,8})"
_REVISION = r"0|[1-9][0-9]{0,5}"
_TIER = r"[A-Za-z][A-Za-z0-9-]{0,63}"
_MOST = 100


class FrontKeys(Struct, frozen=True):
    """What the keys of a front matter mean, each in small letters."""

    meanings: Mapping[str, Meaning] = field(default_factory=lambda: MappingProxyType({}))


class FrontMatter(Struct, frozen=True, kw_only=True):
    """What a front matter says of a rule, None where it says nothing; `end` is the line below it, from 0. `unsaid` are
    the lines of keys that mean nothing of that, each with its number, from 1.
    """

    end: int
    number: int | None = None
    tier: str | None = None
    title: str | None = None
    revision: int | None = None
    unsaid: tuple[tuple[int, str], ...] = ()


def read_front_matter(lines: Sequence[str], keys: FrontKeys) -> FrontMatter | None:
    """The front matter with which lines begin, None where they begin with none."""
    found = _values(lines)
    return replace(_meant(*found, keys), unsaid=tuple(_unsaid(lines, found[1], keys))) if found is not None else None


def _unsaid(lines: Sequence[str], end: int, keys: FrontKeys) -> Iterator[tuple[int, str]]:
    key = ""
    for at, line in enumerate(lines[1 : end - 1], 2):
        match = re.fullmatch(_KEY, line.rstrip())
        key = match["key"].casefold() if match else key
        if key not in keys.meanings:
            yield at, line


def _values(lines: Sequence[str]) -> tuple[dict[str, str], int] | None:
    """The values of a front matter by key, in small letters, and the line below it, from 0."""
    if not lines or lines[0].rstrip() != _RULER:
        return None
    values: dict[str, str] = {}
    for at, line in enumerate(lines[1:_MOST], 1):
        if line.rstrip() == _RULER:
            return (values, at + 1) if values else None
        if match := re.fullmatch(_KEY, line.rstrip()):
            values.setdefault(match["key"].casefold(), (match["value"] or "").strip().strip("\"'"))
        elif line.strip() and re.fullmatch(_MORE, line) is None:
            return None
    return None


def keys_of_front_matter(lines: Sequence[str]) -> dict[Meaning, str]:
    """The keys of a front matter by what their names say that they mean; none where it has no number."""
    found = _values(lines)
    if found is None:
        return {}
    keys: dict[Meaning, str] = {}
    for meaning, names in _CALLED.items():
        named = [name for name in names if name in found[0]]
        if meaning == "tier":
            named = [name for name in named if found[0][name].casefold() in RANKS]
        if named:
            keys[meaning] = named[0]
    return keys if re.fullmatch(_NUMBER, found[0].get(keys.get("number", ""), "")) else {}


def _meant(values: Mapping[str, str], end: int, keys: FrontKeys) -> FrontMatter:
    said = {meaning: values.get(key, "") for key, meaning in keys.meanings.items()}
    number, tier, revision = (said.get(key, "") for key in ("number", "tier", "revision"))
    match = re.fullmatch(_NUMBER, number)
    return FrontMatter(
        end=end,
        number=int(match["number"]) if match else None,
        tier=tier.casefold() if re.fullmatch(_TIER, tier) else None,
        title=said.get("title") or None,
        revision=int(revision) if re.fullmatch(_REVISION, revision) else None,
    )
