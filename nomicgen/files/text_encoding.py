"""The bytes of a file: UTF-8 in NFC, lines that end in LF alone, and nothing invisible that changes
how a text reads. `decode` finds what is otherwise.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from nomicgen.files.file_findings import Notes
from nomicgen.model.findings import counted

SIZE_LIMIT = 1 << 20  # bytes of a file of a game
PICTURE_LIMIT = 16 << 20  # bytes of a picture
HEAP = 30
"""How many combining marks a letter may have, as in Unicode's Stream-Safe Text. Normalising sorts
them, and the time grows with the square of their number.
"""

# Controls except tab and line feed; line separators; marks that turn the direction of text;
# characters of no width that hide words from readers or split them for programs; blanks that count
# as letters; noncharacters.
_ALWAYS = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
# Joiners and variation selectors make emoji and the letters of some scripts, and are seen in what
# they change. They hide something at the start of a text, after a letter that has no variants, and
# after each other.
_JOINERS = "\u200c\u200d"
_SELECTORS = "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
# Latin, Greek and Cyrillic, which no joiner joins. `_INVARIANT` leaves out digits, `#`, `*` and
# the signs of copyright and of a trademark, which a selector makes emoji.
_PLAIN = "\x00-\u052f"
_INVARIANT = '\x00-"$-)+-/:-\xa8\xaa-\xad\xaf-\u052f'
CONTROLS = (
    f"[{_ALWAYS}{_JOINERS}{_SELECTORS}](?:(?<=[{_ALWAYS}])|(?<=\\A[{_JOINERS}{_SELECTORS}])"
    f"|(?<=[{_PLAIN}{_JOINERS}][{_JOINERS}])|(?<=[{_INVARIANT}{_JOINERS}{_SELECTORS}][{_SELECTORS}]))"
)
"""A character that readers cannot see, or that changes what they see of others."""
# Tried first, since it is faster: most texts have none of these.
_CANDIDATES = re.compile(f"[{_ALWAYS}{_JOINERS}{_SELECTORS}]")
_ASCII_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_LINE_ENDS_HELP = (
    "end lines in LF alone: let your editor save Unix line ends, or type "
    "`perl -pi -e 's/\\r\\n?/\\n/g'` and the file's path"
)
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
# A run of characters long enough to hold a heap; no character below U+0300 is a combining mark.
_HIGH = f"[\u0300-\U0010ffff]{{{HEAP + 1},}}"
# These are no marks themselves, but normal forms make marks of them.
_MADE_OF_MARKS = "\u0f73\u0f75\u0f81\uff9e\uff9f"


class Oddity(Struct, frozen=True):
    """Stands in a tree in place of the bytes of a file that was not read, and says why.

    `detail` is shown in the message: a link's target, a size in bytes, a commit.
    """

    slug: Literal["symlink", "file-too-large", "submodule"]
    detail: str


def decode(data: bytes, notes: Notes) -> str | None:
    """Return the file's text, with LF at the end of lines and without a byte order mark.

    None if it is empty, too large, not UTF-8, or has a heap of marks. All that is wrong with it is
    added to `notes`.
    """
    if len(data) > SIZE_LIMIT:
        notes.at(
            "file-too-large",
            1,
            1,
            f"the file has {len(data)} bytes",
            "keep files of the game below 1 MiB",
        )
        return None
    if not data:
        notes.at("file-empty", 1, 1, "the file is empty", "write it, or delete it")
        return None
    text = _utf8(data, notes)
    if text is None:
        return None
    if text.startswith("\ufeff"):
        notes.at(
            "encoding",
            1,
            1,
            "the file begins with a byte order mark",
            "save it as UTF-8 without a BOM",
        )
        text = text[1:]
    if "\r" in text:
        text = _line_ends(text, notes)
    if not _characters(text, notes):
        return None
    _final_newline(text, notes)
    return text


def heaps_of_marks(text: str) -> Iterator[tuple[int, int]]:
    """Yield where marks beyond the first `HEAP` on a letter begin and end."""
    if text.isascii() or len(text.encode("utf-8", "surrogatepass")) - len(text) <= HEAP:
        return  # of so few characters beyond ASCII no heap can be made
    for high in re.finditer(_HIGH, text):
        run = 0
        for at, char in enumerate(high[0], high.start()):
            if unicodedata.combining(char) or char in _MADE_OF_MARKS:
                run += 1
            else:
                if run > HEAP:
                    yield at - run + HEAP, at
                run = 0
        if run > HEAP:
            yield high.end() - run + HEAP, high.end()


def normal(form: Literal["NFC", "NFKC", "NFKD"], text: str) -> str:
    """Return a text in a normal form. A text with a heap of marks, which would take too long, is
    returned as it is.
    """
    return text if any(heaps_of_marks(text)) else unicodedata.normalize(form, text)


def is_printed(text: str) -> bool:
    """Return whether a text is only printable ASCII and line feeds."""
    return text.isascii() and text.replace("\n", "").isprintable()


def trim_blank_lines(lines: Sequence[str], start: int, end: int) -> tuple[int, int]:
    """Return the range of `lines` without blank ones at its ends, within `start` and `end`."""
    while start < end and not lines[start].strip(" \t"):
        start += 1
    while end > start and not lines[end - 1].strip(" \t"):
        end -= 1
    return start, end


def _place(text: str, at: int) -> tuple[int, int]:
    """Return the line and the column, from 1, of the character at a position from 0."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _utf8(data: bytes, notes: Notes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode()
        notes.at(
            "encoding",
            *_place(before, len(before)),
            f"byte {error.start + 1} of the file, 0x{data[error.start]:02X}, is not UTF-8",
            "the file looks like UTF-16: save it as UTF-8"
            if data[:2] in _UTF16_MARKS
            else "save it as UTF-8",
        )
        return None


def _line_ends(text: str, notes: Notes) -> str:
    """Return a text with LF alone; lines that end in CR LF are one finding, at the first."""
    windows: list[tuple[int, int]] = []
    for number, line in enumerate(text.split("\n"), 1):
        column = line.find("\r") + 1
        if column and column == len(line):
            windows.append((number, column))
        elif column:
            message = "the line holds a carriage return"
            notes.at("line-ending", number, column, message, _LINE_ENDS_HELP)
    if windows:
        others = len(windows) - 1
        message = "the line ends in CR LF" + (
            f", and so {'do' if others > 1 else 'does'} {counted(others, 'other')}" * bool(others)
        )
        notes.at("line-ending", *windows[0], message, _LINE_ENDS_HELP)
    return text.replace("\r\n", "\n").replace("\r", " ")


def _characters(text: str, notes: Notes) -> bool:
    """Return whether a text may be read at all; what is wrong with its characters is added to
    `notes`.
    """
    if is_printed(text):
        return True
    ascii_only = text.isascii()
    if (_ASCII_CONTROLS if ascii_only else _CANDIDATES).search(text):
        _controls(text, notes)
    if ascii_only:
        return True
    if heap := next(heaps_of_marks(text), None):
        help = "delete the marks: no language puts so many on one letter"
        notes.at(
            "marks-many", *_place(text, heap[0]), f"more than {HEAP} marks are on one letter", help
        )
        return False
    if not unicodedata.is_normalized("NFC", text):
        _composed(text, notes)
    return True


def _composed(text: str, notes: Notes) -> None:
    for number, line in enumerate(text.split("\n"), 1):
        composed = unicodedata.normalize("NFC", line)
        if composed != line:
            pairs = zip(line, composed, strict=False)
            column = next(
                (at for at, (old, new) in enumerate(pairs, 1) if old != new), len(composed) + 1
            )
            notes.at(
                "not-nfc",
                number,
                column,
                "the line is not in Unicode normal form C: the same word can be spelt in two ways",
                "save the file in NFC, e.g. `uconv -x any-nfc`, or type the character again",
            )


def _controls(text: str, notes: Notes) -> None:
    for number, line in enumerate(text.split("\n"), 1):
        for match in re.finditer(CONTROLS, line):
            char = match[0]
            name = unicodedata.name(char, "").lower()
            notes.at(
                "control-character",
                number,
                match.start() + 1,
                f"the line holds U+{ord(char):04X}{f' ({name})' if name else ''}, which readers "
                "cannot see",
                "delete the character",
            )


def _final_newline(text: str, notes: Notes) -> None:
    if not text.endswith("\n"):
        help = "end the file with one line feed"
        notes.at("final-newline", *_place(text, len(text)), "the last line has no line feed", help)
    elif text.endswith("\n\n") or text == "\n":
        body = text.rstrip("\n")
        line = body.count("\n") + 2 if body else 1
        notes.at(
            "final-newline",
            line,
            1,
            "the file ends in blank lines",
            "end the file with one line feed",
        )
