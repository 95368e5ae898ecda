"""A rule's plain text as Markdown that reads the same: paragraphs, nested lists, and verses line by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from nomicgen.importers.text_inline import inline, line_start
from nomicgen.importers.text_lines import Line
from nomicgen.importers.text_lists import Mark, marks_of
from nomicgen.patterns import lazy_pattern

_UNWRAPPED = 120
_NARROWEST = 60
_MANY, _MOST, _BY_EYE = 10, 0.8, 0.8
_LABEL = lazy_pattern(r"\s*(?:[^\w\s(]|\(?\w{1,3}[.)])(?:\s|$)")
_TAB = 8


class PlainAsMarkdown(Struct, frozen=True, kw_only=True):
    """A text as Markdown; and the numbers of the source's lines that became items of a list, that end in a break which
    was kept, in which a character was escaped, and in which runs of spaces became one."""

    text: str
    items: tuple[int, ...] = ()
    breaks: tuple[int, ...] = ()
    escapes: tuple[int, ...] = ()
    spaces: tuple[int, ...] = ()


class _Row(Struct):
    """A line without its indentation, and how long it was with it."""

    number: int
    indent: int
    words: str
    length: int


class _Paragraph(Struct):
    rows: list[_Row]
    gap: bool


class _Item(Struct):
    mark: Mark
    indent: int
    gap: bool
    blocks: list[_Paragraph | _List] = []


class _List(Struct):
    items: list[_Item]
    gap: bool

    def goes_on(self, mark: Mark) -> bool:
        """Whether an item with that mark is the next of this list."""
        return mark.follows(self.items[-1].mark)


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
    return not apart and not _LABEL.match(after.text)


def plain_as_markdown(lines: Sequence[Line], room: int | None) -> PlainAsMarkdown:
    """A rule's lines as Markdown. `room` is that of the whole text, as `room_in` gives it."""
    return _Writer(lines, room).written()


class _Writer:
    def __init__(self, lines: Sequence[Line], room: int | None) -> None:
        self.room = room
        self.items: list[int] = []
        self.breaks: list[int] = []
        self.escapes: list[int] = []
        self.spaces: list[int] = []
        self.rows = [self._row(line) for line in lines]
        indents = [row.indent for line, row in zip(lines, self.rows, strict=True) if row.words and line.column == 1]
        for line, row in zip(lines, self.rows, strict=True):
            if line.column > 1:
                # It follows the rule's number: where its text begins says nothing.
                row.length += line.column - 1
                row.indent = min(indents, default=0)
        self.marks = marks_of([(row.indent, row.words) for row in self.rows])

    def written(self) -> PlainAsMarkdown:
        text = "\n".join(self._blocks(self._parsed(), False))
        return PlainAsMarkdown(
            text=text,
            items=tuple(self.items),
            breaks=tuple(self.breaks),
            escapes=tuple(dict.fromkeys(self.escapes)),
            spaces=tuple(self.spaces),
        )

    def _row(self, line: Line) -> _Row:
        shown = line.text.replace("\xa0", " ").expandtabs(_TAB).rstrip()
        words = " ".join(shown.split())
        if words != line.text.lstrip(" \t"):
            self.spaces.append(line.number)
        return _Row(line.number, len(shown) - len(shown.lstrip()), words, len(shown))

    def _parsed(self) -> list[_Paragraph | _List]:
        root: list[_Paragraph | _List] = []
        stack: list[_Item] = []
        gap = False
        before: _Row | None = None
        for row, mark in zip(self.rows, self.marks, strict=True):
            if not row.words:
                gap = True
                continue
            if mark is not None:
                self._close_for_item(stack, root, row, mark)
                stack.append(self._item(stack[-1].blocks if stack else root, row, mark, gap))
            else:
                self._text(stack, root, row, before, gap)
            before, gap = row, False
        return root

    def _close_for_item(self, stack: list[_Item], root: list[_Paragraph | _List], row: _Row, mark: Mark) -> None:
        """Closes items until the one is left to which a new item belongs."""
        for depth in range(len(stack) - 1, -1, -1):
            above = stack[depth - 1].blocks if depth else root
            last = above[-1]
            if isinstance(last, _List) and last.goes_on(mark) and abs(stack[depth].indent - row.indent) <= mark.slack:
                del stack[depth:]
                return
        while stack and row.indent <= stack[-1].indent:
            stack.pop()

    def _item(self, blocks: list[_Paragraph | _List], row: _Row, mark: Mark, gap: bool) -> _Item:
        item = _Item(mark, row.indent, gap)
        if mark.words:
            item.blocks.append(_Paragraph([_Row(row.number, row.indent, mark.words, row.length)], False))
        last = blocks[-1] if blocks else None
        if isinstance(last, _List) and last.goes_on(mark):
            last.items.append(item)
        else:
            blocks.append(_List([item], gap))
        self.items.append(row.number)
        return item

    def _text(
        self, stack: list[_Item], root: list[_Paragraph | _List], row: _Row, before: _Row | None, gap: bool
    ) -> None:
        depth = len(stack)
        new = gap or (before is not None and self._is_break(before, row))
        while stack and (row.indent < stack[-1].indent or (new and row.indent == stack[-1].indent)):
            stack.pop()
        blocks = stack[-1].blocks if stack else root
        last = blocks[-1] if blocks else None
        if isinstance(last, _Paragraph) and not gap and len(stack) == depth:
            last.rows.append(row)
        else:
            blocks.append(_Paragraph([row], gap))

    def _is_break(self, row: _Row, after: _Row) -> bool:
        """Whether a line ends before it had to: the next word would have had room."""
        if self.room is None:
            return True
        return row.length + 1 + len(after.words.split(" ", 1)[0]) <= self.room

    def _blocks(self, blocks: Sequence[_Paragraph | _List], inside: bool) -> Iterator[str]:
        bullet, dot = "-", "."
        last: _Paragraph | _List | None = None
        for block in blocks:
            if isinstance(last, _List) and isinstance(block, _List):
                # Two lists side by side would be one.
                bullet, dot = ("*", ")") if bullet == "-" else ("-", ".")
            tight = inside and isinstance(block, _List) and not block.gap and block.items[0].mark.interrupts
            if last is not None and not tight:
                yield ""
            yield from self._list(block, bullet, dot) if isinstance(block, _List) else self._paragraph(block)
            last = block

    def _list(self, block: _List, bullet: str, dot: str) -> Iterator[str]:
        loose = any(item.gap for item in block.items[1:])
        for at, item in enumerate(block.items):
            if at and loose:
                yield ""
            marker = f"{item.mark.count}{dot if item.mark.style == '.' else ')'}" if item.mark.counted else bullet
            first = True
            for line in self._blocks(item.blocks, True):
                yield f"{marker} {line}" if first else f"{' ' * (len(marker) + 1)}{line}" if line else ""
                first = False
            if first:
                yield marker

    def _paragraph(self, block: _Paragraph) -> Iterator[str]:
        rows = block.rows
        plain = "\n".join(row.words for row in rows)
        lines = [line_start(line) for line in inline(plain).split("\n")]
        kept = self._kept_breaks(rows)
        for at, (row, line) in enumerate(zip(rows, lines, strict=True)):
            if line != row.words:
                self.escapes.append(row.number)
            if at in kept:
                self.breaks.append(row.number)
            yield f"{line}  " if at in kept else line

    def _kept_breaks(self, rows: Sequence[_Row]) -> set[int]:
        """The lines after which a break is meant: all of a verse; elsewhere those that end early by half."""
        early = {at for at in range(len(rows) - 1) if self._is_break(rows[at], rows[at + 1])}
        if self.room is None or 2 * len(early) > len(rows) - 1:
            return set(range(len(rows) - 1))
        return {at for at in early if rows[at].length <= self.room // 2}
