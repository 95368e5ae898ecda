"""The terms that rules define, found in prose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

# The first word of a term; and a word at which a term may begin: not `admiral` in `vice-admiral`.
_FIRST = r"\w+"
_START = r"(?<![\w-])\w+"


def term_key(term: str) -> str:
    """Return the key of a term: the same for any capitals and blanks, `legal player`."""
    return " ".join(term.casefold().split())


class Terms:
    """Finds terms, given by their keys, in prose. Of several at one word, it finds the longest; `s`
    or `es` may follow a term.

    A term is only tried at a word with which it begins, so that many terms take little more time.
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
        # A term that does not begin with a letter is rare. If there is one, all are tried at every
        # place.
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
