"""One rule's history, worked out of its printed lines: which number, revision and tier it had after each.

A history says what was done and by whom; what else a program needs is worked out here, and what does not fit is noted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from nomicgen.files.file_findings import Notes, quoted
from nomicgen.importers.long_format import Section
from nomicgen.importers.printed_history import HistoryLine, Key, parse_history_line
from nomicgen.model import Moment

_LEAST = "mutable"
_DEFAULT = ("immutable", _LEAST)
_TAKING = ("amend", "transmute")


class LongState(Struct, frozen=True, kw_only=True):
    """A rule after one line of its history; the first line may be one that the source does not have (`line` None)."""

    line: HistoryLine | None
    number: int
    revision: int
    tier: str

    @property
    def ref(self) -> str:
        return f"{self.number}/{self.revision}"

    @property
    def gives_text(self) -> bool:
        return self.line is None or self.line.verb in ("initial", "enact", "amend")


class LongHistory(Struct, frozen=True, kw_only=True):
    """A rule: its section, and its states in order. The first is that of the initial set, or an enactment."""

    section: Section
    states: tuple[LongState, ...]

    @property
    def is_initial(self) -> bool:
        return self.states[0].line is None or self.states[0].line.verb == "initial"

    def at(self, when: Moment) -> LongState:
        """The rule as it stood when something was done: what was decided on that very day did not yet count."""
        found = self.states[0]
        for state in self.states[1:]:
            if state.line is not None and state.line.date is not None and state.line.date < when:
                found = state
        return found


def read_lines(section: Section, notes: Notes) -> tuple[HistoryLine, ...]:
    """The lines of a rule's history that were understood, in an order that can have been."""
    found = []
    for number, raw in section.history:
        line = parse_history_line(raw, number)
        if line is None:
            message = f"{quoted(raw)} is no line of a history"
            help = "such a line is e.g. `*Amended (1) by Proposal 329 (Alekosen), Jul 27, 2020*`; it is left out"
            notes.at("import-unread", number, 1, message, help)
            continue
        for slip in line.slips:
            notes.at("import-unread", number, 1, f"the line is not quite one of a history: {slip}", _KEPT)
        found.append(line)
    kept = list(_possible(found, notes))
    while kept and kept[-1].verb == "repeal":
        _left_out(kept.pop(), f"Rule {section.number} is in force", notes)
    return tuple(kept)


_KEPT = "the rest of the line is read"


def _possible(lines: Iterable[HistoryLine], notes: Notes) -> Iterator[HistoryLine]:
    """Leaves out what cannot have followed what stands before it."""
    enacting: Key | None = None
    alive = None
    for line in lines:
        if line.verb == "initial" and alive is not None:
            _left_out(line, "only the first line can be of the initial set", notes)
        elif line.verb == "enact" and alive:
            _left_out(line, "the rule was there already", notes)
        elif line.verb not in ("initial", "enact") and alive is False:
            _left_out(line, "the rule was repealed", notes)
        elif enacting == line.instrument:
            _left_out(line, "what enacts a rule cannot change it as well", notes)
        else:
            enacting = line.instrument if line.verb == "enact" else enacting
            alive = line.verb != "repeal"
            yield line


def _left_out(line: HistoryLine, why: str, notes: Notes) -> None:
    notes.at("import-unread", line.line, 1, f"this cannot have happened: {why}", "the line is left out")


def tiers_of(sections: Sequence[tuple[Section, tuple[HistoryLine, ...]]]) -> tuple[str, ...]:
    """The tiers, most entrenched first: the one that headings do not name is the last, others by their first rule."""
    plain = Counter(
        lines[0].tier
        for section, lines in sections
        if section.tier is None and lines and lines[0].verb == "initial"
        and not any(one.verb == "transmute" for one in lines)
    )  # fmt: skip
    least = str(max(plain, key=lambda tier: (plain[tier], tier == _LEAST))) if plain else _LEAST
    others = dict.fromkeys(
        tier for section, lines in sections for tier in (section.tier, *(one.tier for one in lines)) if tier is not None
    )
    others.pop(least, None)
    if not others or {*others, least} == set(_DEFAULT):
        return _DEFAULT if least == _LEAST else (*others, least)
    return (*others, least)


def history_of(section: Section, lines: Sequence[HistoryLine], tiers: Sequence[str], notes: Notes) -> LongHistory:
    """Works out the states of a rule."""
    if not lines or lines[0].verb not in ("initial", "enact"):
        message = f"the history of Rule {section.number} does not say how the rule began"
        notes.at("import-unread", section.line, 1, message, "the rule is taken for one of the initial set")
        known: list[HistoryLine | None] = [None, *lines]
    else:
        known = list(lines)
    numbers = _numbers(section, known, notes)
    revisions = _revisions(section, known, notes)
    ranks = _tiers(section, known, tiers, notes)
    states = tuple(
        LongState(line=line, number=number, revision=revision, tier=tier)
        for line, number, revision, tier in zip(known, numbers, revisions, ranks, strict=True)
    )
    return LongHistory(section=section, states=states)


def _numbers(section: Section, lines: Sequence[HistoryLine | None], notes: Notes) -> list[int]:
    """The number after each line. Between two numbers that are known, a rule may have taken its proposals' numbers."""
    found: list[int] = []
    start = 0
    for at in range(1, len(lines) + 1):
        following = lines[at] if at < len(lines) else None
        if following is None and at == len(lines):
            end: int | None = section.number
        elif _is(following, "renumber", "enact"):
            end = following.number if following else None
        else:
            continue
        found += _segment(section, lines[start:at], end, notes)
        start = at
    return found


def _segment(section: Section, lines: Sequence[HistoryLine | None], end: int | None, notes: Notes) -> list[int]:
    """The numbers after each of some lines, after the last of which the rule bore `end` (None: nobody says)."""
    first = lines[0]
    born = first.number if first and first.verb == "initial" else _proposal(first) if _is(first, "enact") else None
    taken = [at for at, line in enumerate(lines) if at and _is(line, *_TAKING) and _proposal(line) == end]
    if end is None or born is None or born == end:
        return [end or born or section.number] * len(lines)
    if not taken:
        if first is not None and first.verb == "initial":
            message = f"Rule {end} began as Rule {born}, and no line says how the number changed"
            notes.at("import-unread", section.line, 1, message, f"it is taken to have been Rule {end} all along")
        return [end] * len(lines)
    last = lines[taken[-1]]
    keeping = {line.verb for line in lines[taken[-1] + 1 :] if line is not None}
    numbers = [born]
    for at, line in enumerate(lines[1:], 1):
        proposal = _proposal(line)
        takes = at <= taken[-1] and line is not None and last is not None and proposal is not None
        takes = takes and _is(line, *_TAKING) and (_is(line, last.verb if last else "") or not _is(line, *keeping))
        numbers.append(proposal if takes and proposal is not None else numbers[-1])
    return numbers


def _is(line: HistoryLine | None, *verbs: str) -> bool:
    return line is not None and line.verb in verbs


def _proposal(line: HistoryLine | None) -> int | None:
    return int(line.cause) if line is not None and line.kind == "proposal" else None


def _revisions(section: Section, lines: Sequence[HistoryLine | None], notes: Notes) -> list[int]:
    amended = [line for line in lines if line is not None and line.verb == "amend"]
    begins = lines[0] is None or lines[0].verb == "initial"
    again = any(_is(line, "enact") for line in lines[1:])
    now = max(section.revision - len(amended), 0) if begins and not again else 0
    found = []
    for line in lines:
        if line is not None and line.verb == "enact":
            now = 0
        elif line is not None and line.verb == "amend":
            now += 1
            if line.revision is not None and line.revision != now:
                message = f"the line says that it made revision {line.revision}, and it made {now}"
                notes.at("import-unread", line.line, 1, message, "revisions are counted anew")
        found.append(now)
    if now != section.revision:
        message = f"the heading says {section.number}/{section.revision}, and the history gives /{now}"
        notes.at("import-unread", section.line, 1, message, "revisions are counted anew, by the history")
    return found


def _tiers(section: Section, lines: Sequence[HistoryLine | None], tiers: Sequence[str], notes: Notes) -> list[str]:
    final = section.tier or tiers[-1]
    found: list[str] = []
    for at, line in enumerate(lines):
        if line is not None and line.verb in ("initial", "transmute") and line.tier:
            found.append(line.tier)
        elif line is None or line.verb == "enact":
            found.append(_birth(line, lines[at + 1 :], final, tiers, section, notes))
        else:
            found.append(found[-1])
    if found[-1] != final:
        message = f"the heading of Rule {section.number} says {final}, and its history {found[-1]}"
        notes.at("import-unread", section.line, 1, message, "the history is followed")
    return found


def _birth(
    line: HistoryLine | None,
    later: Sequence[HistoryLine | None],
    final: str,
    tiers: Sequence[str],
    section: Section,
    notes: Notes,
) -> str:
    """The tier that a rule began in, which its history does not say: it stayed in it, or was transmuted out of it."""
    ending = next((one for one in later if one is not None and one.verb in ("transmute", "repeal")), None)
    if ending is None:
        return final
    if ending.verb == "repeal":
        return tiers[-1]
    possible = [tier for tier in tiers[::-1] if tier != ending.tier] or [tiers[-1]]
    if len(possible) > 1:
        message = f"the history of Rule {section.number} does not say in which tier it began"
        at = line.line if line is not None else section.line
        notes.at("import-unread", at, 1, message, f"it is taken to have been {possible[0]}")
    return possible[0]
