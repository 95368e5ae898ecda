"""Which words of a text stayed when it was amended: the comparison that says who wrote what.

A redline is made to be read: it shows a lone word between two changes as a part of them, and counts a comma like a
word. Whoever wrote that word has still written it. So here as many words as possible stay; marks are compared between
the words that stay, and blanks not at all.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nomicgen.archive.redline import ENDS, Word, compare, words_of

# Beyond this the comparison would take seconds: paragraphs are compared first, and what is still beyond it is all new.
_PAIRS = 8_000_000
_WORDS = 65_000
_Partners = list[int | None]


class Token(NamedTuple):
    """A word or a mark, and whether a paragraph, a list item or a row begins with it."""

    text: str
    opens: bool

    @property
    def is_word(self) -> bool:
        return self.text[0].isalnum() or self.text[0] == "_"


@functools.lru_cache(maxsize=64)
def tokens(text: str) -> tuple[Token, ...]:
    """The words and marks of a text in order; together they are its letters, which are all that is no blank."""
    found: list[Token] = []
    opens = True
    for one in words_of(text):
        if one.is_break:
            opens = True
        elif not one.is_blank:
            found.append(Token(one.text, opens))
            opens = False
    return tuple(found)


def kept(old: Sequence[Token], new: Sequence[Token]) -> tuple[int | None, ...]:
    """For each token of `new` the index of the one in `old` that it was; None for those that came.

    Indices ascend. No other comparison keeps more words. Where several keep as many, what came or went begins and
    ends where a paragraph or a sentence does, if it can.
    """
    found = _words_kept(old, new)
    for before, after in list(_gaps(found, len(old), len(new))):
        _match(old, new, _which(old, before, words=False), _which(new, after, words=False), found)
    _slide(new, found, len(old))
    turned = _turned(found, len(old))
    _slide(old, turned, len(new))
    return tuple(_turned(turned, len(new)))


def _words_kept(old: Sequence[Token], new: Sequence[Token]) -> _Partners:
    found: _Partners = [None] * len(new)
    _match_ends(old, new, found)
    if any(_is_large(*gap) for gap in _gaps(found, len(old), len(new))):
        _match_paragraphs(old, new, found)
    for before, after in list(_gaps(found, len(old), len(new))):
        if not _is_large(before, after):
            _match(old, new, _which(old, before, words=True), _which(new, after, words=True), found)
    return found


def _match_ends(old: Sequence[Token], new: Sequence[Token], found: _Partners) -> None:
    """What both texts begin with and end with stays, marks and all."""
    most = min(len(old), len(new))
    first = next((at for at in range(most) if old[at].text != new[at].text), most)
    last = next((at for at in range(most - first) if old[-1 - at].text != new[-1 - at].text), most - first)
    found[:first] = range(first)
    found[len(new) - last :] = range(len(old) - last, len(old))


def _is_large(before: range, after: range) -> bool:
    return len(before) * len(after) > _PAIRS or len(before) + len(after) > _WORDS


def _match(
    old: Sequence[Token], new: Sequence[Token], left: Sequence[int], right: Sequence[int], found: _Partners
) -> None:
    """Notes which of the tokens of `new` at `right` stood in `old` at `left`."""
    if not left or not right:
        return
    before, after = ([Word(side[at].text, "") for at in part] for side, part in ((old, left), (new, right)))
    _note(before, after, left, right, found)


def _note(
    before: Sequence[Word], after: Sequence[Word], left: Sequence[int], right: Sequence[int], found: _Partners
) -> None:
    here = there = 0
    for equal, pairs in compare(before, after):
        for gone, come in pairs:
            if equal:
                found[right[there]] = left[here]
            here += gone is not None
            there += come is not None


def _match_paragraphs(old: Sequence[Token], new: Sequence[Token], found: _Partners) -> None:
    sides = [list(_paragraphs(side)) for side in (old, new)]
    before, after = (
        [Word("\0".join(one.text for one in side[part.start : part.stop]), "") for part in parts]
        for side, parts in zip((old, new), sides, strict=True)
    )
    same: _Partners = [None] * len(after)
    _note(before, after, range(len(before)), range(len(after)), same)
    for there, here in enumerate(same):
        if here is not None:
            for place, origin in zip(sides[1][there], sides[0][here], strict=True):
                found[place] = origin


def _paragraphs(side: Sequence[Token]) -> Iterator[range]:
    starts = [index for index, one in enumerate(side) if one.opens]
    return (range(start, end) for start, end in zip(starts, [*starts[1:], len(side)], strict=True))


def _gaps(found: _Partners, old: int, new: int) -> Iterator[tuple[range, range]]:
    """The stretches of both texts between tokens that stayed."""
    here = there = 0
    for place, origin in [*((at, one) for at, one in enumerate(found) if one is not None), (new, old)]:
        if origin > here and place > there:
            yield range(here, origin), range(there, place)
        here, there = origin + 1, place + 1


def _which(side: Sequence[Token], part: range, *, words: bool) -> list[int]:
    """Where in a stretch the words are, or the marks."""
    return [at for at in part if side[at].is_word is words]


def _turned(partners: Sequence[int | None], count: int) -> _Partners:
    found: _Partners = [None] * count
    for at, partner in enumerate(partners):
        if partner is not None:
            found[partner] = at
    return found


def _slide(side: Sequence[Token], partners: _Partners, other: int) -> None:
    """Moves each stretch without partners to the best place that it may stand at; the other text has `other` tokens."""
    start = 0
    while start < len(side):
        if partners[start] is not None:
            start += 1
            continue
        end = next((at for at in range(start, len(side)) if partners[at] is not None), len(side))
        start = _moved(side, partners, start, end, other) + (end - start)


def _moved(side: Sequence[Token], partners: _Partners, start: int, end: int, other: int) -> int:
    """Moves the stretch from `start` up to `end`; gives where it starts then."""
    back, on = _room(side, partners, start, end, other)
    length = end - start
    # Of equally good places the last: what stands first stayed.
    best = max(range(start - back, start + on + 1), key=lambda at: (_edge(side, at) + _edge(side, at + length), at))
    taken = [one for one in partners[start - back : end + on] if one is not None]
    first = start - back
    partners[first : end + on] = [*taken[: best - first], *[None] * length, *taken[best - first :]]
    return best


def _room(side: Sequence[Token], partners: _Partners, start: int, end: int, other: int) -> tuple[int, int]:
    """By how many tokens a stretch can be moved back and on, so that the same words stay in the same order.

    It is no further than its own length, and not past where something went: that is its own change.
    """
    before = partners[start - 1] if start else -1
    after = partners[end] if end < len(side) else other
    if before is None or after is None or after != before + 1:
        return 0, 0
    back = on = 0
    while (
        back < min(end - start, start)
        and partners[start - 1 - back] == before - back
        and side[start - 1 - back].text == side[end - 1 - back].text
    ):
        back += 1
    while (
        on < min(end - start, len(side) - end)
        and partners[end + on] == after + on
        and side[start + on].text == side[end + on].text
    ):
        on += 1
    return back, on


def _edge(side: Sequence[Token], at: int) -> int:
    """How good a place it is for a change to begin or end before a token."""
    if at in (0, len(side)) or side[at].opens:
        return 3
    if side[at - 1].text in ENDS:
        return 2
    return int(not side[at - 1].is_word)
