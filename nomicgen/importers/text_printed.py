"""A ruleset as a program printed it: this one, in Nomic IV's formats, or Agora's, in its Logical Rulesets.

Below a heading at the margin its rule's text stands indented, and below that what is no text: histories and the like.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec.structs import replace

from nomicgen.files.text_encoding import trimmed
from nomicgen.formats.plaintext import plain, unwrapped
from nomicgen.formats.ruleset_text import LEAST, LOST, escaped
from nomicgen.importers.printed.format import Document, Section
from nomicgen.importers.printed.printed_history import parse_history_line
from nomicgen.importers.rule_text.blocks import plain_as_markdown, room_in
from nomicgen.importers.text_lines import Line, is_ruler, lines_of, tier_of_power
from nomicgen.importers.rule_text.from_markdown import as_markdown, code_lines, fenced, is_drawn, sound
from nomicgen.importers.text_outline import Outline, Outside, RulePart, Why
from nomicgen.patterns import lazy_pattern

_TITLE = lazy_pattern(r"(?P<hash># )?(?P<name>\S.{0,200}?) RULESET \((?P<length>SHORT|LONG) FORMAT\)")
_HEADING = lazy_pattern(
    r"(?:## |Rule )(?P<number>[1-9][0-9]{0,8})(?:/(?P<revision>0|[1-9][0-9]{0,5}))?"
    r"(?: \((?P<mark>[A-Za-z][A-Za-z0-9.= -]{0,63})\))?(?:: (?P<title>\S.*?))?[ \t]*"
)
_BELOW = lazy_pattern(r"(?P<kind>History|Annotations|Judge?ments):[ \t]*|\[.*")
ReadText = Callable[[tuple[Line, ...]], str | None]
"""Reads a text to the letter, None where it cannot."""

_ROMAN = lazy_pattern(r"[IVX]+")
_FEWEST = 3
_MOST = 0.9
_WIDE = 20


def name_of(lines: Sequence[Line]) -> str | None:
    """The name in the title of a ruleset that this program printed, None in any other."""
    match = _TITLE.fullmatch(lines[0].text.rstrip()) if lines else None
    return " ".join(map(_capital, match["name"].split())) if match else None


def _capital(word: str) -> str:
    return word if _ROMAN.fullmatch(word) else word.capitalize()


def printed_outline(lines: Sequence[Line]) -> Outline | None:
    """The rules of a printed text, None where it is none."""
    title = _TITLE.fullmatch(lines[0].text.rstrip())
    is_markdown = title is not None and title["hash"] is not None
    starts = _starts(lines, is_markdown=is_markdown)
    if not starts:
        return None
    first = starts[0][0]
    section = _section(lines[:first])
    passages = [_outside("above", lines[1 if title else 0 : first])]
    parts: list[RulePart] = []
    for (at, match), (end, following) in pairwise([*starts, (len(lines), None)]):
        assert match is not None
        part, outside = _part(at, match, lines[at + 1 : end], section, is_markdown=is_markdown)
        parts.append(part)
        passages.append(_outside("heading" if following else "below", outside, part.number))
        section = _section(outside) or section
    indented = [part for part in parts if is_markdown or _is_indented(part.lines)]
    if len(indented) < max(1 if title else _FEWEST, _MOST * len(parts)):
        return None
    is_agora = sum(tier_of_power(part.mark or "") is not None for part in parts) > len(parts) / 2
    exact = _words if is_markdown else _ours(parts) if title else _sound if is_agora else None
    parts = [_read(part, exact, least=LEAST if title else None) for part in parts]
    whole = Outline(parts=tuple(parts), outside=tuple(passage for passage in passages if passage.lines))
    placed = {line.number for line in whole.lines}
    return replace(whole, headings=tuple(line for line in lines if not line.blank and line.number not in placed))


def document_of(text: str) -> Document | None:
    """The ruleset of a text that this program printed in the long format, as plain text; None where it is none."""
    lines = lines_of(text)
    title = _TITLE.fullmatch(lines[0].text.rstrip())
    if title is None or title["hash"] or title["length"] == "SHORT":
        return None
    whole = printed_outline(lines)
    parts = whole.parts if whole else ()
    room = room_in([line for part in parts for line in part.lines])
    sections = tuple(
        Section(
            number=part.number,
            revision=part.revision or 0,
            tier=None if part.mark == LEAST else part.mark,
            title=part.title,
            line=part.line,
            text=plain_as_markdown(part.lines, room) if part.exact is None else part.exact,
            history=_lines(part, "History"),
            judgements=_lines(part, "Judgments"),
        )
        for part in parts
    )
    return Document(name=title["name"], sections=sections) if any(section.history for section in sections) else None


def _lines(part: RulePart, kind: str) -> tuple[tuple[int, str], ...]:
    """The lines of a history or of judgements, as they stand in Markdown."""
    lines = []
    for line in part.below.get(kind, ()):
        words = line.text.strip()
        plainly = f"*{escaped(words)}*"
        lines.append((line.number, plainly if parse_history_line(plainly) else f"*{words}*"))
    return tuple(lines)


def _starts(lines: Sequence[Line], *, is_markdown: bool) -> list[tuple[int, re.Match[str] | None]]:
    """The lines of the rules' headings, from 0."""
    code = code_lines("\n".join(line.text for line in lines)) if is_markdown else frozenset[int]()
    sign = "## " if is_markdown else "Rule "
    return [
        (at, match)
        for at, line in enumerate(lines)
        if line.text.startswith(sign) and at not in code and (match := _HEADING.fullmatch(line.text))
    ]


def _part(
    at: int, match: re.Match[str], lines: Sequence[Line], section: str | None, *, is_markdown: bool
) -> tuple[RulePart, list[Line]]:
    """A rule, whose heading stands in line `at`, from 0; and those of the `lines` below it that are no rule's."""
    title, kind = match["title"], ""
    text: list[Line] = []
    outside: list[Line] = []
    below: dict[str, list[Line]] = {}
    for index, line in enumerate(lines):
        if is_markdown:
            text.append(line)
        elif outside or (line.text[:_WIDE].strip("-=") == "" and is_ruler(line.text) and len(line.text) >= _WIDE):
            outside.append(line)
        elif mark := _BELOW.fullmatch(line.text):
            kind = (mark["kind"] or "Annotations").replace("Judge", "Judg")
            below.setdefault(kind, [])
            if not mark["kind"]:
                below[kind].append(line)
        elif kind:
            below[kind] += [] if line.blank else [line]
        elif index == 0 and not line.blank and line.indent == 0 and (len(lines) == 1 or lines[1].blank):
            title = line.text.strip()
        else:
            text.append(line)
    part = RulePart(
        number=int(match["number"]),
        revision=int(match["revision"]) if match["revision"] else None,
        line=at + 1,
        lines=_trimmed(text),
        mark=match["mark"],
        title=title or None,
        section=section,
        below=below,
    )
    return part, outside


def _outside(why: Why, lines: Sequence[Line], number: int = 0) -> Outside:
    return Outside(why=why, lines=_trimmed([line for line in lines if not is_ruler(line.text)]), number=number)


def _section(lines: Sequence[Line]) -> str | None:
    """The heading between two rulers above a rule, the upper of them double."""
    for line, after in pairwise(lines):
        if line.text.startswith("=" * _WIDE) and is_ruler(line.text) and not (after.blank or is_ruler(after.text)):
            return " ".join(after.text.split())
    return None


def _is_indented(lines: Sequence[Line]) -> bool:
    return bool(lines) and all(line.indent > 1 for line in lines if not line.blank)


def _trimmed(lines: Sequence[Line]) -> tuple[Line, ...]:
    start, end = trimmed([line.text for line in lines], 0, len(lines))
    return tuple(lines[start:end])


def _read(part: RulePart, exact: ReadText | None, least: str | None) -> RulePart:
    """A rule with its tier, and with its text to the letter where that can be had."""
    text = exact(part.lines) if exact is not None and part.lines else None
    mark = part.mark or ""
    tier = tier_of_power(mark) or (mark.casefold() if mark and least else None) or least
    if text == LOST:
        return replace(part, mark=tier, lines=())
    return replace(part, mark=tier, exact=text)


def _words(lines: tuple[Line, ...]) -> str | None:
    written = as_markdown(lines)
    return written.text if written is not None else fenced("\n".join(line.text for line in lines))


def _sound(lines: tuple[Line, ...]) -> str | None:
    """A text of Agora's as its data have it."""
    shift = min((line.indent for line in lines if not line.blank), default=0)
    return _agoras("\n".join(line.text[shift:].rstrip() for line in lines))


@lru_cache(maxsize=65536)
def _agoras(text: str) -> str | None:
    lines = lines_of(text)
    written = None if is_drawn([line.text for line in lines]) else as_markdown(lines)
    return written.text if written is not None else fenced(text)


def _ours(parts: Sequence[RulePart]) -> ReadText | None:
    """How a text is read back that `plain` printed; None where most of them are of another's making."""

    def read(lines: tuple[Line, ...]) -> str | None:
        text = unwrapped([line.text for line in lines])
        printed = plain(text).split("\n")
        same = [line.rstrip() for line in printed] == [line.text.rstrip() for line in lines]
        return text if same and sound(text) else None

    own = sum(read(part.lines) is not None for part in parts)
    return read if own >= _MOST * len(parts) else None
