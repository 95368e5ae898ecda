"""The events of days and weeks, for the history page, the weeks' pages and the feed: grouped by
file, with the kinds and players by which a filter finds them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby

from msgspec import Struct

from nomicgen.history.game_events import EventKind, GameEvent
from nomicgen.model.findings import counted
from nomicgen.site.addresses import week_page
from nomicgen.site.site_view import Site, values_by_key

DECIDING: frozenset[EventKind] = frozenset({"decided", "judged", "acted"})
"""The kinds of events that settle an instrument."""


def by_file(events: Sequence[GameEvent]) -> Collection[Sequence[GameEvent]]:
    """Return the events of a day in groups, one for each file that tells of them, in the order of
    their first events.
    """
    # The game's beginning and its end both have the path `nomic.yml`, and are two entries.
    return values_by_key(
        ((event.path, event.kind if event.path == "nomic.yml" else ""), event) for event in events
    ).values()


def kinds_of(site: Site, events: Sequence[GameEvent]) -> Collection[str]:
    """Return the kinds under which the history's filter finds some events, such as `law`."""
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


# Events that are found under a kind besides that of their file.
_MORE_KINDS: Mapping[EventKind, str] = {"changed": "law", "awarded": "points", "won": "points"}


def players_of(site: Site, events: Sequence[GameEvent]) -> Collection[str]:
    """Return the players of whom some events tell."""
    idents = [
        ident
        for event in events
        for ident in (event.player, *event.players, *(player for player, _ in event.points))
        if ident is not None and ident in site.names
    ]
    return dict.fromkeys(idents)


def clauses(
    events: Sequence[GameEvent], decided: bool
) -> Iterator[tuple[str, GameEvent | Sequence[GameEvent]]]:
    """Yield the clauses of the line about one instrument on one day: the kind of each, and its
    event; for `changed`, all such events. `decided` says whether one of the events settles it.
    """
    opened = any(event.kind == "opened" for event in events)
    for event in events:
        if event.kind in ("decided", "overruled", "judged"):
            yield event.kind, event
        # The last of a day is enough: a proposal that was decided had been opened, and one that was
        # opened had been put forward.
        elif not decided and (event.kind == "opened" or (event.kind == "proposed" and not opened)):
            yield "said", event
    changes = [event for event in events if event.kind == "changed"]
    if changes:
        yield "changed", changes
    yield from (("awarded", event) for event in events if event.kind == "awarded")


_MOST = 100
"""The most weeks that have a page: the last ones."""
# The kinds of events that a week's summary counts, with their words.
_COUNTED = {
    "changed": "change of the law",
    "opened": "vote opened",
    "decided": "vote decided",
    "judged": "judgement",
}


class WeekDigest(Struct, frozen=True, kw_only=True):
    """A week from Monday (`first`) to Sunday, with its name in ISO 8601, such as `2026-W45`, and
    the path of its page.
    """

    name: str
    path: str
    first: date
    events: Sequence[GameEvent]

    @property
    def last(self) -> date:
        """Its Sunday."""
        return self.first + timedelta(days=6)

    def summary(self, site: Site) -> str:
        """Return what happened, in numbers, and of whom it tells: `2 votes decided; with Wren`."""
        counts = {kind: sum(event.kind == kind for event in self.events) for kind in _COUNTED}
        said = [_plural(count, _COUNTED[kind]) for kind, count in counts.items() if count]
        people = [site.name(ident) for ident in players_of(site, self.events)]
        return "; ".join([*said, *([f"with {', '.join(people)}"] if people else [])])


def _plural(count: int, words: str) -> str:
    noun, _, rest = words.partition(" ")
    return f"{counted(count, noun)}{f' {rest}' if rest else ''}"


def weeks(site: Site) -> Sequence[WeekDigest]:
    """Return the last weeks up to today in which something happened, the earliest first."""
    dated = [
        event
        for event in site.events
        if event.moment is not None and event.moment.day <= site.today.day
    ]
    found = []
    for first, events in groupby(
        dated, lambda event: _monday(event.moment.day) if event.moment else date.min
    ):
        year, week, _ = first.isocalendar()
        path = week_page(year, week)
        found.append(
            WeekDigest(name=f"{year}-W{week:02}", path=path, first=first, events=tuple(events))
        )
    return found[-_MOST:]


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
