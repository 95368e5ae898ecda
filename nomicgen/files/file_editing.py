"""Changes to a file that exists: to some keys, to one value, or to the body; all other lines stay
as they are.

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

from nomicgen.files.yaml_events import with_plain_breaks
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
"""The models of files that are edited: they say where in a file a new key goes."""
_FENCE = "---"
_BYTE_ORDER_MARK = "\ufeff"
_TAB_AFTER_COLON = r"(?<=:)\t"
_WHOLE_NUMBER = r"0|[1-9][0-9]{0,8}"
# What follows a value on its line, if it is a comment; an empty value is followed by the colon.
_COMMENT = re.compile(r":?([ \t]+#.*?)\r?\n?")
_DOCUMENT_END = r"\.\.\.(?:\s|\Z)"


class _Entry(Struct):
    """A top-level key: its lines, from `start` to before `end`, counted from 0. `tail` is the
    comment behind a value that ends on the key's line.
    """

    key: str
    start: int
    end: int
    tail: str


_Found = tuple[list[_Entry], int, int]
"""The top-level keys, their column, and the line before which the YAML ends."""


def set_keys(data: bytes, changes: Mapping[str, object | None]) -> bytes:
    """Set top-level keys of a file's front matter, or of a `.yml` file; None removes a key.

    Only the lines of these keys change. A new key goes where the file's model has it. A comment
    behind a value stays if the value gets another one. Raises ValueError if the file is not UTF-8,
    or its front matter is not YAML with each key once, on a line of its own.
    """
    before, lines, after = _split(data)
    found = _entries("".join(lines))
    for key, value in changes.items():
        lines = _set_key(lines, found, key, value)
        found = _entries("".join(lines))
    return "".join([before, *lines, after]).encode()


def set_body(data: bytes, body: str) -> bytes:
    """Replace the body below the front matter, which stays byte for byte.

    Raises ValueError if there is no front matter, or the file is not UTF-8.
    """
    before, lines, _ = _split(data)
    fence = before.removeprefix(_BYTE_ORDER_MARK)
    if not fence:
        raise ValueError("the file has no front matter")
    return "".join(
        [before, *lines, fence, below_front_matter(body).replace("\n", fence[len(_FENCE) :])]
    ).encode()


def set_value(data: bytes, key: str, value: str | None) -> bytes:
    """Set the value at a dotted key, such as `decided`, `votes.wren.at`, `dice.0`; None removes it.

    All lines of its top-level key are written anew. Raises ValueError if the file is not UTF-8, its
    keys do not stand on lines of their own, each once, or a list has no such place.
    """
    _, lines, _ = _split(data)
    steps = key.split(".")
    values = _typed(_root("".join(lines)))
    _put(values, steps, value)
    return set_keys(data, {steps[0]: values.get(steps[0])})


def as_type(text: str) -> Moment | int | str:
    """Return a text as a whole number or a date, if it is written as one; else unchanged."""
    try:
        return int(text) if re.fullmatch(_WHOLE_NUMBER, text) else Moment.parse(text)
    except ValueError:
        return text


def _typed(node: Any) -> Any:
    """Return the value of a node for `dump`. A text in quotes stays a text, even `"3"`."""
    if isinstance(node, MappingNode):
        return {name.value: _typed(value) for name, value in node.value}
    if isinstance(node, SequenceNode):
        return [_typed(value) for value in node.value]
    return {} if node is None else node.value if node.style else as_type(node.value)


def _put(inside: Any, steps: Sequence[str], value: str | None) -> None:
    """Set the value at the path `steps` in a mapping or list, or remove it if it is None.

    Mappings and lists on the way are made if they are missing.
    """
    step, rest = steps[0], steps[1:]
    if isinstance(inside, list):
        index = int(step)
        if index > len(inside) or (value is None and index == len(inside)):
            raise ValueError(f"there is no place {step}, as the first is 0")
        if value is None and not rest:
            del inside[index]
            return
        inside[index:] = inside[index:] or [{}]  # the place after the last is made
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
    """Return the lines with another value at a key; without the key if the value is None."""
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
    at = _line_of_new(entries, key, entries[0].start if entries else end)
    above = lines[:at]
    if above and not above[-1].endswith("\n"):
        above[-1] += break_
    return [*above, *written, *lines[at:]]


def _line_of_new(entries: Sequence[_Entry], key: str, first: int) -> int:
    """Return the line where a new key goes, by the model that fits the file best.

    It goes below the keys that the model has before it; if the file has none of these, to the line
    `first`. A key that the model does not have goes to the end.
    """
    present = [entry.key for entry in entries]
    order = list(max(_MODELS, key=lambda model: _fit(model, {*present, key})).names)
    if key not in order:
        return entries[-1].end if entries else first
    earlier = set(order[: order.index(key)])
    return max((entry.end for entry in entries if entry.key in earlier), default=first)


def _fit(model: type[Matter], keys: set[str]) -> tuple[int, int]:
    """Return how well a model fits a file: the more of `keys` it has, and then the fewer required
    keys are missing, the better.
    """
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
    """Return the entry of a key and its value; the next key, or the end, is on line `following`."""
    start, is_block = key.start_mark.line, _ends_with_next_key(key, value)
    end_mark = key.end_mark if is_block else value.end_mark
    end = (
        _end_of_block(lines, start, following, key.start_mark.column)
        if is_block
        else end_mark.line + 1
    )
    comment = _COMMENT.fullmatch(lines[start], end_mark.column) if end_mark.line == start else None
    return _Entry(key.value, start, end, comment[1] if comment else "")


def _ends_with_next_key(key: Any, node: Any) -> bool:
    """Return whether a value ends only where the next key begins.

    That is so for a block, an empty value, and an alias, whose node stands further up.
    """
    if node.start_mark.index < key.end_mark.index or node.start_mark.index == node.end_mark.index:
        return True
    return (
        node.flow_style is False if isinstance(node, CollectionNode) else node.style in ("|", ">")
    )


def _end_of_block(lines: Sequence[str], start: int, end: int, column: int) -> int:
    """Return the line before which a block ends that begins on `start` and has room up to `end`.

    Blank lines and comments below it are not part of it, except comments that are indented further
    than the key, which stands at `column`.
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
    """Return the node of the mapping in a text of YAML; None if the text says nothing.

    Raises ValueError if it is no YAML, or its keys do not stand on lines of their own, each once.
    """
    try:
        root = YAML().compose(with_plain_breaks(text))
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
