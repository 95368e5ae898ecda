"""YAML in a file of a game, with the place of each key and value.

Every scalar is its source text: `number: 0203` becomes `{"number": "0203"}`. Aliases, tags, merge
keys and doubled keys are findings. Nothing here recurses, so that no nesting overflows a stack.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import yaml
from msgspec import Struct

from nomicgen.files.file_findings import Notes, quoted
from nomicgen.files.merge_conflicts import note_conflicts
from nomicgen.files.text_encoding import CONTROLS, decode
from nomicgen.files.yaml_events import events_of, read_flat, with_plain_breaks
from nomicgen.model.values import PLACE_BITS, KeyPath, Source, Span

DEPTH_LIMIT = 20
_KEY_SHIFT = 2 * PLACE_BITS
"""In a `Source`, the place of a key is so many bits above the place of its value."""
_SCALAR = yaml.ScalarEvent
_BEGINNINGS: dict[type, Callable[[], Any]] = {
    yaml.MappingStartEvent: dict,
    yaml.SequenceStartEvent: list,
    yaml.AliasEvent: str,
}
"""What to call for the value that an event begins; an alias leaves an empty text."""
_STARTS = (yaml.MappingStartEvent, yaml.SequenceStartEvent)
_ENDS = (yaml.MappingEndEvent, yaml.SequenceEndEvent)
_CONTENT = frozenset({_SCALAR, yaml.AliasEvent, *_STARTS, *_ENDS})

_PROBLEMS = {
    r"mapping values": ("a value holds a colon and a space", "put the value in quotes"),
    r"'\\t'|tab character": ("a tab stands where only spaces may", "indent with spaces"),
    r"cannot start": (
        "no value begins with this character",
        "put a value that begins with @, ` or % in quotes",
    ),
    r"expected ':'": (
        "here is no key",
        "write each line as `key: value`, and indent the lines of a long value",
    ),
    r"<block end>": (
        "this does not fit the line before",
        "check the quotes and the indentation of both lines",
    ),
    r"unexpected end": ("a quotation mark is not closed", "close the quotes"),
    r"escape": (
        "a backslash means something else here",
        "put the value in single quotes, or double the backslash",
    ),
    r"',' or": (
        "a bracket is not closed",
        "close the brackets, and put a comma between their items",
    ),
    r"node content": ("no value can begin like this", "put the value in quotes"),
}
"""Patterns of what PyYAML's pure Python reader says, each with the problem in words and a help."""
_ALIAS_HELP = "write the value out: these files have no anchors and aliases"


class Front(Struct, frozen=True):
    """A file's text, split. Lines count from 1; `yaml_line` and `body_line` are the first lines of
    the two parts.
    """

    yaml: str
    yaml_line: int
    body: str
    body_line: int


class YamlPlace(Struct, frozen=True):
    """Where YAML stands in a file: the number of its first line, and how far it is indented."""

    file: str
    first: int
    indent: int = 0

    def span(self, mark: Any) -> Span:
        """Return the span of one of libyaml's marks, whose lines and columns count from 0."""
        return Span(
            file=self.file, line=mark.line + self.first, column=mark.column + self.indent + 1
        )

    @property
    def start(self) -> Span:
        return Span(file=self.file, line=self.first, column=self.indent + 1)

    def end(self, lines: Sequence[str]) -> Span:
        return Span(
            file=self.file,
            line=self.first + len(lines) - 1,
            column=len(lines[-1]) + self.indent + 1,
        )


class Composed(Struct):
    """A mapping as plain dicts, lists and source texts.

    `holes` are the paths of what could not be read, an alias for example. `complete` is False if
    reading stopped before the end.
    """

    data: dict[str, Any]
    source: Source
    holes: frozenset[KeyPath] = frozenset()
    complete: bool = True


def split_front(text: str, notes: Notes) -> Front | None:
    """Split a Markdown file at its front matter: from a first line `---` to the next line `---`.

    None if the file does not have both lines; that is added to `notes`.
    """
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
        notes.at(
            "front-matter",
            1,
            1,
            "the front matter never ends",
            "end it with a line that is exactly `---`",
        )
        return None
    inside = text[4 : end + 1]
    return Front(inside, 2, text[end + 5 :], inside.count("\n") + 3)


def read_front(data: bytes, notes: Notes) -> tuple[Front, Composed | None] | None:
    """Return the parts of a Markdown file, and its front matter composed, if that can be done.

    None if the file cannot be decoded or split. What is wrong is added to `notes`.
    """
    text = decode(data, notes)
    front = split_front(text, notes) if text is not None else None
    if front is None:
        return None
    return front, compose(
        front.yaml, notes, YamlPlace(notes.file, front.yaml_line), front.body_line
    )


def compose(text: str, notes: Notes, place: YamlPlace, body_line: int = 1) -> Composed | None:
    """Compose a YAML mapping that stands at `place`; an empty text is an empty mapping.

    None if it is no YAML, or no mapping. What is wrong with it is added to `notes`. `body_line`
    goes into the `Source`.
    """
    # The quick way for most files. Indented YAML, as in a block, needs the slow one for its places.
    flat = read_flat(text, place.first) if not place.indent else None
    if flat is not None:
        return Composed(flat[0], Source(file=notes.file, places=flat[1], body_line=body_line))
    text = with_plain_breaks(text)
    composer = _Composer(text, notes, place)
    try:
        composer.take()
    except yaml.YAMLError as error:
        if not note_conflicts(text.split("\n"), place.first, notes):
            _syntax(_in_python(error, text), text, notes, place)
        return None
    root = {} if composer.root is None else composer.root
    composer.places.setdefault((), place.first << PLACE_BITS | place.indent + 1)
    source = Source(file=notes.file, places=composer.places, body_line=body_line)
    if not isinstance(root, dict):
        notes.add(
            "yaml-syntax",
            source.value(()) or place.start,
            "here stand no keys with values",
            "write each line as `key: value`",
        )
        return None
    return Composed(root, source, frozenset(composer.holes), composer.complete)


class _Composer:
    """Makes a mapping from the events of a text, with places, and adds findings to `notes`."""

    def __init__(self, text: str, notes: Notes, place: YamlPlace) -> None:
        self.text, self.notes, self.place = text, notes, place
        self.root: Any = None
        self.places: dict[KeyPath, int] = {}
        self.holes: set[KeyPath] = set()
        self.complete = True

    def take(self) -> None:
        """Compose the events, in one loop: a long ledger has hundreds of thousands.

        `node` is the mapping or list that is being filled, at `path`; `outer` has those around it.
        In a mapping, `key` is the key that the next value belongs to, and `spot` the place of the
        key; if `key` is None, a key comes next. If a key is `doubled`, its second value does not
        count: the places in it go into `buried`, which nobody reads. Raises YAMLError.
        """
        first, first_column = self.place.first, self.place.indent + 1
        places, buried = self.places, dict[KeyPath, int]()
        outer: list[tuple[Any, KeyPath, str | None, bool, dict[KeyPath, int]]] = []
        node: Any = None
        path: KeyPath = ()
        key: str | None = None
        spot, doubled = 0, False
        for event in self._events():
            kind = type(event)
            if kind in _ENDS:
                node, path, key, doubled, places = outer.pop()
                continue
            value = event.value if kind is _SCALAR else _BEGINNINGS[kind]()
            # Only in these can `_check` find anything; most scalars are plain.
            if (
                kind is not _SCALAR
                or event.style == '"'
                or event.tag is not None
                or event.anchor is not None
            ):
                self._check(event, kind, len(outer))
            mark, inside = event.start_mark, places
            here = (mark.line + first) << PLACE_BITS | mark.column + first_column
            if key is not None:
                step, key = (*path, key), None
                if doubled:
                    inside = buried
                else:
                    node[step[-1]], places[step] = value, spot << _KEY_SHIFT | here
            elif type(node) is list:
                step = (*path, len(node))
                node.append(value)
                places[step] = here
            elif node is None:
                step, self.root, places[()] = (), value, here
            elif kind is _SCALAR:
                key, spot, doubled = sys.intern(value), here, value in node
                if doubled or key == "<<":
                    self._odd(
                        event,
                        (*path, key),
                        places.get((*path, key), 0) >> _KEY_SHIFT if doubled else None,
                    )
                continue
            else:
                self._find(
                    event,
                    "yaml-syntax",
                    "a list, a mapping or an alias stands as a key",
                    "a key is one plain word",
                )
                self.holes.add(path)
                key, doubled, step, inside = "", True, (*path, ""), buried
            if kind in _STARTS:
                outer.append((node, path, key, doubled, places))
                node, path, key, places = value, step, None, inside
            elif kind is yaml.AliasEvent:
                self.holes.add(step)

    def _events(self) -> Iterator[Any]:
        """Yield the events with content, until the first document ends or is nested too deep."""
        documents = 0
        for event in events_of(self.text):
            kind = type(event)
            if kind is yaml.DocumentStartEvent:
                documents += 1
                if documents > 1:
                    self.complete = False
                    help = "keep one document in a file"
                    self._find(event, "yaml-syntax", "a second YAML document begins here", help)
            elif kind in _CONTENT:
                yield event
            if not self.complete:
                return

    def _find(self, event: Any, slug: str, message: str, help: str) -> None:
        self.notes.add(slug, self.place.span(event.start_mark), message, help)

    def _check(self, event: Any, kind: type, depth: int) -> None:
        """Find what is wrong with an event itself, whatever surrounds it."""
        if kind is yaml.AliasEvent:
            self._find(event, "yaml-alias", f"`*{event.anchor}` is an alias", _ALIAS_HELP)
            return
        if event.anchor is not None:
            self._find(event, "yaml-alias", f"`&{event.anchor}` is an anchor", _ALIAS_HELP)
        if event.tag is not None:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            help = "delete the tag, and put the value in quotes if it needs them"
            self._find(event, "yaml-tag", f"{quoted(tag)} is a YAML tag", help)
        if kind is _SCALAR:
            self._controls(event)
        elif depth >= DEPTH_LIMIT:
            self.complete = False
            message = f"the value is nested more than {DEPTH_LIMIT} levels deep"
            self._find(
                event,
                "yaml-deep",
                message,
                "make it flatter; nothing in a game's files needs more than a few levels",
            )

    def _controls(self, event: Any) -> None:
        """Find a control character spelt as an escape; `decode` finds those in the text."""
        control = re.search(CONTROLS, event.value) if event.style == '"' else None
        if control is not None and control[0] not in self.text:
            shown = quoted(control[0].encode("unicode_escape").decode())
            message = f"the value holds {shown}, spelt out, which readers cannot see"
            self._find(event, "control-character", message, "delete the escape")

    def _odd(self, event: Any, path: KeyPath, first: int | None) -> None:
        """Find a key that stands a second time, and merge keys.

        `first` is the packed place where the key stood first; None if it is not doubled.
        """
        if first is not None:
            where = f"{first >> PLACE_BITS}:{first & (1 << PLACE_BITS) - 1}"
            message = f"the key {quoted(str(path[-1]))} is here a second time"
            self._find(
                event, "key-doubled", message, f"keep one of the two; the first is at {where}"
            )
        elif event.implicit[0]:  # in quotes, `<<` is a key like any other
            self._find(
                event,
                "yaml-alias",
                "`<<` is a merge key",
                "write the keys out: merge keys are not allowed in these files",
            )
            self.holes.add(path)


def _syntax(error: yaml.YAMLError, text: str, notes: Notes, place: YamlPlace) -> None:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is None:
        # The reader met a character that YAML forbids. If it is a control character, there is a
        # finding already.
        if "control-character" not in notes:
            notes.add(
                "yaml-syntax",
                place.start,
                "YAML does not allow a character here",
                "delete the character",
            )
        return
    said = str(getattr(error, "problem", None) or "it ends too soon")
    known = next((words for part, words in _PROBLEMS.items() if re.search(part, said)), None)
    problem, help = known or (said, "check the quotes, brackets and indentation")
    lines = text.rstrip("\n").split("\n")
    span = place.span(mark) if mark.line < len(lines) else place.end(lines)
    notes.add("yaml-syntax", span, f"this is not YAML: {problem}", help)


def _in_python(error: yaml.YAMLError, text: str) -> yaml.YAMLError:
    """Return the error as the pure Python reader words it: libyaml has other words and places."""
    try:
        for _ in events_of(text, yaml.SafeLoader):
            continue
    except yaml.YAMLError as same:
        return same if getattr(same, "problem_mark", None) is not None else error
    return error
