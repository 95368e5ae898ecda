"""Versions of a file of an archive, read one after the other: of one file for all by pieces, each of them once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.file_findings import Notes
from nomicgen.importers.git_headings import parse_rule_heading
from nomicgen.importers.git_outline import Form, read_form
from nomicgen.importers.git_texts import (
    FileText,
    Passage,
    Slip,
    heading_slips,
    may_have_code,
    passage_of,
    slips_above,
)
from nomicgen.importers.long_format import normalised

_BETWEEN = b"\n## "
_HEADING = 400
"""Bytes that a heading may have."""


def read_rules(data: bytes, named: int | None, form: Form | None = None) -> FileText:
    """The rules of a file's contents. `named` is the number that its name gives, None for one file for all."""
    return Reader(form).read(data, named)


class _Piece(Struct, frozen=True):
    """What stands from one heading of a rule to the next; lines of `slips` count from 1, the heading's."""

    passage: Passage
    slips: tuple[Slip, ...]
    lines: int


class Reader:
    """Reads versions of files as `read_rules` does, one after the other.

    From version to version of one file nearly all pieces are the same: each is read once, and those that stand above
    and below what changed are not even looked up.
    """

    def __init__(self, form: Form | None = None) -> None:
        self._form = form or Form()
        self._parts: list[bytes] = []
        self._found: list[_Piece | None] = []

    def read(self, data: bytes, named: int | None) -> FileText:
        """The rules of a file's contents, as by `read_rules`."""
        is_usual = named is None and self._form.shape is None and not data.startswith(b"---")
        plain = self.plain(data) if is_usual else None
        return read_form(data, named, self._form) if plain is None else plain

    def plain(self, data: bytes) -> FileText | None:
        """The same for one file in which everything is certain by itself, from each heading to the next; else None."""
        above, *parts = (b"\n" + data).split(_BETWEEN)
        found = self._pieces(parts)
        if None in found:
            parts = _joined(parts)
            found = [_piece(one) for one in parts]
        return _put_together(above[1:], above.count(b"\n") + 1, found)

    def _pieces(self, parts: list[bytes]) -> list[_Piece | None]:
        before, known = self._parts, self._found
        most = min(len(before), len(parts))
        above = next((at for at in range(most) if before[at] != parts[at]), most)
        below = next((at for at in range(most - above) if before[-at - 1] != parts[-at - 1]), most - above)
        changed = [_piece(one) for one in parts[above : len(parts) - below]]
        self._parts, self._found = parts, [*known[:above], *changed, *known[len(known) - below :]]
        return self._found


def read_plain(data: bytes) -> FileText | None:
    """As `Reader.plain`, of one version."""
    return Reader().plain(data)


def _put_together(above: bytes, line: int, found: Sequence[_Piece | None]) -> FileText | None:
    """One file of what stands above its first rule, on `line`, and its pieces; None where one is not certain."""
    head = _plain_above(above)
    passages, lines, slips = [], [], list(head or ())
    for piece in found:
        if piece is None:
            return None
        passages.append(piece.passage)
        lines.append(line)
        if piece.slips:
            slips += [replace(one, line=one.line + line - 1) for one in piece.slips]
        line += piece.lines
    if head is None or not found or len({one.number for one in passages}) < len(passages):
        return None
    return FileText(passages=tuple(passages), lines=tuple(lines), slips=tuple(slips))


def _joined(parts: Sequence[bytes]) -> list[bytes]:
    """The parts of a file, those whose heading names no rule with the one before."""
    found: list[bytes] = []
    for one in parts:
        if found and not _names_rule(one[:_HEADING].partition(b"\n")[0]):
            found[-1] += _BETWEEN + one
        else:
            found.append(one)
    return found


@lru_cache(maxsize=65536)
def _names_rule(line: bytes) -> bool:
    return parse_rule_heading(f"## {line.decode(errors='replace')}") is not None


@lru_cache(maxsize=1024)
def _plain_above(data: bytes) -> tuple[Slip, ...] | None:
    """What is odd about what stands above the first rule, None where a heading of a rule may stand there."""
    lines = _plain_lines(data)
    return None if lines is None or any(map(_may_name, lines)) else tuple(slips_above(lines, True))


@lru_cache(maxsize=65536)
def _piece(data: bytes) -> _Piece | None:
    """A rule, without the marks of its heading, up to before the next; None where that takes a look at the whole."""
    lines = _plain_lines(data)
    if lines is None or any(map(_may_name, lines[1:])):
        return None
    lines[0] = f"## {lines[0]}"
    heading = parse_rule_heading(lines[0])
    if heading is None or not heading.sure:
        return None
    passage, slips = passage_of(heading, lines, 0, len(lines))
    return _Piece(passage, (*heading_slips(heading, lines[0], 0), *slips), len(lines))


def _plain_lines(data: bytes) -> list[str] | None:
    """The lines of a part of a file, None where they hold code, HTML or characters that must be read otherwise."""
    notes = Notes("")
    words = normalised(data, notes)
    return None if words is None or notes or may_have_code(words) else words.split("\n")


def _may_name(line: str) -> bool:
    return line.lstrip()[:1] == "#" and parse_rule_heading(line) is not None
