"""Rules of an archive that have the words of a ruleset that ships: they could have its
provisions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nomicgen.law.replay.results import Ruleset
from nomicgen.play.rulesets import NAMES
from nomicgen.play.wordings import hashed_runs, recognise_wordings

_ALIKE = 0.5
"""How much of a ruleset's words the rules in force must have on average."""


def recognised_rules(rules: Ruleset, name: str) -> dict[int, Mapping[str, Any]]:
    """Return raw provisions for the rules in force that have a ruleset's words, by their numbers;
    they are empty where nothing can be enforced.
    """
    found = recognise_wordings(_runs(rules), name)
    return {number: wording.provisions for number, wording, _ in found}


def recognised_ruleset(rules: Ruleset) -> str | None:
    """Return the name of the ruleset that ships with which the rules share most words, the first of
    several; None where they have less than `_ALIKE` of them on average.
    """
    texts = _runs(rules)
    shares = {name: sum(share for _, _, share in recognise_wordings(texts, name)) for name in NAMES}
    best = max(shares, key=lambda name: shares[name])
    return best if shares[best] >= _ALIKE * len(texts) > 0 else None


def _runs(rules: Ruleset) -> dict[int, frozenset[str]]:
    return {rule.number: hashed_runs(rule.text) for rule in rules if rule.text and not rule.void}
