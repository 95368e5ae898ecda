"""Which known name a misspelt one may stand for, such as `quill` for `quil`.

Only the first names of a game are looked up, since each takes time.
"""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches
from itertools import islice

# Names that are looked up, known names that each is compared with, and how long a name may be.
_ASKED = 50
_KNOWN = 500
_LONG = 64


class NearestNames:
    """Finds the nearest of known names, for the names of one game."""

    def __init__(self) -> None:
        self._left = _ASKED

    def find(self, name: str, known: Collection[str]) -> str | None:
        """Return the known name that is most like `name`; None if there is none, or it is too long,
        or too many names were looked up before.
        """
        if not self._left or not known or len(name) > _LONG:
            return None
        self._left -= 1
        return next(iter(get_close_matches(name, islice(known, _KNOWN), 1)), None)
