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
"""The map by which the rules of a text are found."""
_TITLE = r"# (?P<name>\S.*?) RULESET \(LONG FORMAT\)[ \t]*(?:\n-+[ \t]*)?(?:\n|$)"
_HISTORY = r"(?i)#{1,6}[ \t]*[*_]*history[*_:]*[ \t#]*"
_JUDGEMENTS = r"(?i)#{1,6}[ \t]*[*_]*judge?ments[*_:]*[ \t#]*"


class Section(Struct, frozen=True, kw_only=True):
    """One rule: `number`, `revision`, `tier` and `title` are as its heading in `line` says.

    `text` runs from the first to the last line that is not blank; '' where there is none. `history`
    and `judgements` are lines that are not blank, with their numbers, and without spaces at the
    end.
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
    """Read a text; what is odd about it is noted, and stops nothing."""
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
    """Return the rule that has its heading in `line` and ends with the last of `lines`.

    Its text may quote headings of histories, so the last of them begins the rule's own.
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
    """Return the lines that are not blank, with their numbers, from the index `first` on."""
    return tuple(
        (at, line.rstrip()) for at, line in enumerate(lines[first:], first + 1) if line.strip()
    )
