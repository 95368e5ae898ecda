"""Which tier a rule of a text has, and what the text says of its own numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from nomicgen.importers.text_lines import tier_of_power
from nomicgen.patterns import lazy_pattern

Span = tuple[int, int]

RANKS = ("constitutional", "immutable", "mutable")
"""The tiers that are known by name, most entrenched first."""
LEAST = RANKS[-1]
MOST = 999_999_999

_IDENT = lazy_pattern(r"[a-z][a-z0-9-]{0,63}")
_RANGE = lazy_pattern(r"(?P<from>[0-9]{1,9})?(?P<dash>-)?(?P<to>[0-9]{1,9})?")
_N = r"#?([0-9]{1,9})"
_RUN = rf"{_N}(?:\s*(?:[-–—]|\bto\b|\bthrough\b)\s*{_N})?"
_ARE = r"\s+(?:are|is|shall be|will be)\s+(?:all\s+)?(?:initially\s+|originally\s+)?"
_FIRST = lazy_pattern(
    r"\bnumber(?:s|ed|ing)\b[^.]{0,60}?\b(?:begin|start)(?:s|ning|ing)?\s+(?:with|at|from)\s+(?P<one>[0-9]{1,9})\b"
    r"|\bfirst\s+propos(?:al|ed rule-?\s?change)\b[^.]{0,40}?\bnumber(?:ed)?\s+(?:is\s+)?(?P<two>[0-9]{1,9})\b",
    re.IGNORECASE,
)


class Statement(Struct, frozen=True, kw_only=True):
    """What a rule of the set says: the rules numbered within `span` are of `tier`."""

    span: Span
    tier: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TierMap:
    """What `--tiers` says: the tiers, most entrenched first, which numbers are of which, and which has the `rest`."""

    names: tuple[str, ...] = ()
    spans: tuple[Statement, ...] = ()
    rest: str | None = None
    text: str = field(default="", compare=False)

    @classmethod
    def parse(cls, text: str) -> TierMap:
        """Reads `immutable,mutable` or `immutable=101-199,mutable=200-`; the one tier without numbers has all others.

        Raises ValueError for anything else.
        """
        names: list[str] = []
        spans: list[Statement] = []
        for entry in text.split(","):
            name, equals, numbers = entry.strip().partition("=")
            if not _IDENT.fullmatch(name):
                raise ValueError("should name tiers, most entrenched first, such as immutable,mutable")
            if name not in names:
                names.append(name)
            if equals:
                spans.append(Statement(span=_span(numbers), tier=name))
        rest = [name for name in names if all(span.tier != name for span in spans)]
        if spans and len(rest) > 1:
            raise ValueError(f"should give the numbers of all tiers but one, and does not say those of {rest[0]}")
        return cls(names=tuple(names), spans=tuple(spans), rest=rest[0] if spans and rest else None, text=text)

    def __str__(self) -> str:
        return self.text

    def of(self, number: int) -> str | None:
        return tier_of(number, self.spans) or self.rest


def tier_of(number: int, statements: Iterable[Statement]) -> str | None:
    """The tier of a rule by the first statement that covers it."""
    return next((statement.tier for statement in statements if statement.span[0] <= number <= statement.span[1]), None)


def ranked(tiers: Iterable[str], typed: Sequence[str]) -> tuple[str, ...]:
    """The tiers of a game, most entrenched first: in the order typed, if one was; the usual two if none is said."""
    tiers = dict.fromkeys(tiers)
    if typed:
        more = [tier for tier in tiers if tier not in typed]
        return (*sorted(more, key=_rank), *typed)
    usual = () if tiers and not any(tier in RANKS for tier in tiers) else ("immutable", LEAST)
    return tuple(sorted({*tiers, *usual}, key=_rank))


def statements(text: str, names: Iterable[str]) -> Iterator[Statement]:
    """What a rule's text says of the tiers of numbers: `101-116 (immutable)`, `in the 200's are mutable`."""
    words = " ".join(text.split())
    tier = rf"(?P<tier>{'|'.join(sorted(map(re.escape, names), key=len, reverse=True))})\b"
    stated: list[tuple[int, Statement]] = []
    for pattern, span_of in (
        (rf"\b{_RUN}\s*\({tier}\)", _run),
        (rf"\brules?\s+(?:numbered\s+)?{_RUN}{_ARE}{tier}", _run),
        (rf"\bin\s+the\s+{_N}['’]?s(?:\s+range)?{_ARE}{tier}", _hundreds),
    ):
        stated += [
            (match.start(), Statement(span=span_of(match), tier=match["tier"].casefold()))
            for match in re.finditer(pattern, words, re.IGNORECASE)
        ]
    yield from (statement for _, statement in sorted(stated, key=lambda pair: pair[0]))


def first_number(texts: Iterable[str]) -> int | None:
    """The number of the first proposal, where a rule says it."""
    matches = (match for text in texts if (match := _FIRST.search(" ".join(text.split()))))
    return next((int(match["one"] or match["two"]) for match in matches), None)


def _rank(tier: str) -> tuple[int, float, str]:
    """The more power, the more entrenched."""
    if tier in RANKS:
        return RANKS.index(tier), 0, ""
    return -1, -float(tier.removeprefix("power-").replace("-", ".")) if tier_of_power(tier) else 0, tier


def _span(text: str) -> Span:
    match = _RANGE.fullmatch(text.strip())
    if match is None or not (match["from"] or match["to"]) or (match["to"] and not match["dash"]):
        raise ValueError(f"should say numbers such as 101-199, 200- or 305, and {text!r} does not")
    first = int(match["from"] or 1)
    last = int(match["to"]) if match["to"] else MOST if match["dash"] else first
    if first > last:
        raise ValueError(f"should say numbers that ascend, and {text!r} does not")
    return first, last


def _run(match: re.Match[str]) -> Span:
    first = int(match[1])
    return first, int(match[2]) if match[2] else first


def _hundreds(match: re.Match[str]) -> Span:
    number = int(match[1])
    size = 10 ** (len(match[1]) - len(match[1].rstrip("0"))) if number else 1
    return number, number + size - 1
