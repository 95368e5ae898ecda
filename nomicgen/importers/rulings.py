"""The judgements that stand below rules, and those that histories name: each once, with a number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from nomicgen.files.markdown import parse_body
from nomicgen.files.notes import Notes, quoted
from nomicgen.importers.history_lines import JudgementLine, parse_judgement_line
from nomicgen.importers.ledger import Key, Made, sorted_with
from nomicgen.importers.lives import Life
from nomicgen.model import Moment, RuleRef

__all__ = ["Ruling", "rulings_of"]


@dataclass(slots=True, kw_only=True)
class Ruling:
    """A judgement: `text` is Markdown of one paragraph, '' where only its effect is known."""

    number: int
    text: str
    player: str | None
    date: Moment | None
    turn: str | None
    rules: list[RuleRef] = field(default_factory=list)


@dataclass(slots=True)
class _Found:
    line: JudgementLine
    rules: list[RuleRef]
    life: Life


_Same = tuple[str, str | None, Moment | None, str | None]


def rulings_of(
    lives: Sequence[Life], instruments: Mapping[Key, Made], players: Iterable[str], notes: Notes
) -> list[Ruling]:
    """Every judgement, by number. Those that no history names are numbered as they follow each other."""
    known = frozenset(players)
    found: dict[_Same, _Found] = {}
    chains: list[list[_Same]] = []
    for life in lives:
        chain = []
        for line in _lines(life, known, notes):
            same = (line.text, line.player, line.date, line.turn)
            entry = found.setdefault(same, _Found(line, [], life))
            entry.rules.append(_construed(life, line.date))
            chain.append(same)
        chains.append(list(dict.fromkeys(chain)))
    named = {made.number: made for made in instruments.values() if made.kind == "judgement"}
    order = sorted_with(found, chains, lambda one: _when(found[one]))
    numbers = _numbers(order, found, named)
    rulings = [_ruling(numbers[same], found[same]) for same in order]
    given = set(numbers.values())
    rulings += [
        Ruling(number=number, text="", player=made.player, date=made.date, turn=made.turn)
        for number, made in named.items()
        if number not in given
    ]
    return sorted(rulings, key=lambda one: one.number)


def _lines(life: Life, players: frozenset[str], notes: Notes) -> list[JudgementLine]:
    found = []
    for number, raw in life.section.judgements:
        line = parse_judgement_line(raw, players, number)
        if line is None or _safe(line.text) is None:
            message = f"{quoted(raw)} is no judgement"
            help = "such a line is e.g. `*What was ruled. (Alekosen), Jul 27, 2020*`; it is left out"
            notes.at("import-unread", number, 1, message, help)
            continue
        for slip in line.slips:
            notes.at("import-unread", number, 1, f"the line is not quite a judgement: {slip}", "the rest is read")
        found.append(line)
    return found


def _when(found: _Found) -> tuple[date, date, int, int, int, str]:
    day = found.line.date.day if found.line.date else date.max
    return day, day, 0, 0, found.line.line, ""


def _construed(life: Life, when: Moment | None) -> RuleRef:
    """The revision that stood when a judgement was given: what was decided on that very day did not yet."""
    stage = life.stages[0] if when else life.stages[-1]
    for one in life.stages[1:]:
        if when and one.line and one.line.date and one.line.date < when:
            stage = one
    return RuleRef(stage.number, stage.revision)


def _numbers(order: Sequence[_Same], found: Mapping[_Same, _Found], named: Mapping[int, Made]) -> dict[_Same, int]:
    """A number for each judgement: that of a history's line that says the same of it, else the next free one."""
    numbers: dict[_Same, int] = {}
    for same in order:
        line = found[same].line
        alike = [
            number
            for number, made in named.items()
            if number not in numbers.values() and line.player and line.date
            and (made.player, made.date, made.turn) == (line.player, line.date, line.turn)
        ]  # fmt: skip
        if alike:
            numbers[same] = alike[0]
    free = 1
    for same in order:
        if same not in numbers:
            while free in named or free in numbers.values():
                free += 1
            numbers[same] = free
    return numbers


def _ruling(number: int, found: _Found) -> Ruling:
    line = found.line
    text = _safe(line.text) or ""
    rules = sorted(set(found.rules))
    return Ruling(number=number, text=text, player=line.player, date=line.date, turn=line.turn, rules=rules)


def _safe(text: str) -> str | None:
    """The text as a paragraph of its own, whatever it begins with; None where it cannot be one."""
    bare = text.strip()
    for one in (bare, f"\\{bare}", bare.replace(".", "\\.", 1), bare.replace(")", "\\)", 1)):
        if [token.type for token in parse_body(one, 1).tokens] == ["paragraph_open", "inline", "paragraph_close"]:
            return one
    return None
