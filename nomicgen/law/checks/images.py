"""Pictures that texts show: each must lie in `images/`, where it is kept with the rules."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from difflib import get_close_matches
from urllib.parse import unquote, urlsplit

from nomicgen.diagnostics import Finding
from nomicgen.files import parser
from nomicgen.files.notes import quoted
from nomicgen.law.state import Replay
from nomicgen.model import Records, Span

__all__ = ["check_images"]


def check_images(records: Records, replay: Replay) -> Iterator[Finding]:
    """Each picture that is missing. One from outside is shown as a link, so nothing is wrong with it."""
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
        near = get_close_matches(
            posixpath.basename(path), [posixpath.basename(one) for one in sorted(records.images)], 1
        )
        help = "put the picture into images/, and show it as ../images/NAME.png"
        yield Finding(
            slug="image-missing",
            span=Span(file=place.file, line=place.line + line),
            message=f"the picture {quoted(address)} is not in the repository"
            if address
            else "the picture has no address",
            help=f"did you mean ../images/{near[0]}?" if near else help,
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
    try:
        parts = urlsplit(address)
    except ValueError:
        # Brackets that are no host's: whatever it is, it begins like the address of another host.
        return None
    if parts.scheme or parts.netloc:
        return None
    plain = posixpath.normpath(unquote(parts.path))
    while plain.startswith("../"):
        plain = plain.removeprefix("../")
    return plain
