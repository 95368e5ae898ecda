"""Word-level redlines: what became of a text, as a reader of law expects to see it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from diff_match_patch import diff_match_patch

__all__ = ["Segment", "redline"]

SegmentKind = Literal["equal", "insert", "delete"]

_WORD = re.compile(r"\n+|[^\S\n]+|\w+(?:['’]\w+)*|[^\w\s]")
_PARAGRAPH = re.compile(r"[^\n]*\n*")
# The private planes: their characters are neither letters nor blanks, so the cleaning up has no opinion on them.
_FIRST = 0xF0000
_MOST = 0x10FFFD - _FIRST
# Beyond this many pairs of words the comparison would take seconds: paragraphs are compared instead.
_LARGE = 30_000_000
_KINDS: dict[int, SegmentKind] = {0: "equal", 1: "insert", -1: "delete"}


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of text that both texts have, or that only the new (insert) or the old one (delete) has."""

    kind: SegmentKind
    text: str


def redline(old: str, new: str) -> tuple[Segment, ...]:
    """How `old` became `new`, in words, blanks and marks.

    Equal and deleted segments together are `old` to the character, equal and inserted ones `new`. A deletion stands
    before the insertion that replaces it.
    """
    if old == new:
        return (Segment("equal", old),) if old else ()
    before, after = _WORD.findall(old), _WORD.findall(new)
    if len(before) * len(after) > _LARGE or len({*before, *after}) > _MOST:
        before, after = _paragraphs(old), _paragraphs(new)
    return tuple(_merged(_compare(before, after)))


def _paragraphs(text: str) -> list[str]:
    return [part for part in _PARAGRAPH.findall(text) if part]


def _compare(before: Sequence[str], after: Sequence[str]) -> Iterator[Segment]:
    letters: dict[str, str] = {}
    for word in (*before, *after):
        letters.setdefault(word, chr(_FIRST + len(letters)))
    words = {letter: word for word, letter in letters.items()}
    engine = diff_match_patch()
    # Without a limit of time the answer does not depend on the machine.
    engine.Diff_Timeout = 0
    found = engine.diff_main("".join(map(letters.__getitem__, before)), "".join(map(letters.__getitem__, after)), False)
    for kind, coded in found:
        yield Segment(_KINDS[kind], "".join(map(words.__getitem__, coded)))


def _merged(segments: Iterable[Segment]) -> Iterator[Segment]:
    """Each deletion before its insertion, and changes that only a blank or a lone word parts as one change."""
    gone, come, bridge = "", "", ""
    for one in segments:
        if one.kind == "equal":
            bridge += one.text
            continue
        if bridge and not _is_slight(bridge, gone, come):
            yield from _change(gone, come)
            yield Segment("equal", bridge)
            gone = come = ""
        elif bridge:
            gone, come = gone + bridge, come + bridge
        bridge = ""
        gone += one.text if one.kind == "delete" else ""
        come += one.text if one.kind == "insert" else ""
    yield from _change(gone, come)
    if bridge:
        yield Segment("equal", bridge)


def _is_slight(bridge: str, gone: str, come: str) -> bool:
    """Whether what two changes leave standing between them is too little to be worth reading alone."""
    if not (gone or come) or "\n\n" in bridge:
        return False
    count = len(bridge.split())
    return count == 0 or (count == 1 and len(gone.split()) + len(come.split()) > 2)


def _change(gone: str, come: str) -> Iterator[Segment]:
    if gone:
        yield Segment("delete", gone)
    if come:
        yield Segment("insert", come)
