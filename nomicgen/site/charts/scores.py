"""The scores of all players through the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from markupsafe import Markup

from nomicgen.history.standings import Score
from nomicgen.model.identifiers import PlayerId
from nomicgen.play.scores_text import amount
from nomicgen.site.charts.frame import BOTTOM, TOP, Axis, ChartTable, axis_of, render_chart
from nomicgen.site.charts.svg import WIDTH, Scale, round_ticks, step_line, without_small_steps
from nomicgen.site.parts.page import Page
from nomicgen.site.site_view import Site
from nomicgen.site.texts.short_words import shorten

_NAMED = 8
"""How many of the highest scores are named, and drawn in colours; others are in the background."""
_STEPS = 1000
"""About how many steps all lines in the background have together."""

# Each place on the axis, from 0 to 1, at which a score changed, and the score from there on.
_Course = Sequence[tuple[float, Fraction]]


def scores(page: Page, player: PlayerId | None = None) -> Markup | None:
    """Return the picture of all players' scores through the game, or of one player's.

    None if there are no points, or the game's time has no axis (`axis_of`).
    """
    site, standings = page.site, page.site.standings
    shown = [score for score in standings.scores if player in (None, score.player)]
    axis = axis_of(site, [line.moment for line in page.replay.awards])
    if axis is None or not any(score.lines for score in shown):
        return None
    courses = {score.player: _course(score, axis) for score in shown}
    title = "Scores" if player is None else f"The score of {shorten(site.name(player), 40)}"
    return render_chart(
        page,
        "scores",
        _table(page, shown, courses),
        title=title,
        standings=standings if player is None else None,
        axis=axis,
        **_drawing(site, shown, courses),
    )


def _course(score: Score, axis: Axis) -> _Course:
    course, total, share = [(0.0, Fraction(0))], Fraction(0), 0.0
    for line in score.lines:
        total += line.amount
        share = axis.share(line.moment, share)
        course.append((share, total))
    return course


def _drawing(
    site: Site, shown: Sequence[Score], courses: Mapping[PlayerId, _Course]
) -> dict[str, Any]:
    totals = [float(total) for course in courses.values() for _, total in course]
    ticks = round_ticks(min(totals), max(totals))
    levels = Scale(ticks[0], ticks[-1], BOTTOM, TOP)
    # The lines in the background share so many steps, however many they are.
    coarse = max(4, len(shown) * WIDTH // _STEPS)
    lines = []
    for place, score in enumerate(shown, 1):
        steps = ((share * WIDTH, levels(float(total))) for share, total in courses[score.player])
        points = without_small_steps(steps, 2 if place <= _NAMED else coarse)
        lines.append((place if place <= _NAMED else 0, step_line(points, WIDTH)))
    key = [(amount(score.total), shorten(site.name(score.player), 22)) for score in shown[:_NAMED]]
    return {"ticks": ticks, "levels": levels, "lines": lines, "key": key}


def _table(page: Page, shown: Sequence[Score], courses: Mapping[PlayerId, _Course]) -> ChartTable:
    rows = []
    for score in shown:
        totals = [total for _, total in courses[score.player]]
        moments = [line.moment for line in score.lines if line.moment is not None]
        last = page.when(max(moments)) if moments else "—"
        rows.append(
            (page.who(score.player), *map(amount, (score.total, min(totals), max(totals))), last)
        )
    return ChartTable(
        head=("Player", "points", "lowest", "highest", "last change"),
        rows=rows,
        words=frozenset({4}),
    )
