"""Redlines as HTML: paragraphs, lists and tables, in which inserted, deleted and moved words are
marked.

The words of both texts are compared without their markup. The new text is laid out as it is, with
the deleted words where they were. Players' words are escaped: all tags are ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from markupsafe import Markup, escape
from msgspec import Struct, field

from nomicgen.history.passages import sentence_parts
from nomicgen.history.redline import Segment, redline
from nomicgen.site.texts.redline_blocks import TextBlock, text_blocks

# A sentence that went and came is taken to be moved if it has at least so many words.
_MOVED = 5
# Stands between the leaves of a text where the words are compared.
_GAP = "\n\n"
# Stands in the redline for the end of a paragraph that went.
_PILCROW = "¶"
# HTML that ends, or begins, with a blank: tags do not count.
_ENDS_BLANK = re.compile(r"\s(?:</\w+>)*\Z")
_BEGINS_BLANK = re.compile(r"(?:<[^>]*>)*\s")


def words_html(old: str, new: str) -> Markup:
    """Return the redline of two lines of plain text, with `ins` and `del`."""
    marks = {"equal": "", "insert": "ins", "delete": "del"}
    return Markup("").join(
        _wrapped(Markup(escape(segment.text)), marks[segment.kind]) for segment in redline(old, new)
    )


def redline_html(old: str, new: str) -> Markup:
    """Return the redline of two texts in Markdown, laid out as the new one is."""
    return _Layout(old, new).html()


class _Text(Struct, frozen=True):
    """A text as it is compared (`plain`), its leaves, and where each of them begins in `plain`."""

    leaves: tuple[TextBlock, ...]
    starts: tuple[int, ...]
    plain: str

    @classmethod
    def of(cls, text: str) -> _Text:
        leaves = text_blocks(text)
        starts, at = list[int](), 0
        for leaf in leaves:
            starts.append(at)
            at += len(leaf.plain) + len(_GAP)
        return cls(leaves, tuple(starts), _GAP.join(leaf.plain for leaf in leaves))

    def parts(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Yield the parts of leaves in a stretch of `plain`: the index of a leaf, and from where up
        to where in it the part goes.
        """
        for index, (leaf, at) in enumerate(zip(self.leaves, self.starts, strict=True)):
            low, high = max(start - at, 0), min(end - at, len(leaf.plain))
            if low < high:
                yield index, low, high

    def leaf_at(self, place: int) -> tuple[int, int]:
        """Return the index of the last leaf that begins at a place of `plain` or before it (-1 if
        none does), and how far from its beginning the place is.
        """
        index = max(
            (index for index, start in enumerate(self.starts) if start <= place), default=-1
        )
        return index, place - self.starts[index] if index >= 0 else 0


class _Block(Struct):
    """A leaf as it is laid out, with pieces of HTML for each cell; `gone` if it is only in the old
    text.
    """

    leaf: TextBlock
    gone: bool = False
    cells: dict[int, list[Markup]] = field(default_factory=dict)

    def add(self, cell: int, html: Markup) -> None:
        self.cells.setdefault(cell, []).append(html)

    def html(self, cell: int = 0) -> Markup:
        return Markup("").join(self.cells.get(cell, ()))


class _Layout:
    """Lays a redline out, from its first segment to its last."""

    def __init__(self, old: str, new: str) -> None:
        self._old, self._new = _Text.of(old), _Text.of(new)
        self._segments = redline(self._old.plain, self._new.plain)
        self._moved = _moved(self._segments)
        self._blocks: list[_Block] = []
        # The blocks for leaves of the new text, by the leaf's index.
        self._opened: dict[int, _Block] = {}
        # The cell whose last piece is deleted words after which the old text had a blank.
        self._parted: list[Markup] | None = None

    def html(self) -> Markup:
        old = new = 0
        for segment in self._segments:
            if segment.kind == "equal":
                self._show(new, new + len(segment.new), "")
            elif segment.kind == "insert":
                self._insert(segment, new)
            else:
                self._delete(segment, old, new)
            old, new = old + len(segment.old), new + len(segment.new)
        return Markup('<div class="n-blocks">{}</div>').format(
            Markup("").join(_laid_out(self._blocks))
        )

    def _block(self, index: int) -> _Block:
        if index not in self._opened:
            self._opened[index] = _Block(self._new.leaves[index])
            self._blocks.append(self._opened[index])
        return self._opened[index]

    def _insert(self, segment: Segment, at: int) -> None:
        self._parted = None
        for start, end, moved in _sentences(segment.new, self._moved):
            self._show(at + start, at + end, "ins", moved=moved)

    def _show(self, start: int, end: int, mark: str, *, moved: bool = False) -> None:
        """Lay out a stretch of the new text, leaf by leaf, in the tag `mark` ('' for none)."""
        for index, low, high in self._new.parts(start, end):
            block = self._block(index)
            for cell, html in self._new.leaves[index].cut(low, high):
                if self._parted is block.cells.get(cell, ()) and not _BEGINS_BLANK.match(html):
                    block.add(cell, Markup(" "))
                self._parted = None
                block.add(cell, _wrapped(html, mark, moved=moved))

    def _delete(self, segment: Segment, at: int, place: int) -> None:
        """Show a deleted segment, which is at `at` in the old text, at `place` in the new one."""
        if segment.text == _PILCROW:
            self._strike(place, _wrapped(Markup(_PILCROW), "del"), tail=True)
            return
        shown = False
        for start, end, moved in _sentences(segment.old, self._moved):
            for index, low, high in self._old.parts(at + start, at + end):
                leaf = self._old.leaves[index]
                pieces = list(leaf.cut(low, high))
                # A whole leaf that went between two others is a block of its own.
                if (low, high) == (0, len(leaf.plain)) and self._is_between(place):
                    block = _Block(leaf, gone=True)
                    for cell, html in pieces:
                        block.add(cell, _wrapped(html, "del", moved=moved))
                    self._blocks.append(block)
                    continue
                html = Markup(" · ").join(html for _, html in pieces)
                # Words that began another leaf than those before them are seen to do so.
                if shown and low == 0:
                    html = Markup(_PILCROW) + html
                self._strike(
                    place,
                    _wrapped(html, "del", moved=moved),
                    tail=low > 0,
                    blanks=(leaf.plain[:low][-1:].isspace(), leaf.plain[high:][:1].isspace()),
                )
                shown = True

    def _is_between(self, place: int) -> bool:
        """Return whether a place of the new text is between two leaves, or at an end of one."""
        index, inside = self._new.leaf_at(place)
        return index < 0 or inside == 0 or inside >= len(self._new.leaves[index].plain)

    def _strike(
        self, place: int, html: Markup, *, tail: bool, blanks: tuple[bool, bool] = (False, False)
    ) -> None:
        """Show deleted words at a place of the new text. Between two leaves, they go to the end of
        the first if they are a `tail` (they did not begin a leaf), or else before the second.

        `blanks` says whether a blank stood before them, and after them.
        """
        index, inside = self._new.leaf_at(place)
        leaves = self._new.leaves
        if 0 <= index < len(leaves) - 1 and not tail and inside > len(leaves[index].plain):
            index, inside = index + 1, 0
        elif index > 0 and tail and inside == 0:
            index, inside = index - 1, len(leaves[index - 1].plain)
        if index < 0:
            self._blocks.append(_Block(TextBlock(kind="paragraph"), gone=True, cells={0: [html]}))
            return
        block, cell = self._block(index), leaves[index].cell_at(inside)
        before = block.html(cell)
        if blanks[0] and before and not _ENDS_BLANK.search(before):
            block.add(cell, Markup(" "))
        block.add(cell, html)
        self._parted = block.cells[cell] if blanks[1] else None


def _wrapped(html: Markup, mark: str, *, moved: bool = False) -> Markup:
    if not mark or not html.strip():
        return html
    return Markup("<{0}{1}>{2}</{0}>").format(
        Markup(mark), Markup(' class="n-moved"') if moved else "", html
    )


def _key(sentence: str) -> str:
    return " ".join(sentence.split()).strip(".,;: ")


def _sentences(text: str, moved: frozenset[str]) -> Iterator[tuple[int, int, bool]]:
    """Yield a text in stretches: where each begins and ends, and whether it was moved."""
    at = 0
    for is_moved, parts in groupby(sentence_parts(text), key=lambda part: _key(part) in moved):
        length = sum(map(len, parts))
        yield at, at + length, is_moved
        at += length


def _moved(segments: Sequence[Segment]) -> frozenset[str]:
    """Return the sentences that went in one place and came in another."""
    gone, come = (
        {
            _key(part)
            for segment in segments
            if segment.kind == kind
            for part in sentence_parts(segment.old + segment.new)
        }
        for kind in ("delete", "insert")
    )
    return frozenset(sentence for sentence in gone & come if len(sentence.split()) >= _MOVED)


def _laid_out(blocks: Sequence[_Block]) -> Iterator[Markup]:
    for is_row, group in groupby(blocks, key=lambda block: block.leaf.kind == "row"):
        if is_row:
            rows = Markup("").join(_row(block) for block in group)
            yield Markup(
                '<div class="n-scroll"><table class="n-table"><tbody>{}</tbody></table></div>'
            ).format(rows)
        else:
            yield from map(_leaf, group)


def _row(block: _Block) -> Markup:
    tag = Markup("th" if block.leaf.head else "td")
    cells = (
        Markup("<{0}>{1}</{0}>").format(tag, block.html(cell))
        for cell in range(len(block.leaf.cells))
    )
    return Markup("<tr>{}</tr>").format(Markup("").join(cells))


def _leaf(block: _Block) -> Markup:
    leaf = block.leaf
    kind = f"n-b-{leaf.kind}" + (f" n-b-depth-{min(leaf.depth, 4)}" if leaf.depth else "")
    if leaf.kind == "code":
        return Markup('<pre class="{}"><code>{}</code></pre>').format(kind, block.html())
    marker = (
        Markup('<span class="n-b-marker">{}</span> ').format(leaf.marker) if leaf.marker else ""
    )
    return Markup('<p class="{}">{}{}</p>').format(kind, marker, block.html())
