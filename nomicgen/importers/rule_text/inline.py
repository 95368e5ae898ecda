"""Plain words as Markdown that reads the same: whatever would be markup is escaped."""

from __future__ import annotations

import re

# People write emphasis in plain text as Markdown does, so it stays.
_EMPHASIS = (
    r"(?<![^\s(\[\"'“‘–—-])(?P<stars>\*{1,2})(?=[^\s*])[^*\n]{0,200}?(?:\n[^*\n]{1,200}?)?(?<=[^\s*])(?P=stars)(?![\w*])"
    r"|(?<![^\s(\[\"'“‘–—-])(?P<lines>_{1,2})(?=[^\s_])[^_\n]{0,200}?(?:\n[^_\n]{1,200}?)?(?<=[^\s_])(?P=lines)(?!\w)"
)
_SPECIAL = re.compile(
    r"[\\`*]"
    r"|(?<![^\W_])_+|_+(?![^\W_])"  # within a word it means nothing
    r"|\](?=[(\[:])"
    r"|<(?=[A-Za-z/!?])"
    r"|&(?=(?:\#[0-9]{1,7}|\#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
    r"|:(?=//)|(?<!\w):(?=[a-z+-][a-z0-9_+-]*:)"  # GitHub makes a picture of `:tea:`
)
# An address becomes a link, and its text is then no Markdown; a backslash in it would be a part of
# it.
_ADDRESS = (
    r"(?<![^\s(])https?://[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?:[/?#](?:[A-Za-z0-9.\-/?=%#&+;:@~_]*[A-Za-z0-9/])?)?"
    r"(?=[).,;:!?\"'’”]*(?:\s|$))"
)
_PAIRED = r"[~$]"
"""Signs that are markup where a paragraph has two of them."""
_START = (
    r"(?P<mark>\#)(?=\#{0,5}(?:\s|$))|(?P<quote>>)|(?P<bullet>[-+])(?=\s|$)"
    r"|(?P<number>[0-9]{1,9})(?=[.)](?:\s|$))"
)
_ROW = r"[-=|: \t]*[-=][-=|: \t]*"
"""A line that would be a ruler, the underline of a heading, or a row of a table."""
_BOX = r"\[(?=[ xX]\](?:\s|$))"
"""The beginning of a box to be ticked, as GitHub shows `[ ]`."""


def escape_inline(text: str) -> str:
    """Return the words of a paragraph, in lines, escaped, except for the start of each line, which
    `escape_line_start` escapes.
    """
    kept: set[int] = set()
    for match in re.finditer(_EMPHASIS, text):
        size = len(match["stars"] or match["lines"])
        kept |= {
            *range(match.start(), match.start() + size),
            *range(match.end() - size, match.end()),
        }
    for match in re.finditer(_ADDRESS, text):
        kept |= {*range(*match.span())}
    paired = {match[0] for match in re.finditer(_PAIRED, text) if text.count(match[0]) > 1}

    def escape(match: re.Match[str]) -> str:
        return "".join(
            mark if match.start() + at in kept else f"\\{mark}" for at, mark in enumerate(match[0])
        )

    special = re.compile(f"{_SPECIAL.pattern}|[{''.join(sorted(paired))}]") if paired else _SPECIAL
    return special.sub(escape, text)


def escape_line_start(text: str) -> str:
    """Return a line of a paragraph, escaped so that it begins no heading, list, quotation
    or table.
    """
    if re.fullmatch(_ROW, text) or re.match(_BOX, text):
        return f"\\{text}"
    match = re.match(_START, text)
    if match is None:
        return text
    if match["number"]:
        return f"{match[0]}\\{text[match.end() :]}"
    return f"\\{text}"
