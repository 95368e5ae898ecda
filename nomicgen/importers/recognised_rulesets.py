"""What a ruleset that comes in has in common with one that ships: its numbers, and then perhaps its provisions."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field

from nomicgen.files.game_files import read_game
from nomicgen.play.rulesets import NAMES, provisions_of, shipped
from nomicgen.repository.game_tree import SETTINGS

_ALIKE = 0.7
_INITIAL = r"rules/initial/([0-9]+)\.md"
# How far the games were played of which a later state is known; what a scripted game enacts beyond is its own.
_PLAYED_ON = {"pokey": 313, "nomic-iv": 601}


Raw = Mapping[str, Any]
"""The provisions of one rule, as a front matter is read: source texts."""


class Provided(Struct, frozen=True, kw_only=True):
    """Raw provisions by number: of the initial set, and of the rules as they came to be later."""

    initial: Mapping[int, Raw] = field(default_factory=lambda: MappingProxyType({}))
    later: Mapping[int, Raw] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def numbers(self) -> frozenset[int]:
        return frozenset(self.initial) | frozenset(self.later)

    def of(self, number: int, *, changed: bool = False) -> Raw | None:
        """Those of a rule: as the initial set has them, if it has it, unless the rule is known to have `changed`."""
        first, then = (self.later, self.initial) if changed else (self.initial, self.later)
        return first.get(number) or then.get(number)


def provisions_that_ship(name: str) -> Provided:
    """The provisions of a ruleset, one of `NAMES`: of its initial set, and of the rules that the game came to have."""
    ruleset = shipped(name)
    tree = ruleset.tree()
    records, _ = read_game({path: tree[path] for path in (SETTINGS, *ruleset.initial)})
    files = (file.matter for file in records.initial.values())
    initial: dict[int, Raw] = {matter.number: matter.provisions for matter in files if matter.provisions}
    last = _PLAYED_ON.get(name, 0)
    later = {number: law for number, law in provisions_of(name).items() if number <= last} if last else {}
    return Provided(initial=MappingProxyType(initial), later=MappingProxyType(later))


def recognised_ruleset(numbers: Collection[int], words: str) -> str | None:
    """The ruleset that ships whose rules are numbered like these; of several the one that `words` name.

    Where they name several, it is the last, which was made after the others; where none, the most like.
    """
    given, text = frozenset(numbers), words.casefold()
    ranks: dict[str, tuple[bool, float, int]] = {}
    for index, name in enumerate(NAMES):
        alike = _alike(given, name)
        named = name in text
        if alike >= _ALIKE:
            ranks[name] = (named, alike, index if named else -index)
    return max(ranks, key=lambda name: ranks[name], default=None)


def _alike(given: frozenset[int], name: str) -> float:
    """How much some numbers are those of a ruleset, 0 to 1: of its initial set, or of it and what came later."""
    matches = (match for path in shipped(name).initial if (match := re.fullmatch(_INITIAL, path)))
    initial = frozenset(int(match[1]) for match in matches)
    at_best = initial | {number for number in given if number <= _PLAYED_ON.get(name, 0)}
    if _share(given, at_best) < _ALIKE:
        return _share(given, initial)
    return max(_share(given, initial), _share(given, initial | provisions_that_ship(name).numbers))


def _share(one: frozenset[int], other: frozenset[int]) -> float:
    """How many of the numbers of two sets are in both, 0 to 1."""
    return len(one & other) / max(len(one | other), 1)
