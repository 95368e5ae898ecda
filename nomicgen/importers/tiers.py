"""The tiers of a source: which one a rule has by its number, and how entrenched each is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from nomicgen.importers.lines import tier_of_power

Span = tuple[int, int]
"""The first and the last of some numbers."""

RANKS = ("constitutional", "immutable", "mutable")
"""The tiers that are known by name, most entrenched first."""
LEAST = RANKS[-1]
MOST = 999_999_999
"""The highest number that a rule can have."""

_IDENT = r"[a-z][a-z0-9-]{0,63}"
_RANGE = r"(?P<from>[0-9]{1,9})?(?P<dash>-)?(?P<to>[0-9]{1,9})?"


@dataclass(frozen=True, slots=True, kw_only=True)
class TierMap:
    """The tiers as `--tiers` names them, most entrenched first; `spans` have the numbers of some,
    and `rest` is the tier of all other numbers, None if they have none.
    """

    names: tuple[str, ...] = ()
    spans: tuple[tuple[Span, str], ...] = ()
    rest: str | None = None
    text: str = field(default="", compare=False)

    @classmethod
    def parse(cls, text: str) -> TierMap:
        """Read `immutable,mutable` or `immutable=101-199,mutable=200-`. If some tiers have numbers,
        one may have none: it gets all others. So does a tier that is the only one.

        Raises ValueError for anything else.
        """
        names: list[str] = []
        spans: list[tuple[Span, str]] = []
        for entry in text.split(","):
            name, equals, numbers = entry.strip().partition("=")
            if not re.fullmatch(_IDENT, name):
                raise ValueError(
                    "should name tiers, most entrenched first, such as immutable,mutable"
                )
            if name not in names:
                names.append(name)
            if equals:
                spans.append((parse_span(numbers), name))
        rest = [name for name in names if all(tier != name for _, tier in spans)]
        if spans and len(rest) > 1:
            raise ValueError(
                f"should give the numbers of all tiers but one, and does not say those of {rest[0]}"
            )
        return cls(
            names=tuple(names),
            spans=tuple(spans),
            rest=rest[0] if rest and (spans or len(names) == 1) else None,
            text=text,
        )

    def __str__(self) -> str:
        return self.text

    def tier_of(self, number: int) -> str | None:
        """Return the tier of a rule by its number; None where the map does not say it."""
        found = (tier for (first, last), tier in self.spans if first <= number <= last)
        return next(found, self.rest)


def rank_tiers(tiers: Iterable[str], given: Sequence[str]) -> tuple[str, ...]:
    """Return the tiers of a game, most entrenched first; `tiers` are those that its source names.

    `given` are those that a map or `--tiers` names, in its order; the others go before them. If
    none are given, `immutable` and `mutable` are among the tiers, unless the source names only
    tiers of other names.
    """
    tiers = dict.fromkeys(tiers)
    if given:
        more = [tier for tier in tiers if tier not in given]
        return (*sorted(more, key=_rank), *given)
    usual = () if tiers and not any(tier in RANKS for tier in tiers) else ("immutable", LEAST)
    return tuple(sorted({*tiers, *usual}, key=_rank))


def _rank(tier: str) -> tuple[int, float, str]:
    """Return a sort key for a tier: powers first, from the highest; then other names; then the
    known names in their order.
    """
    if tier in RANKS:
        return RANKS.index(tier), 0, ""
    return (
        -1,
        -float(tier.removeprefix("power-").replace("-", ".")) if tier_of_power(tier) else 0,
        tier,
    )


def parse_span(text: str) -> Span:
    """Return the first and the last of numbers such as `101-199`, `200-` or `305`. Raises
    ValueError.
    """
    match = re.fullmatch(_RANGE, text.strip())
    if match is None or not (match["from"] or match["to"]) or (match["to"] and not match["dash"]):
        raise ValueError(f"should say numbers such as 101-199, 200- or 305, and {text!r} does not")
    first = int(match["from"] or 1)
    last = int(match["to"]) if match["to"] else MOST if match["dash"] else first
    if first > last:
        raise ValueError(f"should say numbers that ascend, and {text!r} does not")
    return first, last
