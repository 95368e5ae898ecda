"""What became of each of Agora's rules: its number, revision and tier after each entry of its
history; `titles.py` adds the titles.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise, takewhile

from msgspec import Struct

from nomicgen.importers.agora.dates import When
from nomicgen.importers.agora.read import AgoraEntry, Data, RuleData
from nomicgen.importers.instruments import RuleState
from nomicgen.importers.lines import tier_of_power
from nomicgen.model.records import Verb
from nomicgen.model.values import Moment

_IMMUTABLE, _MUTABLE = "immutable", "mutable"
_FIRST = ("initial", "enactment")
_BIRTHS = (*_FIRST, "reenactment")
"""Kinds of changes by which a rule begins, first or again."""
_NUMBER = r"[1-9][0-9]{0,8}"
_PLAIN = "1"
"""The power that counts as that of a mutable rule."""
_OLD, _NEW = ("old-power", "old-mi"), ("new-power", "new-mi")
_GIVEN = ("power", "mi", "mutability")
"""Keys of an entry that say a power, before a change, after it, or at the rule's beginning."""
_VERBS: dict[str, Verb] = {
    "enactment": "enact",
    "reenactment": "enact",
    "amendment": "amend",
    "infection-amendment": "amend",
    "repeal": "repeal",
    "power-change": "transmute",
    "mutation": "transmute",
    "retitling": "retitle",
    "renumbering": "renumber",
    "committee-assignment": "mark",
    "infection": "mark",
    "null-amendment": "amend",
}
"""What each kind of change usually becomes in the ledger."""


class AgoraState(RuleState, frozen=True, kw_only=True):
    """A rule after one entry. `verb` is what the entry becomes in the ledger; None for the initial
    set, and for an entry that does nothing since the rule was not in force.

    If the data does not say how a rule began, its first state has no entry. `alive` says whether
    the rule is in force.
    """

    entry: AgoraEntry | None
    verb: Verb | None
    alive: bool
    title: str | None = None


class AgoraHistory(Struct, frozen=True, kw_only=True):
    """A rule and its states; the first is that of the initial set if its verb is None."""

    rule: RuleData
    states: tuple[AgoraState, ...]

    @property
    def is_initial(self) -> bool:
        return self.states[0].verb is None

    @property
    def text_states(self) -> list[int]:
        """The indices of the states that gave the rule a text."""
        return [
            at
            for at, state in enumerate(self.states)
            if at == 0 or state.verb in ("enact", "amend")
        ]

    @property
    def last_text_state(self) -> int:
        """The index of the state that gave the rule the text that it has at the end."""
        return self.text_states[-1]


def tier_of(said: str) -> str | None:
    """Return the tier for a power, a mutability index or a mutability, such as `power-1-7` for
    `1.70`; None for anything else.
    """
    if said in (_IMMUTABLE, _MUTABLE):
        return said
    return _IMMUTABLE if said == "unanimity" else tier_of_power(f"power {said}")


def tiers_of(used: Iterable[str]) -> tuple[str, ...]:
    """Return tiers, most entrenched first: `immutable`, then the others by power. `mutable` comes
    behind power 1.
    """
    return tuple(sorted(dict.fromkeys(used), key=_rank, reverse=True))


def groups_of(tiers: Iterable[str]) -> dict[str, list[str]]:
    """Return the groups of tiers that the site counts together: those whose power has the same
    whole number. A mutable rule counts as one of power 1.
    """
    found: dict[str, list[str]] = {}
    for tier in tiers:
        power = 1 if tier == _MUTABLE else int(_rank(tier)[1])
        name = tier if tier == _IMMUTABLE else f"power {power}" if power else "below power 1"
        found.setdefault(name, []).append(tier)
    return {name: all_ for name, all_ in found.items() if all_ != [name]}


def missing_until(histories: Sequence[AgoraHistory]) -> Moment | None:
    """Return the day of the first repeal that the data tells of, if it lacks most numbers of rules:
    then rules that were repealed before that day are missing. None otherwise.
    """
    numbers = {state.number for history in histories for state in history.states}
    ends = [history.states[-1] for history in histories if not history.states[-1].alive]
    days = [one.entry.when.day for one in ends if one.entry is not None and one.entry.when.day]
    if not days or 2 * len(numbers) > max(numbers) - min(numbers):
        return None
    return Moment.of(min(days))


def _rank(tier: str) -> tuple[int, Fraction, int]:
    """Return a sort key for a tier, the highest for the most entrenched; its power is the
    second.
    """
    if tier in (_IMMUTABLE, _MUTABLE):
        return int(tier == _IMMUTABLE), Fraction(_PLAIN), 0
    return 0, Fraction(tier.removeprefix("power-").replace("-", ".")), 1


def histories_of(data: Data) -> list[AgoraHistory]:
    """Work out the states of every rule, without titles. What does not fit becomes a warning."""
    taken = set(data.rules)
    histories = []
    for rule in data.rules.values():
        history = _RulePast(rule, data, taken).history()
        taken |= {state.number for state in history.states}
        histories.append(history)
    return histories


class _RulePast:
    """Works out what becomes of one rule by each of its entries; `taken` are the numbers that rules
    have, its own among them.
    """

    def __init__(self, rule: RuleData, data: Data, taken: Collection[int]) -> None:
        self.rule, self.data, self.taken = rule, data, taken
        self.entries: list[AgoraEntry | None] = list(rule.history)
        self.final = tier_of(rule.power or "")
        if not rule.history or rule.history[0].kind not in _FIRST:
            message = f"the history of Rule {rule.number} does not say how the rule began"
            data.warn(
                "history", rule.path, None, message, "the rule is taken for one of the initial set"
            )
            self.entries.insert(0, None)

    def history(self) -> AgoraHistory:
        """Return the rule with its states."""
        fates = self._fates()
        if (missing := self._missing_entry(alive=fates[-1][1])) is not None:
            self.entries.append(missing)
            fates.append(self._fate(missing, fates[-1][1]))
        states: list[AgoraState] = []
        tier, revision = "", 0
        columns = zip(self.entries, fates, self._numbers(fates), strict=True)
        for at, (entry, (verb, alive), number) in enumerate(columns):
            if at == 0 or verb == "enact":
                tier = self._birth(at, tier)
            elif verb == "transmute":
                new = _first_tier(entry, *_NEW) or tier
                verb, tier = "transmute" if new != tier else "mark", new
            revision += verb in ("enact", "amend") and entry is not None and entry.counts
            state = AgoraState(
                entry=entry, verb=verb, alive=alive, number=number, revision=revision, tier=tier
            )
            states.append(state)
        if self.final is not None and tier != self.final:
            message = f"its history leaves the rule {tier}, and its file says another power"
            self._warn("power", None, message, "the history is followed", self.rule.power or "")
        return AgoraHistory(rule=self.rule, states=tuple(states))

    def _warn(
        self, slug: str, entry: AgoraEntry | None, message: str, outcome: str, quote: str = ""
    ) -> None:
        path, line = (entry.path, entry.line) if entry else (self.rule.path, None)
        self.data.warn(slug, path, line, message, outcome, quote=quote)

    def _missing_entry(self, *, alive: bool) -> AgoraEntry | None:
        """Return a repeal or a reenactment that no entry tells of, if the history leaves the rule
        `alive` and the index does not list it, or the other way round: the index is believed. Else
        None, also without an index.
        """
        listed = {number for category in self.data.categories for number in category.rules}
        if not listed or alive == (self.rule.number in listed):
            return None
        message = (
            f"the rule's history leaves it {'in force' if alive else 'repealed'}, and the "
            "index does not"
        )
        does = "repeals" if alive else "reenacts"
        outcome = f"the index decides: an act that names it {does} the rule"
        self._warn("category-history", None, message, outcome)
        last = max(
            (entry.when.day for entry in self.entries if entry is not None and entry.when.day),
            default=None,
        )
        left = self.data.left.get(self.rule.number, self.data.left.get(0)) if alive else None
        words = "" if last is None else f"after {last}"
        if last is not None and left is not None and left >= last:
            words = f"between {last} and {left}"
        return AgoraEntry(
            path=self.rule.path,
            line=1,
            kind="repeal" if alive else "reenactment",
            change={} if alive else {"uncounted": "true"},
            when=When(day=last, words=words),
            agent={"index": "left out" if alive else "listed"},
        )

    def _fates(self) -> list[tuple[Verb | None, bool]]:
        """Return what each entry becomes, None for nothing, and whether the rule is in force."""
        fates: list[tuple[Verb | None, bool]] = []
        alive = False
        for at, entry in enumerate(self.entries):
            if entry is None or (at == 0 and entry.kind == "initial"):
                verb, alive = None, True
            else:
                verb, alive = self._fate(entry, alive)
            fates.append((verb, alive))
        return fates

    def _fate(self, entry: AgoraEntry, alive: bool) -> tuple[Verb | None, bool]:
        """Return what one entry becomes, None for nothing, and whether the rule is in force after
        it; `alive` says whether it was before.
        """
        verb = _VERBS.get(entry.kind)
        if verb == "amend" and not entry.counts:
            verb = "mark"
        if verb is None and alive:
            message, outcome = (
                "nobody can tell what kind of change this is",
                "it is a mark on the rule",
            )
            self._warn("change-unknown", entry, message, outcome, entry.kind)
            return "mark", True
        if verb == "enact" and alive:
            self._warn(
                "enacted-twice",
                entry,
                "the rule was in force already",
                "it counts as a change of the rule",
            )
            return ("amend" if entry.counts else "mark"), True
        if verb != "enact" and not alive:
            message = "the rule was not in force"
            outcome = "it does nothing; the file of its cause says so, if it has one"
            self._warn("no-place", entry, message, outcome, entry.kind)
            return None, False
        return verb, verb != "repeal"

    def _numbers(self, fates: Sequence[tuple[Verb | None, bool]]) -> list[int]:
        """Return the rule's number after each entry. Only the first entry, renumberings and the
        rule's file state one.
        """
        numbers: list[int] = []
        renumbered = [
            at for at, entry in enumerate(self.entries) if entry and entry.kind == "renumbering"
        ]
        for start, end in pairwise((0, *renumbered, len(self.entries))):
            entry = self.entries[end] if end < len(self.entries) else None
            last = self._number(entry, "old-id", "oldid") if entry else self.rule.number
            first = self._number(self.entries[start], "id", "new-id", "newid")
            numbers += self._segment(start, end, first or last or self.rule.number, last)
        for at, (verb, _) in enumerate(fates):
            if at and verb in (None, "repeal"):
                # What is repealed, or not in force, keeps its number.
                numbers[at] = numbers[at - 1]
        return numbers

    def _number(self, entry: AgoraEntry | None, *keys: str) -> int | None:
        """Return the number that an entry says at one of the keys; None if it says none, or another
        rule has it.
        """
        words = _first_key(entry, *keys) or ""
        number = int(words) if re.fullmatch(_NUMBER, words) else None
        return None if number != self.rule.number and number in self.taken else number

    def _segment(self, start: int, end: int, first: int, last: int | None) -> list[int]:
        """Return the rule's number after each entry from `start` up to the one before `end`: at
        first `first`, and from some entry on `last`, unless that is None. That entry is the last by
        the proposal with the number `last`; if there is none, the second, or the only one.
        """
        if last is None or last == first:
            return [first] * (end - start)
        takes = [at for at in range(start + 1, end) if _is_of(self.entries[at], last)]
        at = takes[-1] if takes else min(start + 1, end - 1)
        message = f"Rule {first} became Rule {last}, and no entry says how"
        cause = "the proposal of that number" if takes else "its next change"
        outcome = f"it is taken to have got that by {cause}"
        self._warn("number-unsaid", self.entries[at], message, outcome)
        if at == start:
            return [last] * (end - start)
        return [first] * (at - start) + [last] * (end - at)

    def _birth(self, at: int, before: str) -> str:
        """Return the tier in which a rule begins (again), by its entry, the next change of it, and
        what the rule has at the end; else that which it had `before`; else that of power 1.
        """
        given = _first_tier(self.entries[at], *_GIVEN)
        rest = [entry for entry in self.entries[at + 1 :] if entry is not None]
        life = list(takewhile(lambda entry: entry.kind not in _BIRTHS, rest))
        change = next((entry for entry in life if _VERBS.get(entry.kind) == "transmute"), None)
        if given is not None and (
            given not in (_IMMUTABLE, _MUTABLE) or change is not None or self.final is None
        ):
            return given
        later = _first_tier(change, *_OLD) if change else self.final if life == rest else None
        return later or before or self.final or f"power-{_PLAIN}"


def _is_of(entry: AgoraEntry | None, proposal: int) -> bool:
    return entry is not None and entry.agent == {"proposal": str(proposal)}


def _first_key(entry: AgoraEntry | None, *keys: str) -> str | None:
    return next((entry.change[key] for key in keys if key in entry.change), None) if entry else None


def _first_tier(entry: AgoraEntry | None, *keys: str) -> str | None:
    return tier_of(_first_key(entry, *keys) or "")
