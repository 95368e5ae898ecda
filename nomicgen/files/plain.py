"""YAML that nothing is wrong with, which nearly all of a game's is: composed from libyaml's events in one loop.

Whatever there would be a finding about is left to `files/front.py`, which reads the text again and says what it is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import yaml

from nomicgen.files.text import CONTROLS
from nomicgen.model.values import PLACE_BITS, Path, shared_path
from nomicgen.patterns import lazy_pattern

__all__ = ["DEPTH_LIMIT", "Loader", "compose_plain", "events_of"]

DEPTH_LIMIT = 20

# libyaml where PyYAML was built with it: the same events, an order of magnitude sooner.
Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# What PyYAML raises by itself of an escape that spells no character, and of a version of thousands of digits.
_NO_CHARACTER = (ValueError, OverflowError)
_UNREAD = (yaml.YAMLError, *_NO_CHARACTER)

_KEY = 2 * PLACE_BITS

# Lines of a key and one plain scalar, of characters that mean nothing else there: most files have no others.
_SIGN = r"[A-Za-z0-9,.()/+_'-]"
_FLAT = lazy_pattern(rf"(?:[a-z_]+: [A-Za-z0-9(]{_SIGN}*(?: {_SIGN}+)*\n)+")
_SCALAR, _LIST, _MAPPING = yaml.ScalarEvent, yaml.SequenceStartEvent, yaml.MappingStartEvent
_SAYING = (_SCALAR, _LIST, _MAPPING)
_ENDS = (yaml.MappingEndEvent, yaml.SequenceEndEvent)
_NOTHING = (yaml.StreamStartEvent, yaml.DocumentEndEvent)


def compose_plain(text: str, first: int) -> tuple[dict[str, Any], dict[Path, int]] | None:
    """A YAML mapping and the places in it, as a `Source` holds them; `first` is the line of the file that it begins on.

    None for what is no YAML mapping, and for every mapping that has anything wrong with it.
    """
    flat = _flat(text, first) if _FLAT.fullmatch(text) else None
    if flat is not None:
        return flat
    loader = None
    try:
        loader = Loader(text)
        return _mapping(loader.get_event, first)
    except _UNREAD:
        return None
    finally:
        if loader is not None:
            loader.dispose()


def events_of(text: str) -> Iterator[Any]:
    """What YAML a text is, event by event. Raises YAMLError, and nothing else, where it is none."""
    try:
        yield from yaml.parse(text, Loader=Loader)
    except _NO_CHARACTER as error:
        raise yaml.YAMLError("an escape spells no character") from error


def _flat(text: str, first: int) -> tuple[dict[str, Any], dict[Path, int]] | None:
    """What libyaml makes of such lines; None where a key stands twice."""
    data: dict[str, Any] = {}
    places: dict[Path, int] = {(): first << PLACE_BITS | 1}
    for line, said in enumerate(text.splitlines(), first):
        key, _, value = said.partition(": ")
        here = line << PLACE_BITS
        key = sys.intern(key)
        data[key] = value
        places[shared_path((key,))] = (here | 1) << _KEY | here | len(key) + 3
    return (data, places) if len(data) == len(places) - 1 == line - first + 1 else None


def _mapping(next_event: Callable[[], Any], first: int) -> tuple[dict[str, Any], dict[Path, int]] | None:
    """One loop: a long ledger has hundreds of thousands of events.

    `node` is what is being filled, at `path`, and `outer` what it stands in. Of a mapping, `key` is the key that the
    next value belongs to, and `place` where it stands; a list has neither.
    """
    places: dict[Path, int] = {}
    outer: list[tuple[Any, Path]] = []
    root: Any = None
    node: Any = None
    path: Path = ()
    key: str | None = None
    place = 0
    while (event := next_event()) is not None:
        kind = type(event)
        if kind in _ENDS:
            node, path = outer.pop()
            continue
        if kind not in _SAYING:
            if kind in _NOTHING or (kind is yaml.DocumentStartEvent and root is None):
                continue
            return (root, places) if kind is yaml.StreamEndEvent and root is not None else None
        value = _said(event, kind)
        if value is None or (kind is not _SCALAR and len(outer) >= DEPTH_LIMIT):
            return None
        mark = event.start_mark
        here = (mark.line + first) << PLACE_BITS | mark.column + 1
        if key is not None:
            node[key], step, key = value, shared_path((*path, key)), None
            places[step] = place | here
        elif type(node) is list:
            step = shared_path((*path, len(node)))
            places[step] = here
            node.append(value)
        elif kind is not _SCALAR:
            if root is not None or kind is _LIST:
                return None
            root, step, places[()] = value, (), here
        elif node is None or value in node or value == "<<":
            return None
        else:
            key, place = sys.intern(value), here << _KEY
            continue
        if kind is not _SCALAR:
            outer.append((node, path))
            node, path = value, step
    return None


def _said(event: Any, kind: type) -> Any:
    """A scalar's text, or what a collection begins as; None where there is a finding about it."""
    if event.anchor is not None or event.tag is not None:
        return None
    if kind is _SCALAR:
        return None if event.style == '"' and CONTROLS.search(event.value) else event.value
    return {} if kind is _MAPPING else []
