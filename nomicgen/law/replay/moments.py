"""The order of two moments, where it can be uncertain: one may be unknown, or a day without a
time.
"""

from __future__ import annotations

from nomicgen.model.findings import Finding
from nomicgen.model.values import Moment, Span


def precedes(moment: Moment | None, other: Moment | None) -> bool:
    """Return whether both moments are known, and by days or times the first is earlier."""
    return moment is not None and moment.precedes(other)


def unordered(moment: Moment | None, other: Moment) -> bool:
    """Return whether nobody can tell which moment came first: they share a day, and one has no
    time.
    """
    return moment is not None and moment.day == other.day and not (moment.timed and other.timed)


def disorder(span: Span, message: str, remedy: str) -> Finding:
    """Return the finding that two moments are in the wrong order; `span` is the place of one."""
    return Finding(slug="dates-disorder", span=span, message=message, help=remedy)
