"""Reading a rule's provisions: raw YAML to the shapes of `shapes`, and what does not fit.

Raw provisions are the YAML of a front matter with every scalar as its source text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from nomicgen.files import read_rule
from nomicgen.law.shapes import LISTED, MODELS, WORDS, Becomes, Provision, Sunset

__all__ = ["Problem", "Provisions", "TierTable", "parse_provisions"]


@dataclass(frozen=True, slots=True)
class TierTable:
    """A provision that is a table by tier (`entrenchment`, `cap`, `floor`), with its `over` and `under`."""

    tiers: Mapping[str, Any]
    over: tuple[int, ...] = ()
    under: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """Why raw provisions do not fit: `path` leads to the place, below `provisions`."""

    path: tuple[str | int, ...]
    message: str
    unknown: bool = False


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
    kinds: dict[str, tuple[Any, ...]] = {}
    problems: list[Problem] = []
    for kind, value in (raw or {}).items():
        if kind not in MODELS:
            problems.append(Problem((kind,), kind, unknown=True))
            continue
        if kind in WORDS and isinstance(value, str):
            value = {"when": value}
        many = kind in LISTED and isinstance(value, list)
        found: list[Any] = []
        for index, item in enumerate(value if many else [value]):
            path: tuple[str | int, ...] = (kind, index) if many else (kind,)
            try:
                parsed = MODELS[kind].model_validate(item)
            except ValidationError as error:
                problems.extend(_problems(path, error))
                continue
            unknown = _unknown_tiers(kind, parsed, tiers)
            problems.extend(Problem((*path, *where), text) for where, text in unknown)
            if isinstance(parsed, Sunset) and not isinstance(parsed.becomes, str):
                inner = parse_provisions(parsed.becomes.provisions, tiers)[1]
                problems.extend(
                    Problem((*path, "becomes", "provisions", *one.path), one.message, one.unknown) for one in inner
                )
                unreadable = [Problem((*path, "becomes", "text"), text) for text in _unreadable(parsed.becomes)]
                problems.extend(unreadable)
                if unreadable:
                    continue
            if not unknown:
                found.append(_table(parsed) if kind in ("entrenchment", "cap", "floor") else parsed)
        if many and not value:
            problems.append(Problem((kind,), "should not be empty"))
        if found:
            kinds[kind] = tuple(found)
    return Provisions(kinds), tuple(problems)


def _table(parsed: Provision) -> TierTable:
    return TierTable(dict(parsed.__pydantic_extra__ or {}), parsed.over, parsed.under)


def _unreadable(becomes: Becomes) -> Iterator[str]:
    """Why the text that a rule is to have by itself can be no rule's; an act could not carry it out."""
    if becomes.text is not None:
        _, findings = read_rule("rules/1.md", f"---\nnumber: 1\nmutability: any\n---\n\n{becomes.text}\n".encode())
        told = dict.fromkeys(one.message for one in findings if one.slug != "final-newline")
        yield from (f"cannot be the text of a rule: {message}" for message in told)


def _unknown_tiers(kind: str, parsed: Any, tiers: tuple[str, ...] | None) -> list[tuple[tuple[str, ...], str]]:
    named: list[tuple[tuple[str, ...], str]] = []
    if kind in ("entrenchment", "cap", "floor"):
        named = [((tier,), tier) for tier in parsed.__pydantic_extra__ or {}]
        if not named:
            return [((), "should name a tier")]
    elif kind == "adoption":
        named = [(("from",), tier) for tier in parsed.from_ or ()] + [(("into",), tier) for tier in parsed.into or ()]
    return [
        (path, f"{tier} is no tier of this game (nomic.yml has {', '.join(tiers or ())})")
        for path, tier in named
        if tiers is not None and tier not in tiers
    ]


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


def _phrase(kind: str, message: str, context: Mapping[str, Any]) -> str:
    match kind:
        case "extra_forbidden":
            return "is a key that this provision does not have"
        case "missing":
            return "is missing"
        case "literal_error":
            return f"should be {context['expected']}"
        case "value_error":
            return message.removeprefix("Value error, ")
        case "model_type" | "dict_type" | "model_attributes_type":
            return "should be a table of keys"
        case "list_type" | "tuple_type":
            return "should be a list"
        case "greater_than_equal":
            return f"should be {context['ge']} or more"
        case "greater_than":
            return f"should be more than {context['gt']}"
        case "int_type":
            return "should be a whole number such as 203"
        case "too_short" | "string_too_short":
            return "should not be empty"
        case "string_pattern_mismatch" | "string_type":
            return "should be a name of small letters, digits and hyphens"
    return message.lower()
