"""Dates in Agora's data: some are inexact, and some are in no calendar."""

from __future__ import annotations

import re
from datetime import date, timedelta

from msgspec import Struct

from nomicgen.model.values import Moment

_DAY = r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
_MONTHS = 12


class When(Struct, frozen=True, kw_only=True):
    """A date: the day that the import takes, None if it is unknown; and the data's words, '' if
    there are none, or they say just that day.
    """

    day: date | None
    words: str = ""

    @property
    def moment(self) -> Moment | None:
        """The date for the ledger, as inexact as the words if these can be; None if unknown."""
        try:
            return Moment.parse_inexact(self.words or str(self.day)) if self.day else None
        except ValueError:
            return Moment.of(self.day) if self.day else None


def day_of(text: str) -> date | None:
    """Return the day that a text says, or if its month has no such day, the nearest that it has;
    None where the text is no date.
    """
    match = re.fullmatch(_DAY, text)
    year, month, day = (int(one) for one in match.groups()) if match else (0, 0, 0)
    if not (1 <= year < date.max.year and 1 <= month <= _MONTHS):
        return None
    first = date(year, month, 1)
    last = date(year + month // _MONTHS, month % _MONTHS + 1, 1) - timedelta(days=1)
    return min(max(first, first + timedelta(days=day - 1)), last)
