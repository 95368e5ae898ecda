"""The weeks of a game, each with what happened in it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import groupby

from msgspec import Struct

from nomicgen.history.game_events import GameEvent
from nomicgen.model.findings import counted
from nomicgen.site.addresses import week_page
from nomicgen.site.parts.day_events import players_of
from nomicgen.site.site_view import Site

_MOST = 100
"""The last weeks that have a page."""
_COUNTED = {"changed": "change of the law", "opened": "vote opened", "decided": "vote decided", "judged": "judgement"}


class WeekDigest(Struct, frozen=True, kw_only=True):
    """A week from Monday to Sunday; `name` is that of ISO 8601, such as `2026-W45`."""

    name: str
    path: str
    first: date
    events: Sequence[GameEvent]

    @property
    def last(self) -> date:
        """Its Sunday."""
        return self.first + timedelta(days=6)

    def summary(self, site: Site) -> str:
        """What happened, in numbers, and whose doing it was."""
        counts = {kind: sum(event.kind == kind for event in self.events) for kind in _COUNTED}
        said = [_plural(count, _COUNTED[kind]) for kind, count in counts.items() if count]
        people = [site.name(ident) for ident in players_of(site, self.events)]
        return "; ".join([*said, *([f"by {', '.join(people)}"] if people else [])])


def _plural(count: int, words: str) -> str:
    noun, _, rest = words.partition(" ")
    return f"{counted(count, noun)}{f' {rest}' if rest else ''}"


def weeks(site: Site) -> Sequence[WeekDigest]:
    """The last weeks in which something happened, the earliest first."""
    dated = [event for event in site.events if event.moment is not None and event.moment.day <= site.today.day]
    found = []
    for first, events in groupby(dated, lambda event: _monday(event.moment.day) if event.moment else date.min):
        year, week, _ = first.isocalendar()
        path = week_page(year, week)
        found.append(WeekDigest(name=f"{year}-W{week:02}", path=path, first=first, events=tuple(events)))
    return found[-_MOST:]


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
