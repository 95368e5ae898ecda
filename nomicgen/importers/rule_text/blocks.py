"""A rule's plain text as Markdown with the same words: paragraphs, and the line breaks that its
author made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from nomicgen.importers.lines import Line
from nomicgen.importers.rule_text.inline import escape_inline, escape_line_start

_WIDEST_WRAPPED = 120
"""Wider lines are taken for whole paragraphs."""
_NARROWEST = 60
"""Lines that were broken by eye are taken to have at least this width."""
_ENOUGH_LINES, _FILLED_SHARE = 10, 0.8
"""If a program wrapped the lines, at least so many go on in the next line, and this share of
them is full.
"""
_SHARE_BY_EYE = 0.8
"""The share of the width that counts as full where lines were broken by eye."""
_LABEL = r"\s*(?:[^\w\s(]|\(?\w{1,3}[.)])(?:\s|$)"
"""The label of an item, such as `(a)`, `1.` or `-`."""
_TAB = 8


def room_in(lines: Sequence[Line]) -> int | None:
    """Return how many columns wide a line may get; None where lines are not wrapped.

    If most lines have no room for the next word within the width of the widest, a program wrapped
    them: it is that width. Otherwise people broke the lines by eye: it is 80 % of that width, or of
    `_NARROWEST` if that is more.
    """
    lengths = [_length(line) for line in lines if not line.blank]
    # One line in 50 may be wider than wrapped lines are.
    outliers = len(lengths) // 50
    if not lengths or sorted(lengths)[-1 - outliers] > _WIDEST_WRAPPED:
        return None
    width = max(length for length in lengths if length <= _WIDEST_WRAPPED)
    needs = [
        line.column + len(line.text.rstrip()) + len(after.text.split(maxsplit=1)[0])
        for line, after in pairwise(lines)
        if _goes_on(line, after)
    ]
    filled = sum(need > width for need in needs)
    if len(needs) >= _ENOUGH_LINES and filled >= _FILLED_SHARE * len(needs):
        return width
    return int(_SHARE_BY_EYE * max(width, _NARROWEST))


def _goes_on(line: Line, after: Line) -> bool:
    """Return whether the line after another goes on with its sentence: in the same paragraph, and
    without a label such as `(a)`.
    """
    apart = line.blank or after.blank or after.number != line.number + 1 or after.column > 1
    return not apart and not re.match(_LABEL, after.text)


def plain_as_markdown(lines: Sequence[Line], room: int | None) -> str:
    """Return a rule's lines as Markdown. `room` is how wide a line may get, None where none is
    wrapped.
    """
    paragraphs = [
        [*rows] for blank, rows in groupby(lines, key=lambda line: line.blank) if not blank
    ]
    return "\n\n".join("\n".join(_paragraph(rows, room)) for rows in paragraphs)


def _paragraph(rows: Sequence[Line], room: int | None) -> Iterator[str]:
    """Yield the lines of a paragraph, with two spaces after each whose break its author meant.

    In a verse, most lines end before they are full: each of these breaks is meant. Elsewhere,
    only a break after a line that is at most half full is meant. A break
    before a label such as `(a)` is always meant.
    """
    words = [" ".join(row.text.replace("\xa0", " ").split()) for row in rows]
    written = [escape_line_start(line) for line in escape_inline("\n".join(words)).split("\n")]
    early = {
        at
        for at, (row, after) in enumerate(zip(rows, words[1:], strict=False))
        if room is None or _length(row) + 1 + len(after.split(" ", 1)[0]) <= room
    }
    is_verse = room is None or 2 * len(early) > len(rows) - 1
    for at, line in enumerate(written):
        is_meant = at in early and (is_verse or room is None or _length(rows[at]) <= room // 2)
        is_labelled = at + 1 < len(words) and re.match(_LABEL, words[at + 1])
        yield f"{line}  " if is_meant or is_labelled else line


def _length(line: Line) -> int:
    """Return a line's width, with its indentation."""
    return line.column - 1 + len(line.text.replace("\xa0", " ").expandtabs(_TAB).rstrip())
