"""What became of each rule between two states of a ruleset: which is the same rule, and what was done to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.patterns import lazy_pattern

_ALIKE = 0.6
_PERHAPS = 0.4
_SAYS = lazy_pattern(
    r"\b(?:(?:rule|r|renumber(?:ed|s|ing)?)[ #]*)+(?P<old>[1-9][0-9]{0,8})"
    r"[ ]*(?:->|→|=>|\bto\b|\bas\b|\binto\b|\bbecomes\b|\bis now\b)[ ]*(?:(?:rule|r)[ #]*)?(?P<new>[1-9][0-9]{0,8})\b",
    re.IGNORECASE,
)


class CommitRule(Struct, frozen=True, kw_only=True):
    """A rule as the archive has it. `heading` is the revision that its heading prints; `text` None where lost; `tier`
    '' where nothing says it. One that is `bare` has nothing that tells its tier and marks: they are what they were,
    also under a new number.
    """

    number: int
    heading: int | None
    tier: str
    text: str | None
    title: str | None = None
    void: bool = False
    bare: bool = False
    path: str = ""
    line: int = 1


class LedgerRule(CommitRule, frozen=True, kw_only=True):
    """A rule as the ledger has it: `identity` outlives its number, `revision` is counted."""

    identity: int
    revision: int

    @property
    def ref(self) -> str:
        return f"{self.number}/{self.revision}"


class Change(Struct, frozen=True, kw_only=True):
    """One rule before and after: an enactment has no `before`, a repeal no `after`.

    `returns` is the repealed rule that an enactment brings back; `doubtful` how much a rule that came is like one that
    went, where that is too little to call them one.
    """

    before: LedgerRule | None
    after: CommitRule | None
    returns: LedgerRule | None = None
    doubtful: tuple[int, float] | None = None

    @property
    def numbers(self) -> frozenset[int]:
        return frozenset(one.number for one in (self.before, self.after) if one is not None)


@lru_cache(maxsize=4096)
def likeness(one: str, other: str) -> float:
    """How much of two texts is the same, word by word: 0 to 1."""
    if one == other:
        return 1.0
    matcher = SequenceMatcher(None, one.split(), other.split(), autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= _PERHAPS and matcher.quick_ratio() >= _PERHAPS else 0.0


def changes_between(
    before: Mapping[int, LedgerRule],
    after: Mapping[int, CommitRule],
    gone_before: Mapping[int, LedgerRule],
    subjects: Iterable[str],
) -> list[Change]:
    """What became of every rule that is not as it was, by number.

    Of both, the rules that are the same in both may be left out. `gone_before` has the rule that bore a number last,
    where it was repealed. A rule whose number vanishes is one that comes under a new number if the texts are the same,
    or alike by three fifths, or a subject says so.
    """
    moved = _moved(before, after, subjects)
    came_of = {new: old for old, new in moved.items()}
    found = []
    for number, rule in before.items():
        if number not in after and number not in moved:
            found.append(Change(before=rule, after=None))
    for number, one in after.items():
        old = came_of.get(number, None if number in moved else number)
        was = before.get(old) if old is not None else None
        if was is not None and one.bare:
            one = replace(one, tier=was.tier, void=was.void)
        if was is None:
            found.append(_enactment(one, before, after, moved, gone_before))
        elif _differs(was, one):
            found.append(Change(before=was, after=one))
    return sorted(found, key=lambda one: min(one.numbers))


def _differs(rule: LedgerRule, one: CommitRule) -> bool:
    """Whether a rule is not as it was; a heading that does not say the title or the revision says nothing new."""
    told = (rule.number, rule.tier, rule.text, rule.void)
    if told != (one.number, one.tier, one.text, one.void):
        return True
    revision = rule.revision if one.heading is None else one.heading
    return (one.title or rule.title, revision) != (rule.title, rule.revision)


def _enactment(
    one: CommitRule,
    before: Mapping[int, LedgerRule],
    after: Mapping[int, CommitRule],
    moved: Mapping[int, int],
    gone_before: Mapping[int, LedgerRule],
) -> Change:
    former = gone_before.get(one.number)
    returns = former if former is not None and _like(former.text, one.text) >= _ALIKE else None
    leaving = [rule for number, rule in before.items() if number not in after and number not in moved]
    likely = max(((_like(rule.text, one.text), rule.number) for rule in leaving), default=(0.0, 0))
    doubtful = (likely[1], likely[0]) if likely[0] >= _PERHAPS and returns is None else None
    return Change(before=None, after=one, returns=returns, doubtful=doubtful)


def _like(one: str | None, other: str | None) -> float:
    return likeness(one, other) if one and other else 0.0


def _moved(
    before: Mapping[int, LedgerRule], after: Mapping[int, CommitRule], subjects: Iterable[str]
) -> dict[int, int]:
    """The new number of each rule that got one."""
    came = [number for number in after if number not in before]
    found: dict[int, int] = {}
    if not came:
        return found
    # A rule whose number another rule has now may have moved as well, if its very text stands under a new number.
    texts = {after[number].text: number for number in came if after[number].text}
    for number, rule in before.items():
        there = after.get(number)
        new = texts.get(rule.text)
        if new is not None and new not in found.values() and (there is None or there.text != rule.text):
            found[number] = new
    gone = [number for number in before if number not in after and number not in found]
    free = [number for number in after if (number not in before or number in found) and number not in found.values()]
    for match in (match for one in subjects for match in _SAYS.finditer(one)):
        old, new = int(match["old"]), int(match["new"])
        if old in gone and new in free:
            found[old] = new
            gone.remove(old)
            free.remove(new)
    pairs = ((_like(before[old].text, after[new].text), old, new) for old in gone for new in free)
    for likely, old, new in sorted(pairs, key=lambda one: (-one[0], one[1], one[2])):
        if likely >= _ALIKE and old not in found and new not in found.values():
            found[old] = new
    return found
