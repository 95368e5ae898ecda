"""A rule's text from a text in Markdown: kept as it stands, but for what no rule's text can hold."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nomicgen.files.bounds import is_tame
from nomicgen.files.markdown import check_bounds, check_fences, check_html, is_rule_block, parse_body
from nomicgen.files.notes import Notes
from nomicgen.files.text import trimmed
from nomicgen.importers.text_lines import Line
from nomicgen.patterns import lazy_pattern

__all__ = ["code_lines", "fenced", "is_drawn", "kept", "sound", "sound_by_parser"]

_HASHES = lazy_pattern(r"(?<!#)#{1,2}(?=[ \t]|$)")
_TAG = lazy_pattern(r"<(?=[A-Za-z/!?])(?!(?:/?(?:sub|sup|span)|br ?/?)>|https?://)")
_CODE = lazy_pattern(r"(`+[^`]*`+)")
# Without one of these nothing is a heading, HTML or a fence; a heading may be underlined as well.
_MARKS = ("<", "#", "```", "~~~", "\r")
_UNDERLINED = lazy_pattern(r"[=-][ \t]*$", re.MULTILINE)
_TICKS = lazy_pattern(r"`{3,}")
_DRAWN = lazy_pattern(r"(?=.*[/\\])[\s/\\|_<>(){}`'\".,^~*=+-]{3,}")
_DROPPED = "\0"
_LAST = lazy_pattern(r"\s*\\?$")


def code_lines(text: str, *, html: bool = True) -> frozenset[int]:
    """The lines of a text, from 0, that are code, or HTML, and neither heading nor list."""
    tokens = parse_body(text, 1).tokens
    found: set[int] = set()
    for token in tokens:
        if token.type in ("fence", "code_block", "html_block" if html else "") and token.map is not None:
            found.update(range(*token.map))
    return frozenset(found)


def kept(lines: Sequence[Line]) -> tuple[str, tuple[int, ...], tuple[int, ...]] | None:
    """The text of a rule's lines, and the numbers of those in which a heading was lowered or HTML escaped.

    None where it cannot be a rule's text even so.
    """
    texts = [line.text for line in lines]
    indents = [len(text) - len(text.lstrip(" ")) for line, text in zip(lines, texts, strict=True) if _whole(line)]
    shift = min(indents, default=0)
    texts = [text[shift:] if _whole(line) else text for line, text in zip(lines, texts, strict=True)]
    texts = [text if text.strip() else "" for text in texts]
    lowered = [lines[at].number for at in _headings_lowered(texts)]
    text = _joined(texts)
    if sound(text):
        return text, tuple(lowered), ()
    escaped = [lines[at].number for at in _html_escaped(texts)]
    text = _joined(texts)
    return (text, tuple(lowered), tuple(escaped)) if sound(text) else None


def is_drawn(texts: Sequence[str]) -> bool:
    """Whether lines are a drawing: two of them have no letters, and strokes that slant."""
    return sum(_DRAWN.fullmatch(text) is not None for text in texts) > 1


def fenced(text: str) -> str | None:
    """A text as code, None where a rule cannot have it even so."""
    fence = max(["```", *(f"{ticks}`" for ticks in _TICKS.findall(text))], key=len)
    lines = text.strip("\n").rstrip()
    made = f"{fence}text\n{lines}\n{fence}"
    return made if sound(made) else None


def sound(text: str) -> bool:
    """Whether a text can be a rule's: within bounds, no heading above level 3, no HTML but the four, fences closed."""
    plain = not any(mark in text for mark in _MARKS) and not _is_underlined(text)
    return bool(text.strip()) and ((plain and is_tame(text)) or sound_by_parser(text))


def _is_underlined(text: str) -> bool:
    """Whether a line ends as one below a heading does."""
    return any(mark in text for mark in "=-") and _UNDERLINED.search(text) is not None


def sound_by_parser(text: str) -> bool:
    """The same of a text that is not blank, whatever it holds."""
    body = parse_body(text, 1)
    notes = Notes("")
    check_bounds(body, notes)
    check_fences(body, notes)
    check_html(body, notes)
    high = any(token.type == "heading_open" and token.tag in ("h1", "h2") for token in body.tokens)
    return not notes and not high and not any(map(is_rule_block, body.tokens))


def _whole(line: Line) -> bool:
    """Whether a line's indentation says how far the text is indented."""
    return line.column == 1 and bool(line.text.strip())


def _headings_lowered(texts: list[str]) -> list[int]:
    """Writes headings of levels 1 and 2 at level 3, and `yaml rule` fences as `yaml`; gives the lines, from 0."""
    changed = []
    for token in parse_body("\n".join(texts), 1).tokens:
        if token.map is None:
            continue
        first, end = token.map
        if is_rule_block(token):
            texts[first] = texts[first].replace(token.info.strip(), "yaml")
            changed.append(first)
        elif token.type == "heading_open" and token.tag in ("h1", "h2"):
            if token.markup in ("=", "-"):
                _underlined(texts, first, end)
            else:
                texts[first] = _HASHES.sub("###", texts[first], count=1)
            changed.append(first)
    return changed


def _underlined(texts: list[str], first: int, end: int) -> None:
    """Makes a heading of level 3 of one that is underlined; its lines become one."""
    words = " ".join(_LAST.sub("", one.strip()) for one in texts[first : end - 1])
    indent = texts[first][: len(texts[first]) - len(texts[first].lstrip())]
    texts[first:end] = [f"{indent}### {words}", *[_DROPPED] * (end - first - 1)]


def _html_escaped(texts: list[str]) -> list[int]:
    """Escapes tags other than the four, outside of code; gives the lines, from 0."""
    code = code_lines("\n".join(texts), html=False)
    changed = []
    for at, text in enumerate(texts):
        if at not in code:
            # Every second piece is code.
            pieces = _CODE.split(text)
            pieces[::2] = [_TAG.sub(r"\\<", piece) for piece in pieces[::2]]
            texts[at] = "".join(pieces)
            if texts[at] != text:
                changed.append(at)
    return changed


def _joined(texts: Sequence[str]) -> str:
    """The lines from the first to the last that is not blank."""
    lines = [text for text in texts if text != _DROPPED]
    start, end = trimmed(lines, 0, len(lines))
    return "\n".join(lines[start:end])
