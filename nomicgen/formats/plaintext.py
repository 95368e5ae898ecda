"""Markdown as plain text, and back: it is indented, paragraphs are wrapped at spaces, and the rest
stays as it is.

Nothing is lost: a space at the end of a line says that the line ended there in the Markdown, too,
and was not wrapped. Markdown's own line breaks say so themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nomicgen.files.markdown import parse_body

WIDTH = 70
"""Columns of a ruleset's plain text."""
INDENT = 6
"""Spaces before each line of a rule's text."""
_KEPT = " "
"""At a line's end: the line ends in the Markdown, too."""
_BREAKS = ("  ", "\\")
"""Line breaks of Markdown."""
_ENDS = (_KEPT, *_BREAKS)
"""Line ends that say that the line ends in the Markdown, too."""
_LEAD = r"[\s>]*(?:(?:[-+*]|[0-9]{1,9}[.)])[ \t]+[\s>]*)*"
"""The marks of quotations and lists before the first word."""
_NO_QUOTE_MARK = r"[^>\s]"
"""A character that is neither a blank nor the mark of a quotation."""
# A word that would be a mark of Markdown at the beginning of a line.
_MARK = r"[-+*](?:\s|$)|#{1,6}(?:\s|$)|[0-9]{1,9}[.)](?:\s|$)|>|<|```|~~~|[-=|:*_]+(?:\s|$)"


def wrap(text: str, width: int = WIDTH, indent: int = INDENT) -> str:
    """Return a text of Markdown, indented, with its paragraphs wrapped at `width` characters.

    Lines break only at spaces: a longer word, code or a table may be wider. If `unwrap` would not
    give the text back, no line is broken. If a paragraph has several lines, its author broke them:
    they stay, unless one is much too long (in the exports more than 80 characters).
    """
    laid_out = _wrap(text, width - indent, indent, breaks=True)
    return (
        laid_out
        if unwrap(laid_out.split("\n"), indent) == text
        else _wrap(text, width - indent, indent, breaks=False)
    )


def _wrap(text: str, room: int, indent: int, *, breaks: bool) -> str:
    lines = text.split("\n")
    laid_out: list[str] = []
    next_line = 0
    for start, end in _paragraphs(text):
        laid_out += lines[next_line:start]
        stays = end - start > 1 and all(len(line) <= room + room // 4 for line in lines[start:end])
        broken = [
            list(_break_line(line, index == start, room)) if breaks and not stays else [line]
            for index, line in enumerate(lines[start:end], start)
        ]
        for pieces in broken[:-1]:
            if not pieces[-1].endswith(_ENDS):
                pieces[-1] += _KEPT
        laid_out += [piece for pieces in broken for piece in pieces]
        next_line = end
    laid_out += lines[next_line:]
    return "\n".join(f"{' ' * indent}{line}" if line else "" for line in laid_out)


def unwrap(lines: Sequence[str], indent: int = INDENT) -> str:
    """Return the text from which `wrap` made the lines."""
    bare = [line[indent:] for line in lines]
    joined: list[str] = []
    next_line = 0
    for start, end in _paragraphs("\n".join(bare)):
        joined += bare[next_line:start]
        begun = ""
        for line in bare[start : end - 1]:
            begun = f"{begun} {_without_marks(line)}" if begun else line
            if begun.endswith(_ENDS):
                joined.append(begun if begun.endswith(_BREAKS) else begun.removesuffix(_KEPT))
                begun = ""
        joined.append(f"{begun} {_without_marks(bare[end - 1])}" if begun else bare[end - 1])
        next_line = end
    return "\n".join([*joined, *bare[next_line:]])


def _paragraphs(text: str) -> list[tuple[int, int]]:
    """Return the lines, from 0, of each paragraph of a text, up to the one after its last."""
    tokens = parse_body(text, 1).tokens
    return [
        (token.map[0], token.map[1])
        for token in tokens
        if token.type == "paragraph_open" and token.map is not None
    ]


def _without_marks(line: str) -> str:
    """Return a line without blanks and marks of quotation at its beginning."""
    match = re.search(_NO_QUOTE_MARK, line)
    return line[match.start() :] if match else ""


def _break_line(line: str, is_first: bool, room: int) -> Iterator[str]:
    """Yield the pieces of a line of a paragraph. All but the first are indented as far as the
    line's first word. `is_first`: the paragraph begins here, perhaps with the mark of a list.
    """
    match = re.match(_LEAD, line) if is_first else None
    lead = match[0] if match else line[: len(line) - len(_without_marks(line))]
    hang = re.sub(_NO_QUOTE_MARK, " ", lead)
    current = lead
    empty = True
    for unit in _units(line[len(lead) :]):
        if empty or len(current) + 1 + len(unit) <= room:
            current += unit if empty else f" {unit}"
        else:
            yield current
            current = hang + unit
        empty = False
    yield current


def _units(words: str) -> Iterator[str]:
    """Yield the pieces of a line between the spaces at which it may be broken.

    It is not broken after a backslash or beside another space, which would make a line break of
    Markdown, nor before a word that would be a mark there.
    """
    unit: list[str] = []
    for word in words.split(" "):
        may_end = bool(unit) and unit[-1] != "" and unit[-1][-1] != "\\"
        if may_end and word.strip() == word != "" and not re.match(_MARK, word):
            yield " ".join(unit)
            unit = []
        unit.append(word)
    if unit:
        yield " ".join(unit)
