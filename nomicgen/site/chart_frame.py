"""The frame of a picture: its headline, the drawing, the numbers as a table; and the axes that two of them share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from markupsafe import Markup
from msgspec import Struct

from nomicgen.model import Moment
from nomicgen.site import svg
from nomicgen.site.site_view import Site
from nomicgen.site.svg import Scale, element

TOP, HEIGHT, FULL = 8, 240, 264
"""Where a chart begins and ends, and how high it is with the axis below it, in pixels."""


class Table(Struct, frozen=True, kw_only=True):
    """The numbers of a picture: cells are text or links. The first of each row is its heading."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: frozenset[int] = frozenset()
    """The columns, besides the first, that hold words and no numbers."""
    called: str = "The numbers"


def figure(name: str, headline: str, said: str, drawn: Markup, table: Table, note: str = "") -> Markup:
    """A picture with all that belongs to it; `said` is the sentence below the headline."""
    caption = element(
        "figcaption",
        element("strong", headline, class_="n-figure-head"),
        *((Markup(" "), element("span", said, class_="n-figure-said")) if said else ()),
        *((Markup(" "), element("span", note, class_="n-figure-note")) if note else ()),
    )
    numbers = element("details", element("summary", table.called), _table(headline, table), class_="n-numbers")
    return element("figure", caption, drawn, numbers, class_=f"n-figure n-figure--{name}")


def _table(headline: str, table: Table) -> Markup:
    head = [element("th", text, scope="col", class_=_kind(index, table)) for index, text in enumerate(table.head)]
    body = []
    for row in table.rows:
        cells = [element("td", cell, class_=_kind(index, table)) for index, cell in enumerate(row) if index]
        body.append(element("tr", element("th", row[0], scope="row"), *cells))
    whole = element("table", element("thead", element("tr", *head)), element("tbody", *body))
    # A region that scrolls must be reached by the keyboard.
    return element(
        "div", whole, class_="n-scroll", tabindex="0", role="region", aria_label=f"{headline}: {table.called.lower()}"
    )


def _kind(index: int, table: Table) -> str | None:
    return "n-number" if index and index not in table.words else None


def drawing(name: str, title: str, desc: str, *content: str, height: float = FULL, links: bool = False) -> Markup:
    """The drawing itself. One that holds links is a group: what is in an image cannot be reached."""
    return element(
        "div",
        element(
            "svg",
            element("title", title),
            element("desc", desc),
            *content,
            class_="n-chart",
            role="group" if links else "img",
            aria_label=f"{title}. {desc}" if links else None,
            width="100%",
            height=height,
        ),
        class_=f"n-plot n-plot--{name}",
    )


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
    ticks = [one for one in svg.nice_ticks(0, max(count, 1)) if one <= count]
    marks = tuple((scale(one), str(one), False) for one in ticks)
    return Axis(scale=scale, marks=marks, dated=False, first="the beginning", last="the end")


def grid(axis: Axis, levels: Scale, ticks: Sequence[int]) -> Iterator[Markup]:
    """The lines across at each tick, its number to their left; the marks of the axis below."""
    for tick in ticks:
        y = levels(tick)
        yield element("line", x1="0", x2="100%", y1=y, y2=y, class_="n-zero" if tick == 0 else "n-grid")
        text = (f"{tick // 1000}k" if max(map(abs, ticks)) >= 10000 else str(tick)).replace("-", "\N{MINUS SIGN}")
        yield element("text", text, x="0", dx="-7", y=y + 4, class_="n-tick n-tick--left")
    bottom = levels(ticks[0])
    for share, text, spare in axis.marks:
        kind = "n-tick--first" if share < 0.04 else "n-tick--last" if share > 0.96 else "n-tick--below"
        x = svg.percent(share)
        yield element("line", x1=x, x2=x, y1=levels(ticks[-1]), y2=bottom, class_="n-grid")
        yield element("text", text, x=x, y=bottom + 20, class_=f"n-tick {kind}{' n-tick--spare' if spare else ''}")


def bound(y: float, text: str) -> Markup:
    """The words of a line across that bounds a chart: above its right end, below it where there is no room."""
    return element("text", text, x="100%", dx="-6", y=y - 6 if y > 2 * TOP + 6 else y + 15, class_="n-bound")


class Label(Struct, frozen=True, kw_only=True):
    """Words at the right end of what they name: `strong` before `text`, at the height `y`; a dot in the look `dot`."""

    y: float
    strong: str
    text: str
    dot: str = ""


def labels(all_: Iterable[Label], height: float, gap: float = 16) -> Markup:
    """Labels that do not overlap, each with a line to its place."""
    order = sorted(all_, key=lambda one: one.y)
    places = svg.spread([one.y for one in order], gap, 6, height)
    drawn: list[Markup] = []
    for one, place in zip(order, places, strict=True):
        if one.dot:
            drawn.append(element("circle", cx=0, cy=one.y, r=3, class_=f"n-dot {one.dot}"))
        drawn.append(element("path", d=f"M4 {svg.number(one.y)}L12 {svg.number(place)}", class_="n-leader"))
        strong = element("tspan", one.strong, class_="n-value")
        drawn.append(
            element(
                "text",
                strong,
                " ",
                element("tspan", one.text, class_="n-label"),
                x=16,
                y=place + 4,
            )
        )
    # A drawing of its own at the right edge, in pixels: whatever the picture's width, labels start where it ends.
    return element("svg", *drawn, x="100%", overflow="visible", width="1", height=height)


def counted_words(counts: Mapping[str, int]) -> str:
    """`3 immutable, 20 mutable`."""
    return ", ".join(f"{count} {name}" for name, count in counts.items())
