"""The lines of a text, and numbers as runs."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

_POWER = r"(?i)power(?:\s*[=:]\s*|\s+|-)(?P<whole>[0-9]{1,9})(?:[.-](?P<part>[0-9]{1,9}))?"


class Line(Struct, frozen=True):
    """A line of the file, or the part of one from `column` on. `number` and `column` count from
    1.
    """

    number: int
    column: int
    text: str

    @property
    def blank(self) -> bool:
        return not self.text.strip()


def lines_of(text: str) -> list[Line]:
    """Return the lines of a text."""
    return [Line(number, 1, line) for number, line in enumerate(text.split("\n"), 1)]


def tier_of_power(words: str) -> str | None:
    """Return the tier that a power is, `power-1-7` for `Power=1.70`; None for other words."""
    match = re.fullmatch(_POWER, words.strip())
    return (
        "-".join(
            ["power", str(int(match["whole"])), *filter(None, [(match["part"] or "").rstrip("0")])]
        )
        if match
        else None
    )


def runs_of(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Return numbers as runs of those that follow each other, each by its first and last."""
    runs: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def ranges_of(numbers: Iterable[int], most: int = 12) -> str:
    """Return numbers as they are said, `201, 203, 301–313`; beyond `most` runs, how many more there
    are.
    """
    runs = runs_of(numbers)
    shown = [str(first) if first == last else f"{first}–{last}" for first, last in runs[:most]]
    more = len(runs) - most
    return ", ".join(shown) + (f" and {more} more runs" if more > 0 else "")
