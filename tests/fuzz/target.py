"""What a target is, and what all hold: several files in one input, findings that have a place, a
limit of time.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import NoReturn

from nomicgen.files.text_encoding import CONTROLS
from nomicgen.model.findings import Finding

SECONDS = 5
"""Of the processor's time, for one input. However busy the machine is, it is the same."""

_PART = re.compile(rb"^@@ ([^\n]*)\n", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Something that reads bytes. `run` fails, with whatever exception, where it does not hold what
    it promises.

    `seeds` are inputs to begin with, from the project's own files; `words` are those of its format.
    """

    name: str
    run: Callable[[bytes], None]
    seeds: Callable[[], Iterable[bytes]]
    words: tuple[str, ...] = ()
    longest: int = 8192


class Hang(BaseException):
    """An input took more than `SECONDS` of the processor's time. Nobody who catches what others
    raise catches it.
    """


@contextmanager
def limited(seconds: float = SECONDS) -> Iterator[None]:
    """Raises Hang where what is done within takes longer."""

    def over(number: int, frame: FrameType | None) -> NoReturn:
        raise Hang(f"more than {seconds} s")

    before = signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def pairs_of(data: bytes) -> list[tuple[str, bytes]]:
    """Several files in one input, each below a line `@@ name`; what stands above the first has the
    name ''.
    """
    first, *rest = _PART.split(data)
    names = (name.decode("utf-8", "backslashreplace") for name in rest[::2])
    return [*([("", first)] if first else []), *zip(names, rest[1::2], strict=True)]


def parts_of(data: bytes) -> dict[str, bytes]:
    """The same by name; of two files of one name the last."""
    return dict(pairs_of(data))


def joined(parts: Mapping[str, bytes]) -> bytes:
    """The one input of several files."""
    return b"".join(b"@@ %b\n%b" % (name.encode(), data) for name, data in parts.items())


def hold(findings: Iterable[Finding], files: Mapping[str, bytes]) -> None:
    """Findings about files: each stands in one of them, and reads as one line without anything
    invisible. None says that the Markdown parser failed: what it fails on is to be found here, and
    kept from it.
    """
    for one in findings:
        assert one.message, one
        assert one.slug != "markdown-intricate" or "parser fails" not in one.message, one
        assert "\n" not in one.message, one
        assert re.search(CONTROLS, one.message + one.help.replace("\n", " ")) is None, one
        data = files.get(one.span.file)
        if data is None:  # what is said to be missing has no lines
            assert (one.span.line, one.span.column) == (1, 1), one
        else:
            assert stands(one, data), one


def stands(one: Finding, data: bytes) -> bool:
    """Whether the place of a finding is in its text, or right behind a line of it."""
    lines = data.decode("utf-8", "replace").split("\n")
    line = one.span.line - 1
    return 0 <= line < len(lines) and 1 <= one.span.column <= len(lines[line]) + 1
