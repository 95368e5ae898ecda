"""Cutting a text of Markdown into parts that each fit on a card, at the largest step of type that holds it.

Heights are estimated, on the safe side, from the number of letters: no font is at hand here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from markdown_it.token import Token

from nomicgen.files.markdown import parser

__all__ = ["STEPS", "Cut", "Step", "cut"]

_SENTENCE = re.compile(r"(?<=[.;:!?…])[\"'”’)\]*_]*\s+")
_SPACE = re.compile(r"\s+")
_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])(?: {1,4}|$)")
_QUOTE = re.compile(r"^ {0,3}> ?", re.MULTILINE)
_MARKED = re.compile(r"!\[|\||^(?: {4}|\t| {0,3}[`~#>=])", re.MULTILINE)
_GAP = 0.55
_TIGHT = 0.25
_PICTURE = 8.0
_WINDOW = 1600
_LEAST = 140


@dataclass(frozen=True, slots=True)
class Step:
    """A size of type: letters in a line, and lines on a card without a title."""

    number: int
    columns: int
    lines: float


STEPS = (Step(1, 48, 12.0), Step(2, 53, 13.3), Step(3, 59, 15.2))
"""The sizes of type on a card, the largest first."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A text in parts, each Markdown of its own, for cards of one step of type."""

    step: int
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of Markdown that stays together.

    `glue` stands between it and the piece before it, `lead` before it where it begins a card; `bound` pieces end none.
    """

    text: str
    glue: str = "\n\n"
    lead: str = ""
    bound: bool = False


def cut(text: str, *, taken: float = 0) -> Cut:
    """Cuts a text for cards. `taken` is how many lines of the first step a title takes of each card."""
    room = {step: step.lines - taken * step.columns / STEPS[0].columns for step in STEPS}
    if not _MARKED.search(text) and _rough(text, STEPS[0].columns) <= room[STEPS[0]]:
        return Cut(1, (text,))
    env: dict[str, object] = {}
    tokens = parser().parse(text, env)
    for step in STEPS:
        if _height(tokens, step.columns) <= room[step]:
            return Cut(step.number, (text,))
    tried = [(step, _parts(text, tokens, step.columns, room[step])) for step in STEPS]
    # Where smaller type saves no card, the larger is kept.
    step, parts = min(tried, key=lambda one: (len(one[1]), one[0].number))
    definitions = _definitions(env)
    return Cut(step.number, tuple(f"{part}\n\n{definitions}" if definitions else part for part in parts))


def _rough(text: str, columns: int) -> float:
    return sum(math.ceil(len(line) / columns) + _GAP for line in text.split("\n") if line.strip())


def _definitions(env: dict[str, object]) -> str:
    found = env.get("references")
    lines = []
    for label, one in found.items() if isinstance(found, dict) else ():
        title = str(one["title"]).replace('"', "&quot;")
        lines.append(f"[{label}]: <{one['href']}>" + (f' "{title}"' if title else ""))
    return "\n".join(lines)


def _parts(text: str, tokens: Sequence[Token], columns: int, room: float) -> tuple[str, ...]:
    return _packed(list(_pieces(text, tokens, columns, room)), columns, room)


def _packed(pieces: Sequence[_Piece], columns: int, room: float) -> tuple[str, ...]:
    cards: list[list[_Piece]] = [[]]
    used = 0.0
    for piece in pieces:
        height = _height(parser().parse(piece.text), columns)
        if cards[-1] and used + height > room:
            moved = [cards[-1].pop()] if cards[-1][-1].bound and len(cards[-1]) > 1 else []
            cards.append(moved)
            used = sum(_height(parser().parse(one.text), columns) for one in moved)
        cards[-1].append(piece)
        used += height
    return tuple(_joined(card) for card in cards)


def _joined(card: Sequence[_Piece]) -> str:
    return "".join((piece.glue if index else piece.lead) + piece.text for index, piece in enumerate(card))


def _pieces(text: str, tokens: Sequence[Token], columns: int, room: float) -> Iterator[_Piece]:
    """The blocks of a text, the items of its lists apart; what is higher than a card in pieces that are not."""
    lines = text.split("\n")
    end = 0
    for token in tokens:
        if token.map is None or not _is_block(token):
            continue
        start, stop = token.map
        while stop > start + 1 and not lines[stop - 1].strip():
            stop -= 1
        source = "\n".join(lines[start:stop])
        glue = "\n" * (1 + sum(not line.strip() for line in lines[end:start]))
        end = stop
        if _height(parser().parse(source), columns) <= room:
            yield _Piece(source, glue, bound=token.type == "heading_open")
        else:
            first, *rest = _smaller(source, token, columns, room)
            yield _Piece(first.text, glue, first.lead)
            yield from rest


def _is_block(token: Token) -> bool:
    lists = ("bullet_list_open", "ordered_list_open")
    return (token.level == 0 and token.nesting >= 0 and token.type not in lists) or (
        token.level == 1 and token.type == "list_item_open"
    )


def _smaller(source: str, token: Token, columns: int, room: float) -> list[_Piece]:
    match token.type:
        case "table_open":
            head, rule, *rows = source.split("\n")
            return [_Piece(row, "\n", f"{head}\n{rule}\n") for row in rows] or [_Piece(source)]
        case "fence" | "code_block":
            return _code(token, room)
        case "list_item_open":
            return _item(source, columns, room)
        case "blockquote_open":
            inside = _within(_QUOTE.sub("", source), columns, room)
            return [_Piece("\n".join(f"> {line}" for line in one.text.split("\n"))) for one in inside]
        case _:
            return [_Piece(one, " ") for one in _sentences(source)]


def _within(text: str, columns: int, room: float) -> list[_Piece]:
    return list(_pieces(text, parser().parse(text), columns - 4, room)) or [_Piece(text)]


def _code(token: Token, room: float) -> list[_Piece]:
    lines = token.content.rstrip("\n").split("\n")
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", token.content)), default=0))
    size = max(1, int(room) - 3)
    chunks = (lines[at : at + size] for at in range(0, len(lines), size))
    return [_Piece("\n".join((fence, *chunk, fence))) for chunk in chunks]


def _item(source: str, columns: int, room: float) -> list[_Piece]:
    marker = _ITEM.match(source)
    if marker is None:
        return [_Piece(one, " ") for one in _sentences(source)]
    width = marker.end()
    first, *rest = source.split("\n")
    body = [first[width:], *(line[width:] if not line[:width].strip() else line.lstrip() for line in rest)]
    pieces = _within("\n".join(body), columns, room)
    indented = pieces[0].text.replace("\n", "\n" + " " * width)
    return [_Piece(f"{marker[0]}{indented}"), *pieces[1:]]


def _sentences(text: str) -> Iterator[str]:
    """A paragraph by sentences, where emphasis, links and the like stay whole; at worst by words."""
    rest = text
    while len(rest) > _LEAST:
        at = _place(rest)
        yield rest[:at].strip()
        rest = rest[at:].lstrip()
    if rest:
        yield rest


def _place(text: str) -> int:
    window = text[:_WINDOW]
    whole = _plain(window)
    ends = [found.end() for found in _SENTENCE.finditer(window)]
    words = [found.end() for found in _SPACE.finditer(window[: _LEAST * 3])]
    for at in (*(end for end in ends if end >= _LEAST), *reversed(words)):
        before, after = _plain(window[:at]), _plain(window[at:])
        if before is not None and after is not None and whole is not None and f"{before} {after}" == whole:
            return at
    return words[-1] if words else min(len(text), _LEAST * 3)


def _plain(text: str) -> str | None:
    """What one reads of a paragraph; None for what is no single paragraph."""
    tokens = parser().parse(text)
    if [token.type for token in tokens] != ["paragraph_open", "inline", "paragraph_close"]:
        return None
    said = "".join(child.content or " " * (child.nesting == 0) for child in tokens[1].children or ())
    return " ".join(said.split())


def _height(tokens: Sequence[Token], columns: int) -> float:
    """How many lines blocks take in type of so many letters a line."""
    height = 0.0
    inset = 0
    gap = _GAP
    row: list[int] = []
    in_table = False
    for token in tokens:
        match token.type:
            case "paragraph_open":
                gap = _TIGHT if token.hidden else _GAP
            case "bullet_list_open" | "ordered_list_open" | "blockquote_open":
                inset += 4
            case "bullet_list_close" | "ordered_list_close" | "blockquote_close":
                inset -= 4
                height += _TIGHT
            case "table_open" | "table_close":
                in_table = not in_table
                height += _GAP
            case "tr_close":
                width = max(4, columns // max(1, len(row)) - 3)
                height += 0.55 + max((math.ceil(size / width) for size in row), default=1)
                row = []
            case "inline" if in_table:
                row.append(sum(len(child.content) for child in token.children or ()))
            case "inline":
                height += _rows(token.children or (), max(8, columns - inset)) + gap
            case "fence" | "code_block":
                lines = token.content.rstrip("\n").split("\n")
                height += 1.6 + sum(max(1, math.ceil(len(line) / ((columns - inset) * 0.75))) for line in lines)
            case "html_block" | "hr":
                height += 1 + _GAP + len(token.content) / columns
            case _:
                continue
    return height


def _rows(children: Iterable[Token], columns: int) -> float:
    rows, letters = 0.0, 0
    for child in children:
        if child.type == "image":
            rows += _PICTURE
        elif child.type == "hardbreak" or child.content.startswith("<br"):
            rows += max(1, math.ceil(letters / columns))
            letters = 0
        else:
            letters += len(child.content) if child.content else int(child.type == "softbreak")
    return rows + (max(1, math.ceil(letters / columns)) if letters or not rows else 0)
