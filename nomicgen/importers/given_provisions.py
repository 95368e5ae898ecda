"""Provisions that an import is asked to put into rules: those of a ruleset that is known."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field

Raw = Mapping[str, Any]
"""The provisions of one rule, as a front matter is read: source texts."""


class Provided(Struct, frozen=True, kw_only=True):
    """Raw provisions by number: of the initial set, and of the rules as they came to be later."""

    initial: Mapping[int, Raw] = field(default_factory=lambda: MappingProxyType({}))
    later: Mapping[int, Raw] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def numbers(self) -> frozenset[int]:
        return frozenset(self.initial) | frozenset(self.later)

    def of(self, number: int) -> Raw | None:
        """Those of a rule of which nobody says what became of it: as the initial set has them, if it has it."""
        return self.initial.get(number) or self.later.get(number)
