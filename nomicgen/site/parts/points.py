"""Points as pages tell of them: what an instrument or a turn brought, and what a player had after
each line.
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
    """Return the points that an instrument brought; before it brings them, those that its file
    names.

    Each comes with the rule that gives it, and with the players who got the same.
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
    """Return the turn that a file tells of; '' where it is another file."""
    return path.removeprefix("turns/").removesuffix(".yml") if path.startswith("turns/") else ""


def signed_sum(lines: Iterable[ScoreLine]) -> str:
    """Return the sum of some lines, with its sign; '' where there are none."""
    amounts = [line.amount for line in lines]
    return (signed(total) if (total := sum(amounts, Fraction(0))) else "±0") if amounts else ""


def score_rows(lines: Sequence[ScoreLine]) -> Sequence[tuple[ScoreLine, Fraction]]:
    """Return lines of scores, the newest first, each with what its player had after it."""
    totals: dict[str, Fraction] = {}
    rows = []
    for line in lines:
        totals[line.player] = totals.get(line.player, Fraction(0)) + line.amount
        rows.append((line, totals[line.player]))
    return rows[::-1]
