"""The history page: everything that happened in the game, day by day, the newest day first.

A reader who comes back wants to know what is new, so the newest day stands first. Within a day, the
earliest comes first, since one thing led to the next. What one file tells of one day is one entry.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Any

from nomicgen.history.game_events import GameEvent
from nomicgen.history.history_lines import MONTHS
from nomicgen.site.addresses import HISTORY
from nomicgen.site.charts.growth import growth
from nomicgen.site.data.recent_changes import NEWS, NEWS_SCRIPTS
from nomicgen.site.parts.day_events import by_file, kinds_of, players_of, weeks
from nomicgen.site.parts.filters import player_select, select
from nomicgen.site.parts.further_pages import list_pages
from nomicgen.site.parts.metadata import page_metadata
from nomicgen.site.parts.page import Page
from nomicgen.site.parts.page_foot import EVERYTHING
from nomicgen.site.render import render_page
from nomicgen.site.site_view import Site
from nomicgen.site.told_events import day_html

# The kinds of `kinds_of`, with the words of the filter.
_KINDS = {
    "law": "changes of the law",
    "proposal": "proposals",
    "judgement": "judgements",
    "act": "acts",
    "turn": "turns",
    "points": "points",
    "player": "players",
}
_Days = Sequence[tuple[date, Sequence[GameEvent]]]


def history_pages(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the page `history.md`, and the further pages of a long history. Each day has an anchor,
    such as `2020-07-27`.
    """
    by_day = [(day, tuple(events)) for day, events in groupby(site.events, _day_of)]
    days = [(day, events) for day, events in reversed(by_day) if day is not None]
    shown = list_pages(HISTORY, days, _span, lambda day: len(by_file(day[1])))
    for list_page in shown:
        page, here = Page(site, list_page.path), list_page.name
        files = (event.path for _, events in list_page.items for event in events)
        yield render_page(
            page,
            "history.html",
            kind="history",
            meta={} if here else page_metadata(page),
            shows=tuple(dict.fromkeys(files)) if here else EVERYTHING,
            title=f"History {here}".rstrip(),
            description=f"Everything that happened in {site.settings.name}, day by day",
            crumbs=((HISTORY, "History"),) if here else (),
            here=here,
            picture=None if here else growth(page),
            years=[
                (year, list(some))
                for year, some in groupby(list_page.items, lambda day: day[0].year)
            ],
            undated=() if here else [event for event in site.events if event.moment is None],
            by_file=by_file,
            kinds_of=kinds_of,
            players_of=players_of,
            day_html=day_html,
            selects=() if here else _selects(site),
            period=None if here else _period(site, days),
            further=shown[1:],
            last_week=_last_week(site),
            news=None if here else NEWS,
            scripts=() if here else NEWS_SCRIPTS,
            imported=None if here else site.records.imported,
        )


def _last_week(site: Site) -> str | None:
    """Return the page of the last week up to today in which something happened; None if nothing
    did that has a date.
    """
    every = weeks(site)
    return every[-1].path if every else None


def _day_of(event: GameEvent) -> date | None:
    return event.moment.day if event.moment else None


def _span(days: _Days) -> str:
    """Return the months from the last of some days to the first, such as `Jan 2003 – Mar 2004`: the
    newest day comes first.
    """
    months = dict.fromkeys(
        f"{MONTHS[day.month - 1]} {day.year:04}" for day, _ in (days[-1], days[0])
    )
    return " – ".join(months)


def _period(site: Site, days: _Days) -> Mapping[str, Any] | None:
    """Return the first and the last day that a reader can ask for, and buttons (`asked`) for common
    periods up to today: their first day, and words.

    None if nothing has a date.
    """
    if not days:
        return None
    today = site.today.day
    week, month = (today - timedelta(days=count - 1) for count in (7, 30))
    asked = (
        (week, "last 7 days"),
        (month, "last 30 days"),
        (today.replace(month=1, day=1), "this year"),
    )
    return {"first": days[-1][0], "today": today, "asked": asked}


def _selects(site: Site) -> Sequence[Mapping[str, Any]]:
    kinds = kinds_of(site, site.events)
    return (
        select("kind", "What", ((kind, words) for kind, words in _KINDS.items() if kind in kinds)),
        player_select(site, "player", "Player", players_of(site, site.events)),
    )
