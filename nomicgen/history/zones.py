"""A moment of a game as a timestamp: with its offset from UTC, so that it is clear anywhere."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

from nomicgen.model.values import Moment

_MINUTE = timedelta(minutes=1)


def timestamp(moment: Moment, zone: tzinfo) -> str:
    """Return a moment in `zone` as RFC 3339 has it: `2020-07-26T18:30:00+01:00`. A day without a
    time is its start.
    """
    local = datetime.combine(moment.day, moment.clock, zone)
    offset = local.utcoffset()
    # Before there were time zones, the offsets of places had seconds, which RFC 3339 cannot say:
    # the clock is then given as if it were UTC.
    if offset is None or offset % _MINUTE:
        local = local.replace(tzinfo=UTC)
    return local.isoformat(timespec="seconds")
