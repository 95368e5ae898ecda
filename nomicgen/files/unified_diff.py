"""Two texts compared as `diff -u` compares them; texts that are too long, in a simpler way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import unified_diff
from itertools import takewhile

_LARGE = 1_000_000
"""The most pairs of lines that are compared: more take over a second."""


def unified_lines(
    old: Sequence[str], new: Sequence[str], was: str, now: str, *, context: int = 3
) -> Iterator[str]:
    """Yield the lines of a unified diff.

    `was` and `now` name the two texts. If these are too long to compare, all lines from the first
    that differs to the last are shown as removed and added.
    """
    head = _count_equal(zip(old, new, strict=False))
    tail = _count_equal(zip(reversed(old[head:]), reversed(new[head:]), strict=False))
    gone, come = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(gone) * len(come) <= _LARGE:
        yield from unified_diff(old, new, was, now, lineterm="", n=context)
        return
    yield f"--- {was}"
    yield f"+++ {now}"
    yield f"@@ -{head + 1},{len(gone)} +{head + 1},{len(come)} @@"
    yield from (f"-{line}" for line in gone)
    yield from (f"+{line}" for line in come)


def _count_equal(pairs: Iterator[tuple[str, str]]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
