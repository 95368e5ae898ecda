"""The primitives of the pictures: elements, scales with ticks at round places, steps, labels that keep apart.

Everything across is in percent or in units of a drawing that stretches, everything down in pixels: a picture fills
whatever width it is given, and its words keep their size.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta

from msgspec import Struct

from nomicgen.archive.history_lines import MONTHS
from nomicgen.model import Moment

WIDTH = 800
"""The width of a stretched drawing in its own units: about a pixel each, on a page as wide as a column of text."""

Points = Sequence[tuple[float, float]]

# What turns the direction of the text around it; isolated words need none of it.
_TURNING = dict.fromkeys([0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])


def number(value: float) -> str:
    """A number as short as a picture needs it: at most one digit after the point."""
    text = f"{value:.1f}"
    return text.removesuffix(".0") if text not in ("-0.0", "0.0") else "0"


def percent(share: float) -> str:
    """A share of the width: `37.5%`."""
    return f"{number(share * 100)}%"


class Scale(Struct, frozen=True):
    """Maps `first`…`last` onto `start`…`end`, straight; all of it onto `start` where there is no distance to map."""

    first: float
    last: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        span = self.last - self.first
        return self.start + (value - self.first) / span * (self.end - self.start) if span else self.start


def round_ticks(low: float, high: float, most: int = 6) -> tuple[int, ...]:
    """At most `most` + 1 whole numbers at even, round distances (1, 2, 5, 10, …) that enclose `low` and `high`."""
    step = 1
    for exponent in range(12):
        for factor in (1, 2, 5):
            step = factor * 10**exponent
            first, last = math.floor(low / step), max(math.ceil(high / step), math.floor(low / step) + 1)
            if last - first <= most:
                return tuple(one * step for one in range(first, last + 1))
    return (math.floor(low / step) * step, math.ceil(high / step) * step)


def position(moment: Moment) -> float:
    """A moment on a scale, in days."""
    return moment.day.toordinal() + (moment.clock.hour * 60 + moment.clock.minute) / 1440


class Tick(Struct, frozen=True):
    """A place on an axis of time, in days, and what stands there; `spare` ones go where there is little room."""

    at: int
    text: str
    spare: bool = False


def time_ticks(first: date, last: date, most: int = 7) -> tuple[Tick, ...]:
    """At most `most` days, months or years between two days, at even distances; the first says the year."""
    for step in (1, 3, *(12 * 10**power * factor for power in range(4) for factor in (1, 2, 5))):
        months = tuple(_months(first, last, step))
        if step == 1 and len(months) < 3:
            return _days(first, last, most)
        if len(months) <= most:
            return tuple(_labelled(months, months_only=step < 12))
    raise AssertionError("the calendar ends before it has seven times 5000 years")


def _months(first: date, last: date, step: int) -> Iterator[date]:
    index = first.year * 12 + first.month - 1 + (first.day > 1)
    for month in range(-(-index // step) * step, last.year * 12 + last.month, step):
        if month // 12 <= date.max.year:
            yield date(month // 12, month % 12 + 1, 1)


def _labelled(days: Sequence[date], *, months_only: bool) -> Iterator[Tick]:
    for index, day in enumerate(days):
        month = MONTHS[day.month - 1]
        text = str(day.year) if day.month == 1 else f"{month} {day.year}" if index == 0 else month
        yield Tick(day.toordinal(), text if months_only else str(day.year), _is_spare(index, len(days)))


def _days(first: date, last: date, most: int) -> tuple[Tick, ...]:
    length = (last - first).days
    step = next(one for one in (1, 2, 5, 7, 14) if length // one < most)
    days = [first + timedelta(days=offset) for offset in range(0, length + 1, step)]
    said = [
        f"{MONTHS[day.month - 1]} {day.day}{f', {day.year}' if not index else ''}" for index, day in enumerate(days)
    ]
    return tuple(
        Tick(day.toordinal(), text, index % 2 == 1) for index, (day, text) in enumerate(zip(days, said, strict=True))
    )


def _is_spare(index: int, count: int) -> bool:
    return count > 3 and index % -(-count // 2) != 0


def without_small_steps(points: Iterable[tuple[float, float]], grain: float = 1) -> tuple[tuple[float, float], ...]:
    """Points from left to right, of those closer than `grain` only the last; steps that change nothing go too."""
    kept: list[tuple[float, float]] = []
    for x, y in points:
        place = round(x / grain) * grain
        if kept and kept[-1][0] == place:
            kept.pop()
        if not kept or kept[-1][1] != y:
            kept.append((place, y))
    return tuple(kept)


def step_line(points: Points, end: float) -> str:
    """The path of a line that keeps each height until the next point, and the last until `end`."""
    if not points:
        return ""
    parts = [f"M{number(points[0][0])} {number(points[0][1])}"]
    parts += [f"H{number(x)}V{number(y)}" for x, y in points[1:]]
    return "".join([*parts, f"H{number(end)}"])


def step_area(points: Points, end: float, base: float) -> str:
    """The path of the area below such a line, wider than its drawing: of its outline only the line itself is seen."""
    if not points:
        return ""
    out = 10
    ground = f"H{number(end + out)}V{number(base + out)}H{-out}V{number(points[0][1])}Z"
    return f"{step_line(points, end)}{ground}"


def spread_labels(wanted: Sequence[float], gap: float, low: float, high: float) -> tuple[float, ...]:
    """Places for labels near where they are wanted, in the same order (ascending), `gap` apart, within the bounds.

    With more labels than have room the gap becomes smaller.
    """
    if not wanted:
        return ()
    gap = min(gap, (high - low) / max(len(wanted) - 1, 1))
    places: list[float] = []
    for index, one in enumerate(wanted):
        floor = places[-1] + gap if places else low
        places.append(min(max(one, floor), high - gap * (len(wanted) - 1 - index)))
    # What was pushed down goes back up together, to where it is least wrong.
    for index in range(len(places) - 2, -1, -1):
        slack = places[index + 1] - gap - places[index]
        if slack > 0 and places[index] < wanted[index]:
            places[index] += min(slack, wanted[index] - places[index])
    return tuple(places)


def shortened(text: str, most: int) -> str:
    """A text on one line in at most so many columns: wide letters count two, marks none. Nothing in it turns others."""
    whole = " ".join("".join(" " if unicodedata.category(one) == "Cc" else one for one in text).split())
    whole = whole.translate(_TURNING)
    if sum(map(_columns, whole)) <= most:
        return whole
    width, kept = 1, []
    for letter in whole:
        width += _columns(letter)
        if width > most:
            break
        kept.append(letter)
    return f"{''.join(kept).rstrip(' ,;:.')}…"


def _columns(letter: str) -> int:
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in ("W", "F") else 1


def bidi_isolated(text: str, most: int) -> str:
    """A player's words amid others in plain text: cut, and set apart, so that no direction spills out of them."""
    return f"\N{FIRST STRONG ISOLATE}{shortened(text, most)}\N{POP DIRECTIONAL ISOLATE}"
