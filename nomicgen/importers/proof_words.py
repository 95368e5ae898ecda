"""The words of texts, as a proof compares them: one string, with a space before each word.

What an import may change is no part of them: line breaks, signs of lists and of Markdown, tags of
HTML, addresses of links. An entity is the letter that it stands for. The marks `BEGIN` and `END`
stand where a heading begins and ends, whatever its level.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from html import unescape
from unicodedata import normalize

BEGIN, END = "\x01", "\x02"
MARKS = frozenset({BEGIN, END})
_UNDERLINE = "\x03"
"""Stands for a line of `=` or `-`, until it is known whether a heading stands above it."""
_UNSEEN = dict.fromkeys(
    [*range(9), 0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), 0x2060, 0xFEFF]
)
"""Characters that nobody sees; translating leaves them out."""
_ADDRESS = r"\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)"
"""The address of a link, with the bracket that ends the link's text."""
_TAG = (
    r"(?i)<!--[^<>]*-->|</?(?:a|abbr|b|big|blockquote|body|br|center|cite|code|dd|del|div|dl|dt|em|font|head|hr|html|i|img|ins"
    r"|kbd|li|link|meta|ol|p|pre|q|s|small|span|strike|strong|sub|sup|table|tbody|td|tfoot|th|thead|title|tr|tt|u|ul|var)"
    r"\b[^<>]*>"
)
"""A comment of HTML, or a tag, which are no words of a text."""
_BROKEN_TAG = r"</?[A-Za-z][^<>\n]*\n[^<>]*>"
"""A tag that goes on in further lines."""
_HEADING_TAG = r"(?i)<(/?)h[1-6]\b[^<>]*>"
_HEADING = r"\s{0,3}#{1,6}(?=[\s\w*_])"
"""How a heading of Markdown begins."""
_LINE_BELOW = r" {0,3}(?:={3,}|-{3,})\s*"
"""A line that underlines the heading above it, if there is one."""
_WORD = rf"[^\W_]+|[{BEGIN}{END}\U0001f000-\U0001faff]"


@lru_cache(maxsize=1 << 18)
def _line_words(line: str) -> str:
    if re.fullmatch(_LINE_BELOW, line):
        return _UNDERLINE
    seen = normalize("NFKC", unescape(line)).translate(_UNSEEN)
    seen = re.sub(_ADDRESS, "] ", seen)
    if "<" in seen:
        seen = re.sub(_TAG, " ", re.sub(_HEADING_TAG, lambda tag: END if tag[1] else BEGIN, seen))
    if re.match(_HEADING, seen):
        seen = f"{BEGIN}{seen}{END}"
    return "".join([f" {word}" for word in re.findall(_WORD, seen)])


def decode_file(data: bytes) -> str:
    """Return the text of a file: UTF-16 if it begins with its byte order mark, else UTF-8, else
    Windows-1252.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def lines_of(text: str) -> list[str]:
    """Return the lines of a text. A tag over several lines is put on the first, the others stay."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "<" in text:
        text = re.sub(
            _BROKEN_TAG, lambda tag: tag[0].replace("\n", " ") + "\n" * tag[0].count("\n"), text
        )
    return text.split("\n")


def words_by_line(lines: Sequence[str], plain: bool = False) -> list[str]:
    """Return the words of each line. A line that stands alone above a line of `=` or `-` is a
    heading. In a `plain` text nothing is.
    """
    words = list(map(_line_words, lines))
    if plain:
        return [without_headings(line) for line in words]
    if _UNDERLINE in words:
        for at in (at for at, line in enumerate(words) if line == _UNDERLINE):
            words[at] = ""
            if (
                at
                and words[at - 1]
                and words[at - 1][1] != BEGIN
                and (at == 1 or not words[at - 2])
            ):
                words[at - 1] = f" {BEGIN}{words[at - 1]} {END}"
    return words


@lru_cache(maxsize=65536)
def words_of(text: str) -> str:
    """Return the words of a text."""
    return "".join(words_by_line(lines_of(text)))


def without_headings(words: str) -> str:
    """Return the words without the marks of headings, with a space before each word."""
    return re.sub(f" ?[{BEGIN}{END}{_UNDERLINE}]", "", words)


@lru_cache(maxsize=1 << 18)
def count_words(words: str) -> int:
    """Return how many words there are, without marks."""
    return words.count(" ") - words.count(BEGIN) - words.count(END)


def without_marks(words: str) -> str:
    """Return the words without marks."""
    return " ".join(word for word in words.split() if word not in MARKS)
