"""Pictures that texts show: each must lie in `images/`, where it is kept with the rules."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote

from nomicgen.files.file_findings import Notes, quoted
from nomicgen.files.markdown import parser
from nomicgen.files.near_names import NearestNames
from nomicgen.files.urls import split_address
from nomicgen.law.replay.results import Replay
from nomicgen.model.findings import Finding, Findings
from nomicgen.model.records import Records


def check_images(records: Records, replay: Replay) -> Iterator[Finding]:
    """Yield each picture that a text shows and the game lacks. One from another host is only shown
    as a link, so it is never missing.
    """
    near = NearestNames()
    known = [posixpath.basename(image) for image in sorted(records.images)]

    def missing(text: str | None, file: str, text_line: int) -> Findings:
        notes = Notes(file)
        for line, address, path in _missing(text or "", records):
            meant = near.find(posixpath.basename(path), known)
            help = "put the picture into images/, and show it as ../images/NAME.png"
            message = f"the picture {quoted(address)} is not in images/"
            notes.at(
                "image-missing",
                text_line + line,
                1,
                message if address else "the picture has no address",
                f"did you mean ../images/{meant}?" if meant else help,
            )
        return notes.findings()

    for file in records.initial.values():
        yield from missing(file.text, file.source.file, file.text_line)
    for instrument in records.instruments.values():
        for instruction in instrument.instructions:
            yield from missing(instruction.text, instrument.path, instruction.text_line)


def _missing(text: str, records: Records) -> Iterator[tuple[int, str, str]]:
    """Yield the line, from 0, the address and the path of each picture that is not there."""
    if "![" not in text:
        return
    for line, address in _pictures(text):
        path = _path(address)
        if path is not None and path not in records.images and path not in records.withheld:
            yield line, address, path


def _pictures(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line, from 0, and the address of each picture."""
    for token in parser().parse(text):
        if token.map is None or token.type != "inline":
            continue
        line = token.map[0]
        for child in token.children or ():
            line += child.type in ("softbreak", "hardbreak")
            if child.type == "image":
                yield line, str(child.attrs["src"])


def _path(address: str) -> str | None:
    """Return the path in the game that a picture's address leads to; None for another host's."""
    parts = split_address(address)
    # An address that cannot be parsed begins like one of another host (`//`).
    if parts is None or parts.scheme or parts.netloc:
        return None
    plain = posixpath.normpath(unquote(parts.path))
    while plain.startswith("../"):
        plain = plain.removeprefix("../")
    return plain
