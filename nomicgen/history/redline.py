"""Word-level redlines: what became of a text, as a reader of law expects to see it.

Whole words are compared. Other blanks are no change: a line that is wrapped elsewhere, an
indentation, a blank at a line's end. What does matter is where one paragraph, list item or row ends
and the next begins: a *break*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, repeat
from typing import Literal, NamedTuple

from diff_match_patch import diff_match_patch
from msgspec import Struct

SegmentKind = Literal["equal", "delete", "insert"]

# Hyphenated words, contractions, 2/3, 1,000, 18:30 and 15% are one word each. Every other mark is
# a word by itself.
_WORD = r"\s+|\w+(?:(?:['’‐‑-]|(?<=\d)[.,:/–](?=\d))\w+)*(?:(?<=\d)%)?|[^\w\s]"
BLOCK_START = re.compile(r"(?:[-*+]|\d{1,9}[.)]|#{1,6})(?=\s)|[|>]|```|~~~")
"""What begins a block at the start of a line: list item, heading, row, quotation, fence."""
_PARTING = r"(\s*\n[^\S\n]*\n\s*)"
_PILCROW = "¶"
# The key of a break. It cannot be the pilcrow, which may stand in a text.
_BREAK = "\n"
ENDS = frozenset(".!?;")
"""The marks that a sentence, or a clause like one, ends with."""
# For the comparison each distinct word becomes one character of Unicode's private planes, from
# `_FIRST` on; `_MOST` words fit there.
_FIRST = 0xF0000
_MOST = 0x10FFFD - _FIRST
# Beyond this many pairs of words the comparison would take seconds: paragraphs are compared
# instead.
_LARGE = 30_000_000


class Segment(Struct, frozen=True):
    """A stretch of text that both texts have, or that only the new (insert) or the old one (delete)
    has.

    `text` is what is shown. `old` and `new` are what the old and the new text have there, '' if
    nothing. Apart from that, they differ from `text` only in blanks, and where paragraphs were
    joined or parted: that is shown as a pilcrow (¶), which neither text has.
    """

    kind: SegmentKind
    text: str
    old: str
    new: str


class Word(NamedTuple):
    """A word, a mark, a run of blanks or a break, as it stands in its text (`text`; '' for a
    break).

    `key` is what it is compared by. `size` counts its words and marks: 0 for blanks and breaks, and
    many where a whole paragraph is compared as one word.
    """

    key: str
    text: str
    size: int = 1

    @property
    def is_blank(self) -> bool:
        return self.key == " "

    @property
    def is_break(self) -> bool:
        return self.key == _BREAK


_Pair = tuple[Word | None, Word | None]
"""A word of the old text and its equal in the new; None where one of the texts has none."""


def redline(old: str, new: str) -> tuple[Segment, ...]:
    """Return how `old` became `new`, in words and marks.

    The `old` of all segments, joined, is exactly `old`, and their `new` is `new`. A deletion stands
    before the insertion that replaces it. Blanks that differ are in equal segments, and shown as
    the new text has them.
    """
    return tuple(_join_segments(_merge_small_gaps(compare_words(old, new))))


def compare_words(old: str, new: str) -> list[tuple[bool, list[_Pair]]]:
    """Return two texts as stretches of pairs: equal words (True) and changed ones (False)
    alternate.

    In very long texts, whole paragraphs are compared instead of words; if even those are too many,
    each text is one word.
    """
    before, after = words_of(old), words_of(new)
    if _is_large(before, after):
        before, after = _paragraphs(old), _paragraphs(new)
    if _is_large(before, after):
        before, after = [(_paragraph(text),) if text else () for text in (old, new)]
    return _shift_to_sentences(list(_stretches(before, after)))


def _is_large(before: Sequence[Word], after: Sequence[Word]) -> bool:
    return (
        len(before) * len(after) > _LARGE
        or len({word.key for word in chain(before, after)}) > _MOST
    )


def words_of(text: str) -> tuple[Word, ...]:
    """Return a text's words, marks and blanks, with a break after blanks between blocks."""
    words: list[Word] = []
    for match in re.finditer(_WORD, text):
        word = match[0]
        if not word[0].isspace():
            words.append(Word(word, word))
            continue
        words.append(Word(" ", word, 0))
        if word.count("\n") > 1 or ("\n" in word and BLOCK_START.match(text, match.end())):
            words.append(Word(_BREAK, "", 0))
    return tuple(words)


def _paragraphs(text: str) -> tuple[Word, ...]:
    paragraphs: list[Word] = []
    for index, part in enumerate(re.split(_PARTING, text)):
        if index % 2:
            paragraphs += [Word(" ", part, 0), Word(_BREAK, "", 0)]
        elif part:
            paragraphs.append(_paragraph(part))
    return tuple(paragraphs)


def _paragraph(text: str) -> Word:
    return Word(" ".join(text.split()), text, sum(word.size for word in words_of(text)))


def _stretches(before: Sequence[Word], after: Sequence[Word]) -> Iterator[tuple[bool, list[_Pair]]]:
    """Yield alternating stretches of equal and changed words, with as few changes as possible."""
    keys = dict.fromkeys(word.key for word in chain(before, after))
    letters = {key: chr(_FIRST + place) for place, key in enumerate(keys)}
    engine = diff_match_patch()
    # Without a limit of time the answer does not depend on the machine.
    engine.Diff_Timeout = 0
    coded = ("".join([letters[word.key] for word in words]) for words in (before, after))
    left, right = iter(before), iter(after)
    changed: list[_Pair] = []
    for kind, found in engine.diff_main(*coded, False):
        if kind < 0:
            changed += zip(islice(left, len(found)), repeat(None))
        elif kind > 0:
            changed += zip(repeat(None), islice(right, len(found)))
        else:
            if changed:
                yield False, changed
            yield True, list(zip(islice(left, len(found)), islice(right, len(found)), strict=True))
            changed = []
    if changed:
        yield False, changed


def _shift_to_sentences(
    stretches: list[tuple[bool, list[_Pair]]],
) -> list[tuple[bool, list[_Pair]]]:
    """Shift each change that only inserts or only deletes, so that it is whole sentences: not
    `[. So be it].` but `. [So be it.]`. The list is changed in place, and returned.
    """
    for index in range(1, len(stretches) - 1):
        run, after = stretches[index][1], stretches[index + 1][1]
        # Which text has the words of the change: 0 is the old one, 1 the new one.
        side = 0 if run[0][1] is None else 1
        if stretches[index][0] or any(pair[1 - side] is not None for pair in run):
            continue
        count = _shift([pair[side] for pair in run], [pair[side] for pair in after])
        # The first words of the change become equal words before it. The same words, which follow
        # it, become its last.
        pairs = zip(run[:count], after[:count], strict=True)
        stretches[index - 1][1].extend(
            (following[0], pair[1]) if side else (pair[0], following[1])
            for pair, following in pairs
        )
        moved: list[_Pair] = [
            (None, pair[1]) if side else (pair[0], None) for pair in after[:count]
        ]
        run[:] = [*run[count:], *moved]
        after[:] = after[count:]
    return stretches


def _shift(run: Sequence[Word | None], after: Sequence[Word | None]) -> int:
    """Return by how many words to move a change on, so that it begins with a paragraph or a
    sentence.
    """
    shift = 0
    for count, (word, following) in enumerate(zip(run, after[:-1], strict=False), 1):
        if word is None or following is None or word.key != following.key:
            break
        if word.is_break:
            return count
        shift = count if word.key in ENDS and not shift else shift
    return shift


def _merge_small_gaps(
    stretches: Iterable[tuple[bool, list[_Pair]]],
) -> Iterator[tuple[bool, list[_Pair]]]:
    """Join two changes if too little stands between them (`_is_slight`): `bridge` has the equal
    words after the change `run`.
    """
    run: list[_Pair] = []
    bridge: list[_Pair] = []
    for equal, pairs in stretches:
        if equal:
            bridge = pairs
            continue
        if run and bridge and not _is_slight(bridge, run, pairs):
            yield False, run
            yield True, bridge
            run = []
        elif not run and bridge:
            yield True, bridge
        else:
            run = run + bridge
        run, bridge = run + pairs, []
    if run:
        yield False, run
    if bridge:
        yield True, bridge


def _is_slight(bridge: Sequence[_Pair], before: Sequence[_Pair], after: Sequence[_Pair]) -> bool:
    """Return whether two changes leave too little between them to be worth reading: only blanks, or
    a lone word if the first change has three words or more.
    """
    count = len(_text(word for word, _ in bridge).split())
    has_break = any(word is not None and word.is_break for word, _ in bridge)
    if has_break or not (_has_words(before) and _has_words(after)):
        # With a break between, or a change of blanks alone, not even a blank may be between.
        return not any(_text(side) for side in zip(*bridge, strict=True))
    changed_before = len(_text(word for word, _ in before).split()) + len(
        _text(word for _, word in before).split()
    )
    return count == 0 or (count == 1 and changed_before > 2)


def _has_words(pairs: Sequence[_Pair]) -> bool:
    return any(word is not None and word.text.strip() for pair in pairs for word in pair)


def _join_segments(stretches: Iterable[tuple[bool, list[_Pair]]]) -> Iterator[Segment]:
    """Yield the segments, joined so that no two of one kind stand side by side."""
    last: Segment | None = None
    for segment in chain.from_iterable(_segments(equal, pairs) for equal, pairs in stretches):
        if last is not None and last.kind == segment.kind:
            last = Segment(
                segment.kind,
                last.text + segment.text,
                last.old + segment.old,
                last.new + segment.new,
            )
            continue
        if last is not None:
            yield last
        last = segment
    if last is not None:
        yield last


def _segments(equal: bool, pairs: Sequence[_Pair]) -> Iterator[Segment]:
    old, new = ([word for word in side if word is not None] for side in zip(*pairs, strict=True))
    if equal:
        yield Segment("equal", _text(new), _text(old), _text(new))
        return
    (lead, gone, tail), (new_lead, come, new_tail) = _bare(old), _bare(new)
    # Blanks at the ends of a change are not a change: they are shown once, unmarked.
    between = (tail if not new_tail else "", new_lead if not lead else "")
    segments = (
        Segment("equal", (new_lead or lead) if lead else "", lead, new_lead if lead else ""),
        Segment("delete", _visible_words(gone), _text(gone), ""),
        Segment("equal", between[1] or between[0], *between),
        Segment("insert", _visible_words(come), "", _text(come)),
        Segment("equal", new_tail, tail if new_tail else "", new_tail),
    )
    yield from (segment for segment in segments if segment.old or segment.new or segment.text)


def _bare(words: Sequence[Word]) -> tuple[str, list[Word], str]:
    """Return the blanks at the beginning, the words without blanks and breaks at their ends, and
    the blanks at the end.
    """
    start, end = 0, len(words)
    if words and words[0].is_blank:
        start = 2 if len(words) > 1 and words[1].is_break else 1
    if end > start and words[end - 1].is_blank:
        end -= 1
    elif end > start + 1 and words[end - 1].is_break and words[end - 2].is_blank:
        end -= 2
    return _text(words[:start]), list(words[start:end]), _text(words[end:])


def _visible_words(words: Sequence[Word]) -> str:
    """Return words as they are shown: a break without a blank before it could not be seen, so it is
    a pilcrow.
    """
    before: Word | None = None
    parts = []
    for word in words:
        parts.append(_PILCROW if word.is_break and not (before and before.is_blank) else word.text)
        before = word
    return "".join(parts)


def _text(words: Iterable[Word | None]) -> str:
    return "".join(word.text for word in words if word is not None)
