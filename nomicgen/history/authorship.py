"""Who wrote what: for each stretch of a rule's text the revision that it came with.

A passage that an amendment carried over keeps its origin; the origin of new words is the revision
that brought them. A word that both texts have by chance is not carried over: `carried_words.py`
decides that. In this module letters are all characters except blanks. Blanks have no author of
their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby

from msgspec import Struct

from nomicgen.history.carried_words import carried_over, partners, tokens


class AuthoredText(Struct, frozen=True):
    """A stretch of a text, and the index of the text that it came with, among the successive texts
    of a rule.

    If it is `uncertain`, texts right before that one are lost, and it may have come with one of
    them.
    """

    text: str
    index: int
    uncertain: bool = False

    @property
    def letters(self) -> int:
        """How many of its characters are not blanks."""
        return _letters(self.text)


def authorship_of(texts: Sequence[str | None]) -> tuple[AuthoredText, ...]:
    """Return who wrote each stretch of the last of successive texts; None is a text that is lost.

    Joined, the stretches are exactly the last text, and each has another origin than the one before
    it. There are none if that text is lost or has only blanks. Blanks belong to the stretch before
    them, those at the start to the first.
    """
    if not texts or texts[-1] is None:
        return ()
    known: str | None = None
    origins: list[tuple[int, bool]] = []
    lost = False
    for index, text in enumerate(texts):
        if text is None:
            lost = True
            continue
        own = (index, lost)
        origins = [own] * _letters(text) if known is None else _inherited(known, text, origins, own)
        known, lost = text, False
    return tuple(_runs(texts[-1], origins))


def without_lone_marks(runs: Iterable[AuthoredText]) -> Iterator[AuthoredText]:
    """Yield the runs, joined where one has only marks: a comma belongs to the words before it, a
    mark at the start to the words after it.
    """
    last: AuthoredText | None = None
    for run in runs:
        if last is not None and (
            run.index == last.index or not _has_words(run) or not _has_words(last)
        ):
            whose = last if _has_words(last) else run
            last = AuthoredText(last.text + run.text, whose.index, whose.uncertain)
            continue
        if last is not None:
            yield last
        last = run
    if last is not None:
        yield last


def _has_words(run: AuthoredText) -> bool:
    return any(letter.isalnum() for letter in run.text)


def _inherited(
    old: str, new: str, origins: Sequence[tuple[int, bool]], own: tuple[int, bool]
) -> list[tuple[int, bool]]:
    """Return the origin of each letter of `new`, given those of `old`; words that are new have the
    origin `own`. An origin is an index, and whether it is uncertain.
    """
    before, after = tokens(old), tokens(new)
    starts = [0, *accumulate(len(token.text) for token in before)]
    inherited: list[tuple[int, bool]] = []
    whose = [origins[start] for start in starts[:-1]]
    for token, partner in zip(
        after, carried_over(before, after, partners(old, new), whose), strict=True
    ):
        if partner is None:
            inherited += [own] * len(token.text)
        else:
            inherited += origins[starts[partner] : starts[partner + 1]]
    return inherited


def _runs(text: str, origins: Sequence[tuple[int, bool]]) -> Iterator[AuthoredText]:
    places = [place for place, letter in enumerate(text) if not letter.isspace()]
    start = done = 0
    for (index, uncertain), same in groupby(origins):
        done += len(tuple(same))
        end = places[done] if done < len(places) else len(text)
        yield AuthoredText(text[start:end], index, uncertain)
        start = end


def _letters(text: str) -> int:
    return sum(map(len, text.split()))
