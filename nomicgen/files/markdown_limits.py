"""The limits on how many of the parser's steps a text may cost, and how deep it may nest.

`markdown_parser.py` counts the steps. `is_tame` here tells without the parser that a text is within
the limits.
"""

from __future__ import annotations

import re

NESTING = 50
"""Levels of blocks in blocks, and of markup in markup; a list takes two."""
STEPS = 300_000
"""How many steps a file of a game may cost: a kilobyte of prose takes 60; 1,000 take 10 ms."""

CELL = 4
"""Steps that a cell of a table costs."""
_MARKS = "*_~["  # what nested markup begins with
# With fewer marks no markup nests too deep: each level takes at least one of them.
_FEW = NESTING
# A line in blocks that nest too deep begins like this: a tab is four columns.
_INDENTED = r"\n[ \t>+*0-9.)-]{12}"


class LimitExceeded(Exception):
    """Raised if a text exceeds a limit: the finding's slug, and the line, from 0.

    If `failed`, no limit was exceeded: the parser itself raised an error.
    """

    def __init__(self, slug: str, line: int, *, failed: bool = False) -> None:
        super().__init__(slug)
        self.slug = slug
        self.line = line
        self.failed = failed


def budget(length: int) -> int:
    """Return the steps that a text may take.

    A small file gets fewer than a large one, since somebody may bring many small ones.
    """
    # A quarter of the length is more only for texts longer than any file: imported histories.
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
    # Upper bounds of what the parser may count: 64 steps for a line, one for a character, and more
    # for brackets and tables. A test compares them.
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
        # Each row of a table has as many cells as its widest.
        cost += (lines + 1) * (CELL + 1) * (1 + max(line.count("|") for line in text.split("\n")))
    return cost + lines * 64 <= budget(len(text)) or not text.strip("\n")  # blank lines cost less
