"""Takes a text apart for a redline, into leaves: paragraphs, headings, items, rows of tables and
blocks of code. A leaf has its words, with the tags for their looks, such as `strong`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markdown_it.token import Token
from markupsafe import Markup, escape
from msgspec import Struct

from nomicgen.site.texts.player_html import RAW, parse_text

_LOOKS = {"strong", "em", "s"}
_BETWEEN_CELLS = " ¦ "
"""Stands between the cells of a row in `TextBlock.plain`."""


class BlockRun(Struct, frozen=True):
    """Words with the same looks: the tags around them, the outermost first."""

    text: str
    looks: tuple[str, ...] = ()


class TextBlock(Struct, frozen=True, kw_only=True):
    """A leaf of a text. A row has several cells, any other leaf one.

    `kind` is `paragraph`, `heading`, `blockquote`, `item`, `row` or `code`. `depth` says in how
    many lists it stands. `marker` is what stands before an item: `•` or `1.`. `head` says that a
    row is the head of its table.
    """

    kind: str
    cells: tuple[tuple[BlockRun, ...], ...] = ()
    depth: int = 0
    marker: str = ""
    head: bool = False

    @property
    def plain(self) -> str:
        """Its words without markup, which are compared."""
        return _BETWEEN_CELLS.join("".join(run.text for run in cell) for cell in self.cells)

    def cell_at(self, place: int) -> int:
        """Return the index of the cell in which a place of `plain` is."""
        end = -len(_BETWEEN_CELLS)
        for index, cell in enumerate(self.cells):
            end += len(_BETWEEN_CELLS) + sum(len(run.text) for run in cell)
            if place <= end:
                return index
        return max(len(self.cells) - 1, 0)

    def cut(self, start: int, end: int) -> Iterator[tuple[int, Markup]]:
        """Yield the stretch of `plain` from `start` up to `end`, cell by cell: a cell's index, and
        its words in the stretch as HTML. Cells without any are left out.
        """
        at = 0
        for index, cell in enumerate(self.cells):
            parts = []
            for run in cell:
                words = run.text[max(start - at, 0) : max(end - at, 0)]
                at += len(run.text)
                if words:
                    parts.append(_styled(words, run.looks, is_code=self.kind == "code"))
            if parts:
                yield index, Markup("").join(parts)
            at += len(_BETWEEN_CELLS)


def text_blocks(text: str) -> tuple[TextBlock, ...]:
    """Return the leaves of a text that have words, in order."""
    return tuple(block for block in _leaves(parse_text(text)) if block.plain.strip(" ¦"))


def _leaves(tokens: Sequence[Token]) -> Iterator[TextBlock]:
    lists: list[int | None] = []
    marker, kind = "", "paragraph"
    row: list[tuple[BlockRun, ...]] | None = None
    head = False
    for token in tokens:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            lists.append(int(token.attrs.get("start", 1)) if token.type[0] == "o" else None)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
        elif token.type == "list_item_open":
            number = lists[-1]
            marker = "•" if number is None else f"{number}."
            lists[-1] = None if number is None else number + 1
        elif token.type in ("heading_open", "blockquote_open"):
            kind = token.type.removesuffix("_open")
        elif token.type in ("heading_close", "blockquote_close"):
            kind = "paragraph"
        elif token.type == "tr_open":
            row, head = [], False
        elif token.type == "th_open":
            head = True
        elif token.type == "tr_close" and row is not None:
            yield TextBlock(kind="row", cells=tuple(row), head=head)
            row = None
        elif token.type == "inline" and row is not None:
            row.append(tuple(_runs(token.children or ())))
        elif token.type in ("inline", "html_block", "fence", "code_block"):
            runs = (
                _runs(token.children or ())
                if token.type == "inline"
                else [BlockRun(token.content.rstrip("\n"))]
            )
            own = "code" if token.type in ("fence", "code_block") else "item" if lists else kind
            yield TextBlock(kind=own, cells=(tuple(runs),), depth=len(lists), marker=marker)
            marker = ""


def _runs(children: Sequence[Token]) -> Iterator[BlockRun]:
    looks: list[str] = []
    for token in children:
        if token.tag in _LOOKS and token.nesting:
            if token.nesting > 0:
                looks.append(token.tag)
            elif token.tag in looks:
                looks.remove(token.tag)
        elif token.type == "code_inline":
            yield BlockRun(token.content, (*looks, "code"))
        elif token.type == "softbreak":
            yield BlockRun(" ", tuple(looks))
        elif token.type == "hardbreak":
            yield BlockRun("\n", tuple(looks))
        elif token.type == "html_inline" and RAW.fullmatch(token.content):
            yield BlockRun("\n" if token.content.startswith("<br") else "")
        elif token.type in ("text", "html_inline", "image"):
            yield BlockRun(token.content, tuple(looks))


def _styled(words: str, looks: Sequence[str], *, is_code: bool) -> Markup:
    html = Markup(escape(words))
    if not is_code:
        html = html.replace("\n", Markup("<br>"))
    for look in reversed(looks):
        html = Markup("<{0}>{1}</{0}>").format(Markup(look), html)
    return html
