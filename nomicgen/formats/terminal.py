"""Text that players wrote, made safe for a terminal."""

from __future__ import annotations

from nomicgen.files.text_encoding import CONTROLS
from nomicgen.patterns import lazy_pattern

_BLANKS = {ord("\n"): None, ord("\t"): None}

# A lone surrogate comes from a path that is not UTF-8; no terminal takes it.
_HARMFUL = lazy_pattern(f"{CONTROLS.pattern}|[\ud800-\udfff]")


def safe(text: str) -> str:
    """The text with every character that a terminal obeys, or that changes how others read, spelt out: `\\x1b`.

    Line feeds and tabs stay. Nothing in it becomes markup: whoever prints it takes it as plain text.
    """
    if text.isascii() and text.translate(_BLANKS).isprintable():
        return text
    return _HARMFUL.sub(lambda match: match[0].encode("unicode_escape").decode(), text)
