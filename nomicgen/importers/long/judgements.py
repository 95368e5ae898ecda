"""The judgements that stand below rules, and those that histories name: each once, with a
number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import count

from msgspec.structs import replace

from nomicgen.files.file_findings import Notes
from nomicgen.formats.ruleset_text import escaped
from nomicgen.history.history_lines import as_paragraph
from nomicgen.importers.instruments import ImportedInstrument, Key
from nomicgen.importers.long.history import LongHistory
from nomicgen.importers.long.history_lines import JudgementLine, parse_judgement_line, understood
from nomicgen.model.values import RuleRef

_JUDGEMENT = "judgement", "*What was ruled. (Alekosen), Jul 27, 2020*"
_Same = tuple[JudgementLine, int]
"""A judgement's key: what its line says, and how many earlier lines of the rule say the same."""


def add_rulings(
    instruments: dict[Key, ImportedInstrument],
    histories: Sequence[LongHistory],
    players: Iterable[str],
    notes: Notes,
) -> None:
    """Add every judgement that is printed. Those that no history names are numbered as they follow
    each other.
    """
    printed: dict[_Same, ImportedInstrument] = {}
    known = frozenset(players)
    for history in histories:
        met = Counter[JudgementLine]()
        parse = partial(parse_judgement_line, known)
        for line in understood(history.section.judgements, parse, notes, *_JUDGEMENT):
            bare = replace(line, line=0)
            state = history.at(line.date) if line.date else history.states[-1]
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
    """Give each judgement the number of its equal in a history; others get the next number."""
    waiting = dict(sorted(named.items()))
    for exactly in (True, False):
        for ruling in rulings:
            alike = (
                number
                for number, judgement in waiting.items()
                if _is_alike(ruling, judgement, exactly=exactly)
            )
            number = next(alike, None)
            if ruling.number == 0 and number is not None:
                does = waiting.pop(number)
                ruling.cause, ruling.commit = does.cause, does.commit
                ruling.lines, ruling.instructions = does.lines, does.instructions
                if not exactly and ruling.player is not None:
                    ruling.ruling, ruling.player = (
                        f"{ruling.ruling} ({escaped(ruling.player)})",
                        None,
                    )
    last, taken = 0, set(named)
    for ruling in rulings:
        if ruling.number == 0:
            ruling.cause = str(next(number for number in count(last + 1) if number not in taken))
            taken.add(ruling.number)
        last = max(last, ruling.number)


def _is_alike(ruling: ImportedInstrument, judgement: ImportedInstrument, *, exactly: bool) -> bool:
    """Return whether a line may be about a judgement; an inexact one may have its judge in the
    text.
    """
    if ruling.date is None or (ruling.date, ruling.turn) != (judgement.date, judgement.turn):
        return False
    return ruling.player == judgement.player if exactly else judgement.player is None
