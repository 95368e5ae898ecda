"""A rule's text from a text in Markdown: kept as it stands, except for what no rule's text can
hold.
"""

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
# Without one of these nothing is a heading, HTML or a fence; a heading may be underlined as well.
_MARKS = ("<", "#", "```", "~~~", "\r")
_UNDERLINED = r"(?m)[=-][ \t]*$"
_IN_HEADING = r"[A-Za-z0-9 .,;:!?'’()/&+*_=%$@\"–—-]*[A-Za-z0-9.,;:!?'’()/&+*_=%$@\"–—-]"
_TICKS = r"`{3,}"
_DROPPED = "\0"
_LAST = r"\s*\\?$"


def code_lines(text: str, *, html: bool = True) -> frozenset[int]:
    """Return the lines of a text, from 0, that are code, or HTML, and neither heading nor list."""
    tokens = parse_body(text, 1).tokens
    code: set[int] = set()
    for token in tokens:
        if (
            token.type in ("fence", "code_block", "html_block" if html else "")
            and token.map is not None
        ):
            code.update(range(*token.map))
    return frozenset(code)


class RuleMarkdown(Struct, frozen=True, kw_only=True):
    """A text that a rule may have; `rewritten` says that headings were lowered, or HTML became
    Markdown or words.
    """

    text: str
    rewritten: bool = False


def as_markdown(lines: Sequence[Line]) -> RuleMarkdown | None:
    """Return the text of a rule's lines; None where no escaping can make it a rule's."""
    indents = [len(line.text) - len(line.text.lstrip(" ")) for line in lines if _whole(line)]
    shift = min(indents, default=0)
    texts = [line.text[shift:] if _whole(line) else line.text for line in lines]
    given = _joined([text if text.strip() else "" for text in texts])
    text = next(filter(is_rule_text, _attempts(given)), None)
    return RuleMarkdown(text=text, rewritten=text != given) if text is not None else None


def _attempts(text: str) -> Iterator[str]:
    """Yield a text as it stands, then with more and more of it written otherwise."""
    yield text
    text = with_lower_headings(text)
    yield text
    text = without_html(text, code_lines(text, html=False))
    text = escape_tags(text, code_lines(text, html=False))
    # What was HTML may have hidden a heading.
    text = with_lower_headings(text)
    yield text
    yield escape_leading_tags(text, code_lines(text, html=False))


def fence_text(text: str) -> str | None:
    """Return a text as code, None where a rule cannot have it even so."""
    fence = max(["```", *(f"{ticks}`" for ticks in re.findall(_TICKS, text))], key=len)
    lines = text.strip("\n").rstrip()
    block = f"{fence}text\n{lines}\n{fence}"
    return block if is_rule_text(block) else None


def is_rule_text(text: str) -> bool:
    """Return whether a text can be a rule's: within bounds, and without low headings and unknown
    HTML.
    """
    plain = not any(mark in text for mark in _MARKS) and not _is_underlined(text)
    return bool(text.strip()) and ((plain and is_tame(text)) or sound_by_parser(text))


def fits_heading(title: str) -> bool:
    """Return whether a title can stand in a heading of its rule's instruction and be read back."""
    return re.fullmatch(_IN_HEADING, title) is not None or (
        is_rule_text(f"### {title}") and not title.endswith("#")
    )


def _is_underlined(text: str) -> bool:
    """Return whether a line ends as one below a heading does."""
    return any(mark in text for mark in "=-") and re.search(_UNDERLINED, text) is not None


def sound_by_parser(text: str) -> bool:
    """Return the same of a text that is not blank, whatever it holds."""
    body = parse_body(text, 1)
    notes = Notes("")
    check_bounds(body, notes)
    check_fences(body, notes)
    check_html(body, notes)
    high = any(token.type == "heading_open" and token.tag in ("h1", "h2") for token in body.tokens)
    return not notes and not high and not any(map(is_rule_block, body.tokens))


def _whole(line: Line) -> bool:
    """Return whether a line's indentation says how far the text is indented."""
    return line.column == 1 and bool(line.text.strip())


def with_lower_headings(text: str) -> str:
    """Return the text with headings of levels 1 and 2 at level 3, and `yaml rule` fences as `yaml`.

    None of it is obeyed.

    What reads like the heading of an instruction is a line in bold.
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
    """Make a heading of level 3 of one that is underlined; its lines become one."""
    words = " ".join(re.sub(_LAST, "", text.strip()) for text in texts[first : end - 1])
    indent = texts[first][: len(texts[first]) - len(texts[first].lstrip())]
    texts[first:end] = [f"{indent}### {words}", *[_DROPPED] * (end - first - 1)]


def _joined(texts: Sequence[str]) -> str:
    """Return the lines from the first to the last that is not blank."""
    lines = [text for text in texts if text != _DROPPED]
    start, end = trim_blank_lines(lines, 0, len(lines))
    return "\n".join(lines[start:end])
