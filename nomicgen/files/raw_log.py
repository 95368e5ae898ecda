"""The output of `git log --raw -z --no-abbrev --no-renames`, read commit by commit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

INSTRUMENTS = "%(trailers:key=Instrument,valueonly,unfold,separator=%x1f)"
"""The field for `git log --format` whose values `trailer_values` reads."""

_ID = r"[0-9a-f]{40}|[0-9a-f]{64}"
_CHANGE = r":([0-7]{6}) ([0-7]{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*"


class LoggedChange(Struct, frozen=True):
    """What a commit did to a path: its mode, in octal digits, and the id of its blob, before the
    commit and after it.
    """

    path: str
    old_mode: str
    mode: str
    old_id: str
    id: str


def read_log(
    output: bytes, fields: int
) -> Iterator[tuple[tuple[str, ...], tuple[LoggedChange, ...]]]:
    """Yield the fields and the changes of each commit.

    `fields` says how many fields the format has. The first has to be `%H`, and a NUL has to end
    each. Raises ValueError for output that git does not print.
    """
    tokens = iter(output.decode("utf-8", "backslashreplace").split("\0"))
    commit: tuple[str, ...] = ()
    changes: list[LoggedChange] = []
    for token in tokens:
        # Git puts a line feed before a commit's first change. A change begins with a colon, and a
        # commit with its id; paths and fields, which may hold anything, are taken by position.
        token = token.removeprefix("\n")
        if change := re.fullmatch(_CHANGE, token):
            path = next(tokens, None)
            if path is None or not commit:
                raise ValueError("git log printed a change that is of nothing")
            changes.append(LoggedChange(path, *change.groups()))
        elif re.fullmatch(_ID, token):
            if commit:
                yield commit, tuple(changes)
            commit, changes = (token, *islice(tokens, fields - 1)), []
        elif token:
            raise ValueError(f"git log printed {token[:80]!r}")
    if commit:
        yield commit, tuple(changes)


def trailer_values(field: str) -> tuple[str, ...]:
    """Return the values of a commit's `Instrument` trailers."""
    return tuple(value.strip() for value in field.split("\x1f") if value.strip()) if field else ()
