"""What became of each rule between two states of a ruleset: its number now, and what
changed in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import SequenceMatcher
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

_SAME_RULE = 0.6
"""Two texts are taken for one rule's if so much of them is the same."""
_WORTH_COMPARING = 0.4
"""If less than this can be the same, that is not worked out exactly."""


class SourceRule(Struct, frozen=True, kw_only=True):
    """A rule as the source has it at a commit.

    `printed_revision` is the one in its heading, and `title`; None where it says none. `text` is
    None where it is lost, `tier` is '' where nothing says it. A rule is `bare` if its file cannot
    say its tier and marks: it keeps those that it had, also under a new number.
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


class LedgerRule(SourceRule, frozen=True, kw_only=True):
    """A rule as the ledger has it: `identity` outlives its number, `revision` is counted."""

    identity: int
    revision: int

    @property
    def ref(self) -> str:
        return f"{self.number}/{self.revision}"


class SourceChange(Struct, frozen=True, kw_only=True):
    """One rule before and after: an enactment has no `before`, a repeal no `after`.

    `revived` is the repealed rule that an enactment brings back.
    """

    before: LedgerRule | None
    after: SourceRule | None
    revived: LedgerRule | None = None

    @property
    def numbers(self) -> frozenset[int]:
        return frozenset(rule.number for rule in (self.before, self.after) if rule is not None)


def changes_between(
    before: Mapping[int, LedgerRule],
    after: Mapping[int, SourceRule],
    gone_before: Mapping[int, LedgerRule],
) -> list[SourceChange]:
    """Return what became of every rule that is not as it was, in the order of their numbers.

    Rules that did not change may be left out of `before` and `after`. `gone_before` has, by number,
    the rule that was last repealed under it. A rule was renumbered if its very text stands under a
    new number; or if its number vanishes, and at least three fifths of the words stand under one
    that is new, or that a renumbered rule had.
    """
    moved = _moved(before, after)
    came_from = {new: old for old, new in moved.items()}
    gone = [rule for number, rule in before.items() if number not in after and number not in moved]
    changes = [SourceChange(before=rule, after=None) for rule in gone]
    for number, rule in after.items():
        old = came_from.get(number, None if number in moved else number)
        former = before.get(old) if old is not None else None
        if former is not None and rule.bare:
            rule = replace(rule, tier=former.tier, void=former.void)
        if former is None:
            changes.append(_enactment(rule, gone_before.get(number)))
        elif _differs(former, rule):
            changes.append(SourceChange(before=former, after=rule))
    return sorted(changes, key=lambda change: min(change.numbers))


def _differs(former: LedgerRule, rule: SourceRule) -> bool:
    """Return whether a rule changed; one without a title or a revision in its heading keeps it."""
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


def _enactment(rule: SourceRule, former: LedgerRule | None) -> SourceChange:
    """Return the enactment of a rule; `former` bore its number before, and may be the same rule."""
    is_same = former is not None and likeness(former.text, rule.text) >= _SAME_RULE
    return SourceChange(before=None, after=rule, revived=former if is_same else None)


@lru_cache(maxsize=4096)
def likeness(text: str | None, other: str | None) -> float:
    """Return how much of two texts is the same, word by word: 0 to 1; 0 if it is surely little."""
    if not text or not other:
        return 0.0
    if text == other:
        return 1.0
    matcher = SequenceMatcher(None, text.split(), other.split(), autojunk=False)
    bounds = (matcher.real_quick_ratio, matcher.quick_ratio)
    return matcher.ratio() if all(bound() >= _WORTH_COMPARING for bound in bounds) else 0.0


def _moved(before: Mapping[int, LedgerRule], after: Mapping[int, SourceRule]) -> dict[int, int]:
    """Return the new number of each rule that was renumbered."""
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
        if -unlike >= _SAME_RULE and old not in moved and new not in moved.values():
            moved[old] = new
    return moved
