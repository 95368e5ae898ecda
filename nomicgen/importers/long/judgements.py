"""The judgements of a ruleset in the long format: those printed below rules, and those that
histories name, each once and with a number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import count

from msgspec.structs import replace

from nomicgen.files.file_findings import Notes
from nomicgen.formats.ruleset_text import escape_words
from nomicgen.history.history_lines import as_paragraph
from nomicgen.importers.instruments import ImportedInstrument, Key
from nomicgen.importers.long.history import LongHistory
from nomicgen.importers.long.history_lines import JudgementLine, parse_judgement_line, parse_lines
from nomicgen.model.values import RuleRef

_JUDGEMENT = "judgement", "*What was ruled. (Alekosen), Jul 27, 2020*"
"""How findings call a line that cannot be read, and the example that they give."""
_RulingKey = tuple[JudgementLine, int]
"""A judgement's key: what its line says, and how many earlier lines of the rule say the same."""


def add_rulings(
    instruments: dict[Key, ImportedInstrument],
    histories: Sequence[LongHistory],
    players: Iterable[str],
    notes: Notes,
) -> None:
    """Add every judgement that is printed to the instruments; `players` are names that may stand at
    a line's end, as that of the judge.

    One that stands below several rules is about all of them. Those that no history names get the
    numbers that are free, by their dates.
    """
    printed: dict[_RulingKey, ImportedInstrument] = {}
    known = frozenset(players)
    for history in histories:
        met = Counter[JudgementLine]()
        parse = partial(parse_judgement_line, known)
        for line in parse_lines(history.section.judgements, parse, notes, *_JUDGEMENT):
            bare = replace(line, line=0)
            state = history.state_before(line.date) if line.date else history.states[-1]
            ruling = printed.setdefault((bare, met[bare]), _ruling(line))
            ruling.rules.append(RuleRef(state.number, state.revision))
            met[bare] += 1
    named = {one.number: one for one in instruments.values() if one.kind == "judgement"}
    rulings = sorted(printed.values(), key=lambda one: one.date.day if one.date else date.max)
    _give_numbers(rulings, named)
    for ruling in rulings:
        ruling.ruling, ruling.rules = as_paragraph(ruling.ruling), sorted(set(ruling.rules))
        instruments["judgement", ruling.cause] = ruling


def _ruling(line: JudgementLine) -> ImportedInstrument:
    return ImportedInstrument(
        kind="judgement",
        cause="0",
        player=line.player,
        date=line.date,
        turn=line.turn,
        ruling=line.text,
    )


def _give_numbers(
    rulings: Sequence[ImportedInstrument], named: Mapping[int, ImportedInstrument]
) -> None:
    """Give each printed judgement the number and the instructions of the one in a history that it
    may be; each of the others gets the next number that is free.
    """
    waiting = dict(sorted(named.items()))
    # Those with the same judge go first, so that no other takes their number.
    for exactly in (True, False):
        for ruling in rulings:
            alike = (
                number
                for number, judgement in waiting.items()
                if _is_alike(ruling, judgement, exactly=exactly)
            )
            number = next(alike, None)
            if ruling.number == 0 and number is not None:
                same = waiting.pop(number)
                ruling.cause, ruling.commit = same.cause, same.commit
                ruling.lines, ruling.instructions = same.lines, same.instructions
                if not exactly and ruling.player is not None:
                    ruling.ruling, ruling.player = (
                        f"{ruling.ruling} ({escape_words(ruling.player)})",
                        None,
                    )
    last, taken = 0, set(named)
    for ruling in rulings:
        if ruling.number == 0:
            ruling.cause = str(next(number for number in count(last + 1) if number not in taken))
            taken.add(ruling.number)
        last = max(last, ruling.number)


def _is_alike(ruling: ImportedInstrument, judgement: ImportedInstrument, *, exactly: bool) -> bool:
    """Return whether a printed judgement may be one that a history names: both have the same date
    and turn, and `exactly` the same judge; else the history names no judge.
    """
    if ruling.date is None or (ruling.date, ruling.turn) != (judgement.date, judgement.turn):
        return False
    return ruling.player == judgement.player if exactly else judgement.player is None
