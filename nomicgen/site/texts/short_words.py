"""Cuts players' words to a width, on one line, without letters that turn the direction of other
words (of writing that goes from right to left).
"""

from __future__ import annotations

import unicodedata

# The letters that set the direction of text.
_TURNING = dict.fromkeys([0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])


def shorten(text: str, most: int) -> str:
    """Return a text on one line, in at most `most` columns: a wide letter counts two, a mark none.

    Letters that set the direction of text are left out.
    """
    whole = " ".join(
        "".join(" " if unicodedata.category(letter) == "Cc" else letter for letter in text).split()
    )
    whole = whole.translate(_TURNING)
    if sum(map(_columns, whole)) <= most:
        return whole
    width, kept = 1, []
    for letter in whole:
        width += _columns(letter)
        if width > most:
            break
        kept.append(letter)
    return f"{''.join(kept).rstrip(' ,;:.')}…"


def _columns(letter: str) -> int:
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in ("W", "F") else 1


def bidi_isolated(text: str, most: int) -> str:
    """Return a player's words to put among others in plain text: cut to `most` columns, and set
    apart so that their direction does not turn the others.
    """
    return f"\N{FIRST STRONG ISOLATE}{shorten(text, most)}\N{POP DIRECTIONAL ISOLATE}"
