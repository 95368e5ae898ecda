"""Thresholds of adoptions and quorums, such as `majority` or `{at_least: 75%}`: how many votes each
asks for, and how that is said.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar, Literal, Self

from nomicgen.law.kind import require_one, unsaid
from nomicgen.law.voting.amounts import Amount, AmountField
from nomicgen.model.file_model import Model


class Threshold(Model):
    """A number of votes to reach (`at_least`) or to exceed (`more_than`); exactly one of them."""

    one_of: ClassVar[tuple[str, ...]] = ("more_than", "at_least")
    more_than: AmountField | None = unsaid("a share or a number of votes to exceed")
    at_least: AmountField | None = unsaid("a share or a number of votes to reach")

    @classmethod
    def read(cls, data: object) -> Self:
        """Return the threshold that a table says. Raises ValueError for anything else; for a wrong
        table it is an InvalidValue, with all that is wrong.
        """
        if not isinstance(data, cls | Mapping):
            raise ValueError("should be a table such as `{at_least: 75%}` or `{more_than: 3}`")
        return super().read(data)

    def check(self) -> None:
        require_one(self)
        require_reachable(self.more_than)


def require_reachable(more_than: Amount | None) -> None:
    """Raise ValueError if more than all votes would be needed."""
    if more_than is not None and more_than.share and more_than.value >= 1:
        raise ValueError("should be a share below one: there is nothing above all")


Needs = Literal["unanimous", "majority", "two-thirds"] | Threshold


def votes_needed(needs: str | Threshold, total: int) -> tuple[Fraction, bool]:
    """Return the votes that a threshold asks for out of `total`, perhaps not a whole number, and
    whether more than that are needed.
    """
    if isinstance(needs, Threshold):
        amount = needs.at_least if needs.more_than is None else needs.more_than
        assert amount is not None
        return amount.of(total), needs.more_than is not None
    return SHARES[needs] * total, needs == "majority"


# The share of votes that each word means; a majority is more than its share.
SHARES = {"unanimous": Fraction(1), "majority": Fraction(1, 2), "two-thirds": Fraction(2, 3)}


def suffices(needs: str | Threshold, for_: int, total: int) -> bool:
    """Return whether so many votes for are enough; for a share, 0 of 0 are not."""
    need, over = votes_needed(needs, total)
    if over:
        return for_ > need
    return for_ >= need and (total > 0 or not is_share(needs))


def is_share(needs: str | Threshold) -> bool:
    """Return whether a threshold grows with the number of voters; a count of votes does not."""
    amounts = (needs.more_than, needs.at_least) if isinstance(needs, Threshold) else ()
    return all(amount is None or amount.share for amount in amounts)


# What a share is a share of, in words, by the value of `of`.
BASES = {"eligible": "eligible voters", "cast": "votes cast", "players": "all players"}


def needs_words(needs: str | Threshold, base: str, unit: str = "vote") -> str:
    """Return what a threshold asks for, e.g. `more than 15% of all players`, `at least 3 votes`.

    `base` is a key of `BASES`.
    """
    of = BASES[base]
    if isinstance(needs, Threshold):
        word, amount = (
            ("more than", needs.more_than)
            if needs.more_than is not None
            else ("at least", needs.at_least)
        )
        assert amount is not None
        counted = (
            f"{amount} of {of}" if amount.share else f"{amount} {unit}{'s' * (amount.value != 1)}"
        )
        return f"{word} {counted}"
    words = {
        "unanimous": f"all {of}",
        "majority": f"more than half of {of}",
        "two-thirds": f"at least two thirds of {of}",
    }
    return words[needs].replace("all all", "all")


def needed_words(needs: str | Threshold, base: str, total: int, unit: str = "vote") -> str:
    """Return what was needed: `more than half of eligible voters (4): more than 2 needed`, or of
    three voters `more than half of eligible voters (3): more than 1.5, so at least 2 needed`.
    """
    need, over = votes_needed(needs, total)
    decimals = f"{float(need):.2f}".rstrip("0").rstrip(".")
    shown = need if need.denominator == 1 else f"{decimals}, so at least {math.ceil(need)}"
    return (
        f"{needs_words(needs, base, unit)} ({total}): {'more than ' if over else ''}{shown} needed"
    )
