"""Scores as people read them: exact, line by line."""

from __future__ import annotations

from fractions import Fraction

from nomicgen.law.replay.results import Winner


def amount(value: Fraction) -> str:
    """Return an amount of points as a mixed number: `20/3` as `6 2/3`."""
    sign = "\N{MINUS SIGN}" if value < 0 else ""
    whole, rest = divmod(abs(value), 1)
    if not rest:
        return f"{sign}{whole}"
    return f"{sign}{f'{whole} ' if whole else ''}{rest}"


def signed(value: Fraction) -> str:
    """Return an amount with its sign, as points that are given or taken: `+10`."""
    return amount(value) if value < 0 else f"+{amount(value)}"


def won(winner: Winner) -> str:
    """Return who has won: `wren won on 2026-11-18, with 100 points or more (Rule 208)`."""
    when = f" on {winner.moment}" if winner.moment is not None else ""
    *others, last = winner.players
    who = f"{', '.join(others)} and {last}" if others else last
    return f"{who} won{when}, with {amount(winner.points)} points or more (Rule {winner.rule})"
