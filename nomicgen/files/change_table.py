"""Tables of changes for `nomicgen record --from`, in YAML or CSV.

A row such as `{rule: 203, on: 2020-06-01, repeal: yes}` is read with its line; what is wrong with
it is a finding.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import Any

from msgspec import Struct

from nomicgen.files.file_findings import Notes, quoted
from nomicgen.files.front_matter import Composed, YamlPlace, compose
from nomicgen.files.text_encoding import normal
from nomicgen.files.validation import nearest, validate
from nomicgen.model.findings import Finding
from nomicgen.model.record_table import ChangeRow, ChangeTable
from nomicgen.model.values import Source, Span

_ROWS = "changes"
_FLAGS = ("repeal",)
"""The keys whose values are truth values."""
_TRUTH = {"yes": "true", "x": "true", "true": "true", "no": "false", "false": "false"}
"""How people write a truth value, and how `ChangeRow` reads it."""


class RecordRow(Struct, frozen=True, kw_only=True):
    """A row of a table, and where it stands."""

    matter: ChangeRow
    span: Span


def read_changes(name: str, data: bytes) -> tuple[tuple[RecordRow, ...], tuple[Finding, ...]]:
    """Return the rows of a table, and what is wrong with it; if anything is, no rows.

    A table whose `name` ends in `.csv` is read as CSV, any other as YAML.
    """
    notes = Notes(name)
    try:
        # What a spreadsheet saves begins with a byte order mark, and ends its lines in its own way.
        text = normal("NFC", data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n"))
    except UnicodeDecodeError:
        notes.at("encoding", 1, 1, "the table is not UTF-8", "save it as UTF-8, in CSV or in YAML")
        return (), notes.findings()
    composed = _csv(text, notes) if name.casefold().endswith(".csv") else _yaml(text, notes)
    table = validate(ChangeTable, composed, notes) if composed is not None else None
    if composed is None or table is None or notes:
        return (), notes.findings()
    if not table.changes:
        notes.at(
            "file-empty",
            1,
            1,
            "the table has no row",
            "write one for each change, with its rule and its day",
        )
    at = composed.source.at
    return tuple(
        RecordRow(matter=row, span=at(_ROWS, index)) for index, row in enumerate(table.changes)
    ), notes.findings()


def row_from_options(
    typed: Mapping[str, str], name: str
) -> tuple[RecordRow | None, tuple[Finding, ...]]:
    """Return the row that a command's options make, and what is wrong with it; None if it cannot be
    used.

    `typed` has the options' values by key, such as `{"rule": "203"}`. Findings have `name` in place
    of a file's name.
    """
    notes = Notes(name)
    matter = validate(ChangeRow, Composed(dict(typed), Source(file=name)), notes)
    return (
        RecordRow(matter=matter, span=Span(file=name)) if matter is not None else None
    ), notes.findings()


def _yaml(text: str, notes: Notes) -> Composed | None:
    """Read a list of rows, or a mapping whose key `changes` has one; None if it is no YAML."""
    lines = (
        line
        for line in text.split("\n")
        if line.strip() and not line.lstrip().startswith("#") and line != "---"
    )
    if next(lines, "").startswith("-"):
        # The list becomes the value of `changes`. That key is line 0, so the file keeps its lines.
        body = text.replace("---\n", "\n", 1) if text.startswith("---\n") else text
        composed = compose(f"{_ROWS}:\n{body}", notes, YamlPlace(notes.file, 0))
    else:
        composed = compose(text, notes, YamlPlace(notes.file, 1))
    rows = composed.data.get(_ROWS) if composed is not None else None
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict):
            row.update(_with_plain_flags(row))
    return composed


def _with_plain_flags(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with `true` or `false` where people write flags in another way."""
    return {
        key: _TRUTH.get(str(value).casefold(), value) if key in _FLAGS else value
        for key, value in row.items()
    }


def _csv(text: str, notes: Notes) -> Composed | None:
    """Read a table whose first line names the keys; an empty cell leaves its key out. None for a
    table that has findings.
    """
    first = text.split("\n", 1)[0]
    # Spreadsheets write semicolons where a comma is the decimal sign.
    delimiter = ";" if first.count(";") > first.count(",") else ","
    reader = csv.reader(StringIO(text), delimiter=delimiter, strict=True)
    try:
        table = list(_filled_rows(reader))
    except csv.Error as error:
        notes.at(
            "yaml-syntax",
            reader.line_num,
            1,
            f"this is not CSV: {error}",
            "put a cell with quotes or breaks in quotes",
        )
        return None
    if not table:
        notes.at(
            "file-empty",
            1,
            1,
            "the table is empty",
            "name the keys in its first line: rule,on,by,author,text",
        )
        return None
    (_, header), *rows = table
    keys = [cell.strip().casefold() for cell in header]
    for key in keys:
        if key not in _keys() or keys.count(key) > 1:
            meant = nearest(key, _keys())
            help = (
                f"perhaps `{meant}` is meant"
                if meant and key != meant
                else f"the keys are {', '.join(_keys())}, each once"
            )
            notes.at("key-unknown", 1, 1, f"no column can be called {quoted(key)}", help)
    places: dict[tuple[str | int, ...], Span] = {(): Span(file=notes.file)}
    data = []
    for index, (line, cells) in enumerate(rows):
        if len(cells) > len(keys):
            message = f"the row has {len(cells)} cells, and the first line names {len(keys)}"
            notes.at(
                "value-wrong", line, 1, message, f"put a cell that holds `{delimiter}` in quotes"
            )
        row = {key: cell.strip() for key, cell in zip(keys, cells, strict=False) if cell.strip()}
        data.append(_with_plain_flags(row))
        row_place = {(_ROWS, index): Span(file=notes.file, line=line)}
        places |= row_place | {(_ROWS, index, key): Span(file=notes.file, line=line) for key in row}
    return None if notes else Composed({_ROWS: data}, Source.of(notes.file, {}, places, 1))


def _keys() -> list[str]:
    return [*ChangeRow.names]


def _filled_rows(reader: Any) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that have a word in a cell, each with the line on which it begins."""
    begins = 1
    for cells in reader:
        if any(cell.strip() for cell in cells):
            yield begins, cells
        begins = reader.line_num + 1
