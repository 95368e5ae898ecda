"""Changes to a file that exists: of some keys, one value, or the body; all other lines stay as they
are.

ruamel.yaml says where a key stands. It does not write: a round trip through it changes how people
write lists, indents and quotes, and it leaves words without quotes that YAML 1.1 takes for truth
values and times.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import CollectionNode, MappingNode, ScalarNode, SequenceNode

from nomicgen.files.yaml_events import without_breaks
from nomicgen.files.yaml_writing import below_front_matter, dump
from nomicgen.model.common_keys import Matter
from nomicgen.model.front_matters import (
    ActMatter,
    JudgementMatter,
    PlayerMatter,
    ProposalMatter,
    TurnMatter,
)
from nomicgen.model.rule_matters import RuleMatter
from nomicgen.model.settings import Settings
from nomicgen.model.values import Moment

_MODELS: tuple[type[Matter], ...] = (
    ProposalMatter,
    JudgementMatter,
    ActMatter,
    RuleMatter,
    PlayerMatter,
    TurnMatter,
    Settings,
)
_FENCE = "---"
_BYTE_ORDER_MARK = "\ufeff"
_TAB_AFTER_COLON = r"(?<=:)\t"
_WHOLE_NUMBER = r"0|[1-9][0-9]{0,8}"
_COMMENT = re.compile(r":?([ \t]+#.*?)\r?\n?")
_DOCUMENT_END = r"\.\.\.(?:\s|\Z)"


class _Entry(Struct):
    """A top-level key: its lines, from `start` to before `end`, counted from 0. `tail` is the
    comment after a value of one line.
    """

    key: str
    start: int
    end: int
    tail: str


_Found = tuple[list[_Entry], int, int]
"""The top-level keys, their column, and the line at which the lines of YAML end."""


def set_keys(data: bytes, changes: Mapping[str, object | None]) -> bytes:
    """Set top-level keys of a file's front matter, or of a `.yml` file; None removes a key.

    Only the lines of these keys change. A new key is put where the schema has it. A comment after a
    value of one line stays. Raises ValueError where the file is not UTF-8, or its front matter is
    not YAML with each key on a line of its own: so read the file for findings first.
    """
    before, lines, after = _split(data)
    found = _entries("".join(lines))
    for key, value in changes.items():
        lines = _set_key(lines, found, key, value)
        found = _entries("".join(lines))
    return "".join([before, *lines, after]).encode()


def set_body(data: bytes, body: str) -> bytes:
    """Replace the body below the front matter, which stays byte for byte. Raises ValueError where
    there is none.
    """
    before, lines, _ = _split(data)
    if not before:
        raise ValueError("the file has no front matter")
    end = before.removeprefix(_BYTE_ORDER_MARK)
    return "".join(
        [before, *lines, end, below_front_matter(body).replace("\n", end[len(_FENCE) :])]
    ).encode()


def set_value(data: bytes, key: str, value: str | None) -> bytes:
    """Set what stands at a dotted key: `decided`, `votes.wren.at`, `dice.0`; None takes it out.

    All lines of its top-level key are written anew. Raises ValueError as `set_keys` does, and where
    there is no such place.
    """
    _, lines, _ = _split(data)
    steps = key.split(".")
    whole = _typed(_root("".join(lines)))
    _put(whole, steps, value)
    return set_keys(data, {steps[0]: whole.get(steps[0])})


def as_type(text: str) -> Moment | int | str:
    """Return a text as a number or a date, if it is one; else unchanged."""
    try:
        return int(text) if re.fullmatch(_WHOLE_NUMBER, text) else Moment.parse(text)
    except ValueError:
        return text


def _typed(node: Any) -> Any:
    """Return what a node holds, as `dump` takes it."""
    if isinstance(node, MappingNode):
        return {name.value: _typed(value) for name, value in node.value}
    if isinstance(node, SequenceNode):
        return [_typed(value) for value in node.value]
    return {} if node is None else node.value if node.style else as_type(node.value)


def _put(inside: Any, steps: Sequence[str], value: str | None) -> None:
    """Set the value at a path, or take it out; mappings and lists on the way are made where they
    are missing.
    """
    step, rest = steps[0], steps[1:]
    if isinstance(inside, list):
        index = int(step)
        if index > len(inside) or (value is None and index == len(inside)):
            raise ValueError(f"there is no place {step}, as the first is 0")
        if value is None and not rest:
            del inside[index]
            return
        inside[index:] = inside[index:] or [{}]
        if rest:
            _put(inside[index], rest, value)
        else:
            inside[index] = as_type(value or "")
    elif not rest and value is None:
        inside.pop(step, None)
    elif not rest and isinstance(inside.get(step), dict):
        # A vote is a choice, or a mapping that has the choice at `vote`.
        inside[step]["vote"] = value
    elif not rest:
        inside[step] = as_type(value or "")
    else:
        inner = inside.setdefault(step, [] if rest[0].isdecimal() else {})
        if not isinstance(inner, dict | list):
            inner = inside[step] = [inner] if rest[0].isdecimal() else {"vote": inner}
        _put(inner, rest, value)


def _split(data: bytes) -> tuple[str, list[str], str]:
    """Return what stands before the YAML, its lines with their line ends, and what stands after."""
    text = data.decode()
    mark = _BYTE_ORDER_MARK if text.startswith(_BYTE_ORDER_MARK) else ""
    lines = _lines(text.removeprefix(mark))
    if lines and lines[0].rstrip("\r\n") == _FENCE:
        end = next(
            (at for at, line in enumerate(lines[1:], 1) if line.rstrip("\r\n") == _FENCE), None
        )
        if end is not None:
            return mark + lines[0], lines[1:end], "".join(lines[end:])
    return mark, lines, ""


def _lines(text: str) -> list[str]:
    """Return the lines of a text with their line feeds; no other character ends a line."""
    return io.StringIO(text, newline="\n").readlines()


def _set_key(lines: list[str], found: _Found, key: str, value: object | None) -> list[str]:
    """Return the lines with a key that has another value; without it, if the value is None."""
    entries, column, end = found
    existing = next((entry for entry in entries if entry.key == key), None)
    break_ = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    written = [" " * column + line + break_ for line in dump({key: value}).split("\n")[:-1]]
    if existing is not None:
        if written and existing.tail:
            written[0] = f"{written[0].removesuffix(break_)}{existing.tail}{break_}"
        return [*lines[: existing.start], *written, *lines[existing.end :]]
    if not written:
        return lines
    at = _place(entries, key, entries[0].start if entries else end)
    above = lines[:at]
    if above and not above[-1].endswith("\n"):
        above[-1] += break_
    return [*above, *written, *lines[at:]]


def _place(entries: Sequence[_Entry], key: str, first: int) -> int:
    """Return the line where a new key goes, by the schema that fits the file best.

    That is below the last key that the schema has before it; without one, the line `first`.
    """
    present = [entry.key for entry in entries]
    order = list(max(_MODELS, key=lambda model: _fit(model, {*present, key})).names)
    if key not in order:
        return entries[-1].end if entries else first
    earlier = set(order[: order.index(key)])
    return max((entry.end for entry in entries if entry.key in earlier), default=first)


def _fit(model: type[Matter], keys: set[str]) -> tuple[int, int]:
    """Return how well a schema fits a file: by keys that it has, then by those that are missing."""
    return len(keys & model.names.keys()), -sum(1 for name in model.required if name not in keys)


def _entries(text: str) -> _Found:
    lines = _lines(text)
    end = next((at for at, line in enumerate(lines) if re.match(_DOCUMENT_END, line)), len(lines))
    # After a colon, libyaml, which reads the file, takes a tab for a blank; ruamel.yaml does not.
    root = _root(re.sub(_TAB_AFTER_COLON, " ", "".join(lines[:end])))
    if root is None:
        return [], 0, end
    starts = [key.start_mark.line for key, _ in root.value]
    pairs = zip(root.value, [*starts[1:], end], strict=True)
    entries = [_entry(lines, key, value, following) for (key, value), following in pairs]
    return entries, root.start_mark.column, end


def _entry(lines: Sequence[str], key: Any, value: Any, following: int) -> _Entry:
    """Return a key and its value, where the next key, or the end, is on the line `following`."""
    start, is_block = key.start_mark.line, _is_block(key, value)
    end_mark = key.end_mark if is_block else value.end_mark
    end = _last(lines, start, following, key.start_mark.column) if is_block else end_mark.line + 1
    comment = _COMMENT.fullmatch(lines[start], end_mark.column) if end_mark.line == start else None
    return _Entry(key.value, start, end, comment[1] if comment else "")


def _is_block(key: Any, node: Any) -> bool:
    """Return whether a value ends where a block does: an alias and an empty value have no end."""
    if node.start_mark.index < key.end_mark.index or node.start_mark.index == node.end_mark.index:
        return True
    return (
        node.flow_style is False if isinstance(node, CollectionNode) else node.style in ("|", ">")
    )


def _last(lines: Sequence[str], start: int, end: int, column: int) -> int:
    """Return where a block value ends. Blank lines and comments below it are not part of it, unless
    a comment is indented further than the key.
    """
    while end > start + 1:
        line = lines[end - 1]
        if line.strip() and not (
            line.lstrip().startswith("#") and len(line) - len(line.lstrip()) <= column
        ):
            break
        end -= 1
    return end


def _root(text: str) -> Any:
    """Return the mapping that a text is, None where it says nothing.

    Raises ValueError where it is no YAML, or its keys do not stand on lines of their own, each
    once.
    """
    try:
        root = YAML().compose(without_breaks(text))
    except (YAMLError, RecursionError, OverflowError, ValueError) as error:
        raise ValueError("the front matter is not YAML of one document") from error
    if root is None or (isinstance(root, ScalarNode) and not root.value):
        return None
    if not isinstance(root, MappingNode) or root.flow_style:
        raise ValueError("the keys are not on lines of their own")
    keys = [key.value if isinstance(key, ScalarNode) else "" for key, _ in root.value]
    if not all(keys):
        raise ValueError("a key is no plain word")
    if len(set(keys)) < len(keys):
        raise ValueError("a key stands twice")
    return root
