"""Dates of Agora's data: some are inexact, and some are in no calendar."""

from __future__ import annotations

import re
from datetime import date, timedelta

from msgspec import Struct

from nomicgen.model.values import Moment

_DAY = r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
_MONTHS = 12


class When(Struct, frozen=True, kw_only=True):
    """A date: the day that is taken, None if unknown, and the data's words if they differ."""

    day: date | None
    words: str = ""

    @property
    def moment(self) -> Moment | None:
        """The date as a ledger has it, None where none is known."""
        try:
            return Moment.parse_inexact(self.words or str(self.day)) if self.day else None
        except ValueError:
            return Moment.of(self.day) if self.day else None


def day_of(text: str) -> date | None:
    """Return the day that a text says, or the one before it if its month has no such day."""
    match = re.fullmatch(_DAY, text)
    year, month, day = (int(one) for one in match.groups()) if match else (0, 0, 0)
    if not (1 <= year < date.max.year and 1 <= month <= _MONTHS):
        return None
    first = date(year, month, 1)
    last = date(year + month // _MONTHS, month % _MONTHS + 1, 1) - timedelta(days=1)
    return min(max(first, first + timedelta(days=day - 1)), last)
