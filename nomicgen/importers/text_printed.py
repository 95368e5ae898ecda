"""A ruleset as a program printed it: this one, in Nomic IV's formats, or Agora's, in its Logical Rulesets.

Below a heading at the margin its rule's text stands indented, and below that what is no text: histories and the like.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from nomicgen.files.text_encoding import trimmed
from nomicgen.formats.plaintext import plain, unwrapped
from nomicgen.formats.ruleset_text import LEAST, LOST, escaped
from nomicgen.importers.long_format import Document, Section
from nomicgen.importers.printed_history import parse_history_line
from nomicgen.importers.text_blocks import plain_as_markdown, room_in
from nomicgen.importers.text_lines import Line, is_ruler, lines_of, tier_of_power
from nomicgen.importers.text_markdown import as_markdown, code_lines, fenced, is_drawn, sound
from nomicgen.importers.text_outline import Outline, Outside, RulePart
from nomicgen.patterns import lazy_pattern

_TITLE = lazy_pattern(r"(?P<hash># )?(?P<name>\S.{0,200}?) RULESET \((?P<length>SHORT|LONG) FORMAT\)")
_HEADING = lazy_pattern(
    r"(?:## |Rule )(?P<number>[1-9][0-9]{0,8})(?:/(?P<revision>0|[1-9][0-9]{0,5}))?"
    r"(?: \((?P<mark>[A-Za-z][A-Za-z0-9.= -]{0,63})\))?(?:: (?P<title>\S.*?))?[ \t]*"
)
_BELOW = lazy_pattern(r"(?P<kind>History|Annotations|Judge?ments):[ \t]*|\[.*")
_ROMAN = lazy_pattern(r"[IVX]+")
_FEWEST = 3
_MOST = 0.9
_WIDE = 20


class _Block(Struct, kw_only=True):
    """A rule as it is printed: lines of its text, and of what stands below it by the words above."""

    line: int
    number: int
    revision: int | None
    mark: str | None
    title: str | None
    text: list[Line]
    below: dict[str, list[Line]]
    outside: list[Line]
    section: str | None = None


def name_of(lines: Sequence[Line]) -> str | None:
    """The name in the title of a ruleset that this program printed, None in any other."""
    match = _TITLE.fullmatch(lines[0].text.rstrip()) if lines else None
    return " ".join(map(_capital, match["name"].split())) if match else None


def _capital(word: str) -> str:
    return word if _ROMAN.fullmatch(word) else word.capitalize()


def printed_outline(lines: Sequence[Line]) -> Outline | None:
    """The rules of a printed text, None where it is none."""
    blocks = _blocks(lines)
    if not blocks:
        return None
    title = _TITLE.fullmatch(lines[0].text.rstrip())
    is_agora = sum(tier_of_power(one.mark or "") is not None for one in blocks) > len(blocks) / 2
    exact = _words if title and title["hash"] else _ours(blocks) if title else _sound if is_agora else None
    rest = [line for line in lines[: blocks[0].line - 1] if not is_ruler(line.text)][1 if title else 0 :]
    above = _trimmed(rest)
    outside = [Outside(why="above", lines=above)] if above else []
    section = _section(lines[: blocks[0].line - 1])
    for one, after in zip(blocks, [*blocks[1:], None], strict=True):
        one.section, section = section, _section(one.outside) or section
        if left := _trimmed([line for line in one.outside if not is_ruler(line.text)]):
            outside.append(Outside(why="heading" if after else "below", lines=left, number=one.number))
    parts = tuple(_part(one, exact, least=LEAST if title else None) for one in blocks)
    placed = {one.line for one in blocks} | {line.number for one in blocks for line in one.text}
    placed |= {line.number for one in blocks for some in one.below.values() for line in some}
    placed |= {line.number for one in outside for line in one.lines}
    headings = tuple(line for line in lines if not line.blank and line.number not in placed)
    return Outline(parts=parts, outside=tuple(outside), headings=headings)


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
    return Document(name=title["name"], sections=sections) if any(one.history for one in sections) else None


def _lines(part: RulePart, kind: str) -> tuple[tuple[int, str], ...]:
    """The lines of a history or of judgements, as they stand in Markdown."""
    found = []
    for line in part.below.get(kind, ()):
        words = line.text.strip()
        plainly = f"*{escaped(words)}*"
        found.append((line.number, plainly if parse_history_line(plainly) else f"*{words}*"))
    return tuple(found)


def _blocks(lines: Sequence[Line]) -> list[_Block]:
    """The rules, none where too few of the headings have an indented text below."""
    title = _TITLE.fullmatch(lines[0].text.rstrip())
    is_markdown = title is not None and title["hash"] is not None
    code = code_lines("\n".join(line.text for line in lines)) if is_markdown else frozenset[int]()
    sign = "## " if is_markdown else "Rule "
    starts = [
        (at, match)
        for at, line in enumerate(lines)
        if line.text.startswith(sign) and at not in code and (match := _HEADING.fullmatch(line.text))
    ]
    found = []
    for (at, match), (end, _) in pairwise([*starts, (len(lines), None)]):
        assert match is not None
        block = _Block(
            line=at + 1,
            number=int(match["number"]),
            revision=int(match["revision"]) if match["revision"] else None,
            mark=match["mark"],
            title=match["title"],
            text=[],
            below={},
            outside=[],
        )
        if is_markdown:
            block.text = list(lines[at + 1 : end])
        else:
            _fill(block, lines[at + 1 : end])
        found.append(block)
    sound = [one for one in found if is_markdown or _is_indented(one)]
    few = len(sound) < (1 if title else _FEWEST)
    return [] if few or len(sound) < _MOST * len(found) else found


def _fill(block: _Block, lines: Sequence[Line]) -> None:
    """Parts what stands below a heading: its rule's title and text, what is no text, and what is no rule's."""
    kind = ""
    for at, line in enumerate(lines):
        if block.outside or (line.text[:_WIDE].strip("-=") == "" and is_ruler(line.text) and len(line.text) >= _WIDE):
            block.outside.append(line)
        elif match := _BELOW.fullmatch(line.text):
            kind = (match["kind"] or "Annotations").replace("Judge", "Judg")
            block.below.setdefault(kind, [])
            if not match["kind"]:
                block.below[kind].append(line)
        elif kind:
            block.below[kind] += [] if line.blank else [line]
        elif at == 0 and not line.blank and line.indent == 0 and (len(lines) == 1 or lines[1].blank):
            block.title = line.text.strip()
        else:
            block.text.append(line)


def _section(lines: Sequence[Line]) -> str | None:
    """The heading between two rulers above a rule, the upper of them double."""
    for one, after in pairwise(lines):
        if one.text.startswith("=" * _WIDE) and is_ruler(one.text) and not (after.blank or is_ruler(after.text)):
            return " ".join(after.text.split())
    return None


def _is_indented(block: _Block) -> bool:
    told = [line for line in block.text if not line.blank]
    return bool(told) and all(line.indent > 1 for line in told)


def _trimmed(lines: Sequence[Line]) -> tuple[Line, ...]:
    start, end = trimmed([line.text for line in lines], 0, len(lines))
    return tuple(lines[start:end])


def _part(block: _Block, exact: Callable[[tuple[Line, ...]], str | None] | None, least: str | None) -> RulePart:
    lines = _trimmed(block.text)
    text = exact(lines) if exact is not None and lines else None
    return RulePart(
        number=block.number,
        revision=block.revision,
        line=block.line,
        lines=() if text == LOST else lines,
        mark=tier_of_power(block.mark or "") or (block.mark.casefold() if block.mark and least else None) or least,
        title=block.title or None,
        section=block.section,
        exact=None if text == LOST else text,
        below=block.below,
    )


def _words(lines: tuple[Line, ...]) -> str | None:
    made = as_markdown(lines)
    return made.text if made is not None else fenced("\n".join(line.text for line in lines))


def _sound(lines: tuple[Line, ...]) -> str | None:
    """A text of Agora's as its data have it."""
    shift = min((line.indent for line in lines if not line.blank), default=0)
    return _agoras("\n".join(line.text[shift:].rstrip() for line in lines))


@lru_cache(maxsize=65536)
def _agoras(text: str) -> str | None:
    lines = lines_of(text)
    made = None if is_drawn([line.text for line in lines]) else as_markdown(lines)
    return made.text if made is not None else fenced(text)


def _ours(blocks: Sequence[_Block]) -> Callable[[tuple[Line, ...]], str | None] | None:
    """How a text is read back that `plain` printed; None where most of them are of another's making."""

    def read(lines: tuple[Line, ...]) -> str | None:
        text = unwrapped([line.text for line in lines])
        printed = plain(text).split("\n")
        same = [line.rstrip() for line in printed] == [line.text.rstrip() for line in lines]
        return text if same and sound(text) else None

    made = Counter(read(_trimmed(one.text)) is not None for one in blocks)
    return read if made[True] >= _MOST * len(blocks) else None
