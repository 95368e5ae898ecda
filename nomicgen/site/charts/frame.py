"""What the charts of growth and of scores share: the numbers as a table, and the axis of time."""

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

TOP, BOTTOM, FULL = 8, 240, 264
"""In pixels from the top: where a chart begins, where it ends, and where the axis below it ends."""


class ChartTable(Struct, frozen=True, kw_only=True):
    """The numbers of a picture as a table. Cells are texts or links; the first of each row is the
    row's heading.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: frozenset[int] = frozenset()
    """The indices of the columns, besides the first, that hold words and no numbers."""
    called: str = "The numbers"
    """What a reader clicks to see the table."""


class Axis(Struct, frozen=True, kw_only=True):
    """The game's time, from left to right. A tick is a place, from 0 to 1, and the words below it,
    such as `Oct 2026`.
    """

    scale: Scale
    ticks: tuple[tuple[float, str], ...]

    def share(self, moment: Moment | None, before: float = 0) -> float:
        """Return the place of a moment, from 0 to 1. It is never left of `before`, the place of the
        moment drawn before it; a moment that is not known has the same place as that one.
        """
        return min(max(self.scale(position(moment)), before), 1) if moment is not None else before


def axis_of(
    site: Site, moments: Iterable[Moment | None], since: Moment | None = None
) -> Axis | None:
    """Return the axis of the game's time, or of the time from `since` on.

    `moments` are those of what the picture shows. Return None if there are none, if more than half
    of them are not known, or if that time is one day.
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
    """Return a picture from the template `chart_NAME.html`.

    `values` are its headline `title`, the sentence `said` below it, a `note`, and the values for
    its drawing.
    """
    shown = {"name": name, "table": table, "said": "", "note": "", "height": FULL, **values}
    return render_inline(page, f"chart_{name}", **shown)
