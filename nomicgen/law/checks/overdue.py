"""Deadlines that have passed."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.law.prospects import deadlines
from nomicgen.law.replay.state import Replay
from nomicgen.model.findings import Finding
from nomicgen.model.records import Records
from nomicgen.model.values import Span


def check_overdue(records: Records, replay: Replay) -> Iterator[Finding]:
    """What should have been done by the day of the replay."""
    until = replay.until
    for due in deadlines(records, replay, until) if until is not None else ():
        if due.moment.precedes(until):
            does = f"`nomicgen next --do` writes what the rule says: {due.then}"
            yield Finding(
                slug="deadline-missed",
                span=Span(file=due.path),
                message=due.missed,
                help=does if due.writes else "do it now, or change the rule",
                rule=due.rule,
            )
