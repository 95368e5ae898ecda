"""YAML in a file of a game: composed from events, every scalar as its source text, with the place of everything.

Aliases, tags, merge keys and doubled keys are findings. Nothing here recurses, so that no nesting overflows a stack.
Nearly every file has nothing wrong with it: `files/plain.py` composes those in a tenth of the steps.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Callable
from typing import Any

import yaml
from msgspec import Struct

from nomicgen.files.notes import Notes, quoted
from nomicgen.files.plain import DEPTH_LIMIT, compose_plain, events_of
from nomicgen.files.text import CONTROLS
from nomicgen.model import Source, Span
from nomicgen.patterns import lazy_pattern

__all__ = ["DEPTH_LIMIT", "Composed", "Front", "Place", "compose", "split_front"]

Path = tuple[str | int, ...]
At = Callable[[int, int], Span]

_HELP = {
    "mapping values are not allowed": "put a value that holds a colon and a space in quotes",
    "cannot start any token": "indent with spaces, and put a value that begins with @, ` or % in quotes",
    "could not find expected ':'": "write each line as `key: value`, and indent the lines of a long value",
    "did not find expected key": "check the quotes and the indentation of this line and the one before",
    "unexpected end": "close the quotes",
    "escape character": "put the value in single quotes, or double the backslash",
    "tab character": "indent with spaces",
    "did not find expected ',' or": "close the brackets, and put a comma between their items",
}
# YAML takes these for the end of a line, and nobody else does.
_BREAKS = lazy_pattern("[\x85\u2028\u2029]")
_ALIAS_HELP = "write the value out: these files have no anchors and aliases"


class Front(Struct, frozen=True):
    """A file's text, split. Lines count from 1; `yaml_line` and `body_line` are the first lines of the two parts."""

    yaml: str
    yaml_line: int
    body: str
    body_line: int


class Place(Struct, frozen=True):
    """Gives the span of a line and a column, both from 0, of YAML that begins on the file's line `first`."""

    file: str
    first: int

    def __call__(self, line: int, column: int) -> Span:
        return Span(file=self.file, line=line + self.first, column=column + 1)


class Composed(Struct):
    """A mapping as plain dicts, lists and source texts.

    `holes` are the paths of what could not be read, an alias for example; `complete` is False where reading stopped
    before the end.
    """

    data: dict[str, Any]
    source: Source
    holes: frozenset[Path] = frozenset()
    complete: bool = True


def split_front(text: str, notes: Notes) -> Front | None:
    """Splits a Markdown file at its front matter: from a first line `---` to the next line that is exactly `---`."""
    if not text.startswith("---\n"):
        notes.at(
            "front-matter",
            1,
            1,
            "the file does not begin with front matter",
            "begin it with a line that is exactly `---`, the keys, and another line `---`",
        )
        return None
    end = 3 if text.startswith("---\n", 4) else text.find("\n---\n", 3)
    if end < 0 and text.endswith("\n---"):
        end = len(text) - 4
    if end < 0:
        notes.at("front-matter", 1, 1, "the front matter never ends", "end it with a line that is exactly `---`")
        return None
    inside = text[4 : end + 1]
    return Front(inside, 2, text[end + 5 :], inside.count("\n") + 3)


class _Frame(Struct):
    node: dict[str, Any] | list[Any]
    path: Path
    key: str | None = None
    doubled: bool = False
    dead: bool = False
    first: dict[str, Span] = {}


def _marked(text: str, place: At) -> Callable[[Any], Span]:
    """Gives the span of one of libyaml's marks, by the lines of the file."""
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    is_odd = not text.isascii() and _BREAKS.search(text) is not None

    def span(mark: Any) -> Span:
        # It ends every text in a line feed, even one that does not.
        if not is_odd and mark.line < len(starts):
            return place(mark.line, mark.column)
        line = bisect_right(starts, mark.index) - 1
        return place(line, mark.index - starts[line])

    return span


class _Composer:
    def __init__(self, text: str, notes: Notes, place: At) -> None:
        self.text = text
        self.notes = notes
        self.marked = _marked(text, place)
        self.stack: list[_Frame] = []
        self.root: Any = None
        self.keys: dict[Path, Span] = {}
        self.values: dict[Path, Span] = {}
        self.holes: set[Path] = set()
        self.complete = True
        self.documents = 0
        self.root_span: Span | None = None

    def take(self, event: Any) -> bool:
        """Takes one event. False where reading must stop."""
        kind = type(event)
        if kind is yaml.ScalarEvent:
            self._check(event)
            self._controls(event)
            self._scalar(event)
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            self._check(event)
            return self._start(event, {} if kind is yaml.MappingStartEvent else [])
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            self.stack.pop()
        elif kind is yaml.AliasEvent:
            self.notes.add("yaml-alias", self._at(event), f"`*{event.anchor}` is an alias", _ALIAS_HELP)
            self.holes.add(self._put("", self._at(event))[0])
        elif kind is yaml.DocumentStartEvent:
            return self._document(event)
        return True

    def _document(self, event: Any) -> bool:
        self.documents += 1
        if self.documents > 1:
            self.notes.add(
                "yaml-syntax", self._at(event), "a second YAML document begins here", "keep one document in a file"
            )
            self.complete = False
            return False
        return True

    def _at(self, event: Any) -> Span:
        return self.marked(event.start_mark)

    def _check(self, event: Any) -> None:
        if event.anchor is not None:
            self.notes.add("yaml-alias", self._at(event), f"`&{event.anchor}` is an anchor", _ALIAS_HELP)
        if event.tag is not None:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            help = "delete the tag, and put the value in quotes where it needs them"
            self.notes.add("yaml-tag", self._at(event), f"{quoted(tag)} is a YAML tag", help)

    def _controls(self, event: Any) -> None:
        """Finds what an escape such as `\\e` spells; what stands in the file itself is found in its text."""
        found = CONTROLS.search(event.value) if event.style == '"' else None
        if found is not None and found[0] not in self.text:
            shown = quoted(found[0].encode("unicode_escape").decode())
            message = f"the value holds {shown}, spelt out, which readers cannot see"
            self.notes.add("control-character", self._at(event), message, "delete the escape")

    def _scalar(self, event: Any) -> None:
        frame = self.stack[-1] if self.stack else None
        if frame is not None and frame.key is None and isinstance(frame.node, dict):
            self._key(frame, event)
        else:
            self._put(event.value, self._at(event))

    def _key(self, frame: _Frame, event: Any) -> None:
        key, span = sys.intern(event.value), self._at(event)
        frame.key = key
        frame.doubled = key in frame.first
        if frame.doubled:
            first = frame.first[key]
            self.notes.add(
                "key-doubled",
                span,
                f"the key {quoted(key)} stands here a second time",
                f"keep one of the two; the first is at {first.line}:{first.column}",
            )
            return
        frame.first[key] = span
        if not frame.dead:
            self.keys[(*frame.path, key)] = span
        if key == "<<" and event.implicit[0]:
            self.notes.add("yaml-alias", span, "`<<` is a merge key", "write the keys out: these files merge none")
            self.holes.add((*frame.path, key))

    def _put(self, value: Any, span: Span) -> tuple[Path, bool]:
        """Puts a value where it belongs; gives its path, and whether it is dead: the value of a key that does not
        count, because it is doubled or no word."""
        frame = self.stack[-1] if self.stack else None
        if frame is None:
            self.root, self.root_span = value, span
            return (), False
        if isinstance(frame.node, list):
            path: Path = (*frame.path, len(frame.node))
            frame.node.append(value)
            dead = frame.dead
        elif frame.key is None:
            self.notes.add("yaml-syntax", span, "a list or an alias stands as a key", "a key is one plain word")
            self.holes.add(frame.path)
            frame.key, frame.doubled = "", True
            return (*frame.path, ""), True
        else:
            path, dead = (*frame.path, frame.key), frame.dead or frame.doubled
            if not frame.doubled:
                frame.node[frame.key] = value
            frame.key = None
        if not dead:
            self.values[path] = span
        return path, dead

    def _start(self, event: Any, node: dict[str, Any] | list[Any]) -> bool:
        if len(self.stack) >= DEPTH_LIMIT:
            self.notes.add(
                "yaml-deep",
                self._at(event),
                f"the value is nested more than {DEPTH_LIMIT} levels deep",
                "make it flatter; nothing in a game's files needs more than a few levels",
            )
            self.complete = False
            return False
        path, dead = self._put(node, self._at(event))
        self.stack.append(_Frame(node, path, dead=dead))
        return True


def compose(text: str, notes: Notes, place: At, body_line: int = 1) -> Composed | None:
    """Composes a YAML mapping. `place` gives the span of a line and a column of `text`, both from 0.

    None where it is no YAML mapping; otherwise every finding about it is added to `notes`.
    """
    is_odd = not text.isascii() and _BREAKS.search(text) is not None
    plain = compose_plain(text, place.first) if isinstance(place, Place) and not is_odd else None
    if plain is not None:
        data, places = plain
        return Composed(data, Source(file=notes.file, places=places, body_line=body_line))
    return _compose(text, notes, place, body_line)


def _compose(text: str, notes: Notes, place: At, body_line: int) -> Composed | None:
    """What `compose` gives, whatever is wrong with the text."""
    composer = _Composer(text, notes, place)
    try:
        for event in events_of(text):
            if not composer.take(event):
                break
    except yaml.YAMLError as error:
        _syntax(error, text, notes, place)
        return None
    if composer.root is None:
        composer.root = {}
    if not isinstance(composer.root, dict):
        span = composer.root_span or place(0, 0)
        notes.add("yaml-syntax", span, "here stand no keys with values", "write each line as `key: value`")
        return None
    composer.values[()] = composer.root_span or place(0, 0)
    source = Source.of(notes.file, composer.keys, composer.values, body_line)
    return Composed(composer.root, source, frozenset(composer.holes), composer.complete)


def _syntax(error: yaml.YAMLError, text: str, notes: Notes, place: At) -> None:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is None:
        # The reader met a character that YAML forbids; where it is a control character, that is said already.
        if "control-character" not in notes:
            notes.add("yaml-syntax", place(0, 0), "a character here is none that YAML allows", "delete the character")
        return
    problem = str(getattr(error, "problem", None) or "it ends too soon")
    help = next((help for part, help in _HELP.items() if part in problem), "check the quotes, brackets and indentation")
    notes.add("yaml-syntax", _marked(text, place)(mark), f"this is not YAML: {problem}", help)
