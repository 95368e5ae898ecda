"""YAML's events from libyaml, and what need not go through it: lines that are a key and a plain
word each.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

import yaml

from nomicgen.model.values import PLACE_BITS, KeyPath

# libyaml where PyYAML was built with it: the same events, an order of magnitude sooner.
Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# What PyYAML raises by itself of an escape that spells no character, and of a version of thousands
# of digits.
_NO_CHARACTER = (ValueError, OverflowError)

# YAML takes these for the end of a line, and nobody else does.
_BREAKS = "[\x85\u2028\u2029]"

# Lines of a key and one plain scalar, of characters that mean nothing else there: most files have
# no others.
_SIGN = r"[A-Za-z0-9,.()/+_'-]"
_FLAT = rf"(?:[a-z_]+: [A-Za-z0-9(]{_SIGN}*(?: {_SIGN}+)*\n)+"


def without_breaks(text: str) -> str:
    """Return a text whose lines are those of the file to libyaml, too.

    What only YAML takes for the end of one is a blank.
    """
    return text if text.isascii() else re.sub(_BREAKS, " ", text)


def events_of(text: str, kind: Any = Loader) -> Iterator[Any]:
    """Yield the YAML events of a text, as a kind of loader reads them.

    Raises YAMLError, and nothing else, where the text is no YAML.
    """
    loader = None
    try:
        loader = kind(text)
        # Only the end of the stream is followed by None.
        yield from iter(loader.get_event, None)
    except _NO_CHARACTER as error:
        raise yaml.YAMLError("an escape spells no character") from error
    finally:
        if loader is not None:
            loader.dispose()


def read_flat(text: str, first: int) -> tuple[dict[str, Any], dict[KeyPath, int]] | None:
    """Return what libyaml makes of such lines, and the places in it as a `Source` holds them; None
    for any other text.

    `first` is the line of the file that it begins on. A key that stands twice makes it another
    text, too.
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
        places[(key,)] = (here | 1) << 2 * PLACE_BITS | here | len(key) + 3
    return (data, places) if len(data) == line - first + 1 else None
