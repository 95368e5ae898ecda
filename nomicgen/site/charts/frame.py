"""The frame of a picture: the numbers as a table, the names of what it shows, the axis of the
game's time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from nomicgen.model.values import Moment
from nomicgen.site.charts.svg import Scale, position, time_ticks
from nomicgen.site.parts.page import Page
from nomicgen.site.render import render_inline
from nomicgen.site.site_view import Site

TOP, HEIGHT, FULL = 8, 240, 264
"""Where a chart begins and ends, and how high it is with the axis below it, in pixels."""


class ChartTable(Struct, frozen=True, kw_only=True):
    """The numbers of a picture: cells are text or links. The first of each row is its heading."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: frozenset[int] = frozenset()
    """The columns, besides the first, that hold words and no numbers."""
    called: str = "The numbers"


class Axis(Struct, frozen=True, kw_only=True):
    """The game's time, from left to right: ticks are a place, 0 to 1, and a day's name."""

    scale: Scale
    ticks: tuple[tuple[float, str], ...]

    def share(self, moment: Moment | None, before: float = 0) -> float:
        """Return where something stands, from 0 to 1; what has no date where the one before it
        stood.
        """
        return min(max(self.scale(position(moment)), before), 1) if moment is not None else before


def axis_of(
    site: Site, moments: Iterable[Moment | None], since: Moment | None = None
) -> Axis | None:
    """Return the axis of the game's time, or of that from `since` on.

    None if most of `moments` are not known, or if all happened on one day.
    """
    given = tuple(moments)
    known = [moment for moment in given if moment is not None]
    if len(known) * 2 < len(given) or not known:
        return None
    happened = [event.moment for event in site.events if event.moment is not None]
    past = [moment for moment in happened if moment <= site.today] or happened
    first, last = since or min([*past, *known]), max([*past, *known])
    if first.day >= last.day:
        return None
    scale = Scale(position(first), position(last), 0, 1)
    ticks = ((scale(day.toordinal()), words) for day, words in time_ticks(first.day, last.day))
    return Axis(scale=scale, ticks=tuple((min(max(share, 0), 1), words) for share, words in ticks))


def render_chart(page: Page, name: str, table: ChartTable, **values: Any) -> Markup:
    """Return a picture from a template, `chart_NAME`.

    `values` are its headline `title`, the sentence `said` below it, a `note`, and what its drawing
    needs.
    """
    shown = {"name": name, "table": table, "said": "", "note": "", "height": FULL, **values}
    return render_inline(page, f"chart_{name}", **shown)
