"""A rule's plain text as Markdown that reads the same: paragraphs, nested lists, and verses line by line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from nomicgen.importers.lines import Line
from nomicgen.importers.rule_text.inline import inline, line_start
from nomicgen.importers.rule_text.lists import ListMark, marks_of

_UNWRAPPED = 120
_NARROWEST = 60
_MANY, _MOST, _BY_EYE = 10, 0.8, 0.8
_LABEL = r"\s*(?:[^\w\s(]|\(?\w{1,3}[.)])(?:\s|$)"
_TAB = 8


class _Row(Struct):
    """A line without its indentation, and how long it was with it."""

    indent: int
    words: str
    length: int


class _Item(Struct):
    """An item of a list; `sign` is what Markdown begins it with: a bullet, or what stands behind its number."""

    mark: ListMark
    indent: int
    sign: str

    @property
    def marker(self) -> str:
        return f"{self.mark.count}{self.sign}" if self.mark.counted else self.sign


class _Block(Struct):
    """A paragraph, in the `items` of lists around it, the last of which it may begin; `is_apart` asks for a blank line
    before it.
    """

    items: tuple[_Item, ...]
    rows: list[_Row]
    begins_item: bool
    is_apart: bool


def room_in(lines: Sequence[Line]) -> int | None:
    """The columns that a line of these may fill before the next is begun; None where lines are not wrapped.

    It is the widest line's width where most lines are filled up to it; where they are not, people broke them by eye,
    and some of it is left to them.
    """
    lengths = [line.column - 1 + len(line.text.rstrip()) for line in lines if not line.blank]
    widest = sorted(lengths)[-1 - len(lengths) // 50 :]
    if not lengths or widest[0] > _UNWRAPPED:
        return None
    width = max(length for length in lengths if length <= _UNWRAPPED)
    needs = [
        line.column + len(line.text.rstrip()) + len(after.text.split(maxsplit=1)[0])
        for line, after in pairwise(lines)
        if _goes_on(line, after)
    ]
    filled = sum(need > width for need in needs)
    if len(needs) >= _MANY and filled >= _MOST * len(needs):
        return width
    return int(_BY_EYE * max(width, _NARROWEST))


def _goes_on(line: Line, after: Line) -> bool:
    """Whether a line is followed by another of its paragraph."""
    apart = line.blank or after.blank or after.number != line.number + 1 or after.column > 1
    return not apart and not re.match(_LABEL, after.text)


def plain_as_markdown(lines: Sequence[Line], room: int | None) -> str:
    """A rule's lines as Markdown. `room` is that of the whole text, as `room_in` gives it."""
    written: list[str] = []
    for block in _blocks(lines, room):
        if block.is_apart:
            written.append("")
        paragraph = _paragraph(block.rows, room)
        outer = list(block.items)
        if block.begins_item:
            marker = outer.pop().marker
            first = f"{marker} {paragraph[0]}" if paragraph else marker
            paragraph = [first, *(f"{' ' * len(marker)} {line}" for line in paragraph[1:])]
        margin = " " * sum(len(item.marker) + 1 for item in outer)
        written += [f"{margin}{line}" for line in paragraph]
    return "\n".join(written)


def _rows(lines: Sequence[Line]) -> list[_Row]:
    rows = []
    for line in lines:
        shown = line.text.replace("\xa0", " ").expandtabs(_TAB).rstrip()
        rows.append(_Row(indent=len(shown) - len(shown.lstrip()), words=" ".join(shown.split()), length=len(shown)))
    indents = [row.indent for line, row in zip(lines, rows, strict=True) if row.words and line.column == 1]
    for line, row in zip(lines, rows, strict=True):
        if line.column > 1:
            # It follows the rule's number: where its text begins says nothing.
            row.length += line.column - 1
            row.indent = min(indents, default=0)
    return rows


def _blocks(lines: Sequence[Line], room: int | None) -> list[_Block]:
    rows = _rows(lines)
    marks = marks_of([(row.indent, row.words) for row in rows])
    blocks: list[_Block] = []
    items: list[_Item] = []
    before: _Row | None = None
    follows_gap = False
    for row, mark in zip(rows, marks, strict=True):
        if not row.words:
            follows_gap = True
            continue
        if mark is not None:
            _close_for_item(items, row, mark)
            blocks.append(_item_block(blocks[-1] if blocks else None, items, row, mark, follows_gap=follows_gap))
        else:
            depth = len(items)
            is_new = follows_gap or (before is not None and _ends_early(before, row, room))
            while items and (row.indent < items[-1].indent or (is_new and row.indent == items[-1].indent)):
                items.pop()
            is_next = bool(blocks) and len(items) == depth and depth == len(blocks[-1].items)
            if is_next and (not follows_gap or not blocks[-1].rows):
                blocks[-1].rows.append(row)
            else:
                blocks.append(_Block(tuple(items), [row], begins_item=False, is_apart=bool(blocks)))
        before, follows_gap = row, False
    return blocks


def _close_for_item(items: list[_Item], row: _Row, mark: ListMark) -> None:
    """Closes items until those are left to which a new item belongs."""
    for depth in range(len(items) - 1, -1, -1):
        if mark.follows(items[depth].mark) and abs(items[depth].indent - row.indent) <= mark.slack:
            del items[depth:]
            return
    while items and row.indent <= items[-1].indent:
        items.pop()


def _item_block(last: _Block | None, items: list[_Item], row: _Row, mark: ListMark, *, follows_gap: bool) -> _Block:
    """The block that begins an item, which is added to the `items` that are open; `last` is the block before it."""
    sibling = last.items[len(items)] if last is not None and len(last.items) > len(items) else None
    signs = ("-", "*") if not mark.counted else (".", ")") if mark.style == "." else (")", ".")
    if sibling is None:
        is_tight = bool(items) and not follows_gap and mark.interrupts
        is_apart = last is not None and bool(last.rows) and not is_tight
        sign = signs[0]
    elif mark.follows(sibling.mark):
        is_apart, sign = follows_gap, sibling.sign
    else:
        # Two lists side by side would be one.
        is_apart = True
        sign = signs[1] if sibling.sign == signs[0] else signs[0]
    items.append(_Item(mark=mark, indent=row.indent, sign=sign))
    rows = [_Row(indent=row.indent, words=mark.words, length=row.length)] if mark.words else []
    return _Block(tuple(items), rows, begins_item=True, is_apart=is_apart)


def _ends_early(row: _Row, after: _Row, room: int | None) -> bool:
    """Whether a line ends before it had to: the next word would have had room."""
    return room is None or row.length + 1 + len(after.words.split(" ", 1)[0]) <= room


def _paragraph(rows: Sequence[_Row], room: int | None) -> list[str]:
    """The lines of a paragraph. All breaks of a verse are kept; elsewhere those after lines that end early by half."""
    lines = [line_start(line) for line in inline("\n".join(row.words for row in rows)).split("\n")] if rows else []
    early = {at for at, (row, after) in enumerate(pairwise(rows)) if _ends_early(row, after, room)}
    if room is None or 2 * len(early) > len(rows) - 1:
        kept = set(range(len(rows) - 1))
    else:
        kept = {at for at in early if rows[at].length <= room // 2}
    return [f"{line}  " if at in kept else line for at, line in enumerate(lines)]
