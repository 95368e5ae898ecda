"""JSON that a forge's API gave, read whole or not at all: nothing in it, however odd, is more than a problem."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from nomicgen.patterns import lazy_pattern

LIMIT = 16 << 20
"""The bytes that a file may have."""

_KEPT = 20
_DIGITS = 18
_BLANK = lazy_pattern(r"[ \t\r\n]*")
_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


class Problem(Struct, frozen=True, kw_only=True):
    """What could not be read. Of a `fatal` one nobody knows what is missing: then no vote is counted.

    `line` and `column` count from 1; what was parsed stands at the start of its document, and `message` says where.
    """

    file: str
    line: int = 1
    column: int = 1
    message: str
    help: str = ""
    fatal: bool = False

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


class Trouble:
    """The problems of one recording: all that are fatal, and the first few of the others."""

    def __init__(self) -> None:
        self._found: dict[Problem, None] = {}
        self._more = 0

    def add(self, problem: Problem) -> None:
        """Adds a problem, once."""
        if problem in self._found:
            return
        kept = sum(1 for one in self._found if one.fatal == problem.fatal)
        if kept < _KEPT:
            self._found[problem] = None
        else:
            self._more += 1

    def problems(self) -> tuple[Problem, ...]:
        """Those that are kept, and one that counts the rest."""
        found = tuple(self._found)
        if not self._more:
            return found
        last = found[-1]
        return (*found, Problem(file=last.file, line=last.line, message=f"and {self._more} more of this kind"))


class UnreadValue(Struct, frozen=True):
    """Stands in place of a value that JSON can say and no forge does; `why` is a clause."""

    why: str


def _whole(text: str) -> object:
    return int(text) if len(text) <= _DIGITS else UnreadValue("it is a number too large to be one of these")


def _constant(text: str) -> object:
    return UnreadValue(f"{text} is no number")


def _object(pairs: list[tuple[str, Any]]) -> object:
    made = dict(pairs)
    # Whoever reads such an object takes one of the two values, and who looks at it sees both.
    return made if len(made) == len(pairs) else UnreadValue("a key stands twice in it")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_int=_whole, parse_constant=_constant)


def read_documents(file: str, data: bytes, trouble: Trouble) -> Iterator[tuple[int, Any]]:
    """The JSON documents of a file, each with the line on which it begins; `gh` writes a page after the other.

    What cannot be read is added to `trouble`, and ends the file.
    """
    text = _decoded(file, data, trouble)
    if text is None:
        return
    at = _after_blank(text, 0)
    if at == len(text):
        trouble.add(Problem(file=file, message="the file is empty", help="record it again", fatal=True))
    while at < len(text):
        try:
            value, end = _DECODER.raw_decode(text, at)
        except json.JSONDecodeError as error:
            message = f"this is no JSON: {error.msg[:1].lower()}{error.msg[1:]}"
            help = "give the file as `gh api` wrote it; if it was cut off, record it again"
            trouble.add(
                Problem(file=file, line=error.lineno, column=error.colno, message=message, help=help, fatal=True)
            )
            return
        except RecursionError:
            trouble.add(_at(file, text, at, "the JSON is nested too deeply to be a forge's", "record it again"))
            return
        yield text.count("\n", 0, at) + 1, value
        at = _after_blank(text, end)


def _after_blank(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    assert match is not None
    return match.end()


def _decoded(file: str, data: bytes, trouble: Trouble) -> str | None:
    if len(data) > LIMIT:
        message = f"the file is larger than {LIMIT >> 20} MiB"
        trouble.add(Problem(file=file, message=message, help="record one pull request, and no more", fatal=True))
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        looks = _MARKS.get(data[:2])
        help = f"it looks like {looks}: save it as UTF-8" if looks else "save it as UTF-8"
        before = data[: error.start].decode(errors="replace")
        message = f"byte {error.start + 1} of the file is not UTF-8"
        trouble.add(_at(file, before, len(before), message, help))
        return None


def _at(file: str, text: str, at: int, message: str, help: str) -> Problem:
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    return Problem(file=file, line=text.count("\n", 0, at) + 1, column=column, message=message, help=help, fatal=True)
