"""The JSON that a forge's API gave, read so that no text raises an error: what cannot be read is
listed as a problem.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

LIMIT = 16 << 20
"""How many bytes a file may have."""

_LISTED = 20  # of the fatal problems, and of the others
_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class JsonPlace(Struct, frozen=True):
    """Where a value stands in a document, as text such as `comments[3].user`. `step` is the last
    part of it, such as `.user`, and `within` the place before that.
    """

    step: str = ""
    within: JsonPlace | None = None

    def __str__(self) -> str:
        steps = []
        place: JsonPlace | None = self
        while place is not None:
            steps.append(place.step)
            place = place.within
        return " ".join("".join(reversed(steps)).removeprefix(".").split())


class JsonProblem(Struct, frozen=True, kw_only=True):
    """Something that could not be read. If it is `fatal`, nobody knows what is missing, and no vote
    is counted.

    `line` and `column` count from 1. If the JSON is valid and has another shape than GitHub's, they
    are where its document starts, and `message` says where in it.
    """

    file: str
    line: int = 1
    column: int = 1
    message: str
    help: str = ""
    fatal: bool = False

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


class Problems:
    """The problems of one recording, each once: the first fatal ones, the first others, and how
    many more there are.
    """

    def __init__(self) -> None:
        self._listed: dict[JsonProblem, None] = {}
        self._more = 0

    def add(self, problem: JsonProblem) -> None:
        if problem in self._listed:
            return
        if sum(1 for listed in self._listed if listed.fatal == problem.fatal) < _LISTED:
            self._listed[problem] = None
        else:
            self._more += 1

    def listed(self) -> tuple[JsonProblem, ...]:
        """Return the listed problems, and one more that counts the rest if there are any."""
        listed = tuple(self._listed)
        if not self._more:
            return listed
        return (
            *listed,
            JsonProblem(file=listed[-1].file, message=f"and {self._more} more"),
        )


def read_documents(file: str, data: bytes, problems: Problems) -> Iterator[tuple[int, Any]]:
    """Yield the JSON documents of a file, each with the line on which it begins. `gh` writes each
    page as a document.

    Where the file cannot be read, a problem is added to `problems`, and nothing more is yielded.
    """
    if len(data) > LIMIT:
        message = f"the file is larger than {LIMIT >> 20} MiB"
        problems.add(
            JsonProblem(
                file=file, message=message, help="record one pull request, and no more", fatal=True
            )
        )
        return
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(errors="replace")
        message = f"byte {error.start + 1} of the file is not UTF-8"
        problems.add(_problem_at(file, before, len(before), message, "save it as UTF-8"))
        return
    place = _after_blank(text, 0)
    if place == len(text):
        problems.add(
            JsonProblem(file=file, message="the file is empty", help="record it again", fatal=True)
        )
    while place < len(text):
        try:
            value, end = _DECODER.raw_decode(text, place)
        except json.JSONDecodeError as error:
            message = f"this is no JSON: {error.msg[:1].lower()}{error.msg[1:]}"
            help = "give the file as `gh api` wrote it; if it was cut off, record it again"
            problems.add(_problem_at(file, text, error.pos, message, help))
            return
        except (RecursionError, ValueError):  # nested too deep, or a number of thousands of digits
            problems.add(
                _problem_at(
                    file, text, place, "no forge writes such JSON as this", "record it again"
                )
            )
            return
        yield text.count("\n", 0, place) + 1, value
        place = _after_blank(text, end)


def _after_blank(text: str, place: int) -> int:
    match = _BLANK.match(text, place)
    assert match is not None
    return match.end()


def _problem_at(file: str, text: str, place: int, message: str, help: str) -> JsonProblem:
    column = place - (text.rfind("\n", 0, place) + 1) + 1
    line = text.count("\n", 0, place) + 1
    return JsonProblem(file=file, line=line, column=column, message=message, help=help, fatal=True)


def entries(document: object) -> Iterator[tuple[JsonPlace, object]]:
    """Yield the entries of a document, each with its place: of a list, or of a list of such lists
    (pages). A document that is no list is one entry.
    """
    waiting = [iter([(JsonPlace(), document)])]
    while waiting:
        for place, value in waiting[-1]:
            if isinstance(value, list):
                waiting.append(_children(place, value))
                break
            yield place, value
        else:
            waiting.pop()


def objects(place: JsonPlace, entry: object) -> Iterator[tuple[JsonPlace, Mapping[str, Any]]]:
    """Yield every object in an entry, itself included, with its place."""
    waiting = [iter([(place, entry)])]
    while waiting:
        for place, value in waiting[-1]:
            if isinstance(value, Mapping):
                yield place, value
            if isinstance(value, (Mapping, list)):
                waiting.append(_children(place, value))
                break
        else:
            waiting.pop()


def _children(
    place: JsonPlace, value: Mapping[str, Any] | list[Any]
) -> Iterator[tuple[JsonPlace, object]]:
    """Yield the values in an object or list, each with its place. They are yielded one by one,
    since a file may hold millions.
    """
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield JsonPlace(f".{key}", place), inner
    else:
        for index, inner in enumerate(value):
            yield JsonPlace(f"[{index}]", place), inner
