"""Words made safe for Markdown: shown there, they are the same words, and no markup."""

from __future__ import annotations

import re

from nomicgen.formats.terminal import safe

_SPECIAL = r"[\\`*_{}\[\]<|~&!]"
_MENTIONS = "[@#]"
_TICKS = "`+"


def fenced(text: str, language: str) -> str:
    """Return a fenced block that nothing in `text` can end."""
    fence = "`" * max([3, *(len(run) + 1 for run in re.findall(_TICKS, text))])
    return f"{fence}{language}\n{text}\n{fence}"


def code_span(text: str) -> str:
    """Return words as code on one line, whatever characters are in them."""
    line = " ".join(safe(text).split()) or " "
    runs = {len(run) for run in re.findall(_TICKS, line)}
    ticks = "`" * next(count for count in range(1, len(line) + 2) if count not in runs)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def plain_words(text: str) -> str:
    """Return words as prose for the inside of a line of Markdown: no markup, no mention."""
    # A joiner, which is not seen, parts `@` from an account, and `#` from a pull request's number.
    return re.sub(_SPECIAL, r"\\\g<0>", re.sub(_MENTIONS, "\\g<0>\N{WORD JOINER}", safe(text)))
