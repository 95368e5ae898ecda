"""Points on pages: those that an instrument gave, the sum of a turn, and the total after each
line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from nomicgen.law.replay.results import ScoreLine
from nomicgen.model.front_matters import Award
from nomicgen.model.records import Instrument
from nomicgen.play.scores_text import signed
from nomicgen.site.site_view import Site, values_by_key


def points_of(
    site: Site, instrument: Instrument
) -> Sequence[tuple[Award | ScoreLine, int | None, Sequence[str]]]:
    """Return the points that an instrument gave or took; if it has not done so yet, those that its
    file names.

    Each is a triple: the points, the number of the rule that gives them (None if the file names
    them), and the players who get the same.
    """
    lines: Sequence[Award | ScoreLine] = (
        site.awards_of.get(instrument.path) or instrument.matter.points or ()
    )
    ruled = [(line.rule if isinstance(line, ScoreLine) else None, line) for line in lines]
    groups = values_by_key(((rule, line.amount, line.reason), line) for rule, line in ruled)
    return [
        (same[0], rule, [line.player for line in same]) for (rule, _, _), same in groups.items()
    ]


def turn_of(path: str) -> str:
    """Return the turn of the file of a turn: `R4T1`; '' for any other file."""
    return path.removeprefix("turns/").removesuffix(".yml") if path.startswith("turns/") else ""


def signed_sum(lines: Iterable[ScoreLine]) -> str:
    """Return the sum of some lines of scores, with its sign; '' if there are none."""
    amounts = [line.amount for line in lines]
    return (signed(total) if (total := sum(amounts, Fraction(0))) else "±0") if amounts else ""


def score_rows(lines: Sequence[ScoreLine]) -> Sequence[tuple[ScoreLine, Fraction]]:
    """Return lines of scores, the newest first, each with the total that its player then had.

    `lines` are all lines of their players, the earliest first.
    """
    totals: dict[str, Fraction] = {}
    rows = []
    for line in lines:
        totals[line.player] = totals.get(line.player, Fraction(0)) + line.amount
        rows.append((line, totals[line.player]))
    return rows[::-1]
