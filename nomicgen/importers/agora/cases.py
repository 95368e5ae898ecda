"""Makes judgements from the annotations of Agora's rules: one for all that name the same call for
judgement first, with what they say, and of which rules.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from nomicgen.importers.agora.instructions import sound_text
from nomicgen.importers.agora.read import Annotation, Data, RuleData
from nomicgen.importers.instruments import ImportedInstrument
from nomicgen.model.values import Moment, RuleRef

_ID = r"([1-9][0-9]{0,8})(?:[^0-9].*)?"
"""The id of a call for judgement, which may name several: `14-15`."""


def judgements_of(
    rules: Mapping[int, RuleData], started: Moment | None, data: Data
) -> dict[int, ImportedInstrument]:
    """Return each judgement by its number, which is that of the first call in its annotations."""
    annotations: dict[int, list[tuple[int, Annotation]]] = defaultdict(list)
    for rule in rules.values():
        for note in rule.annotations:
            match = re.fullmatch(_ID, note.cases[0][0]) if note.cases else None
            if match is None:
                message = "the annotation names no call for judgement by number"
                quote = note.text.strip()
                data.warn(
                    "case-number", note.path, note.line, message, "it is left out", quote=quote
                )
                continue
            if note.cases[0][0] != match[1] or len(note.cases) > 1:
                message, outcome = (
                    "the annotation is of several calls for judgement",
                    f"it is Judgement {match[1]}",
                )
                data.warn(
                    "case-several", note.path, note.line, message, outcome, quote=_calls(note)
                )
            annotations[int(match[1])].append((rule.number, note))
    return {
        number: _judgement(number, notes, started, data)
        for number, notes in sorted(annotations.items())
    }


def _judgement(
    number: int, notes: list[tuple[int, Annotation]], started: Moment | None, data: Data
) -> ImportedInstrument:
    days = {note.cases[0][1].day for _, note in notes} - {None}
    if len(days) > 1:
        where = notes[1][1]
        message = f"Judgement {number} was called on several days"
        data.warn("case-date", where.path, where.line, message, "the earliest is kept")
    day = min((day for day in days if day), default=None)
    is_early = day is not None and started is not None and day < started.day
    if is_early:
        where = notes[0][1]
        message, outcome = (
            f"Judgement {number} was called on {day}, before there was a rule",
            "it is given no date",
        )
        data.warn("case-date", where.path, where.line, message, outcome)
    parts = []
    for rule, note in notes:
        parts += [f"### Rule {rule}"] if len(notes) > 1 else []
        parts += [_calls(note)] if len(note.cases) > 1 or note.cases[0][0] != str(number) else []
        text = sound_text(note.text, note.path, note.line, data)
        if text is None:
            message = f"the annotation of Judgement {number} has no text"
            data.warn("case-text", note.path, note.line, message, "it is left out")
        parts += [text] if text else []
    return ImportedInstrument(
        kind="judgement",
        cause=str(number),
        date=Moment.of(day) if day and not is_early else None,
        rules=[RuleRef(rule) for rule in dict.fromkeys(rule for rule, _ in notes)],
        note=f"called on {day}; when it was judged is not recorded" if day else "",
        ruling="\n\n".join(parts),
    )


def _calls(note: Annotation) -> str:
    """Return the calls that an annotation names, such as `CFJ 14 (called 2000-02-05)`."""
    calls = []
    for name, when in note.cases:
        word = "CFJ" if re.fullmatch("[0-9]+", name) else "CFJs"
        name = re.sub(r"[^0-9A-Za-z, -]", "", name)
        calls.append(f"{word} {name}{f' (called {when.day})' if when.day else ''}")
    return ", ".join(calls)
