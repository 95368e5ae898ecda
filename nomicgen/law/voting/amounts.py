"""Amounts of votes: a share such as `2/3`, or a count such as `3`; exact."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from msgspec import Struct

from nomicgen.model.types import ReadWith
from nomicgen.model.values import parse_fraction


class Amount(Struct, frozen=True):
    """A share of votes (`2/3`, `15%`), or a count of them (`3`)."""

    value: Fraction
    share: bool
    """Whether `value` is a share; else it is a count."""

    @classmethod
    def parse(cls, text: object) -> Amount:
        """Read `15%`, `2/3` or `3`. Raises ValueError for anything else, and for a share above
        one.
        """
        if isinstance(text, Amount):
            return text
        if not isinstance(text, str):
            raise ValueError("should be a share such as 2/3 or 15%, or a whole number of votes")
        value = parse_fraction(text)
        share = "/" in text or "%" in text
        if value < 0 or (share and value > 1):
            raise ValueError(
                "should be a share from 0 to 1, or a whole number of votes that is not negative"
            )
        return cls(value, share)

    def of(self, total: int) -> Fraction:
        """Return how many votes this is if there are `total`; a share may give a fraction."""
        return self.value * total if self.share else self.value

    def __str__(self) -> str:
        if not self.share:
            return str(self.value)
        percent = self.value * 100
        return _SHARES_IN_WORDS.get(self.value) or (
            f"{percent}%" if percent.denominator == 1 else str(self.value)
        )


_SHARES_IN_WORDS = {
    Fraction(1, 2): "half",
    Fraction(1, 3): "a third",
    Fraction(2, 3): "two thirds",
    Fraction(1, 4): "a quarter",
    Fraction(3, 4): "three quarters",
}

# The reader of YAML gives a whole number as a text, too.
_AMOUNT_SCHEMA = {
    "anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": r"^\d+(/\d+|%)?$"}]
}
AmountField = Annotated[Amount, ReadWith(Amount.parse, _AMOUNT_SCHEMA)]
