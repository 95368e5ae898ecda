"""Two texts line by line, as `diff -u` shows them, in a time that no text can draw out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

_LARGE = 1_000_000
"""Pairs of lines: to compare each with each takes a second."""


def unified(old: Sequence[str], new: Sequence[str], was: str, now: str, *, context: int = 3) -> Iterator[str]:
    """The lines of a unified diff. Where texts are too long for more, all lines between the first that differ and the
    last go and come."""
    head = _alike(zip(old, new, strict=False))
    tail = _alike(zip(reversed(old[head:]), reversed(new[head:]), strict=False))
    gone, come = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(gone) * len(come) <= _LARGE:
        from difflib import unified_diff

        yield from unified_diff(old, new, was, now, lineterm="", n=context)
        return
    before, after = old[max(head - context, 0) : head], old[len(old) - tail :][:context]
    start, around = head - len(before) + 1, len(before) + len(after)
    yield f"--- {was}"
    yield f"+++ {now}"
    yield f"@@ -{start},{len(gone) + around} +{start},{len(come) + around} @@"
    for sign, lines in ((" ", before), ("-", gone), ("+", come), (" ", after)):
        yield from (f"{sign}{line}" for line in lines)


def _alike(pairs: Iterator[tuple[str, str]]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
