"""The structure of a text in Nomic IV's long format: its rules, each with its text, its history,
its judgements.

A map says how its rules begin; what stands below each is told apart here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from nomicgen.files.file_findings import Notes
from nomicgen.importers.decoding import decode_words
from nomicgen.importers.map_reader import MapReader
from nomicgen.importers.readings import Passage
from nomicgen.importers.rule_text.written import markdown_text
from nomicgen.importers.source_map import RulePattern, SourceMap

_HEADING = (
    r"##[ \t]*(?P<number>[1-9][0-9]{0,8})/(?P<revision>[0-9]{1,6})(?:[ "
    r"\t]*\((?P<tier>[A-Za-z][A-Za-z0-9-]{0,63})\))?"
    r"(?::[ \t]+(?P<title>\S.*?))?[ \t]*#*[ \t]*$"
)
_RULES = SourceMap(rule=RulePattern(heading=_HEADING, sequence="any"))
_TITLE = r"# (?P<name>\S.*?) RULESET \(LONG FORMAT\)[ \t]*(?:\n-+[ \t]*)?(?:\n|$)"
_HISTORY = r"(?i)#{1,6}[ \t]*[*_]*history[*_:]*[ \t#]*"
_JUDGEMENTS = r"(?i)#{1,6}[ \t]*[*_]*judge?ments[*_:]*[ \t#]*"


class Section(Struct, frozen=True, kw_only=True):
    """One rule: `tier` as its heading says it, in small letters. Lines carry their number, and no
    spaces at the end.

    `text` runs from the first to the last non-blank line; '' where there is none.
    """

    number: int
    revision: int
    tier: str | None
    title: str | None = None
    line: int
    text: str
    history: tuple[tuple[int, str], ...]
    judgements: tuple[tuple[int, str], ...]


class Document(Struct, frozen=True, kw_only=True):
    """A ruleset. `name` is None where no title says it; `above` is what stands between that and the
    first rule.
    """

    name: str | None
    above: str
    sections: tuple[Section, ...]


def read_document(data: bytes, notes: Notes) -> Document:
    """Read a text; what is odd about it is noted, and stop nothing."""
    found = MapReader(_RULES).read(data)
    found.note(notes)
    lines = (decode_words(data)[0] or "").split("\n")
    begun = sorted({line for line, _ in (*found.rules, *found.outside)})
    ends = [
        next((other - 1 for other in begun if other > line), len(lines)) for line, _ in found.rules
    ]
    title = re.match(_TITLE, found.above)
    return Document(
        name=title["name"] if title else None,
        above=found.above[title.end() :] if title else found.above,
        sections=tuple(
            _section(rule, line, lines[:end])
            for (line, rule), end in zip(found.rules, ends, strict=True)
        ),
    )


def _section(rule: Passage, line: int, lines: Sequence[str]) -> Section:
    """Return the rule whose heading is in a line, and whose last line is the last of these.

    Its own text may have headings of histories, too: the last one is that of its own.
    """
    history = next(
        (at for at in range(len(lines) - 1, line - 1, -1) if re.fullmatch(_HISTORY, lines[at])),
        len(lines),
    )
    rest = range(history, len(lines))
    judgements = next((at for at in rest if re.fullmatch(_JUDGEMENTS, lines[at])), len(lines))
    text, _ = markdown_text("\n".join(lines[line:history]))
    return Section(
        number=rule.number,
        revision=rule.revision or 0,
        tier=rule.tier,
        title=rule.title,
        line=line,
        text=text or "",
        history=_lines(lines[:judgements], history + 1),
        judgements=_lines(lines, judgements + 1),
    )


def _lines(lines: Sequence[str], first: int) -> tuple[tuple[int, str], ...]:
    """Return the lines from one on that are not blank, with their numbers."""
    return tuple(
        (at, line.rstrip()) for at, line in enumerate(lines[first:], first + 1) if line.strip()
    )
