"""Markdown laid out as plain text, and read back: indented, its paragraphs wrapped at spaces, and else as it stands.

Nothing is lost: a line that was broken to be wrapped could not have held the next word, or else it ends in a space.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nomicgen.files.markdown import parse_body
from nomicgen.patterns import lazy_pattern

__all__ = ["INDENT", "WIDTH", "plain", "unwrapped"]

WIDTH = 70
INDENT = 6
_KEPT = " "
"""At a line's end: it ends here in the text as well, though the next word would not have had room."""
_LEAD = lazy_pattern(r"[\s>]*(?:(?:[-+*]|[0-9]{1,9}[.)])[ \t]+[\s>]*)*")
_QUOTED = lazy_pattern(r"[^>\s]")
# At a line's beginning it would be more than a word.
_MARK = lazy_pattern(r"[-+*](?:\s|$)|#{1,6}(?:\s|$)|[0-9]{1,9}[.)](?:\s|$)|>|<|```|~~~|[-=|:*_]+(?:\s|$)")


def plain(text: str, width: int = WIDTH, indent: int = INDENT) -> str:
    """A text of Markdown, each line after `indent` spaces, those of paragraphs at most `width` characters wide.

    Lines break at spaces only: a longer word, code or a table may stand out, and all of a text that would not be read
    back as it is.
    """
    made = _laid(text, width - indent, indent, breaks=True)
    return (
        made
        if unwrapped(made.split("\n"), width, indent) == text
        else _laid(text, width - indent, indent, breaks=False)
    )


def _laid(text: str, room: int, indent: int, *, breaks: bool) -> str:
    lines = text.split("\n")
    found: list[str] = []
    at = 0
    for start, end in _paragraphs(text):
        found += lines[at:start]
        broken = [
            list(_broken(line, at == start, room)) if breaks else [line]
            for at, line in enumerate(lines[start:end], start)
        ]
        for pieces, after in zip(broken, [*broken[1:], None], strict=True):
            if after is not None and not _ends(pieces[-1], after[0], room):
                pieces[-1] += _KEPT
            found += pieces
        at = end
    found += lines[at:]
    return "\n".join(f"{' ' * indent}{line}" if line else "" for line in found)


def unwrapped(lines: Sequence[str], width: int = WIDTH, indent: int = INDENT) -> str:
    """The text of which `plain` made lines."""
    bare = [line[indent:] for line in lines]
    found: list[str] = []
    at = 0
    for start, end in _paragraphs("\n".join(bare)):
        found += bare[at:start]
        open_line: str | None = None
        for line, after in zip(bare[start:end], [*bare[start + 1 : end], None], strict=True):
            words = line if open_line is None else f"{open_line} {_words(line)}"
            open_line = None
            if after is not None and not _ends(line, after, width - indent):
                open_line = words
            else:
                is_kept = after is not None and line.endswith(_KEPT) and not line.endswith("  ")
                found.append(words.removesuffix(_KEPT) if is_kept else words)
        at = end
    return "\n".join([*found, *bare[at:]])


def _paragraphs(text: str) -> list[tuple[int, int]]:
    """The lines, from 0, of each paragraph of a text, up to the one after its last."""
    tokens = parse_body(text, 1).tokens
    return [(one.map[0], one.map[1]) for one in tokens if one.type == "paragraph_open" and one.map is not None]


def _words(line: str) -> str:
    match = _QUOTED.search(line)
    return line[match.start() :] if match else ""


def _ends(line: str, after: str, room: int) -> bool:
    """Whether a line ends where it stands: the next word would have had room, or it says so itself."""
    return line.endswith((" ", "\\")) or len(line) + 1 + len(next(_units(_words(after)), "")) <= room


def _broken(line: str, is_first: bool, room: int) -> Iterator[str]:
    """A line of a paragraph, in as many as it takes; they hang by the marks of its list, or of its quotation."""
    match = _LEAD.match(line) if is_first else None
    lead = match[0] if match else line[: len(line) - len(_words(line))]
    hang = _QUOTED.sub(" ", lead)
    made = lead
    empty = True
    for unit in _units(line[len(lead) :]):
        if empty or len(made) + 1 + len(unit) <= room:
            made += unit if empty else f" {unit}"
        else:
            yield made
            made = hang + unit
        empty = False
    yield made


def _units(words: str) -> Iterator[str]:
    """What stands between the spaces at which a line may be broken."""
    unit = ""
    for word in words.split(" "):
        if unit and unit[-1] not in " \\" and word.strip() == word != "" and not _MARK.match(word):
            yield unit
            unit = word
        else:
            unit = f"{unit} {word}" if unit else word
    if unit:
        yield unit
