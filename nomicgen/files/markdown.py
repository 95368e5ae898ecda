"""The Markdown of a game: the parsers, and the checks of bodies and of rules' texts."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from nomicgen.files.file_findings import Notes, quoted
from nomicgen.files.markdown_limits import NESTING, LimitExceeded, is_tame
from nomicgen.files.quick_outline import outline

if TYPE_CHECKING:
    from markdown_it.rules_core import StateCore
    from markdown_it.token import Token

    from nomicgen.files.markdown_parser import BoundedParser


_ALLOWED_TAGS = frozenset(
    {"<sub>", "</sub>", "<sup>", "</sup>", "<br>", "<br/>", "<br />", "<span>", "</span>"}
)
# The info string of a rule's block, and what is taken for an attempt at it.
_BLOCK_INFO = "yaml rule"
_NEAR_BLOCK = r"(?i)\W*ya?ml\W*rules?\W*"


def _commonmark() -> BoundedParser:
    from nomicgen.files.markdown_parser import (
        BoundedParser,
    )  # few commands need it, thanks to `outline_body`

    markdown = BoundedParser()
    markdown.enable(["table", "strikethrough"])
    return markdown


def _linkify(state: StateCore) -> None:
    """Make links of addresses, but only look in texts that may have one: it takes a fifth of the
    parser's time.
    """
    from markdown_it.rules_core import linkify

    if "//" in state.src or "mailto:" in state.src.lower():
        linkify(state)


@functools.cache
def parser() -> BoundedParser:
    """Return the parser of every text of a game, shared: CommonMark, tables, strikethrough, and
    addresses with a scheme as links. Raw HTML becomes tokens; whoever renders it must sanitise it.
    """
    markdown = _commonmark()
    markdown.enable("linkify")
    markdown.options["linkify"] = True
    assert markdown.linkify is not None
    markdown.linkify.set({"fuzzy_link": False, "fuzzy_email": False})
    markdown.core.ruler.at("linkify", _linkify)
    return markdown


@functools.cache
def _structure(inline: bool) -> BoundedParser:
    """Return a parser of blocks; with `inline`, it also parses the words in them."""
    markdown = _commonmark()
    if not inline:
        markdown.disable("inline")
    return markdown


class Body(Struct, frozen=True, kw_only=True):
    """A parsed body. `lines` are its lines; the first of them is the file's line `line`.

    `references` are its link definitions. If it exceeds the parser's limits, `beyond` says how, and
    its tokens are one plain paragraph.
    """

    lines: Sequence[str]
    line: int
    tokens: Sequence[Token]
    references: Mapping[str, Any] = {}
    beyond: LimitExceeded | None = None

    def text(self, start: int, end: int) -> str:
        """Return lines `start` up to `end`, from 0, without a line feed at the end."""
        return "\n".join(self.lines[start:end])


def parse_body(text: str, line: int, inline: bool = False) -> Body:
    """Parse a body that begins on the file's line `line`.

    Inline tokens are made only if `inline` is true, or if the text may have HTML or link
    definitions, or may exceed the limits.
    """
    env: dict[str, Any] = {}
    tokens = _structure(inline or "<" in text or "]:" in text or not is_tame(text)).parse(text, env)
    references, beyond = env.get("references", {}), env.get("beyond")
    # The parser takes a carriage return for the end of a line.
    lines = (text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text).split("\n")
    return Body(lines=lines, line=line, tokens=tokens, references=references, beyond=beyond)


def outline_body(text: str, line: int) -> Body:
    """Return a body with the tokens of at least its headings, fences and HTML.

    If the body allows it, they are made without the parser.
    """
    lines = text.split("\n")
    tokens = None if "<" in text or "]:" in text or not is_tame(text) else outline(lines)
    return parse_body(text, line) if tokens is None else Body(lines=lines, line=line, tokens=tokens)


def is_rule_block(token: Token) -> bool:
    """Return whether a token is a fenced block with the info string `yaml rule`."""
    return token.type == "fence" and token.info.strip() == _BLOCK_INFO


def heading_column(line: str, token: Token, content: str) -> int:
    """Return the column, from 1, where a heading begins, after marks of quotations and lists.

    `content` are its words: an underlined heading begins with them, any other with `#`.
    """
    return _column(line, content.split("\n", 1)[0] if token.markup in ("=", "-") else token.markup)


def is_nearly_rule_block(token: Token) -> bool:
    """Return whether a token was meant for a rule's block: `YAML rule`, `yml rule`."""
    return (
        token.type == "fence"
        and not is_rule_block(token)
        and bool(re.fullmatch(_NEAR_BLOCK, token.info))
    )


def check_bounds(body: Body, notes: Notes) -> bool:
    """Return whether the body is within the parser's limits; if not, that is added to `notes`."""
    beyond = body.beyond
    if beyond is None:
        return True
    if beyond.failed:
        message = "the Markdown parser fails on the text, about here"
        help = "write it more plainly: less markup, and less of it inside of other markup"
    elif beyond.slug == "markdown-deep":
        message = f"the text is nested more than {NESTING} levels deep, counting two for a list"
        help = (
            "make it flatter: fewer lists and quotations inside each other, less markup "
            "inside of markup"
        )
    else:
        message = "the text takes too long to read: reading stopped here"
        help = (
            "write it more plainly: fewer brackets without an end, and shorter paragraphs, "
            "lists and quotations"
        )
    notes.at(beyond.slug, body.line + beyond.line, 1, message, help)
    return False


def check_fences(body: Body, notes: Notes) -> None:
    """Find fences that are never closed."""
    for token in body.tokens:
        if token.type != "fence" or token.map is None:
            continue
        start, end = token.map
        inside = token.content.count("\n") + bool(
            token.content and not token.content.endswith("\n")
        )
        # Besides its first line and those inside, a fence that is closed has one more.
        if end - start - 1 - inside != 1:
            marks = f"{len(token.markup)} {'backticks' if token.markup[0] == '`' else 'tildes'}"
            column = _column(body.lines[start], token.markup)
            message, help = (
                f"the fence of {marks} is never closed",
                f"close it with a line of {marks}",
            )
            notes.at("fence-open", body.line + start, column, message, help)


def check_html(body: Body, notes: Notes) -> None:
    """Find HTML blocks, and raw HTML in a line other than `sub`, `sup`, `br` and a bare `span`."""
    for token in body.tokens:
        if token.type not in ("html_block", "inline") or token.map is None:
            continue
        contents = (
            [token.content] if token.type == "html_block" else _inline_html(token.children or ())
        )
        line, column = token.map[0], 0
        for content in contents:
            if token.type == "inline" and content in _ALLOWED_TAGS:
                continue
            line, column = _place_of(
                content.strip().split("\n", 1)[0], body.lines, (line, column), token.map[1]
            )
            _note_html(notes, body.line + line, column + 1, content)
            column += 1


def same_tokens(tokens: Iterable[Token], other: Iterable[Token]) -> bool:
    """Return whether two streams of tokens are the same except for their lines."""
    return [*map(_without_place, tokens)] == [*map(_without_place, other)]


def _note_html(notes: Notes, line: int, column: int, content: str) -> None:
    shown = content.strip().split("\n", 1)[0]
    if content.strip() in _ALLOWED_TAGS:
        message, help = (
            f"{quoted(shown)} stands on a line of its own",
            "delete it, or put it into a line of text",
        )
    else:
        message = f"{quoted(shown)} is raw HTML"
        help = (
            "write it in Markdown, such as `**bold**`; the only HTML allowed is sub, sup, br and "
            "span"
        )
    notes.at("html", line, column, message, help)


def _inline_html(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "html_inline":
            yield token.content
        else:
            yield from _inline_html(token.children or ())


def _place_of(
    words: str, lines: Sequence[str], start: tuple[int, int], end: int
) -> tuple[int, int]:
    """Return the line and the column, from 0, of the first place of `words` from `start` to before
    the line `end`; `start` itself if they are not there.
    """
    line, column = start
    for at in range(line, min(end, len(lines))):
        place = lines[at].find(words, column if at == line else 0)
        if place >= 0:
            return at, place
    return start


def _column(line: str, mark: str) -> int:
    return max(line.find(mark), 0) + 1


def _without_place(token: Token) -> tuple[Any, ...]:
    children = [_without_place(child) for child in token.children or ()]
    return (
        token.type,
        token.tag,
        token.attrs,
        token.content,
        token.markup,
        token.info,
        token.hidden,
        children,
    )
