"""Who wrote what: for each stretch of a rule's text the revision that it came with.

Word by word, as redlines show it: a word that stays keeps its origin, a word that a redline shows as inserted has the
revision that inserted it. So has a lone word between two changes, which redlines show as a part of them. Blanks have no
author of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from nomicgen.archive.redline import redline

__all__ = ["Run", "blame"]


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of a text, and the index of the text that it came with.

    `uncertain`: texts between that one and the known one before it are lost, and it may have come with one of them.
    """

    text: str
    index: int
    uncertain: bool = False

    @property
    def letters(self) -> int:
        """How many characters of it are no blanks."""
        return _letters(self.text)


def blame(texts: Sequence[str | None]) -> tuple[Run, ...]:
    """Who wrote each stretch of the last of successive texts; None is a text that is lost.

    The runs together are the last text to the character, and no two side by side have one origin; there are none
    where it is lost or empty. Blanks belong to the run before them, those at the start to the first.
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


def _inherited(
    old: str, new: str, origins: Sequence[tuple[int, bool]], own: tuple[int, bool]
) -> list[tuple[int, bool]]:
    """The origin of each letter of `new`, by those of `old`; letters are all characters that are no blanks."""
    found: list[tuple[int, bool]] = []
    place = 0
    for one in redline(old, new):
        count = _letters(one.old)
        if one.kind == "equal":
            found += origins[place : place + count]
        elif one.kind == "insert":
            found += [own] * _letters(one.new)
        place += count
    return found


def _runs(text: str, origins: Sequence[tuple[int, bool]]) -> Iterator[Run]:
    places = [place for place, letter in enumerate(text) if not letter.isspace()]
    start = done = 0
    for (index, uncertain), same in groupby(origins):
        done += len(tuple(same))
        end = places[done] if done < len(places) else len(text)
        yield Run(text[start:end], index, uncertain)
        start = end


def _letters(text: str) -> int:
    return sum(map(len, text.split()))
