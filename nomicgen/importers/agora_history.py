"""What became of each of Agora's rules: number, revision, power and title after each entry of its history."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction

from msgspec import Struct

from nomicgen.importers.agora_dates import When
from nomicgen.importers.agora_read import AgoraEntry, Data, RuleData, in_words
from nomicgen.model import Moment, Verb
from nomicgen.patterns import lazy_pattern

UNKNOWN_TITLE = "(title lost)"
_IMMUTABLE, _MUTABLE = "immutable", "mutable"
_FIRST = ("initial", "enactment")
_BIRTHS = (*_FIRST, "reenactment")
_POWER = lazy_pattern(r"[0-9]{1,4}(?:\.[0-9]{1,4})?")
_NUMBER = lazy_pattern(r"[1-9][0-9]{0,8}")
_PLAIN = "1"
_OLD, _NEW = ("old-power", "old-mi"), ("new-power", "new-mi")
_GIVEN = ("power", "mi", "mutability")
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


class AgoraState(Struct, frozen=True, kw_only=True):
    """A rule after one entry. `verb` is what the entry becomes, None for the initial set and for what has no place.

    A rule that the data does not begin has a first state without an entry.
    """

    entry: AgoraEntry | None
    verb: Verb | None
    alive: bool
    number: int
    revision: int
    tier: str
    title: str | None

    @property
    def ref(self) -> str:
        return f"{self.number}/{self.revision}"


class AgoraHistory(Struct, frozen=True, kw_only=True):
    """A rule and its states; the first is of the initial set where its verb is None."""

    rule: RuleData
    states: tuple[AgoraState, ...]

    @property
    def is_initial(self) -> bool:
        return self.states[0].verb is None

    @property
    def texts(self) -> list[int]:
        """The indices of the states that gave the rule a text, if only the same again: the first among them."""
        return [at for at, state in enumerate(self.states) if at == 0 or state.verb in ("enact", "amend")]

    @property
    def last_text(self) -> int:
        """The index of the state that gave the rule the text that it has at the end."""
        return self.texts[-1]


def tier_of(said: str) -> str | None:
    """The tier of a power, a mutability index or a mutability: `1.70` is `power-1-7`. None for anything else."""
    if said in (_IMMUTABLE, "unanimity"):
        return _IMMUTABLE
    if said == _MUTABLE:
        return _MUTABLE
    if not _POWER.fullmatch(said):
        return None
    whole, _, part = said.partition(".")
    words = [str(int(whole)), part.rstrip("0")]
    return "-".join(["power", *filter(None, words)])


def tiers_of(used: Iterable[str]) -> tuple[str, ...]:
    """Tiers, most entrenched first: what is immutable, then by power; what is mutable goes with power 1."""
    return tuple(sorted(dict.fromkeys(used), key=_rank, reverse=True))


def groups_of(tiers: Iterable[str]) -> dict[str, list[str]]:
    """Tiers by the whole number of their power, as a reader thinks of them; a mutable rule has power 1."""
    found: dict[str, list[str]] = {}
    for tier in tiers:
        power = 1 if tier == _MUTABLE else int(_rank(tier)[1])
        name = tier if tier == _IMMUTABLE else f"power {power}" if power else "below power 1"
        found.setdefault(name, []).append(tier)
    return {name: all_ for name, all_ in found.items() if all_ != [name]}


def missing_until(histories: Sequence[AgoraHistory]) -> Moment | None:
    """The day of the first repeal, where the data lack most of the numbers that rules had: those repealed before it."""
    numbers = {state.number for history in histories for state in history.states}
    ends = [history.states[-1] for history in histories if not history.states[-1].alive]
    days = [one.entry.when.day for one in ends if one.entry is not None and one.entry.when.day]
    if not days or 2 * len(numbers) > max(numbers) - min(numbers):
        return None
    return Moment.of(min(days))


def _rank(tier: str) -> tuple[int, Fraction, int]:
    if tier in (_IMMUTABLE, _MUTABLE):
        return int(tier == _IMMUTABLE), Fraction(_PLAIN), 0
    return 0, Fraction(tier.removeprefix("power-").replace("-", ".")), 1


def histories_of(data: Data) -> list[AgoraHistory]:
    """Works out the states of every rule. What does not fit is odd."""
    taken = set(data.rules)
    found = []
    for rule in data.rules.values():
        history = _Living(rule, data, taken).history()
        taken |= {state.number for state in history.states}
        found.append(history)
    return found


class _Living:
    def __init__(self, rule: RuleData, data: Data, taken: Collection[int]) -> None:
        self.rule, self.data, self.taken = rule, data, taken
        self.entries: list[AgoraEntry | None] = list(rule.history)
        if not rule.history or rule.history[0].kind not in _FIRST:
            message = f"the history of Rule {rule.number} does not say how the rule began"
            data.warn("history", rule.path, None, message, "the rule is taken for one of the initial set")
            self.entries.insert(0, None)

    def history(self) -> AgoraHistory:
        fates = self._fates()
        if (decided := self._decided(alive=fates[-1][1])) is not None:
            self.entries.append(decided)
            fates.append(self._fate(decided, fates[-1][1]))
        numbers, revisions = self._numbers(fates), self._revisions(fates)
        tiers, titles = self._tiers(fates), self._titles(fates)
        states = []
        for at, (entry, (verb, alive)) in enumerate(zip(self.entries, fates, strict=True)):
            moved = at > 0 and tiers[at] != tiers[at - 1]
            states.append(
                AgoraState(
                    entry=entry,
                    verb="mark" if verb == "transmute" and not moved else verb,
                    alive=alive,
                    number=numbers[at],
                    revision=revisions[at],
                    tier=tiers[at],
                    title=titles[at],
                )
            )
        return AgoraHistory(rule=self.rule, states=tuple(states))

    def _warn(
        self, slug: str, entry: AgoraEntry | None, message: str, made: str, quote: str = "", open_: bool = False
    ) -> None:
        path, line = (entry.path, entry.line) if entry else (self.rule.path, None)
        self.data.warn(slug, path, line, message, made, quote=quote, open_=open_)

    def _decided(self, *, alive: bool) -> AgoraEntry | None:
        """What no entry tells, where the index and the history disagree: the index says what is in force."""
        listed = {number for one in self.data.categories for number in one.rules}
        if not listed or alive == (self.rule.number in listed):
            return None
        message = f"the rule's history leaves it {'in force' if alive else 'repealed'}, and the index does not"
        made = f"the index decides: that it was {'repealed' if alive else 'enacted again'} is told, and not by what"
        self._warn("category-history", None, message, made)
        last = max((one.when.day for one in self.entries if one is not None and one.when.day), default=None)
        found = self.data.left.get(self.rule.number, self.data.left.get(0)) if alive else None
        if last is None:
            when = When(day=None)
        elif found is not None and found >= last:
            when = When(day=last, words=f"between {last} and {found}")
        else:
            when = When(day=last, words=f"after {last}")
        return AgoraEntry(
            path=self.rule.path,
            line=1,
            kind="repeal" if alive else "reenactment",
            change={} if alive else {"uncounted": "true"},
            when=when,
            agent={"index": "left out" if alive else "listed"},
        )

    def _fates(self) -> list[tuple[Verb | None, bool]]:
        """What each entry becomes, and whether the rule is in force after it."""
        found: list[tuple[Verb | None, bool]] = []
        alive = False
        for at, entry in enumerate(self.entries):
            if entry is None or (at == 0 and entry.kind == "initial"):
                verb, alive = None, True
            else:
                verb, alive = self._fate(entry, alive)
            found.append((verb, alive))
        return found

    def _fate(self, entry: AgoraEntry, alive: bool) -> tuple[Verb | None, bool]:
        verb = _VERBS.get(entry.kind)
        if verb == "amend" and not entry.counts:
            verb = "mark"
        if verb is None and alive:
            message, made = "nobody can tell what kind of change this is", "it is a mark on the rule"
            self._warn("change-unknown", entry, message, made, entry.kind, True)
            return "mark", True
        if verb == "enact" and alive:
            self._warn("enacted-twice", entry, "the rule was in force already", "it is told as a change of the rule")
            return ("amend" if entry.counts else "mark"), True
        if verb != "enact" and not alive:
            message, made = (
                "the rule was not in force",
                "it does nothing; a note of its cause says so, where it has a file",
            )
            self._warn("no-place", entry, message, made, entry.kind, True)
            return None, False
        return verb, verb != "repeal"

    def _revisions(self, fates: Sequence[tuple[Verb | None, bool]]) -> list[int]:
        """Counted as Agora's report counts: through repeals and reenactments."""
        found, now = [], 0
        for entry, (verb, _) in zip(self.entries, fates, strict=True):
            now += verb in ("enact", "amend") and entry is not None and entry.counts
            found.append(now)
        return found

    def _numbers(self, fates: Sequence[tuple[Verb | None, bool]]) -> list[int]:
        """The number after each entry. Only those at its start, at its end and at renumberings are said."""
        found: list[int] = []
        start, renumbered = 0, [at for at, one in enumerate(self.entries) if one and one.kind == "renumbering"]
        for end in (*renumbered, len(self.entries)):
            entry = self.entries[end] if end < len(self.entries) else None
            last = self._said(entry, "old-id", "oldid") if entry else self.rule.number
            first = self._said(self.entries[start], "id", "new-id", "newid")
            found += self._segment(start, end, first or last or self.rule.number, last)
            start = end
        for at, (verb, _) in enumerate(fates):
            if at and verb in (None, "repeal"):
                # What is repealed, or not in force, keeps its number.
                found[at] = found[at - 1]
        return found

    def _said(self, entry: AgoraEntry | None, *keys: str) -> int | None:
        said = next((entry.change[key] for key in keys if key in entry.change), "") if entry else ""
        number = int(said) if _NUMBER.fullmatch(said) else None
        if number is None or number == self.rule.number or number not in self.taken:
            return number
        message, made = f"the number {number} is that of another rule", f"it is taken to have been {self.rule.number}"
        self._warn("number-taken", entry, message, made)
        return None

    def _segment(self, start: int, end: int, first: int, last: int | None) -> list[int]:
        """The numbers of some entries, from `first` to `last`, which it took where a proposal bore that number."""
        if last is None or last == first:
            return [first] * (end - start)
        takes = [at for at in range(start + 1, end) if _is_of(self.entries[at], last)]
        at = takes[-1] if takes else min(start + 1, end - 1)
        message = f"Rule {first} became Rule {last}, and no entry says how"
        made = "it is taken to have got the number of the proposal that bears it" if takes else "its next change did it"
        self._warn("number-unsaid", self.entries[at], message, made)
        if at == start:
            return [last] * (end - start)
        return [first] * (at - start) + [last] * (end - at)

    def _tiers(self, fates: Sequence[tuple[Verb | None, bool]]) -> list[str]:
        now, found = "", []
        for at, (entry, (verb, _)) in enumerate(zip(self.entries, fates, strict=True)):
            if at == 0 or verb == "enact":
                now = self._birth(at, now)
            elif verb == "transmute" and entry is not None:
                now = self._moved(entry, now)
            found.append(now)
        final = tier_of(self.rule.power or "")
        if final is not None and now != final:
            message = f"its history leaves the rule {now}, and its power is said to be another"
            self._warn("power", None, message, "the history is followed", self.rule.power or "")
        return found

    def _birth(self, at: int, before: str) -> str:
        """The tier in which a rule begins: as it says, as the next change says that it was, or as it is at the end."""
        entry, final = self.entries[at], tier_of(self.rule.power or "")
        said = _first_tier(entry, *_GIVEN)
        follows = self._next_change(at)
        if said is not None and not (said in (_IMMUTABLE, _MUTABLE) and follows is None and final is not None):
            return said
        if said is not None:
            message = f"the rule began {said}, and no entry says how it got its power"
            self._warn("power-unsaid", entry, message, "it is taken to have had that power from the start")
        later = _first_tier(follows, *_OLD) if follows else final if not self._lives_after(at) else None
        return later or before or final or tier_of(_PLAIN) or _IMMUTABLE

    def _next_change(self, at: int) -> AgoraEntry | None:
        """The next change of power before the rule begins anew."""
        for one in self.entries[at + 1 :]:
            if one is not None and one.kind in _BIRTHS:
                return None
            if one is not None and _VERBS.get(one.kind) == "transmute":
                return one
        return None

    def _lives_after(self, at: int) -> bool:
        return any(one is not None and one.kind in _BIRTHS for one in self.entries[at + 1 :])

    def _moved(self, entry: AgoraEntry, now: str) -> str:
        old, new = _first_tier(entry, *_OLD), _first_tier(entry, *_NEW)
        if old is not None and old != now and not (now == _MUTABLE and old == tier_of(_PLAIN)):
            self._warn("power", entry, f"the entry changes {old}, and the rule was {now}", "what it became is followed")
        if new is None or new == now:
            message = "the entry does not change the rule's power"
            self._warn("power", entry, message, "it is a mark on the rule", in_words(dict(entry.change)))
        return new or now

    def _titles(self, fates: Sequence[tuple[Verb | None, bool]]) -> list[str | None]:
        """The title after each entry, None where it is not known; the last one is the rule's name."""
        cuts = [at for at, (verb, _) in enumerate(fates) if verb == "retitle"]
        found: list[str | None] = []
        for start, end in zip((0, *cuts), (*cuts, len(fates)), strict=True):
            begun = self.entries[start] if start in cuts else None
            said = _said_title(begun, "new-title", "new-name")
            last = end == len(fates)
            after = self.rule.name or None if last else _said_title(self.entries[end], "old-title", "old-name")
            if said and after and said != after:
                message = "the new title is not that which the rule had then"
                self._warn(
                    "title", begun, message, "its name is taken" if last else "what the next entry says is", said
                )
            title = after or said
            if title is None and begun is not None:
                self._warn("title-lost", begun, "the entry does not say the new title", "it is said to be lost")
            found += [title or (UNKNOWN_TITLE if begun else None)] * (end - start)
        return found


def _is_of(entry: AgoraEntry | None, proposal: int) -> bool:
    return entry is not None and entry.agent == {"proposal": str(proposal)}


def _first_tier(entry: AgoraEntry | None, *keys: str) -> str | None:
    said = next((entry.change[key] for key in keys if key in entry.change), None) if entry else None
    return tier_of(said) if said is not None else None


def _said_title(entry: AgoraEntry | None, *keys: str) -> str | None:
    said = next((entry.change[key] for key in keys if key in entry.change), None) if entry else None
    return " ".join(said.split()) or None if said else None
