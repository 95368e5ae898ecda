"""A moment in a game's own time zone, written so that everybody knows which one it is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

from nomicgen.model.values import Moment

_MINUTE = timedelta(minutes=1)


def timestamp(moment: Moment, zone: tzinfo) -> str:
    """Return a moment as RFC 3339 has it, `2020-07-26T18:30:00+01:00`; a day without a time is its
    start.
    """
    local = datetime.combine(moment.day, moment.clock, zone)
    offset = local.utcoffset()
    # Before there were time zones, the offsets of places had seconds, which RFC 3339 cannot say.
    if offset is None or offset % _MINUTE:
        local = local.replace(tzinfo=UTC)
    return local.isoformat(timespec="seconds")
