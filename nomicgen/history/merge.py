"""Merging three ways: a text, and what two people made of it.

Rules have long lines. They are merged by line, and where both changed a line, by word. If both
changed the same words, each in their own way, that is a conflict, and marked in the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import Match, SequenceMatcher

from msgspec import Struct

from nomicgen.files.merge_conflicts import Names, mark

# A word with the blanks around it: two changed words with only a blank between them are one change.
_WORD = r"[^\S\n]*\S+[^\S\n]*\n?|[^\S\n]*\n"
# Beyond this many pairs of equal lines, or words, the comparison would take seconds: all of it is a
# conflict instead.
_LARGE = 5_000_000


class MergedText(Struct, frozen=True, kw_only=True):
    """A merged text, in which `conflicts` conflicts are marked."""

    text: str
    conflicts: int


def merge_texts(base: str, ours: str, theirs: str, names: Names) -> MergedText:
    """Merge two texts that were made of `base`. None of the three ends in a line feed.

    A conflict has whole lines on both sides. Changes of such a line that do not conflict stand on
    both sides: whoever chooses a side loses none of them. `names` name the sides.
    """
    pieces = _pieces(*([f"{line}\n" for line in text.split("\n")] for text in (base, ours, theirs)))
    chunks = list(_chunks(part for piece in pieces for part in _by_word(piece)))
    text = "".join(side if side == other else mark(side, other, names) for side, other in chunks)
    return MergedText(text=text[:-1], conflicts=sum(side != other for side, other in chunks))


class _Piece(Struct, frozen=True, kw_only=True):
    """A stretch of a merge, as each side wants it. If the sides differ, it is a conflict, and
    `base` is how the old text has it.

    `kept` is the number of its lines or words if neither side changed them, else 0.
    """

    base: str = ""
    ours: str
    theirs: str
    kept: int = 0

    @property
    def settled(self) -> bool:
        return self.ours == self.theirs


def _pieces(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> Iterator[_Piece]:
    """Merge lines, or words, as diff3 does: between the parts that all three have, the side that
    changed something wins.
    """
    if _is_large(base, ours) or _is_large(base, theirs):
        yield _Piece(base="".join(base), ours="".join(ours), theirs="".join(theirs))
        return
    at = at_ours = at_theirs = 0
    for shared, own, other, size in _shared(base, ours, theirs):
        was, now, proposed = base[at:shared], ours[at_ours:own], theirs[at_theirs:other]
        if now == proposed or was in (now, proposed):
            text = "".join(proposed if was == now else now)
            yield _Piece(ours=text, theirs=text)
        else:
            yield _Piece(base="".join(was), ours="".join(now), theirs="".join(proposed))
        kept = "".join(base[shared : shared + size])
        yield _Piece(ours=kept, theirs=kept, kept=size)
        at, at_ours, at_theirs = shared + size, own + size, other + size


def _shared(
    base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]
) -> Iterator[tuple[int, int, int, int]]:
    """Yield the runs that all three have, in order: where each begins in base, ours and theirs, and
    its length. The last one is empty, at the end of all three.
    """
    own, other = (_matches(base, side) for side in (ours, theirs))
    first = second = 0
    while first < len(own) and second < len(other):
        one, two = own[first], other[second]
        start, end = max(one.a, two.a), min(one.a + one.size, two.a + two.size)
        if start < end:
            yield start, one.b + start - one.a, two.b + start - two.a, end - start
        if one.a + one.size < two.a + two.size:
            first += 1
        else:
            second += 1
    yield len(base), len(ours), len(theirs), 0


def _matches(base: Sequence[str], side: Sequence[str]) -> list[Match]:
    # Without `autojunk=False`, frequent lines and words (such as `the`) would match nothing.
    return SequenceMatcher(None, base, side, autojunk=False).get_matching_blocks()


def _by_word(piece: _Piece) -> Iterable[_Piece]:
    """Return the pieces of a conflict of lines, merged by word.

    That is the piece itself if it is no conflict, or if fewer than half of the old words are in
    both sides: where two people wrote a sentence anew, words that they have in common may be
    chance.
    """
    if piece.settled:
        return (piece,)
    base, ours, theirs = (
        re.findall(_WORD, text) for text in (piece.base, piece.ours, piece.theirs)
    )
    pieces = tuple(_pieces(base, ours, theirs))
    return pieces if 2 * sum(piece.kept for piece in pieces) >= len(base) else (piece,)


def _chunks(pieces: Iterable[_Piece]) -> Iterator[tuple[str, str]]:
    """Yield the two sides of a merge, in the smallest chunks of whole lines."""
    ours = theirs = ""
    for piece in pieces:
        if not piece.settled:
            ours, theirs = ours + piece.ours, theirs + piece.theirs
            continue
        for line in re.findall(r"[^\n]*\n|[^\n]+", piece.ours):
            if ours != theirs and _is_whole(ours) and _is_whole(theirs):
                yield ours, theirs
                ours = theirs = ""
            ours, theirs = ours + line, theirs + line
            if line.endswith("\n"):
                yield ours, theirs
                ours = theirs = ""
    if ours or theirs:
        yield ours, theirs


def _is_whole(side: str) -> bool:
    """Return whether a side ends with a whole line, so that a mark can follow."""
    return not side or side.endswith("\n")


def _is_large(one: Sequence[str], other: Sequence[str]) -> bool:
    counts = Counter(other)
    return sum(count * counts[part] for part, count in Counter(one).items()) > _LARGE
