"""A page for each of the last weeks in which something happened (`weeks` in
`parts/day_events.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import groupby

from nomicgen.site.addresses import HISTORY
from nomicgen.site.parts.day_events import by_file, kinds_of, players_of, weeks
from nomicgen.site.parts.filters import neighbours
from nomicgen.site.parts.page import Page
from nomicgen.site.render import render_page
from nomicgen.site.site_view import Site
from nomicgen.site.told_events import day_html


def digest_pages(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the page of each week."""
    every = weeks(site)
    for place, week in enumerate(every):
        page = Page(site, week.path)
        days = groupby(week.events, lambda event: event.moment.day if event.moment else date.min)
        yield render_page(
            page,
            "digest.html",
            kind="history",
            shows=tuple(dict.fromkeys(event.path for event in week.events)),
            title=f"The week {week.name}",
            description=f"What happened in {site.settings.name} from {week.first} to {week.last}",
            crumbs=((HISTORY, "History"),),
            here=week.name,
            week=week,
            summary=week.summary(site),
            days=[(day, tuple(events)) for day, events in days],
            by_file=by_file,
            kinds_of=kinds_of,
            players_of=players_of,
            day_html=day_html,
            **neighbours(every, place),
        )
