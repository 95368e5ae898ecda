"""The instruments of a ruleset in the long format: what each did, as its histories tell, and their
order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nomicgen.files.file_findings import Notes
from nomicgen.importers.derived_names import sha_of
from nomicgen.importers.instruments import (
    UNKNOWN_TITLE,
    ImportedInstrument,
    Key,
    instructions_for,
    place_chains,
)
from nomicgen.importers.long.history import LongHistory, LongState
from nomicgen.importers.long.history_lines import HistoryLine
from nomicgen.model.values import Moment

_UNKNOWN_MARK = "(what was marked is lost)"


def instruments_of(
    histories: Sequence[LongHistory], tiers: Sequence[str], notes: Notes
) -> dict[Key, ImportedInstrument]:
    """Return every instrument that a history names, with its instructions.

    One that has no instructions is left out, unless it is a judgement.
    """
    instruments: dict[Key, ImportedInstrument] = {}
    for history in histories:
        before_instrument: dict[Key, LongState] = {}
        last = max(at for at, state in enumerate(history.states) if state.gives_text)
        titled = max(
            (at for at, state in enumerate(history.states) if state.is_retitled), default=0
        )
        for at, (before, state) in enumerate(
            zip((None, *history.states), history.states, strict=False)
        ):
            line = state.line
            if line is None or line.kind is None or line.verb == "initial":
                continue
            key = line.instrument
            instrument = instruments.setdefault(
                key, ImportedInstrument(kind=line.kind, cause=line.cause)
            )
            _add_line(instrument, line, notes)
            if before is not None:
                before_instrument.setdefault(key, before)
            text = history.last_text if at == last else None
            title = history.section.title if at == titled else None
            _note_lost(line, title, notes)
            instrument.instructions += instructions_for(
                line.verb,
                before_instrument[key].ref if key in before_instrument else "",
                before,
                state,
                least=tiers[-1],
                text=text,
                title=title if line.verb in ("enact", "retitle") else None,
                marked=_UNKNOWN_MARK,
            )
    for key, instrument in [*instruments.items()]:
        if not instrument.instructions and instrument.kind != "judgement":
            notes.at(
                "import-unread",
                instrument.lines[0],
                1,
                f"{instrument.name} changed nothing",
                "it is left out",
            )
            del instruments[key]
    return instruments


def _add_line(instrument: ImportedInstrument, line: HistoryLine, notes: Notes) -> None:
    """Add what a line says to its instrument. Where an earlier line said otherwise, that
    stays, with a warning.
    """
    said = {"player": line.player, "date": line.date, "turn": line.turn, "commit": sha_of(line.url)}
    known = {key: getattr(instrument, key) for key in said}
    differing = [
        key for key, value in said.items() if value is not None and known[key] not in (None, value)
    ]
    if differing:
        first = instrument.lines[0]
        message = (
            f"the line gives {instrument.name} another {' and '.join(differing)} than line {first}"
        )
        notes.at("import-unread", line.line, 1, message, "what was said first is kept")
    for key, value in said.items():
        setattr(instrument, key, value if known[key] is None else known[key])
    instrument.lines.append(line.line)


def _note_lost(line: HistoryLine, title: str | None, notes: Notes) -> None:
    """Note what the format does not say of a change."""
    if line.verb == "retitle" and title is None:
        help = f"the rule's title is now `{UNKNOWN_TITLE}`: write the true one into the instruction"
        notes.at(
            "import-unread", line.line, 1, "the format does not say which title the rule got", help
        )
    if line.verb == "mark":
        help = (
            f"the rule's note is now `{_UNKNOWN_MARK}`: write the true marks into the "
            "instruction's block"
        )
        notes.at("import-unread", line.line, 1, "the format does not say what was marked", help)


def place_instruments(
    histories: Sequence[LongHistory],
    instruments: Mapping[Key, ImportedInstrument],
    started: Moment | None,
) -> None:
    """Set `effective` and `seq` where dates alone would order two instruments otherwise than a
    history does.
    """
    chains = (
        (state.line.instrument for state in history.states if state.line and state.line.kind)
        for history in histories
    )
    place_chains(
        [[key for key in chain if key in instruments] for chain in chains], instruments, started
    )
