"""What a ruleset that comes in has in common with one that ships: the words of its rules, and then
their provisions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from nomicgen.law.replay.results import Ruleset
from nomicgen.play.rulesets import NAMES
from nomicgen.play.wordings import hashed_runs, shared_words

_ALIKE = 0.5
"""The share of the rules in force that must have the words of a ruleset."""


class Recognised(Struct, frozen=True, kw_only=True):
    """A rule in force with the words of a ruleset's rule, and raw provisions for it."""

    number: int
    provisions: Mapping[str, Any]


def recognised_rules(rules: Ruleset, name: str) -> Iterator[Recognised]:
    """Yield the rules in force that have a ruleset's words, with what can be enforced of them."""
    for number, wording, _ in shared_words(_runs(rules), name):
        yield Recognised(number=number, provisions=wording.provisions)


def recognised_ruleset(rules: Ruleset) -> str | None:
    """Return the ruleset that ships whose words the rules have most of; of several with as much the
    first.
    """
    texts = _runs(rules)
    shares = {name: sum(share for _, _, share in shared_words(texts, name)) for name in NAMES}
    best = max(shares, key=lambda name: shares[name])
    return best if shares[best] >= _ALIKE * len(texts) > 0 else None


def _runs(rules: Ruleset) -> dict[int, frozenset[str]]:
    return {rule.number: hashed_runs(rule.text) for rule in rules if rule.text and not rule.void}
