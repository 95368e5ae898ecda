"""Which words of an amended text were carried over from the old one: only passages, not words that
both texts happen to have.

A redline keeps as many words as it can, even an `of` in two sentences that have nothing else in
common. But an author carries over whole phrases, and writes the small words between two new phrases
anew. So the new text is taken sentence by sentence: a phrase is carried over if it is long enough,
or if half of its sentence is in the old text, too. Passages that were moved are found as well.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from nomicgen.history.redline import ENDS, compare_words, words_of

# Words without a meaning of their own: no rule is about one of them.
_SMALL_WORDS = """
a an and any are as at be been being but by can cannot could did do does each either else for from
had has have he her hers him his how if in into is it its itself may might more most must no nor not
of on one only or other otherwise out over own she should shall so some such than that the their
them then there these they this those to too under up upon was were what when where which while who
whoever whom whose will with within would
"""
_SMALL = frozenset(_SMALL_WORDS.split())
# Where most of a sentence is new, a phrase is only carried over if it has at least so many words,
# and among them at least so many that are not small.
_WORDS, _MEANT = 4, 2
# At most so many words may have been deleted between two words of one phrase.
_GONE = 5
# A passage that was moved has at least so many words and marks; fewer may be equal by chance.
_MOVED = 6


class WordOrMark(NamedTuple):
    """A word or a mark of a text. `opens` says that a paragraph, a list item or a row begins with
    it.
    """

    text: str
    opens: bool

    @property
    def is_word(self) -> bool:
        return self.text[0].isalnum() or self.text[0] == "_"


def tokens(text: str) -> tuple[WordOrMark, ...]:
    """Return a text's words and marks, its tokens: joined, they are the text without blanks."""
    tokens_of_text: list[WordOrMark] = []
    opens = True
    for word in words_of(text):
        if word.is_break:
            opens = True
        elif not word.is_blank:
            tokens_of_text.append(WordOrMark(word.text, opens))
            opens = False
    return tuple(tokens_of_text)


def partners(old: str, new: str) -> list[int | None]:
    """Return for each token of `new` the index of its equal in `old`, as their redline pairs them;
    None for new tokens.
    """
    partners_of_new: list[int | None] = []
    place = 0
    for is_equal, pairs in compare_words(old, new):
        for gone, come in pairs:
            if come is not None:
                partners_of_new += (
                    range(place, place + come.size) if is_equal else [None] * come.size
                )
            if gone is not None:
                place += gone.size
    return partners_of_new


class _Phrase(Struct):
    """Adjacent tokens of the new text, from `start` to before `end`: all with partners in the old
    text, or all new. A mark goes with the words before it.

    `words` counts its words, `meant` those that are not small. `origin` is the earlier text that
    they came from, None for new ones; `last` is the partner of the last token that has one.
    """

    start: int
    end: int
    words: int
    meant: int
    origin: Hashable
    last: int

    @property
    def is_new(self) -> bool:
        return self.origin is None


def carried_over(
    old: Sequence[WordOrMark],
    new: Sequence[WordOrMark],
    equal: Sequence[int | None],
    origins: Sequence[Hashable],
) -> tuple[int | None, ...]:
    """Return the partners of the tokens of `new`: those that were carried over have the index of a
    token of `old`, new ones None.

    `equal` are the partners by the redline (`partners`): from these, words that are equal by chance
    are left out, and passages that were moved are added. `origins` says for each token of `old`
    from which earlier text it came: a phrase has one origin.
    """
    partners = list(equal)
    for start, end in _sentences(new):
        # Once these count as new, the new phrases around them are longer: then more may be chance.
        while chance := list(_equal_by_chance(list(_phrases(new, partners, origins, start, end)))):
            for phrase in chance:
                partners[phrase.start : phrase.end] = [None] * (phrase.end - phrase.start)
    _find_moved(old, new, partners)
    return tuple(partners)


def _find_moved(
    old: Sequence[WordOrMark], new: Sequence[WordOrMark], partners: list[int | None]
) -> None:
    """Enter partners for passages that were moved: they stand word for word in the old text, where
    the redline has them as deleted.
    """
    gone = set(range(len(old))).difference(partner for partner in partners if partner is not None)
    places: dict[tuple[str, ...], int] = {}
    for at in range(len(old) - _MOVED + 1):
        if gone.issuperset(range(at, at + _MOVED)):
            places.setdefault(tuple(token.text for token in old[at : at + _MOVED]), at)
    at = 0
    while places and at <= len(new) - _MOVED:
        here = places.get(tuple(token.text for token in new[at : at + _MOVED]))
        length = 0
        if here is not None:
            ends = min(len(old) - here, len(new) - at)
            while length < ends and _is_moved(old, new, partners, gone, here + length, at + length):
                length += 1
        if here is not None and length >= _MOVED and _count_meant(new[at : at + length]) >= _MEANT:
            partners[at : at + length] = range(here, here + length)
            gone.difference_update(range(here, here + length))
        else:
            length = 0
        at += length or 1


def _is_moved(
    old: Sequence[WordOrMark],
    new: Sequence[WordOrMark],
    partners: Sequence[int | None],
    gone: set[int],
    here: int,
    there: int,
) -> bool:
    return partners[there] is None and here in gone and old[here].text == new[there].text


def _count_meant(words: Sequence[WordOrMark]) -> int:
    """Return how many words are not small."""
    return sum(word.is_word and word.text.casefold() not in _SMALL for word in words)


def _sentences(new: Sequence[WordOrMark]) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each sentence."""
    start = 0
    for at, token in enumerate(new):
        if at > start and (token.opens or (new[at - 1].text in ENDS and token.is_word)):
            yield start, at
            start = at
    if start < len(new):
        yield start, len(new)


def _phrases(
    new: Sequence[WordOrMark],
    partners: Sequence[int | None],
    origins: Sequence[Hashable],
    start: int,
    end: int,
) -> Iterator[_Phrase]:
    """Yield the phrases of a sentence; a mark goes with the words before it."""
    phrase: _Phrase | None = None
    for at in range(start, end):
        partner = partners[at]
        origin = None if partner is None else origins[partner]
        if phrase is not None and (not new[at].is_word or _goes_on(phrase, partner, origin)):
            phrase.end = at + 1
        else:
            if phrase is not None:
                yield phrase
            phrase = _Phrase(at, at + 1, 0, 0, origin, -1)
        phrase.words += new[at].is_word
        phrase.meant += _count_meant(new[at : at + 1])
        if partner is not None:
            phrase.last = partner
    if phrase is not None:
        yield phrase


def _goes_on(phrase: _Phrase, partner: int | None, origin: Hashable) -> bool:
    if partner is None or phrase.is_new:
        return partner is None and phrase.is_new
    return origin == phrase.origin and partner - phrase.last <= _GONE + 1


def _equal_by_chance(phrases: Sequence[_Phrase]) -> Iterator[_Phrase]:
    """Yield the phrases that both texts happen to have: nobody carried them over."""
    if not any(phrase.is_new for phrase in phrases):
        return
    words = sum(phrase.words for phrase in phrases)
    held = sum(phrase.words for phrase in phrases if not phrase.is_new)
    for at, phrase in enumerate(phrases):
        if phrase.is_new:
            continue
        if 2 * held < words:
            if phrase.words < _WORDS or phrase.meant < _MEANT:
                yield phrase
        elif 0 < at < len(phrases) - 1:
            # Where most of the sentence is carried over, only a phrase inside it and beside a new
            # one may be chance: one of small words alone, or, between two new phrases that together
            # are three times as long, one with a single word that is not small.
            around = [other.words for other in (phrases[at - 1], phrases[at + 1]) if other.is_new]
            if around and (
                not phrase.meant
                or (len(around) == 2 and phrase.meant == 1 and sum(around) >= 3 * phrase.words)
            ):
                yield phrase
