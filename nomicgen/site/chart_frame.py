"""The frame of a picture: its headline, the drawing, the numbers as a table; and the axes that two of them share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from nomicgen.model import Moment
from nomicgen.site import svg
from nomicgen.site.site_view import Site
from nomicgen.site.svg import Scale

TOP, HEIGHT, FULL = 8, 240, 264
"""Where a chart begins and ends, and how high it is with the axis below it, in pixels."""


class Table(Struct, frozen=True, kw_only=True):
    """The numbers of a picture: cells are text or links. The first of each row is its heading."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: frozenset[int] = frozenset()
    """The columns, besides the first, that hold words and no numbers."""
    called: str = "The numbers"


# Of a drawing's width on a phone, what a letter below it takes.
_LETTER = 0.04


class Axis(Struct, frozen=True, kw_only=True):
    """What runs from left to right: the game's time, or, where it has no dates, one change after the other.

    `first` and `last` are its ends in words.
    """

    scale: Scale
    marks: tuple[tuple[float, str, bool], ...]
    dated: bool
    first: str
    last: str

    def share(self, moment: Moment | None, index: int, before: float = 0) -> float:
        """Where something stands, from 0 to 1; what has no date where the one before it stood."""
        if not self.dated:
            return self.scale(index)
        return min(max(self.scale(svg.position(moment)), before), 1) if moment is not None else before


def axis_of(site: Site, moments: Iterable[Moment | None], since: Moment | None = None) -> Axis | None:
    """The axis of the game's time, or of that from `since` on.

    None where the most of `moments` are not known, or all of them one day.
    """
    all_ = tuple(moments)
    told = [event.moment for event in site.events if event.moment is not None]
    known = [one for one in all_ if one is not None]
    if len(known) * 2 < len(all_) or not known:
        return None
    past = [one for one in told if one <= site.today] or told
    first, last = since or min([*past, *known]), max([*past, *known])
    if first.day >= last.day:
        return None
    scale = Scale(svg.position(first), svg.position(last), 0, 1)
    ticks = [(scale(one.at), one) for one in svg.time_ticks(first.day, last.day) if scale(one.at) <= 1]
    taken = (len(ticks[0][1].text) + len(ticks[-1][1].text) / 2) * _LETTER if ticks else 0
    return Axis(
        scale=scale,
        marks=tuple((share, one.text, one.spare or 0.04 <= share < taken) for share, one in ticks),
        dated=True,
        first=str(first.day),
        last=str(last.day),
    )


def count_axis(count: int) -> Axis:
    """The axis of a game without dates: as many places as things happened, after the beginning."""
    scale = Scale(0, max(count, 1), 0, 1)
    ticks = [one for one in svg.round_ticks(0, max(count, 1)) if one <= count]
    marks = tuple((scale(one), str(one), False) for one in ticks)
    return Axis(scale=scale, marks=marks, dated=False, first="the beginning", last="the end")


class Label(Struct, frozen=True, kw_only=True):
    """Words at the right end of what they name: `strong` before `text`, at the height `y`; a dot in the look `dot`."""

    y: float
    strong: str
    text: str
    dot: str = ""


def placed(labels: Iterable[Label]) -> Sequence[tuple[Label, float]]:
    """Labels with their places, which do not overlap."""
    order = sorted(labels, key=lambda one: one.y)
    return list(zip(order, svg.spread_labels([one.y for one in order], 16, 6, HEIGHT), strict=True))


def counted_words(counts: Mapping[str, int]) -> str:
    """`3 immutable, 20 mutable`."""
    return ", ".join(f"{count} {name}" for name, count in counts.items())
