"""Marks on the phrases of a rendered text, which show who wrote which words.

A phrase is given by the number of its letters: all characters except blanks. Links and emphasis
add no letters, so a rendered text has the same letters as `visible_text`, in the same order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from markdown_it.token import Token
from markupsafe import escape
from msgspec import Struct

ASIDE = "aside"
"""Set in the `meta` of a token that says something in place of a picture: no author wrote it."""
# The types of tokens: with an author's words, for the end of a line, and for blocks of code.
_WITH_WORDS = frozenset({"text", "code_inline"})
_BREAKS = frozenset({"softbreak", "hardbreak"})
_BLOCKS = frozenset({"fence", "code_block"})


class Mark(Struct, frozen=True):
    """A mark for the next `letters` letters of a text: the `origin` is the revision with which they
    came, such as `1` (its anchor without the `r`), and `tone` the number of their colour, 0 to 5.
    """

    origin: str
    tone: int
    letters: int


def visible_text(tokens: Iterable[Token], markup: re.Pattern[str]) -> str:
    """Return the text that a reader sees of a parsed text, with blank lines between its blocks.

    `markup` matches the inline HTML that stays HTML; any other is shown as it is written.
    """
    parts: list[str] = []
    for token in tokens:
        if token.type == "inline":
            for child in token.children or ():
                if child.type in _WITH_WORDS or (
                    child.type == "html_inline" and not markup.fullmatch(child.content)
                ):
                    parts.append(child.content)
                elif child.type in _BREAKS or child.content.startswith("<br"):
                    parts.append("\n")
        elif token.type in _BLOCKS or token.type == "html_block":
            parts.append(token.content)
        elif token.nesting < 0 and token.block:
            parts.append("\n\n")
    return "".join(parts).strip()


def mark_phrases(tokens: Iterable[Token], marks: Sequence[Mark]) -> Iterator[Token]:
    """Yield the tokens with each phrase in a span. HTML that is shown as written has to be text in
    them. `marks` are for all letters, in order; letters after the last mark stay as they are.
    """
    marker = _Marker(marks)
    for token in tokens:
        if token.type == "inline":
            yield token.copy(
                children=[
                    marked_child
                    for child in token.children or ()
                    for marked_child in marker.inline(child)
                ]
            )
        elif token.type in _BLOCKS:
            yield raw_token(f"<pre><code>{marker.html(token.content)}</code></pre>\n", "html_block")
        else:
            yield token


def raw_token(content: str, kind: str = "html_inline") -> Token:
    """Return a token with HTML of our own, which is rendered as it is."""
    return Token(kind, "", 0, content=content)


class _Marker:
    """Goes through a text with the marks. `_now` is the mark of the next letter, `_left` how many
    letters it is still for.
    """

    def __init__(self, marks: Sequence[Mark]) -> None:
        self._marks = iter(marks)
        self._now: Mark | None = next(self._marks, None)
        self._left = self._now.letters if self._now else 0

    def inline(self, token: Token) -> Iterator[Token]:
        if token.type not in _WITH_WORDS or ASIDE in token.meta:
            yield token
        elif token.type == "code_inline":
            yield raw_token(f"<code>{self.html(token.content)}</code>")
        else:
            yield raw_token(self.html(token.content))

    def html(self, text: str) -> str:
        return "".join(self._pieces(text))

    def _pieces(self, text: str) -> Iterator[str]:
        while text:
            bare = text.lstrip()
            yield str(escape(text[: len(text) - len(bare)]))
            if not bare or self._now is None:
                yield str(escape(bare))
                return
            piece, text = self._cut(bare)
            mark, ends = self._now, self._left == 0
            yield (
                f'<span class="n-by n-t{mark.tone}{" n-by-end" if ends else ""}" '
                f'data-by="{escape(mark.origin)}">'
            )
            yield f"{escape(piece)}</span>"
            if ends:
                self._now = next(self._marks, None)
                self._left = self._now.letters if self._now else 0

    def _cut(self, text: str) -> tuple[str, str]:
        """Return the part of a text that is of the present phrase, and the rest."""
        end = 0
        for place, letter in enumerate(text):
            if self._left == 0:
                break
            if not letter.isspace():
                self._left -= 1
                end = place + 1
        return text[:end], text[end:]
