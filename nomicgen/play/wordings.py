"""Recognising a rule by its words: those of a shipped ruleset, or of the original that it retells.

`originals.txt` of a ruleset has a line for each wording of a rule of the original: its number and
revision there, the rule of our ruleset that retells it (`-` if none does), how many runs of five
words it has, and the hashes of some of them. These are facts about a text, and not the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from typing import Any

from msgspec import Struct

from nomicgen.files.game_files import read_game
from nomicgen.law.replay.results import Rule
from nomicgen.law.replay.run import replay
from nomicgen.play.rulesets import file_text, parent_of, provisions_of_originals, shipped

KEPT = 16
"""How many hashes a ruleset keeps of a wording: the smallest ones."""
_RUN = 5
"""Words of a run."""
_ALIKE = 0.75
"""The share of a wording's kept runs that a text must have."""
_LONGER = 1.5
"""A text may have at most so many times the number of runs of the wording."""


class Wording(Struct, frozen=True, kw_only=True):
    """A wording of a rule: its reference in the original (`rule`) and in our ruleset (`ours`), both
    such as `203/1`.

    `count` says how many runs it has, `runs` has the hashes that are kept. `provisions` are what a
    program can enforce of these words, as a file has them.
    """

    rule: str
    ours: str | None
    count: int
    runs: frozenset[str]
    provisions: Mapping[str, Any] = {}


def hashed_runs(text: str) -> frozenset[str]:
    """Return the hashes of all runs of five words of a text, or of the whole of a shorter one."""
    words = re.findall(r"[^\W_]+", text.casefold())
    runs = (" ".join(words[at : at + _RUN]) for at in range(max(len(words) - _RUN, 0) + 1))
    return frozenset(sha256(run.encode()).hexdigest()[:8] for run in runs)


def wording_line(rule: str, ours: str | None, text: str) -> str:
    """Return the line of `originals.txt` for a wording."""
    runs = hashed_runs(text)
    return f"{rule} {ours or '-'} {len(runs)} {' '.join(sorted(runs)[:KEPT])}"


@cache
def wordings(name: str) -> tuple[Wording, ...]:
    """Return the wordings of a ruleset's rules: those of its original, those of our own texts, then
    those of the ruleset that it extends.
    """
    lines = (line.split() for line in file_text(name, "originals.txt").splitlines())
    said = provisions_of_originals(name)
    own = [
        Wording(
            rule=rule,
            ours=None if ours == "-" else ours,
            count=int(count),
            runs=frozenset(runs),
            provisions=said.get(rule, provisions_of(name, ours)),
        )
        for rule, ours, count, *runs in lines
    ]
    retold = [
        Wording(
            rule=ref,
            ours=ref,
            count=len(runs),
            runs=frozenset(sorted(runs)[:KEPT]),
            provisions=provisions_of(name, ref),
        )
        for ref, rule in _rules(name).items()
        if (runs := hashed_runs(rule.text or ""))
    ]
    parent = parent_of(name)
    return (*own, *retold, *(wordings(parent) if parent is not None else ()))


def recognise_wording(runs: frozenset[str], name: str) -> tuple[Wording, float] | None:
    """Return the wording of a ruleset that is most like a text with these runs, and which share of
    its kept runs the text has; None if none is alike.
    """
    alike = [
        (len(wording.runs & runs) / len(wording.runs), wording)
        for wording in wordings(name)
        if len(runs) <= wording.count * _LONGER
    ]
    share, best = max(alike, key=lambda one: one[0], default=(0.0, None))
    return (best, share) if best is not None and share >= _ALIKE else None


def provisions_of(name: str, ours: str) -> Mapping[str, Any]:
    """Return the raw provisions of a rule of our ruleset, such as `203/1`; {} if it has none."""
    rule = rule_of(name, ours)
    return (rule.provisions if rule is not None else None) or {}


def rule_of(name: str, ours: str) -> Rule | None:
    """Return a rule of our ruleset by a reference such as `203/1`; None if there is none."""
    return _rules(name).get(ours)


@cache
def _rules(name: str) -> Mapping[str, Rule]:
    """Return every revision of a rule in a ruleset's initial set or scripted game, by `203/1`."""
    records, _ = read_game(shipped(name).tree())
    played = replay(records)
    changed = (change.after for step in played.steps for change in step.changes)
    rules = (rule for rule in (*played.initial, *changed) if rule is not None)
    return {str(rule.ref): rule for rule in rules}


def recognise_wordings(
    texts: Mapping[int, frozenset[str]], name: str
) -> Iterator[tuple[int, Wording, float]]:
    """Yield for each text of which a ruleset has a wording: its number, that wording, and which
    share of the wording's kept runs it has.

    `texts` has the hashed runs of each text by its number.
    """
    for number, runs in texts.items():
        if (found := recognise_wording(runs, name)) is not None:
            yield number, *found
