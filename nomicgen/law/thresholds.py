"""Thresholds: how many votes for are enough. Exact."""

from __future__ import annotations

from fractions import Fraction

from nomicgen.law.shapes import Threshold

__all__ = ["is_share", "suffices", "votes_needed"]


def votes_needed(needs: str | Threshold, base: int) -> tuple[Fraction, bool]:
    """How many votes a threshold asks for of `base`, perhaps not a whole number, and whether it asks for more."""
    if isinstance(needs, Threshold):
        amount = needs.at_least if needs.more_than is None else needs.more_than
        assert amount is not None
        return amount.of(base), needs.more_than is not None
    if needs == "majority":
        return Fraction(base, 2), True
    return Fraction(base) if needs == "unanimous" else Fraction(2 * base, 3), False


def suffices(needs: str | Threshold, for_: int, base: int) -> bool:
    """Whether so many votes for are enough; no share is reached where there is nobody."""
    need, over = votes_needed(needs, base)
    if over:
        return for_ > need
    return for_ >= need and (base > 0 or not is_share(needs))


def is_share(needs: str | Threshold) -> bool:
    """Whether a threshold grows with the number of voters; a count of votes does not."""
    amounts = (needs.more_than, needs.at_least) if isinstance(needs, Threshold) else ()
    return all(one is None or one.share for one in amounts)
