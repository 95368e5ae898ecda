"""The limits on how many of the parser's steps a text may cost and how deep it may nest."""

from __future__ import annotations

import re

NESTING = 50
"""Levels of blocks in blocks, and of markup in markup; a list takes two."""
STEPS = 300_000
"""What a long text may cost: prose takes 60 steps a kilobyte; 1,000 steps take 10 ms."""

CELL = 4
"""Steps that a cell of a table costs."""
_MARKS = "*_~["
# Each is one mark of nesting at least, and half of it opens what the other half closes.
_FEW = NESTING
# What is nested beyond the limit stands behind this many columns, if not behind as many marks.
_INDENTED = r"\n[ \t>+*0-9.)-]{12}"


class LimitExceeded(Exception):
    """A text that is not parsed, as a finding's slug; `line` counts from 0.

    `failed` says that the parser raised an error, whatever it was.
    """

    def __init__(self, slug: str, line: int, *, failed: bool = False) -> None:
        super().__init__(slug)
        self.slug = slug
        self.line = line
        self.failed = failed


def budget(length: int) -> int:
    """Return the steps that a text may take.

    A small file shall not take what a large one may, since many can be brought.
    """
    # No file of a game is so long that a quarter is more; a history that is imported may be.
    return max(min(STEPS, 20_000 + 8 * length), length // 4)


def has_many_marks(text: str) -> bool:
    """Return whether a text has so many marks that they could nest too deep."""
    return sum(map(text.count, _MARKS)) >= _FEW


def is_tame(text: str) -> bool:
    """Return whether a text is within the limits for certain, as most texts are.

    If not, it may still be within them: only the parser can tell.
    """
    if re.search(_INDENTED, f"\n{text}"):
        return False
    lines = text.count("\n")
    if (
        "|" not in text
        and not any(mark in text for mark in _MARKS)
        and len(text) + lines * 64 <= budget(len(text))
    ):
        return True
    cost = 0
    for paragraph in text.split("\n\n"):
        if len(paragraph) >= _FEW:
            if has_many_marks(paragraph):
                return False
            cost += len(paragraph) * (1 + 2 * paragraph.count("["))
    if "|" in text and "-" in text:
        # A table's rows are as wide as its widest.
        cost += (lines + 1) * (CELL + 1) * (1 + max(line.count("|") for line in text.split("\n")))
    return cost + lines * 64 <= budget(len(text)) or not text.strip("\n")
