"""What became of each rule between two states of a ruleset: which is the same rule, and what was
done to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import SequenceMatcher
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

_ALIKE = 0.6
_PERHAPS = 0.4


class CommitRule(Struct, frozen=True, kw_only=True):
    """A rule as the archive has it.

    `printed_revision` is the one in its heading; `text` None where lost; `tier` '' where
    nothing says it. One that is `bare` has nothing that tells its tier and marks: they are what
    they were, also under a new number.
    """

    number: int
    printed_revision: int | None
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


class ArchiveChange(Struct, frozen=True, kw_only=True):
    """One rule before and after: an enactment has no `before`, a repeal no `after`.

    `returns` is the repealed rule that an enactment brings back.
    """

    before: LedgerRule | None
    after: CommitRule | None
    returns: LedgerRule | None = None

    @property
    def numbers(self) -> frozenset[int]:
        return frozenset(rule.number for rule in (self.before, self.after) if rule is not None)


def changes_between(
    before: Mapping[int, LedgerRule],
    after: Mapping[int, CommitRule],
    gone_before: Mapping[int, LedgerRule],
) -> list[ArchiveChange]:
    """Return what became of every rule that is not as it was, by number.

    Of both, the rules that are the same in both may be left out. `gone_before` has the rule that
    bore a number last, where it was repealed. A rule whose number vanishes is one that comes under
    a new number if the texts are the same, or alike by three fifths.
    """
    moved = _moved(before, after)
    came_of = {new: old for old, new in moved.items()}
    gone = [rule for number, rule in before.items() if number not in after and number not in moved]
    changes = [ArchiveChange(before=rule, after=None) for rule in gone]
    for number, rule in after.items():
        old = came_of.get(number, None if number in moved else number)
        former = before.get(old) if old is not None else None
        if former is not None and rule.bare:
            rule = replace(rule, tier=former.tier, void=former.void)
        if former is None:
            changes.append(_enactment(rule, gone_before.get(number)))
        elif _differs(former, rule):
            changes.append(ArchiveChange(before=former, after=rule))
    return sorted(changes, key=lambda change: min(change.numbers))


def _differs(former: LedgerRule, rule: CommitRule) -> bool:
    """Return whether a rule changed; a heading without title or revision says nothing new about
    them.
    """
    title = rule.title or former.title
    revision = former.revision if rule.printed_revision is None else rule.printed_revision
    now = (rule.number, rule.tier, rule.text, rule.void, title, revision)
    return now != (
        former.number,
        former.tier,
        former.text,
        former.void,
        former.title,
        former.revision,
    )


def _enactment(rule: CommitRule, former: LedgerRule | None) -> ArchiveChange:
    """Return a rule that is new, or returns: `former` bore its number before."""
    returns = former if former is not None and likeness(former.text, rule.text) >= _ALIKE else None
    return ArchiveChange(before=None, after=rule, returns=returns)


@lru_cache(maxsize=4096)
def likeness(text: str | None, other: str | None) -> float:
    """Return how much of two texts is the same, word by word: 0 to 1."""
    if not text or not other:
        return 0.0
    if text == other:
        return 1.0
    matcher = SequenceMatcher(None, text.split(), other.split(), autojunk=False)
    return (
        matcher.ratio()
        if matcher.real_quick_ratio() >= _PERHAPS and matcher.quick_ratio() >= _PERHAPS
        else 0.0
    )


def _moved(before: Mapping[int, LedgerRule], after: Mapping[int, CommitRule]) -> dict[int, int]:
    """Return the new number of each rule that got one."""
    came = [number for number in after if number not in before]
    moved: dict[int, int] = {}
    if not came:
        return moved
    # A rule whose number another rule has now may have moved as well, if its very text stands under
    # a new number.
    texts = {after[number].text: number for number in came if after[number].text}
    for number, rule in before.items():
        there = after.get(number)
        new = texts.get(rule.text)
        if (
            new is not None
            and new not in moved.values()
            and (there is None or there.text != rule.text)
        ):
            moved[number] = new
    gone = [number for number in before if number not in after and number not in moved]
    free = [
        number
        for number in after
        if (number not in before or number in moved) and number not in moved.values()
    ]
    pairs = (
        (-likeness(before[old].text, after[new].text), old, new) for old in gone for new in free
    )
    for unlike, old, new in sorted(pairs):
        if -unlike >= _ALIKE and old not in moved and new not in moved.values():
            moved[old] = new
    return moved
