"""Pictures that texts show: each must lie in `images/`, where it is kept with the rules."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from difflib import get_close_matches
from urllib.parse import unquote, urlsplit

from nomicgen.diagnostics import Finding
from nomicgen.files import parser
from nomicgen.law.state import Replay
from nomicgen.model import Records, Span

__all__ = ["check_images"]


def check_images(records: Records, replay: Replay) -> Iterator[Finding]:
    """Every picture of every text: a warning where it is missing. One from outside is only a link (3-publication.md)."""
    for file in records.initial.values():
        if file.text is not None:
            yield from _missing(file.text, Span(file=file.source.file, line=file.text_line), records)
    for instrument in records.instruments.values():
        for instruction in instrument.instructions:
            if instruction.text is not None:
                yield from _missing(instruction.text, Span(file=instrument.path, line=instruction.text_line), records)


def _missing(text: str, place: Span, records: Records) -> Iterator[Finding]:
    if "![" not in text:
        return
    for line, address in _pictures(text):
        path = _path(address)
        if path is None or path in records.images or path in records.withheld:
            continue
        near = get_close_matches(path, sorted(records.images), 1)
        help = (
            f"did you mean ../{near[0]}?" if near else "put the picture into images/, and show it as ../images/NAME.png"
        )
        yield Finding(
            slug="image-missing",
            span=Span(file=place.file, line=place.line + line),
            message=f"the picture {_shown(address)} is not in the repository",
            help=help,
        )


def _pictures(text: str) -> Iterator[tuple[int, str]]:
    """The line, from 0, of the paragraph's start or of the picture where it is found there, and the address."""
    lines = text.split("\n")
    for token in parser().parse(text):
        if token.map is None or token.type != "inline":
            continue
        start, end = token.map
        for child in token.children or ():
            if child.type == "image":
                address = str(child.attrs["src"])
                name = address.rpartition("/")[2]
                found = next((line for line in range(start, end) if "![" in lines[line] and name in lines[line]), start)
                yield found, address


def _path(address: str) -> str | None:
    """The path in the game that a picture's address leads to, None for one outside."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return None
    plain = posixpath.normpath(unquote(parts.path))
    while plain.startswith("../"):
        plain = plain.removeprefix("../")
    return plain


def _shown(address: str) -> str:
    """An address for a message; the parser has already escaped what cannot be printed."""
    return address if len(address) <= 60 else f"{address[:59]}…"
