"""Scales with ticks at round numbers, and lines of steps, as paths of SVG.

Widths are in percent, or in units of a drawing that stretches; heights are in pixels. So a picture
fills whatever width it is given, and its words keep their size.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import count

from msgspec import Struct

from nomicgen.history.history_lines import MONTHS, shown_date
from nomicgen.model.values import Moment
from nomicgen.site.render import number

WIDTH = 800
"""The width of a stretched drawing: a unit is about a pixel on a page of a text column's width."""

Points = Sequence[tuple[float, float]]

# The most ticks of an axis of numbers, and of the axis of time.
_TICKS, _TIME_TICKS = 7, 4
# The distances that ticks in time may have, in months.
_MONTHS = (1, 3, 6, *(12 * factor * 10**power for power in range(4) for factor in (1, 2, 5)))


class Scale(Struct, frozen=True):
    """Maps the numbers from `first` to `last` linearly onto those from `start` to `end`. If `first`
    and `last` are the same, every number becomes `start`.
    """

    first: float
    last: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        span = self.last - self.first
        return (
            self.start + (value - self.first) / span * (self.end - self.start)
            if span
            else self.start
        )


def round_ticks(low: float, high: float) -> tuple[int, ...]:
    """Return two to seven round numbers in even steps of 1, 2, 5, 10, 20 …; the first is at most
    `low`, the last at least `high`.
    """
    for step in (factor * 10**exponent for exponent in count() for factor in (1, 2, 5)):
        first = math.floor(low / step)
        last = max(math.ceil(high / step), first + 1)
        if last - first < _TICKS:
            return tuple(range(first * step, (last + 1) * step, step))
    raise AssertionError("there is always a larger step")


def position(moment: Moment) -> float:
    """Return a moment on a scale, in days."""
    return moment.day.toordinal() + (moment.clock.hour * 60 + moment.clock.minute) / 1440


def time_ticks(first: date, last: date) -> tuple[tuple[date, str], ...]:
    """Return two to four first days of months or years at even distances, each with its words:
    `Oct 2026`, `2026`. If no distance gives so many, return the two ends.
    """
    # A month that is under way on the first day began before it.
    begin = first.year * 12 + first.month - 1 + (first.day > 1)
    end = last.year * 12 + last.month - 1
    for step in _MONTHS:
        months = range(-(-begin // step) * step, end + 1, step)
        if len(months) < 2:
            break
        if len(months) <= _TIME_TICKS:
            days = [date(month // 12, month % 12 + 1, 1) for month in months]
            return tuple(
                (day, f"{day.year}" if step >= 12 else f"{MONTHS[day.month - 1]} {day.year}")
                for day in days
            )
    return tuple((day, shown_date(Moment.of(day))) for day in (first, last))


def without_small_steps(
    points: Iterable[tuple[float, float]], grain: float = 1
) -> tuple[tuple[float, float], ...]:
    """Return points, given from left to right, without those that one could not see: of several in
    one column of the width `grain`, the last stays, and of equal heights in a row, the first.
    """
    kept: list[tuple[float, float]] = []
    for x, y in points:
        place = round(x / grain) * grain
        if kept and kept[-1][0] == place:
            kept.pop()
        if not kept or kept[-1][1] != y:
            kept.append((place, y))
    return tuple(kept)


def step_line(points: Points, end: float) -> str:
    """Return the path of a line that is level from each point to the next, and then to `end`."""
    if not points:
        return ""
    parts = [f"M{number(points[0][0])} {number(points[0][1])}"]
    parts += [f"H{number(x)}V{number(y)}" for x, y in points[1:]]
    return "".join([*parts, f"H{number(end)}"])


def step_area(points: Points, end: float, base: float) -> str:
    """Return the path of the area below a `step_line`.

    It is wider than the drawing: so only the line is seen of its outline.
    """
    if not points:
        return ""
    out = 10
    ground = f"H{number(end + out)}V{number(base + out)}H{-out}V{number(points[0][1])}Z"
    return f"{step_line(points, end)}{ground}"
