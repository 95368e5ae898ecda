"""The Markdown parser, with limits on how many steps a text may cost and how deep it may nest.

The parser's own limit drops what is nested too deep, and some texts cost it minutes: each of fifty
brackets looks for its end through all that follows. Steps are counted, so that what is refused is
the same on every machine. And whatever the parser raises goes no further than here.
"""

from __future__ import annotations

import re
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_block import StateBlock, table
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline, html_inline
from markdown_it.token import Token

from nomicgen.files.markdown_limits import CELL, NESTING, LimitExceeded, budget, has_many_marks

_METER = "steps"
"""The key of the parser's environment that has the `_Meter` of the text being parsed."""
_BLOCK = 3
"""Steps that a block costs."""
_LONGEST_LINK = 2000
_WORD = re.compile(r"\S+")
_CHAIN = ["paragraph", "reference", "blockquote", "list"]
"""The blocks that ask on each of their lines whether another begins there."""


class _Meter:
    """Counts down the steps that a text may cost.

    `line` is the line, from 0, on which the parser is; `columns` is how many columns the present
    table has.
    """

    def __init__(self, length: int) -> None:
        self.left = budget(length)
        self.line = 0
        self.columns = 0

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise LimitExceeded("markdown-intricate", self.line)


class BoundedParser(MarkdownIt):
    """A parser of CommonMark, with limits.

    A text that exceeds them becomes one paragraph of words without markup, and `beyond` in the
    environment says why.
    """

    def __init__(self) -> None:
        super().__init__("commonmark")
        self.linkify = _Links(self.linkify)
        self.inline = _Inline()
        # The parser drops what is nested beyond its own limit. That has to be deeper than ours: the
        # rules below refuse a text before the parser drops a part of it. And it has to be some
        # levels deeper: a list and its item, or pictures in pictures, are several at once.
        self.configure("commonmark", options_update={"maxNesting": NESTING + 3})
        self.block.ruler.before("table", "bounds", _count_block, {"alt": _CHAIN})
        self.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
        self.inline.ruler.after("text", "bounds", _count_inline)
        self.inline.ruler.at("html_inline", _html)
        self.core.ruler.at("inline", _each_inline)

    def parse(self, src: str, env: Any = None) -> list[Token]:
        """Return the tokens of a text; `env` receives its link definitions."""
        env = {} if env is None else env
        env[_METER] = meter = _Meter(len(src))
        try:
            return super().parse(_in_whole_lines(src), env)
        except LimitExceeded as error:
            beyond = error
        except Exception:  # noqa: BLE001 - the parser is another's: whatever it raises, the text is one that it cannot read
            beyond = LimitExceeded("markdown-intricate", meter.line, failed=True)
        env["beyond"] = beyond
        env.pop("references", None)
        return _plain_paragraph(src)


def _in_whole_lines(text: str) -> str:
    """Return a text that ends where a line does.

    Without a final line break the parser reads past the end of the text.
    """
    return text if not text or text.endswith(("\n", "\r")) else f"{text}\n"


def _plain_paragraph(text: str) -> list[Token]:
    lines = [0, text.count("\n") + 1]
    child = Token("text", "", 0, content=text)
    return [
        Token("paragraph_open", "p", 1, map=lines, block=True),
        Token("inline", "", 0, map=lines, level=1, content=text, children=[child], block=True),
        Token("paragraph_close", "p", -1, block=True),
    ]


def _skip(parser: ParserInline, state: StateInline) -> None:
    """Skip a token and count it: the parser looks for the end of a link's text again and again."""
    state.env[_METER].spend(1)
    ParserInline.skipToken(parser, state)


# Made by `type`, since ruff would refuse a method with the name that the parser calls.
_Inline = type("_Inline", (ParserInline,), {"skipToken": _skip})


def _count_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Count a line. Never matches.

    The parser tries it first on every line, and again for every block that may end or go on there.
    """
    meter = state.env[_METER]
    if not silent:
        meter.line = start
        if state.level >= NESTING:
            raise LimitExceeded("markdown-deep", start)
        # A block that begins makes tokens, and they take memory.
        meter.spend(_BLOCK)
    elif state.parentType == "table":
        # A row has all the cells that its table has, whatever stands in it.
        meter.line = start
        meter.spend(CELL * meter.columns)
    meter.spend(1 + (state.eMarks[start] - state.bMarks[start] >> 4))
    return False


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if not silent and start + 1 < end:
        # The line below the head has as many cells as the head. If that line belongs to no table,
        # no rows follow.
        state.env[_METER].columns = (
            state.src.count("|", state.bMarks[start + 1], state.eMarks[start + 1]) + 1
        )
    return table(state, start, end, silent)


def _count_inline(state: StateInline, silent: bool) -> bool:
    """Count a character that may mean something. Never matches."""
    # To see whether an address begins there, all that follows is copied.
    is_address = state.src.startswith("://", state.pos)
    state.env[_METER].spend(1 + (state.posMax - state.pos >> 10) if is_address else 1)
    return False


def _html(state: StateInline, silent: bool) -> bool:
    start = state.pos
    if state.src[start] != "<":
        return False
    is_html = html_inline(state, silent)
    if not is_html and state.src[start + 1 : start + 2].isalpha():
        # To see that this is no tag, the parser may have read to the end.
        state.env[_METER].spend(state.posMax - start >> 6)
    return is_html


def _each_inline(state: StateCore) -> None:
    meter = state.env[_METER]
    for token in state.tokens:
        if token.type != "inline":
            continue
        if token.map is not None:
            meter.line = token.map[0]
        meter.spend(1)
        children: list[Token] = [] if token.children is None else token.children
        token.children = children
        state.md.inline.parse(token.content, state.md, state.env, children)
        if has_many_marks(token.content) and _depth(children) >= NESTING:
            raise LimitExceeded("markdown-deep", meter.line)


def _depth(tokens: list[Token]) -> int:
    return max(
        (token.level + (1 + _depth(token.children) if token.children else 0) for token in tokens),
        default=0,
    )


class _Links:
    """Looks for addresses in one word at a time: time grows with the square of what is searched."""

    def __init__(self, plain: Any) -> None:
        self._plain = plain
        self.set = plain.set
        self.pretest = plain.pretest

    def test(self, text: str) -> bool:
        """Return whether a text may hold an address."""
        return "//" in text or "mailto:" in text.lower()

    def match(self, text: str) -> list[Any]:
        """Return the addresses of a text, except those that are longer than anybody writes."""
        links: list[Any] = []
        for word in _WORD.finditer(text):
            if self.test(word[0]) and len(word[0]) <= _LONGEST_LINK:
                for link in self._plain.match(word[0]) or ():
                    link.index += word.start()
                    link.last_index += word.start()
                    links.append(link)
        return links

    def match_at_start(self, text: str) -> Any:
        """Return the address that a text begins with."""
        word = _WORD.match(text, 0, _LONGEST_LINK + 1)
        return (
            self._plain.match_at_start(word[0]) if word and len(word[0]) <= _LONGEST_LINK else None
        )
