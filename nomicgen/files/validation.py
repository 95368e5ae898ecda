"""Checks front matter against its model. What does not fit is a finding, with its place and what to
do.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any, TypeVar

from nomicgen.files.file_findings import Notes, is_draft, quoted
from nomicgen.files.front_matter import Composed
from nomicgen.model.common_keys import Matter
from nomicgen.model.types import Fault, faults_of
from nomicgen.model.values import KeyPath

M = TypeVar("M", bound=Matter)


# Keys whose values are shown within one line of a list or a history.
_ONE_LINE = frozenset({"title", "name", "cause", "section", "tagline"})


def validate(model: type[M], composed: Composed, notes: Notes) -> M | None:
    """Return front matter as an object of its model; what is wrong with it is added to `notes`.

    None if it does not fit the model, or a part of it could not be read. A title or name of several
    lines (`_ONE_LINE`) is a finding, but does fit.
    """
    if not composed.complete:
        return None
    for key in _ONE_LINE & composed.data.keys():
        if "\n" in str(composed.data[key]):
            message = f"`{key}` cannot be {_shown(composed.data[key])}"
            notes.add(
                "value-wrong", composed.source.at(key), message, "it should be one line of text"
            )
    try:
        matter = model.read(composed.data)
    except ValueError as error:
        for fault in faults_of(error):
            _note_fault(composed, fault, notes)
        return None
    return None if composed.holes else matter


def nearest(word: str, known: Sequence[str]) -> str | None:
    """Return the known word that is most like `word`; None if none is like it."""
    close = difflib.get_close_matches(word.casefold(), known, n=1, cutoff=0.6)
    return close[0] if close else None


def _note_fault(composed: Composed, fault: Fault, notes: Notes) -> None:
    source, path = composed.source, fault.path
    if fault.about == "value":
        path = _path_in_file(composed.data, path)
    if any(path[: len(hole)] == hole for hole in composed.holes):
        return
    if fault.about == "missing":
        holder, key = path[:-1], str(path[-1])
        span = source.value(holder) or source.at(*holder)
        where = f" in `{_dotted(holder)}`" if holder else ""
        status = key == "status" and not holder and is_draft(notes.file)
        help = "add `status: draft`" if status else f"add `{key}: …`: {fault.wanted}"
        notes.add("key-missing", span, f"the key `{key}` is missing{where}", help)
    elif fault.about == "unknown":
        meant = nearest(str(path[-1]), fault.choices)
        help = (
            f"perhaps `{meant}` is meant"
            if meant
            else f"the keys here are {', '.join(fault.choices)}"
        )
        notes.add(
            "key-unknown", source.key(*path), f"there is no key {quoted(_dotted(path))} here", help
        )
    elif fault.about == "key":
        notes.add(
            "value-wrong",
            source.key(*path),
            f"{quoted(str(path[-1]))} cannot stand here",
            _help(fault.wanted),
        )
    else:
        _note_wrong_value(composed, path, fault, notes)


def _note_wrong_value(composed: Composed, path: KeyPath, fault: Fault, notes: Notes) -> None:
    value = _value(composed.data, path)
    where = _dotted(path)
    message = (
        f"`{where}` is empty" if value in ("", [], {}) else f"`{where}` cannot be {_shown(value)}"
    )
    help = _help(fault.wanted)
    if fault.choices and isinstance(value, str):
        meant = nearest(value, fault.choices)
        help += f"; perhaps `{meant}` is meant" if meant else ""
    if path == ("format",) and fault.wanted == "should be 1 or less":
        help = "this nomicgen reads format 1; a newer one may read this game"
    notes.add("value-wrong", composed.source.at(*path), message, help)


def _help(wanted: str) -> str:
    return f"it {wanted}" if wanted.startswith("should") else wanted


def _path_in_file(data: Any, path: KeyPath) -> KeyPath:
    """Return the part of a path that stands in the file.

    A short form is read as the full one: in `votes: {wren: for}`, the path of the choice would be
    `("votes", "wren", "vote")`, and only `("votes", "wren")` stands in the file.
    """
    for depth, step in enumerate(path):
        if step not in (
            data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
        ):
            return path[:depth]
        data = data[step]
    return path


def _value(data: Any, path: KeyPath) -> Any:
    for step in path:
        data = data[step]
    return data


def _dotted(path: KeyPath) -> str:
    """Return a path as one writes it, such as `points[0].amount`, with long steps shortened."""
    shown = ""
    for step in path:
        if isinstance(step, int):
            shown += f"[{step}]"
        else:
            shown += ("." if shown else "") + quoted(step, 40)[1:-1]
    return shown


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return quoted(value)
    return "a list" if isinstance(value, list) else "keys with values"
