"""Front matter above a rule's text: lines `key: value` between two lines of three hyphens.

Which key means what is guessed where it is plain, and said by `--front-matter RULE=number,Type=tier` where it is not.
What the other keys say belongs to nobody's law, and is no part of the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal, cast, get_args

from msgspec import Struct, field

from nomicgen.importers.tiers import RANKS
from nomicgen.patterns import lazy_pattern

Meaning = Literal["number", "tier", "title", "revision"]

_GUESSED: Mapping[Meaning, tuple[str, ...]] = MappingProxyType(
    {
        "number": ("number", "rule", "no", "id"),
        "tier": ("mutability", "tier", "type", "class", "status"),
        "title": ("title", "name"),
        "revision": ("revision",),
    }
)
_RULER = "---"
_KEY = lazy_pattern(r"(?P<key>[A-Za-z][\w .-]{0,40}?)[ \t]*:(?:[ \t]+(?P<value>.*))?")
_MORE = lazy_pattern(r"(?:[ \t]+|- |#).*")
_NUMBER = lazy_pattern(r"(?:rule[ #]*)?(?P<number>[1-9][0-9]{0,8})", re.IGNORECASE)
_REVISION = lazy_pattern(r"0|[1-9][0-9]{0,5}")
_TIER = lazy_pattern(r"[A-Za-z][A-Za-z0-9-]{0,63}")
_MOST = 100


class FrontKeys(Struct, frozen=True):
    """What the keys of a front matter mean, each in small letters; none are said where they are to be guessed."""

    meanings: Mapping[str, Meaning] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def parse(cls, text: str) -> FrontKeys:
        """Reads `RULE=number,Type=tier`. Raises ValueError for anything else."""
        meanings: dict[str, Meaning] = {}
        for entry in text.split(","):
            key, _, meaning = (part.strip() for part in entry.partition("="))
            if not key or meaning not in get_args(Meaning):
                raise ValueError("should name keys and what they mean, such as RULE=number,Type=tier")
            meanings[key.casefold()] = cast("Meaning", meaning)
        return cls(MappingProxyType(meanings))

    def __str__(self) -> str:
        return ",".join(f"{key}={meaning}" for key, meaning in self.meanings.items())


class FrontMatter(Struct, frozen=True, kw_only=True):
    """What a front matter says of a rule, None where it says nothing; `end` is the line below it, from 0."""

    end: int
    number: int | None = None
    tier: str | None = None
    title: str | None = None
    revision: int | None = None


def read_front_matter(lines: Sequence[str], keys: FrontKeys | None = None) -> FrontMatter | None:
    """The front matter with which lines begin, None where they begin with none."""
    if not lines or lines[0].rstrip() != _RULER:
        return None
    values: dict[str, str] = {}
    for at, line in enumerate(lines[1:_MOST], 1):
        if line.rstrip() == _RULER:
            return _meant(values, at + 1, keys or FrontKeys()) if values else None
        if match := _KEY.fullmatch(line.rstrip()):
            values.setdefault(match["key"].casefold(), (match["value"] or "").strip().strip("\"'"))
        elif line.strip() and _MORE.fullmatch(line) is None:
            return None
    return None


def _meant(values: Mapping[str, str], end: int, keys: FrontKeys) -> FrontMatter:
    number = _NUMBER.fullmatch(_value("number", values, keys))
    tier, revision = _value("tier", values, keys), _value("revision", values, keys)
    is_said = "tier" in keys.meanings.values()
    return FrontMatter(
        end=end,
        number=int(number["number"]) if number else None,
        tier=tier.casefold() if _TIER.fullmatch(tier) and (is_said or tier.casefold() in RANKS) else None,
        title=_value("title", values, keys) or None,
        revision=int(revision) if _REVISION.fullmatch(revision) else None,
    )


def _value(meaning: Meaning, values: Mapping[str, str], keys: FrontKeys) -> str:
    """The value of the key that means something, '' where there is none; of those that are guessed the first counts."""
    named = [key for key, what in keys.meanings.items() if what == meaning]
    if named:
        return next((values[key] for key in named if key in values), "")
    guessed = [values[key] for key in _GUESSED[meaning] if key in values and key not in keys.meanings]
    if meaning == "tier":
        # A rule's type may be anything: what is no tier's name says nothing of it.
        return next((tier for tier in guessed if tier.casefold() in RANKS), "")
    return next(iter(guessed), "")
