"""The judgements that stand below rules, and those that histories name: each once, with a number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.file_findings import Notes, quoted
from nomicgen.formats.ruleset_text import escaped
from nomicgen.history.history_lines import as_paragraph
from nomicgen.importers.instruments import ImportedInstrument, sorted_with
from nomicgen.importers.printed.history import LongHistory
from nomicgen.importers.printed.printed_history import JudgementLine, Key, parse_judgement_line
from nomicgen.model.values import Moment, RuleRef


class Ruling(Struct, kw_only=True):
    """A judgement: `text` is Markdown of one paragraph, '' where only its effect is known; `line` is the first that has
    it.
    """

    number: int = 0
    text: str = ""
    player: str | None
    date: Moment | None
    turn: str | None
    rules: list[RuleRef] = []
    line: int = 0


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
    printed: dict[_Same, Ruling] = {}
    chains: list[list[_Same]] = []
    for history in histories:
        chain: list[_Same] = []
        for line in _lines(history, known, notes):
            bare = replace(line, line=0)
            same = (bare, sum(earlier == bare for earlier, _ in chain))
            ruling = Ruling(text=line.text, player=line.player, date=line.date, turn=line.turn, line=line.line)
            state = history.at(line.date) if line.date else history.states[-1]
            printed.setdefault(same, ruling).rules.append(RuleRef(state.number, state.revision))
            chain.append(same)
        chains.append(chain)
    named = {instrument.number: instrument for instrument in instruments.values() if instrument.kind == "judgement"}
    rulings = [printed[same] for same in sorted_with(printed, chains, lambda same: _when(printed[same]))]
    _give_numbers(rulings, named)
    for ruling in rulings:
        ruling.text, ruling.rules = as_paragraph(ruling.text), sorted(set(ruling.rules))
    for number in named.keys() - {ruling.number for ruling in rulings}:
        judgement = named[number]
        rulings.append(Ruling(number=number, player=judgement.player, date=judgement.date, turn=judgement.turn))
    return sorted(rulings, key=lambda ruling: ruling.number)


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


def _when(ruling: Ruling) -> tuple[date, date, int, int, int, str]:
    day = ruling.date.day if ruling.date else date.max
    return day, day, 0, 0, ruling.line, ""


def _give_numbers(rulings: Sequence[Ruling], named: Mapping[int, ImportedInstrument]) -> None:
    """Gives each judgement that of a history's line that says the same of it, else the next number that is free."""
    waiting = dict(sorted(named.items()))
    for exactly in (True, False):
        for ruling in rulings:
            alike = (number for number, judgement in waiting.items() if _is_alike(ruling, judgement, exactly=exactly))
            number = next(alike, None)
            if ruling.number == 0 and number is not None:
                del waiting[number]
                ruling.number = number
                if not exactly and ruling.player is not None:
                    ruling.text, ruling.player = f"{ruling.text} ({escaped(ruling.player)})", None
    last, taken = 0, set(named)
    for ruling in rulings:
        if ruling.number == 0:
            ruling.number = next(number for number in count(last + 1) if number not in taken)
            taken.add(ruling.number)
        last = max(last, ruling.number)


def _is_alike(ruling: Ruling, judgement: ImportedInstrument, *, exactly: bool) -> bool:
    """Whether a line may be about a judgement; if not exactly, what reads like a judge may be the end of the text."""
    if ruling.date is None or (ruling.date, ruling.turn) != (judgement.date, judgement.turn):
        return False
    return ruling.player == judgement.player if exactly else judgement.player is None
