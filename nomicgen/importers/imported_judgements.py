"""The judgements that stand below rules, and those that histories name: each once, with a number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.archive.history_lines import as_paragraph
from nomicgen.files.file_findings import Notes, quoted
from nomicgen.formats.ruleset_text import escaped
from nomicgen.importers.history_instruments import ImportedInstrument, sorted_with
from nomicgen.importers.long_history import LongHistory
from nomicgen.importers.printed_history import JudgementLine, Key, parse_judgement_line
from nomicgen.model import Moment, RuleRef


class Ruling(Struct, kw_only=True):
    """A judgement: `text` is Markdown of one paragraph, '' where only its effect is known."""

    number: int
    text: str
    player: str | None
    date: Moment | None
    turn: str | None
    rules: list[RuleRef] = []


class _Found(Struct):
    line: JudgementLine
    rules: list[RuleRef]
    history: LongHistory


_Same = tuple[JudgementLine, int]
"""What a judgement is known by: what its line says, and how many lines of the rule before it said the same."""


def rulings_of(
    histories: Sequence[LongHistory],
    instruments: Mapping[Key, ImportedInstrument],
    players: Iterable[str],
    notes: Notes,
) -> list[Ruling]:
    """Every judgement, by number. Those that no history names are numbered as they follow each other."""
    known = frozenset(players)
    found: dict[_Same, _Found] = {}
    chains: list[list[_Same]] = []
    for history in histories:
        chain: list[_Same] = []
        for line in _lines(history, known, notes):
            bare = replace(line, line=0)
            same = (bare, sum(one == bare for one, _ in chain))
            entry = found.setdefault(same, _Found(line, [], history))
            state = history.at(line.date) if line.date else history.states[-1]
            entry.rules.append(RuleRef(state.number, state.revision))
            chain.append(same)
        chains.append(chain)
    named = {made.number: made for made in instruments.values() if made.kind == "judgement"}
    order = sorted_with(found, chains, lambda one: _when(found[one]))
    numbers = _numbers(order, found, named)
    rulings = [_ruling(numbers[same], found[same], named.get(numbers[same])) for same in order]
    given = set(numbers.values())
    rulings += [
        Ruling(number=number, text="", player=made.player, date=made.date, turn=made.turn)
        for number, made in named.items()
        if number not in given
    ]
    return sorted(rulings, key=lambda one: one.number)


def _lines(history: LongHistory, players: frozenset[str], notes: Notes) -> list[JudgementLine]:
    lines = []
    for number, raw in history.section.judgements:
        line = parse_judgement_line(raw, players, number)
        if line is None:
            message = f"{quoted(raw)} is no judgement"
            help = "such a line is e.g. `*What was ruled. (Alekosen), Jul 27, 2020*`; it is left out"
            notes.at("import-unread", number, 1, message, help)
            continue
        if line.misdated is not None:
            notes.at("import-unread", number, 1, f"{line.misdated} is not in the calendar", "the line has no date")
        lines.append(line)
    return lines


def _when(found: _Found) -> tuple[date, date, int, int, int, str]:
    day = found.line.date.day if found.line.date else date.max
    return day, day, 0, 0, found.line.line, ""


def _numbers(
    order: Sequence[_Same], found: Mapping[_Same, _Found], named: Mapping[int, ImportedInstrument]
) -> dict[_Same, int]:
    """A number for each judgement: that of a history's line that says the same of it, else the next that is free."""
    numbers: dict[_Same, int] = {}
    for exactly in (True, False):
        waiting = {number: made for number, made in sorted(named.items()) if number not in numbers.values()}
        for same in order:
            found_in = [one for one, made in waiting.items() if _alike(found[same].line, made, exactly=exactly)]
            if same not in numbers and found_in:
                numbers[same] = found_in[0]
                del waiting[found_in[0]]
    last, taken = 0, set(named)
    for same in order:
        if same not in numbers:
            last += 1
            while last in taken:
                last += 1
            taken.add(last)
        last = max(last, numbers.setdefault(same, last))
    return numbers


def _alike(line: JudgementLine, made: ImportedInstrument, *, exactly: bool) -> bool:
    """Whether a line may be about a judgement; if not exactly, what reads like a judge may be the end of the text."""
    if line.date is None or (line.date, line.turn) != (made.date, made.turn):
        return False
    return line.player == made.player if exactly else made.player is None


def _ruling(number: int, found: _Found, made: ImportedInstrument | None) -> Ruling:
    line = found.line
    text, player = line.text, line.player
    if made is not None and made.player is None and player is not None:
        text, player = f"{text} ({escaped(player)})", None
    rules = sorted(set(found.rules))
    return Ruling(number=number, text=as_paragraph(text), player=player, date=line.date, turn=line.turn, rules=rules)
