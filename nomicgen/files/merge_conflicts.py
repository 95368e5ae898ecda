"""Conflicts of a merge, marked as git marks them: three lines, and between them what each side
says.

A rule may hold one line of seven signs: only the three lines in this order are a conflict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from nomicgen.files.file_findings import Notes

_START, _MIDDLE, _END = "<<<<<<<", "=======", ">>>>>>>"


class Conflict(Struct, frozen=True):
    """Where a conflict stands: the lines of its three marks, from 0."""

    start: int
    middle: int
    end: int


class Names(Struct, frozen=True):
    """What the two sides of a conflict are called beside its marks."""

    ours: str
    theirs: str


def find_conflicts(lines: Sequence[str]) -> Iterator[Conflict]:
    """Yield the conflicts among lines."""
    start = middle = None
    for at, line in enumerate(lines):
        if start is None:
            start = at if _is_mark(line, _START) else None
        elif middle is None:
            middle = at if line == _MIDDLE else None
        elif _is_mark(line, _END):
            yield Conflict(start, middle, at)
            start = middle = None


def without_conflicts(text: str, line: int, notes: Notes) -> str:
    """Return a body with only the second side of each conflict; each is a finding in `notes`.

    The body begins on the file's line `line`. The marks and the first sides become blank lines, so
    that all other lines keep their place.
    """
    lines = text.split("\n")
    for conflict in note_conflicts(lines, line, notes):
        lines[conflict.start : conflict.middle + 1] = [""] * (conflict.middle + 1 - conflict.start)
        lines[conflict.end] = ""
    return "\n".join(lines)


def note_conflicts(lines: Sequence[str], line: int, notes: Notes) -> list[Conflict]:
    """Return the conflicts among lines, the first of which is the file's line `line`. Each is a
    finding in `notes`.
    """
    found = list(find_conflicts(lines))
    for conflict in found:
        middle, end = line + conflict.middle, line + conflict.end
        message = (
            f"a merge left two texts here: one above line {middle}, one below it, up to line {end}"
        )
        help = "write what is meant, and delete the three lines that mark the conflict"
        notes.at("merge-conflict", line + conflict.start, 1, message, help)
    return found


def mark(ours: str, theirs: str, names: Names) -> str:
    """Return a conflict of two texts of whole lines, each ended by a line feed."""
    return f"{_START} {names.ours}\n{ours}{_MIDDLE}\n{theirs}{_END} {names.theirs}\n"


def _is_mark(line: str, sign: str) -> bool:
    return line == sign or line.startswith(f"{sign} ")
