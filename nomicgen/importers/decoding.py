"""The bytes of a source's file as text that a game's file may hold: lines end in LF, letters are
in NFC, and nothing is invisible.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from nomicgen.files.text_encoding import CONTROLS, HEAP, heaps_of_marks, is_printed
from nomicgen.importers.readings import Slip

_BOMS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"\xef\xbb\xbf": "utf-8-sig"}
"""Byte order marks, and the encoding that each stands for."""


def without_heaps(text: str) -> str:
    """Return the text with at most the first `HEAP` marks on each letter: to sort more takes too
    long.
    """
    for start, end in reversed([*heaps_of_marks(text)]):
        text = text[:start] + text[end:]
    return text


_CHANGES: tuple[tuple[Callable[[str], str], str, str], ...] = (
    (
        lambda text: text.replace("\r\n", "\n").replace("\r", "\n"),
        "lines end in CR LF or CR",
        "they are read as if they ended in LF",
    ),
    (
        lambda text: text if is_printed(text) else re.sub(CONTROLS, "", text),
        "characters are invisible",
        "a game's files hold none, so they are left out",
    ),
    (without_heaps, f"more than {HEAP} marks are on one letter", "what is too much is left out"),
    (
        lambda text: unicodedata.normalize("NFC", text),
        "letters are not in Unicode normal form C",
        "they are written in that form",
    ),
)
"""What is done to a text; and if that changes it, the message and the outcome of the slip."""


def decode_words(data: bytes) -> tuple[str | None, tuple[Slip, ...]]:
    """Return the text of a file and what is odd about its bytes; None if it holds a NUL, and so is
    no text.

    A byte order mark says that it is UTF-16, or UTF-8. Without one it is read as UTF-8, and if it
    cannot be, as Windows-1252.
    """
    bom = next((mark for mark in _BOMS if data.startswith(mark)), None)
    slips: list[Slip] = []
    try:
        words = data.decode(_BOMS[bom], "replace") if bom is not None else data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"byte {error.start + 1} of the file is not UTF-8"
        slips.append(
            Slip(
                slug="bytes", line=line, message=message, outcome="the file is read as Windows-1252"
            )
        )
        words = data.decode("cp1252", "replace")
    if "\0" in words:
        message, outcome = "the file holds no text", "it is not read"
        return None, (Slip(slug="bytes", line=1, message=message, outcome=outcome),)
    for change, message, outcome in _CHANGES:
        now = change(words)
        if now != words:
            pairs = enumerate(zip(words.split("\n"), now.split("\n"), strict=False), 1)
            line = next((at for at, (was, now_is) in pairs if was != now_is), 1)
            slips.append(
                Slip(slug="bytes", line=line, message=f"{message} from here on", outcome=outcome)
            )
            words = now
    return words, tuple(slips)
