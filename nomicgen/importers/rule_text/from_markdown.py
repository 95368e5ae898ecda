"""A rule's text from a text in Markdown: as it stands, except for what no rule's text may have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from nomicgen.files.file_findings import Notes
from nomicgen.files.headings import looks_like_instruction
from nomicgen.files.markdown import (
    check_bounds,
    check_fences,
    check_html,
    is_rule_block,
    parse_body,
)
from nomicgen.files.markdown_limits import is_tame
from nomicgen.files.text_encoding import trim_blank_lines
from nomicgen.importers.lines import Line
from nomicgen.importers.rule_text.from_html import escape_leading_tags, escape_tags, without_html

_HASHES = r"(?<!#)#{1,2}(?=[ \t]|$)"
"""The signs of a heading of level 1 or 2."""
# Without one of these nothing is a heading, HTML or a fence; a heading may be underlined as well.
_MARKS = ("<", "#", "```", "~~~", "\r")
_UNDERLINED = r"(?m)[=-][ \t]*$"
"""The end of a line that may underline a heading."""
_IN_HEADING = r"[A-Za-z0-9 .,;:!?'’()/&+*_=%$@\"–—-]*[A-Za-z0-9.,;:!?'’()/&+*_=%$@\"–—-]"
"""A title that is no markup, so that the parser need not be asked."""
_TICKS = r"`{3,}"
_DROPPED = "\0"
"""Stands for a line that is dropped, so that the lines after it keep their numbers."""
_LINE_END = r"\s*\\?$"
"""The end of a line, with the sign of a break, if there is one."""


def code_lines(text: str) -> frozenset[int]:
    """Return the lines of a text, from 0, that are in blocks of code."""
    code: set[int] = set()
    for token in parse_body(text, 1).tokens:
        if token.type in ("fence", "code_block") and token.map is not None:
            code.update(range(*token.map))
    return frozenset(code)


class RuleMarkdown(Struct, frozen=True, kw_only=True):
    """A text that a rule may have; `rewritten` says whether it had to be changed for that."""

    text: str
    rewritten: bool = False


def as_markdown(lines: Sequence[Line]) -> RuleMarkdown | None:
    """Return the text of a rule's lines; None where no change can make it one that a rule
    may have.
    """
    indents = [len(line.text) - len(line.text.lstrip(" ")) for line in lines if _shows_indent(line)]
    shift = min(indents, default=0)
    texts = [line.text[shift:] if _shows_indent(line) else line.text for line in lines]
    given = _joined([text if text.strip() else "" for text in texts])
    text = next(filter(is_rule_text, _attempts(given)), None)
    return RuleMarkdown(text=text, rewritten=text != given) if text is not None else None


def _attempts(text: str) -> Iterator[str]:
    """Yield a text as it stands, then with lower headings, without HTML that no rule may have, and
    with the tags that begin lines escaped.
    """
    yield text
    text = with_lower_headings(text)
    yield text
    text = without_html(text, code_lines(text))
    text = escape_tags(text, code_lines(text))
    # What was HTML may have hidden a heading.
    text = with_lower_headings(text)
    yield text
    yield escape_leading_tags(text, code_lines(text))


def fence_text(text: str) -> str | None:
    """Return a text as a block of code; None where a rule may not have even that."""
    fence = max(["```", *(f"{ticks}`" for ticks in re.findall(_TICKS, text))], key=len)
    lines = text.strip("\n").rstrip()
    block = f"{fence}text\n{lines}\n{fence}"
    return block if is_rule_text(block) else None


def is_rule_text(text: str) -> bool:
    """Return whether a rule may have a text: it is not blank, keeps to the limits, and has no
    heading of level 1 or 2, no `yaml rule` block, and no HTML except a few tags.
    """
    plain = not any(mark in text for mark in _MARKS) and not _is_underlined(text)
    return bool(text.strip()) and ((plain and is_tame(text)) or sound_by_parser(text))


def fits_heading(title: str) -> bool:
    """Return whether a title can stand in the heading of an instruction, and be read back
    from it.
    """
    return re.fullmatch(_IN_HEADING, title) is not None or (
        is_rule_text(f"### {title}") and not title.endswith("#")
    )


def _is_underlined(text: str) -> bool:
    """Return whether a line of a text ends as the underline of a heading does."""
    return any(mark in text for mark in "=-") and re.search(_UNDERLINED, text) is not None


def sound_by_parser(text: str) -> bool:
    """Return what `is_rule_text` returns for a text that is not blank; always ask the parser."""
    body = parse_body(text, 1)
    notes = Notes("")
    check_bounds(body, notes)
    check_fences(body, notes)
    check_html(body, notes)
    high = any(token.type == "heading_open" and token.tag in ("h1", "h2") for token in body.tokens)
    return not notes and not high and not any(map(is_rule_block, body.tokens))


def _shows_indent(line: Line) -> bool:
    """Return whether a line is not blank and begins in column 1, so that its indentation counts."""
    return line.column == 1 and bool(line.text.strip())


def with_lower_headings(text: str) -> str:
    """Return the text so that nothing in it is an instruction or a `yaml rule` block.

    Headings of levels 1 and 2 get level 3; a heading that reads like an instruction becomes a line
    in bold; fences of `yaml rule` become those of `yaml`.
    """
    texts = text.split("\n")
    tokens = parse_body(text, 1).tokens
    for at, token in enumerate(tokens):
        if token.map is None:
            continue
        first, end = token.map
        heading = (
            f"### {tokens[at + 1].content}"
            if token.type == "heading_open" and token.level == 0
            else ""
        )
        if looks_like_instruction(heading) and "\n" not in heading:
            before = "\n" if first and texts[first - 1] not in ("", _DROPPED) else ""
            after = "\n" if end < len(texts) and texts[end].strip() else ""
            texts[first:end] = [
                f"{before}**{heading[4:]}**{after}",
                *[_DROPPED] * (end - first - 1),
            ]
        elif is_rule_block(token):
            texts[first] = texts[first].replace(token.info.strip(), "yaml")
        elif token.type == "heading_open" and token.tag in ("h1", "h2"):
            if token.markup in ("=", "-"):
                _turn_into_heading(texts, first, end)
            else:
                texts[first] = re.sub(_HASHES, "###", texts[first], count=1)
    return _joined(texts)


def _turn_into_heading(texts: list[str], first: int, end: int) -> None:
    """Put a heading of level 3 in place of an underlined one; its lines become one."""
    words = " ".join(re.sub(_LINE_END, "", text.strip()) for text in texts[first : end - 1])
    indent = texts[first][: len(texts[first]) - len(texts[first].lstrip())]
    texts[first:end] = [f"{indent}### {words}", *[_DROPPED] * (end - first - 1)]


def _joined(texts: Sequence[str]) -> str:
    """Return lines as a text, without dropped ones, and without blank ones at its ends."""
    lines = [text for text in texts if text != _DROPPED]
    start, end = trim_blank_lines(lines, 0, len(lines))
    return "\n".join(lines[start:end])
