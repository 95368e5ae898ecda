"""What happened on a day by one file of the game, as a line of a page."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from nomicgen.history.game_events import GameEvent
from nomicgen.site.parts.day_events import DECIDING, clauses
from nomicgen.site.parts.linked_history import CommitLink, instrument_commit
from nomicgen.site.parts.page import Page
from nomicgen.site.render import render_inline


def day_html(page: Page, events: Sequence[GameEvent]) -> Markup:
    """Return a line with links; `events` are of one day, and told by one file."""
    instrument = page.records.instruments.get(events[0].path)
    decided = any(event.kind in DECIDING for event in events)
    return render_inline(
        page,
        "event",
        one=instrument,
        events=events,
        clauses=list(clauses(events, decided)),
        decided=decided,
        commit=instrument_commit(page.site, instrument) if instrument and decided else CommitLink(),
    )
