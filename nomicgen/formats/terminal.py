"""Text that players wrote, made safe for a terminal."""

from __future__ import annotations

import re

from nomicgen.files.text_encoding import CONTROLS

_BLANKS = {ord("\n"): None, ord("\t"): None}

# A lone surrogate comes from a path that is not UTF-8; no terminal takes it.
_HARMFUL = CONTROLS + "|[\ud800-\udfff]"


def safe(text: str) -> str:
    """Return the text with every character that a terminal obeys, or that changes how others read,
    spelt out: `\\x1b`.

    Line feeds and tabs stay.
    """
    if text.isascii() and text.translate(_BLANKS).isprintable():
        return text
    return re.sub(_HARMFUL, lambda match: match[0].encode("unicode_escape").decode(), text)
