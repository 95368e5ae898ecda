"""The text of a rule, from the lines of a source that are Markdown, or plain text."""

from __future__ import annotations

import re
from functools import lru_cache

from nomicgen.files.markdown import parse_body
from nomicgen.files.text_encoding import trim_blank_lines
from nomicgen.importers.lines import Line
from nomicgen.importers.readings import Slip
from nomicgen.importers.rule_text.blocks import plain_as_markdown
from nomicgen.importers.rule_text.from_markdown import as_markdown, is_rule_text

_CODE = ("```", "~~~", "\n    ", "\n\t")
"""How code begins, in a line or at the beginning of the next."""
_TAG = r"<[!?a-zA-Z/]"


@lru_cache(maxsize=65536)
def markdown_text(words: str, column: int = 1) -> tuple[str | None, tuple[Slip, ...]]:
    """Return a rule's text from lines of Markdown, the first of them from `column` on; None where
    they are blank.

    What no rule's text may have is written otherwise, and a slip says so; its line counts from 1.
    """
    if not words.strip():
        return None, ()
    lines = words.split("\n")
    start, end = trim_blank_lines(lines, 0, len(lines))
    text = "\n".join(lines[start:end])
    if start == 0 and column > 1:
        text = text.lstrip()
    if is_rule_text(text) and (start > 0 or column == 1 or "\n " not in text):
        return text, ()
    parts = [Line(at + 1, column if at == 0 else 1, lines[at]) for at in range(start, end)]
    if start == 0 and column > 1:
        parts[0] = Line(1, column, lines[0].lstrip())
    made = as_markdown(parts)
    if made is not None:
        message = "a heading of level 1 or 2, a block of provisions or HTML is in the rule's text"
        slip = Slip(
            slug="text-html",
            line=start + 1,
            message=message,
            outcome="it is put into a form that a rule may have",
        )
        return made.text, (slip,) if made.rewritten else ()
    message = "the text holds HTML or Markdown that a rule cannot have"
    slip = Slip(
        slug="text-markdown",
        line=start + 1,
        message=message,
        outcome="it is kept word for word, as plain text",
    )
    return plain_as_markdown(parts, None), (slip,)


@lru_cache(maxsize=65536)
def plain_text(words: str, column: int, room: int | None) -> str | None:
    """Return a rule's text from lines of plain text, the first of them from `column` on; None where
    they are blank. `room` is how wide a line may get, None where none is wrapped.
    """
    if not words.strip():
        return None
    lines = words.split("\n")
    start, end = trim_blank_lines(lines, 0, len(lines))
    return plain_as_markdown(
        [Line(at + 1, column if at == 0 else 1, lines[at]) for at in range(start, end)], room
    )


@lru_cache(maxsize=65536)
def is_closed(text: str) -> bool:
    """Return whether a heading right below a text would be one, and not in an open fence, comment
    or tag.
    """
    if not (
        any(mark in text for mark in _CODE)
        or text.startswith(("    ", "\t"))
        or re.search(_TAG, text)
    ):
        return True
    lines = text.count("\n") + 1
    tokens = parse_body(f"{text}\n## 9\n", 1).tokens
    return any(
        token.type == "heading_open" and token.map is not None and token.map[0] == lines
        for token in tokens
    )
