"""Where the headings and fenced blocks of a body stand, without the parser.

Most bodies of a long ledger need nothing else, and the parser is slow: it tries each of its rules
on each line. Lines between plain headings and fences are passed over if they can hold no heading,
fence or HTML: then every block in them ends at the next heading at the latest. Otherwise the whole
body is left to the parser. A test compares the results of both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from markdown_it.token import Token
else:

    class Token(Struct):
        """A token with the fields that headings and fences need: to import the parser's own class
        would load the parser.
        """

        type: str
        tag: str
        nesting: int
        map: list[int] | None = None
        level: int = 0
        children: list[Any] | None = None
        content: str = ""
        markup: str = ""
        info: str = ""
        block: bool = False


_MARKS = ("#", "<", "\r", "```", "~~~")
_UNDERLINE = r"\n[ \t>]*(?:=+|-+)[ \t]*(?=\n)"

# Only the plainest forms: all that follows the marks is the heading's text, or the fence's info
# string.
_HEADING = r"(#{1,6}) ([^\W_][^#\r\0\\]*)(?<!\s)"
_FENCE = r"```([a-z][a-z ]*[a-z])?"

_OTHER = Token("other", "", 0)
"""Stands for lines that are neither heading nor fence."""
_CLOSED = {
    "#" * level: Token("heading_close", f"h{level}", -1, markup="#" * level, block=True)
    for level in range(1, 7)
}
"""By the marks of a heading, the token that ends it."""


def is_marked(text: str) -> bool:
    """Return whether a text may hold a heading, HTML or a fence. If not, it certainly has none."""
    # Each mark is sought by itself: one pattern of all of them takes twenty times as long.
    return any(mark in text for mark in _MARKS) or re.search(_UNDERLINE, f"\n{text}\n") is not None


def outline(lines: Sequence[str]) -> list[Token] | None:
    """Return the tokens of a body's headings and fences, as the block parser makes them, with a
    token for the lines between them.

    None if the parser must be asked. The caller must know that the body has no HTML and no link
    definitions: headings are not searched for HTML, and no line for definitions.
    """
    tokens: list[Token] = []
    passed: list[str] = []  # lines that were passed over
    at, end = 0, len(lines)
    while at < end:
        line = lines[at]
        first = line[:1]
        if first == "#" and (heading := re.fullmatch(_HEADING, line)):
            mark, place = heading[1], [at, at + 1]
            tokens.append(
                Token("heading_open", f"h{len(mark)}", 1, map=place, markup=mark, block=True)
            )
            tokens.append(
                Token(
                    "inline", "", 0, map=place, level=1, children=[], content=heading[2], block=True
                )
            )
            tokens.append(_CLOSED[mark])
            at += 1
        elif first == "`" and (closed := _closing_line(lines, at)):
            tokens.append(_fence(lines, at, closed))
            at = closed + 1
        elif not line.strip(" \t"):
            at += 1
        else:
            start = at
            while at < end and not (lines[at][:1] == "#" and re.fullmatch(_HEADING, lines[at])):
                at += 1
            passed += lines[start:at]
            tokens.append(_OTHER)
    return None if passed and is_marked("\n".join(passed)) else tokens


def _closing_line(lines: Sequence[str], start: int) -> int | None:
    """Return the line that closes the fence on line `start`; None if only the parser can tell."""
    if not re.fullmatch(_FENCE, lines[start]):
        return None
    for at in range(start + 1, len(lines)):
        line = lines[at]
        if line == "```":
            return at
        if "```" in line or "\r" in line or "\0" in line:
            return None
    return None


def _fence(lines: Sequence[str], start: int, closed: int) -> Token:
    content = "".join([f"{line}\n" for line in lines[start + 1 : closed]])
    place = [start, closed + 1]
    return Token(
        "fence",
        "code",
        0,
        map=place,
        content=content,
        markup="```",
        info=lines[start][3:],
        block=True,
    )
