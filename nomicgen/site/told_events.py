"""The lines of the history page and the weeks: what one file of the game tells of one day, such as
`Proposal 301 Lamps (Wren): adopted, 3 for, 1 against`.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from nomicgen.history.game_events import GameEvent
from nomicgen.site.parts.day_events import DECIDING, clauses
from nomicgen.site.parts.linked_history import CommitLink, instrument_commit
from nomicgen.site.parts.page import Page
from nomicgen.site.render import render_inline


def day_html(page: Page, events: Sequence[GameEvent]) -> Markup:
    """Return the line about `events`, with links. All are of one file and one day, or undated."""
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
