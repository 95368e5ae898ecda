"""The terms that rules define, found in prose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_FIRST = r"\w+"
_START = r"(?<![\w-])\w+"


def term_key(term: str) -> str:
    """Return what a term is known by, however its letters and blanks are written."""
    return " ".join(term.casefold().split())


class Terms:
    """Terms by their keys. Of those that begin at one word the longest is found; `s` or `es` may
    follow it.

    Only the words of a text that some term begins with are looked at: time does not grow with the
    number of terms.
    """

    def __init__(self, keys: Iterable[str]) -> None:
        groups: dict[str, list[str]] = {}
        without_word: list[str] = []
        for key in keys:
            first = re.match(_FIRST, key)
            if first is None:
                without_word.append(key)
                continue
            # A term that is one word may stand there in the plural.
            for ending in ("", "s", "es") if first[0] == key else ("",):
                groups.setdefault(f"{first[0]}{ending}", []).append(key)
        # Terms that begin with a mark are rare: with one among them every place is tried.
        self._whole = (
            _pattern([*without_word, *(key for group in groups.values() for key in group)])
            if without_word
            else None
        )
        self._groups = {first: _pattern(group) for first, group in groups.items()}

    def finditer(self, prose: str) -> Iterator[re.Match[str]]:
        """Yield where terms stand in a run of prose, in order; the group `term` is the term without
        an ending.
        """
        if self._whole is not None:
            yield from self._whole.finditer(prose)
            return
        done = 0
        for word in re.finditer(_START, prose):
            pattern = self._groups.get(word[0].casefold())
            match = pattern.match(prose, word.start()) if pattern and word.start() >= done else None
            if match is not None:
                yield match
                done = match.end()


def _pattern(keys: Iterable[str]) -> re.Pattern[str]:
    words = sorted(set(keys), key=lambda key: (-len(key), key))
    choice = "|".join(r"\s+".join(map(re.escape, key.split())) for key in words)
    return re.compile(rf"(?<![\w-])(?P<term>{choice})(?:e?s)?(?![\w-])", re.IGNORECASE)
