"""The history page: everything that happened in the game, day by day, the newest day first.

Whoever comes back wants to know what is new, so the newest day stands first; within a day things stand in their order,
since there the one led to the other. What one instrument or turn did on one day is one entry.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Any

from markupsafe import Markup

from nomicgen.history.game_events import EventKind, GameEvent
from nomicgen.history.history_lines import MONTHS
from nomicgen.site.addresses import HISTORY
from nomicgen.site.charts.growth import growth
from nomicgen.site.parts.filters import player_select, select
from nomicgen.site.parts.further_pages import list_pages
from nomicgen.site.parts.linked_history import CommitLink, instrument_commit
from nomicgen.site.parts.metadata import page_metadata
from nomicgen.site.parts.page import Page
from nomicgen.site.parts.page_foot import EVERYTHING
from nomicgen.site.render import render_inline, render_page
from nomicgen.site.site_view import Site, values_by_key

_KINDS = {
    "law": "changes of the law",
    "proposal": "proposals",
    "judgement": "judgements",
    "act": "acts",
    "turn": "turns",
    "points": "points",
    "player": "players",
}
_DECIDING: frozenset[EventKind] = frozenset({"decided", "judged", "acted"})

_Days = Sequence[tuple[date, Sequence[GameEvent]]]


def history_pages(site: Site) -> Iterator[tuple[str, str]]:
    """The page `history.md`. Each day on which something happened has the anchor `2020-07-27`."""
    by_day = [(day, tuple(events)) for day, events in groupby(site.events, _day_of)]
    days = [(day, events) for day, events in reversed(by_day) if day is not None]
    shown = list_pages(HISTORY, days, _span, lambda day: len(_by_file(day[1])))
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
            years=[(year, list(some)) for year, some in groupby(list_page.items, lambda day: day[0].year)],
            undated=() if here else [event for event in site.events if event.moment is None],
            by_file=_by_file,
            kinds_of=_kinds_of,
            players_of=_players_of,
            told=_told,
            selects=() if here else _selects(site),
            period=None if here else _period(site, days),
            further=shown[1:],
            imported=None if here else site.records.imported,
        )


def _day_of(event: GameEvent) -> date | None:
    return event.moment.day if event.moment else None


def _span(days: _Days) -> str:
    """`Jan 2003 – Mar 2004`."""
    months = dict.fromkeys(f"{MONTHS[day.month - 1]} {day.year:04}" for day, _ in (days[-1], days[0]))
    return " – ".join(months)


def _period(site: Site, days: _Days) -> Mapping[str, Any] | None:
    """The first and the last day that a reader may ask for, and periods up to today that many do; None without days."""
    if not days:
        return None
    today = site.today.day
    week, month = (today - timedelta(days=count - 1) for count in (7, 30))
    asked = ((week, "last 7 days"), (month, "last 30 days"), (today.replace(month=1, day=1), "this year"))
    return {"first": days[-1][0], "today": today, "asked": asked}


def _selects(site: Site) -> Sequence[Mapping[str, Any]]:
    kinds = _kinds_of(site, site.events)
    return (
        select("kind", "What", ((kind, words) for kind, words in _KINDS.items() if kind in kinds)),
        player_select(site, "player", "Player", _players_of(site, site.events)),
    )


def _by_file(events: Sequence[GameEvent]) -> Collection[Sequence[GameEvent]]:
    """The events of a day by the file that tells of them, each at the place of its first."""
    # The settings tell of the game's beginning and, with the rules, of its end: two things.
    return values_by_key(
        ((event.path, event.kind if event.path == "nomic.yml" else ""), event) for event in events
    ).values()


def _kinds_of(site: Site, events: Sequence[GameEvent]) -> Collection[str]:
    """What a filter finds some events under."""
    kinds: dict[str, None] = {}
    for event in events:
        instrument = site.records.instruments.get(event.path)
        if instrument is not None:
            kinds[instrument.kind] = None
        elif event.path.startswith("turns/"):
            kinds["turn"] = None
        elif event.player:
            kinds["player"] = None
        if event.kind in _MORE_KINDS:
            kinds[_MORE_KINDS[event.kind]] = None
    return kinds


_MORE_KINDS: Mapping[EventKind, str] = {"changed": "law", "awarded": "points", "won": "points"}


def _players_of(site: Site, events: Sequence[GameEvent]) -> Collection[str]:
    """The players of whom some events tell."""
    idents = [
        ident
        for event in events
        for ident in (event.player, *event.players, *(player for player, _ in event.points))
        if ident is not None and ident in site.names
    ]
    return dict.fromkeys(idents)


def _told(page: Page, events: Sequence[GameEvent]) -> Markup:
    """What one file tells of a day."""
    instrument = page.records.instruments.get(events[0].path)
    decided = any(event.kind in _DECIDING for event in events)
    return render_inline(
        page,
        "event",
        one=instrument,
        events=events,
        clauses=list(_clauses(events, decided)),
        decided=decided,
        commit=instrument_commit(page.site, instrument) if instrument and decided else CommitLink(),
    )


def _clauses(events: Sequence[GameEvent], decided: bool) -> Iterator[tuple[str, GameEvent | Sequence[GameEvent]]]:
    """What is told of an instrument, clause by clause: how, and of which events."""
    opened = any(event.kind == "opened" for event in events)
    for event in events:
        if event.kind in ("decided", "overruled", "judged"):
            yield event.kind, event
        # Of one day the last is enough: what was decided had been opened, what was opened put forward.
        elif not decided and (event.kind == "opened" or (event.kind == "proposed" and not opened)):
            yield "said", event
    changes = [event for event in events if event.kind == "changed"]
    if changes:
        yield "changed", changes
    yield from (("awarded", event) for event in events if event.kind == "awarded")
