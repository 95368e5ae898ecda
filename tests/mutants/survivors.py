"""The mutants that no test kills, each with the reason why none could or need: survivors.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("survivors.toml")


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """What a mutant changes: its lines as they were and as they are, without what they are indented
    by.
    """

    module: str
    """From the project's root."""
    function: str
    """With its class before a point."""
    was: str
    now: str


def survivors() -> dict[Change, str]:
    """The reason of each. Raises TypeError where one lacks a key."""
    told = tomllib.loads(FILE.read_text("utf-8")).get("survivor", [])
    return {
        Change(**{key: value for key, value in one.items() if key != "why"}): one["why"]
        for one in told
    }
