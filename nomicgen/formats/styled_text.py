"""Text with styles for a terminal. The library rich has more, but takes too long to import."""

from __future__ import annotations

import re

_CODES = {
    "bold": 1,
    "dim": 2,
    "underline": 4,
    "strike": 9,
    "red": 31,
    "green": 32,
    "yellow": 33,
    "cyan": 36,
}
"""The terminal's code of each style."""
_STYLED = r"\x1b\[[0-9;]*m"


def style_text(text: str, style: str) -> str:
    """Return a text with a terminal's codes for a style in each line that is not empty.

    `style` is a name or several, such as `bold red`; with '' the text stays as it is.
    """
    if not style:
        return text
    codes = ";".join(str(_CODES[name]) for name in style.split())
    return "\n".join(f"\x1b[{codes}m{line}\x1b[0m" if line else "" for line in text.split("\n"))


def without_style(text: str) -> str:
    """Return the text without the codes of its styles."""
    return re.sub(_STYLED, "", text)
