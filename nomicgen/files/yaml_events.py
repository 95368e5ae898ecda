"""The events of YAML, from libyaml; and a faster way for files whose lines all are a key and plain
words, such as `title: Tea on Sundays`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

import yaml

from nomicgen.model.values import PLACE_BITS, KeyPath

# libyaml, if PyYAML was built with it: the same events, an order of magnitude sooner.
Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# PyYAML raises these, not its own errors, for an escape that spells no character, and for a version
# of thousands of digits.
_NO_CHARACTER = (ValueError, OverflowError)

# YAML ends a line at these; editors, and our counts of lines, do not.
_BREAKS = "[\x85\u2028\u2029]"

# Texts whose lines all are a key and one plain scalar, of characters that mean nothing else there.
# Most files are such texts.
_SIGN = r"[A-Za-z0-9,.()/+_'-]"
_FLAT = rf"(?:[a-z_]+: [A-Za-z0-9(]{_SIGN}*(?: {_SIGN}+)*\n)+"


def with_plain_breaks(text: str) -> str:
    """Return a text in which libyaml counts the lines as we do.

    Characters that only YAML takes for the end of a line become blanks.
    """
    return text if text.isascii() else re.sub(_BREAKS, " ", text)


def events_of(text: str, kind: Any = Loader) -> Iterator[Any]:
    """Yield the YAML events of a text, as a loader of the class `kind` reads them.

    Raises YAMLError, and no other error, if the text is no YAML.
    """
    loader = None
    try:
        loader = kind(text)
        # Only the end of the stream is followed by None.
        yield from iter(loader.get_event, None)
    except _NO_CHARACTER as error:
        raise yaml.YAMLError("an escape or a version cannot be read") from error
    finally:
        if loader is not None:
            loader.dispose()


def read_flat(text: str, first: int) -> tuple[dict[str, Any], dict[KeyPath, int]] | None:
    """Return the keys and values of a text of `_FLAT` lines, and the places of a `Source`.

    `first` is the line of the file on which the text begins. None for any other text, and if a key
    stands twice.
    """
    if not re.fullmatch(_FLAT, text):
        return None
    data: dict[str, Any] = {}
    places: dict[KeyPath, int] = {(): first << PLACE_BITS | 1}
    for line, words in enumerate(text.splitlines(), first):
        key, _, value = words.partition(": ")
        here = line << PLACE_BITS
        key = sys.intern(key)
        data[key] = value
        # The place of the key (column 1) in the higher bits, that of the value in the lower ones.
        places[(key,)] = (here | 1) << 2 * PLACE_BITS | here | len(key) + 3
    return (data, places) if len(data) == line - first + 1 else None
