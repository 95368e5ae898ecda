"""Reading a rule's provisions: raw YAML to what their kinds make of it, and what does not fit.

Raw provisions are the YAML of a front matter with every scalar as its source text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from nomicgen.law.kind import Problem
from nomicgen.law.kinds import kinds

__all__ = ["Provisions", "parse_provisions"]


@dataclass(frozen=True, slots=True)
class Provisions:
    """A rule's provisions, read: by kind, a tuple of one or (adoption, authority, points) more."""

    kinds: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.kinds)

    def of(self, kind: str) -> tuple[Any, ...]:
        return self.kinds.get(kind, ())


def parse_provisions(
    raw: Mapping[str, Any] | None, tiers: tuple[str, ...] | None
) -> tuple[Provisions, tuple[Problem, ...]]:
    """Reads the provisions of a rule; what does not fit is a problem and left out. With `tiers` None any will do."""
    found: dict[str, tuple[Any, ...]] = {}
    problems: list[Problem] = []
    for name, value in (raw or {}).items():
        kind = kinds().get(name)
        if kind is None:
            problems.append(Problem((name,), name, unknown=True))
            continue
        many = kind.listed and isinstance(value, list)
        read: list[Any] = []
        for index, item in enumerate(value if many else [value]):
            path: tuple[str | int, ...] = (name, index) if many else (name,)
            try:
                one = kind.schema.model_validate({"when": item} if kind.by_word and isinstance(item, str) else item)
            except ValidationError as error:
                problems.extend(_problems(path, error))
                continue
            misfits = [*kind.misfits(one, tiers)] if kind.misfits else []
            problems.extend(replace(problem, path=(*path, *problem.path)) for problem in misfits)
            read += [] if misfits else [one]
        if many and not value:
            problems.append(Problem((name,), "should not be empty"))
        if read:
            found[name] = tuple(read)
    return Provisions(found), tuple(problems)


def _problems(path: tuple[str | int, ...], error: ValidationError) -> list[Problem]:
    """The problems that pydantic found, without the names of its union branches, one for each place."""
    found: dict[tuple[str | int, ...], list[str]] = {}
    for one in error.errors(include_url=False):
        place = (*path, *(step for step in one["loc"] if isinstance(step, int) or _is_key(step)))
        found.setdefault(place, []).append(_phrase(one["type"], one["msg"], one.get("ctx", {})))
    # Of a union's branches, the one that got furthest is the one that was meant.
    deepest = [one for one in found if not any(other[: len(one)] == one for other in found if len(other) > len(one))]
    return [Problem(place, _either(found[place])) for place in deepest]


def _either(phrases: list[str]) -> str:
    first, *others = dict.fromkeys(phrases)
    return ", or ".join([first, *(one.removeprefix("should be ") for one in others)])


def _is_key(step: str) -> bool:
    return not any(letter in step for letter in "[]()") and step[:1].islower() and step not in _BRANCHES


_BRANCHES = frozenset({"literal", "function-before", "constrained-int", "int", "str", "dict", "list", "bool"})


_PHRASES = {
    "extra_forbidden": "is a key that this provision does not have",
    "missing": "is missing",
    "literal_error": "should be {expected}",
    **dict.fromkeys(("model_type", "dict_type", "model_attributes_type"), "should be a table of keys"),
    **dict.fromkeys(("list_type", "tuple_type"), "should be a list"),
    "greater_than_equal": "should be {ge} or more",
    "greater_than": "should be more than {gt}",
    "int_type": "should be a whole number such as 203",
    **dict.fromkeys(("too_short", "string_too_short"), "should not be empty"),
    **dict.fromkeys(
        ("string_pattern_mismatch", "string_type"), "should be a name of small letters, digits and hyphens"
    ),
}


def _phrase(kind: str, message: str, context: Mapping[str, Any]) -> str:
    if kind in _PHRASES:
        return _PHRASES[kind].format(**context)
    return message.removeprefix("Value error, ") if kind == "value_error" else message.lower()
