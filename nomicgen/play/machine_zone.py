"""The time zone of the machine that a command runs on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from nomicgen.play.load import known_zone

_FOLDER = "zoneinfo/"


def machine_zone() -> str | None:
    """Return the name of the zone that this machine is set to, such as `Europe/London`; None where
    it does not say.
    """
    name = next((name for name in _named() if known_zone(name) is not None), None)
    return "UTC" if name == "Etc/UTC" else name


def _named() -> Iterator[str]:
    """Yield what may be the zone's name, from the most specific place to the most general."""
    yield from filter(None, [os.environ.get("TZ", "").lstrip(":").rpartition(_FOLDER)[2]])
    try:
        yield os.path.realpath("/etc/localtime").rpartition(_FOLDER)[2]
        yield Path("/etc/timezone").read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return
