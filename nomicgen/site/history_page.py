"""The history page: everything that happened in the game, day by day, the newest day first.

Whoever comes back wants to know what is new, so the newest day stands first; within a day things stand in their order,
since there the one led to the other. What one instrument or turn did on one day is one entry.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Any

from nomicgen.archive.game_events import EventKind, GameEvent
from nomicgen.archive.history_lines import MONTHS
from nomicgen.model import Moment
from nomicgen.site.addresses import HISTORY
from nomicgen.site.charts import growth, proposals
from nomicgen.site.further_pages import first_page, further_list_pages, list_page_links, weight
from nomicgen.site.linked_history import CommitLink, instrument_commit
from nomicgen.site.metadata import page_metadata
from nomicgen.site.page import Page
from nomicgen.site.page_foot import EVERYTHING
from nomicgen.site.render import render_inline, render_page
from nomicgen.site.shared_pieces import choices, player_select, select
from nomicgen.site.site_view import Site

_MOST_POINTS = 6
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


def history_pages(site: Site) -> Iterator[tuple[str, str]]:
    """The page `history.md`. Each day on which something happened has the anchor `2020-07-27`."""
    events, main = site.events, Page(site, HISTORY)
    days = [(day, tuple(some)) for day, some in groupby(events, _day_of)]
    dated = [(day, some) for day, some in reversed(days) if day is not None]
    undated = [_entry(main, some) for day, found in days if day is None for some in _entries(found)]
    made = [_day(main, *one) for one in dated]
    leaves = further_list_pages(HISTORY, [weight(one) for one in made])
    names = [_span(dated[one.last - 1][0], dated[one.first][0]) for one in leaves]
    for leaf, here in zip((first_page(HISTORY, leaves, len(made)), *leaves), ("", *names), strict=True):
        page, some = Page(site, leaf.page), dated[leaf.first : leaf.last]
        shown = [_day(page, *one) for one in some] if here else made[: leaf.last]
        yield render_page(
            page,
            "history.html",
            kind="history",
            meta={} if here else page_metadata(page),
            shows=_files(events for _, events in some) if here else EVERYTHING,
            title=f"History {here}".rstrip(),
            description=f"Everything that happened in {site.settings.name}, day by day",
            crumbs=((HISTORY, "History"),) if here else (),
            here=here,
            pictures=() if here else list(filter(None, (growth(page), proposals(page)))),
            lead="" if here else _lead(events, len(dated)),
            years=[(year, list(days)) for year, days in groupby(shown, lambda one: one["year"])],
            undated=() if here else undated,
            selects=_selects(site, events),
            period=None if here else _period(site, dated),
            leaves=list_page_links(page, leaves, names),
            imported=None if here else site.records.imported,
        )


def _files(days: Iterable[Sequence[GameEvent]]) -> Sequence[str]:
    """The files that tell of some days."""
    return tuple(dict.fromkeys(one.path for events in days for one in events))


def _span(first: date, last: date) -> str:
    """`Jan 2003 – Mar 2004`."""
    months = dict.fromkeys(f"{MONTHS[day.month - 1]} {day.year:04}" for day in (first, last))
    return " – ".join(months)


def _period(site: Site, dated: Sequence[tuple[date, Sequence[GameEvent]]]) -> Mapping[str, Any] | None:
    """The first and the last day that a reader may ask for, and periods up to today that many do; None without days."""
    if not dated:
        return None
    today = site.today.day
    week, month = (today - timedelta(days=days - 1) for days in (7, 30))
    asked = ((week, "last 7 days"), (month, "last 30 days"), (today.replace(month=1, day=1), "this year"))
    return {"first": dated[-1][0], "today": today, "asked": asked}


def _day_of(event: GameEvent) -> date | None:
    return event.moment.day if event.moment else None


def _lead(events: Sequence[GameEvent], days: int) -> str:
    counts = Counter[str](one.kind for one in events)
    parts = [
        f"{counts[kind]} {words if counts[kind] > 1 else word}"
        for kind, word, words in (
            ("changed", "change of the law", "changes of the law"),
            ("decided", "proposal decided", "proposals decided"),
            ("judged", "judgement", "judgements"),
            ("acted", "act", "acts"),
            ("turn-ended", "turn", "turns"),
        )
        if counts[kind]
    ]
    told = f": {', '.join(parts)}" if parts else ""
    on = f", on {days} {'day' if days == 1 else 'days'}" if days else ""
    return f"Everything that happened{on}{told}. The newest day stands first."


def _selects(site: Site, events: Sequence[GameEvent]) -> Sequence[Mapping[str, Any]]:
    kinds = {kind for one in events for kind in _kinds(site, one)}
    players = {one.player for one in events} | {player for one in events for player, _ in one.points}
    return (
        select("kind", "What", ((kind, words) for kind, words in _KINDS.items() if kind in kinds)),
        player_select(site, "player", "Player", (one for one in players if one in site.names)),
    )


def _kinds(site: Site, event: GameEvent) -> tuple[str, ...]:
    """What a filter finds an event under."""
    one = site.records.instruments.get(event.path)
    of = one.kind if one else "turn" if event.path.startswith("turns/") else "player" if event.player else ""
    more = {"changed": "law", "awarded": "points", "won": "points"}.get(event.kind)
    return tuple(kind for kind in (of, more) if kind)


def _day(page: Page, day: date, events: Sequence[GameEvent]) -> Mapping[str, Any]:
    return {
        "anchor": str(day),
        "year": f"{day.year:04}",
        "when": page.when(Moment.of(day)),
        "entries": [_entry(page, some) for some in _entries(events)],
    }


def _entries(events: Sequence[GameEvent]) -> Iterator[tuple[GameEvent, ...]]:
    """The events of a day by the file that tells of them, each at the place of its first."""
    found: dict[tuple[str, str], list[GameEvent]] = {}
    for one in events:
        # The settings tell of the game's beginning and, with the rules, of its end: two things.
        found.setdefault((one.path, one.kind if one.path == "nomic.yml" else ""), []).append(one)
    yield from (tuple(some) for some in found.values())


def _entry(page: Page, events: Sequence[GameEvent]) -> Mapping[str, Any]:
    """What one file tells of a day, and what a filter finds it under."""
    one = page.records.instruments.get(events[0].path)
    people = dict.fromkeys(each.player for each in events)
    given = [player for each in events for player, _ in each.points]
    people |= dict.fromkeys([*(given if len(given) <= _MOST_POINTS else ()), *events[0].players])
    decided = any(each.kind in _DECIDING for each in events)
    html = render_inline(
        page,
        "event",
        one=one,
        events=events,
        clauses=list(_clauses(events, decided)),
        decided=decided,
        commit=instrument_commit(page.site, one) if one and decided else CommitLink(),
    )
    return {
        "kind": choices(*dict.fromkeys(kind for each in events for kind in _kinds(page.site, each))),
        "player": choices(*(ident for ident in people if ident in page.site.names)),
        "html": html,
    }


def _clauses(events: Sequence[GameEvent], decided: bool) -> Iterator[tuple[str, GameEvent | Sequence[GameEvent]]]:
    """What is told of an instrument, clause by clause: how, and of which events."""
    opened = any(one.kind == "opened" for one in events)
    for one in events:
        if one.kind in ("decided", "overruled", "judged"):
            yield one.kind, one
        # Of one day the last is enough: what was decided had been opened, what was opened put forward.
        elif not decided and (one.kind == "opened" or (one.kind == "proposed" and not opened)):
            yield "said", one
    changes = [one for one in events if one.kind == "changed"]
    if changes:
        yield "changed", changes
    yield from (("awarded", one) for one in events if one.kind == "awarded")
