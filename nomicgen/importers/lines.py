"""Small parts of texts: a line with its place, a rule's power as a tier, numbers as ranges."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

_POWER = r"(?i)power(?:\s*[=:]\s*|\s+|-)(?P<whole>[0-9]{1,9})(?:[.-](?P<part>[0-9]{1,9}))?"
_MOST = 12
"""How many runs of numbers are said."""


class Line(Struct, frozen=True):
    """A line of a file, or its part from `column` on; `number` and `column` count from 1."""

    number: int
    column: int
    text: str

    @property
    def blank(self) -> bool:
        return not self.text.strip()


def tier_of_power(words: str) -> str | None:
    """Return the tier for a power, which Agora's rules have: `power-1-7` for `Power=1.70`; None for
    other words.
    """
    match = re.fullmatch(_POWER, words.strip())
    return (
        "-".join(
            ["power", str(int(match["whole"])), *filter(None, [(match["part"] or "").rstrip("0")])]
        )
        if match
        else None
    )


def runs_of(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Return the first and the last of each run of numbers without a gap, such as 2, 3, 4."""
    runs: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def ranges_of(numbers: Iterable[int]) -> str:
    """Return numbers in words, `201, 203, 301–313`: at most `_MOST` runs of them, and how many more
    there are.
    """
    runs = runs_of(numbers)
    shown = [str(first) if first == last else f"{first}–{last}" for first, last in runs[:_MOST]]
    more = len(runs) - _MOST
    return ", ".join(shown) + (f" and {more} more runs" if more > 0 else "")
