"""Markdown laid out as plain text: wrapped at spaces, markup dropped, list items hanging by their marker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from nomicgen.files.markdown import parser
from nomicgen.patterns import lazy_pattern

__all__ = ["plain", "plain_line"]

WIDTH = 70
INDENT = 6
_BREAK = lazy_pattern(r"<br ?/?>")
# `profanity<sup>[1]</sup>`, `1<sup>st</sup>`: raised for looks; any other is a power, and reads wrong on the line.
_RAISED_FOR_LOOKS = lazy_pattern(r"\[.*\]|st|nd|rd|th|[^\w\s+-]*")


def plain(text: str, width: int = WIDTH, indent: int = INDENT) -> str:
    """A text of Markdown as lines of at most `width` characters, each after `indent` spaces, without a last line feed.

    Lines break at spaces only: a longer word, code or a table may stand out. Blocks are parted by blank lines.
    """
    lines = _blocks(SyntaxTreeNode(parser().parse(text)), width - indent)
    return "\n".join(f"{' ' * indent}{line}" if line else "" for line in lines)


def plain_line(text: str) -> str:
    """A text of Markdown on one line."""
    return " ".join(line.strip() for line in _blocks(SyntaxTreeNode(parser().parse(text)), 1 << 30) if line.strip())


def _blocks(node: SyntaxTreeNode, width: int, tight: bool = False) -> list[str]:
    """The lines of a node's blocks, one after the other; `tight` without blank lines between them."""
    lines: list[str] = []
    for block in node.children:
        found = _block(block, width)
        if lines and found and not tight:
            lines.append("")
        lines.extend(found)
    return lines


def _block(node: SyntaxTreeNode, width: int) -> list[str]:
    match node.type:
        case "paragraph" | "heading":
            return list(_wrapped(_words(node), width))
        case "bullet_list" | "ordered_list":
            return _list(node, width)
        case "blockquote":
            return _hung(_blocks(node, width - 2), "> ", "> ")
        case "table":
            return _table(node)
        case "hr":
            return ["* * *"]
        case "fence" | "code_block" | "html_block":
            return [line.rstrip() for line in node.content.rstrip("\n").split("\n")]
        case _:
            return []


def _list(node: SyntaxTreeNode, width: int) -> list[str]:
    tight = not any(part.type == "paragraph" and not part.hidden for item in node.children for part in item.children)
    lines: list[str] = []
    for item in node.children:
        marker = f"{item.info}{item.markup} "
        found = _blocks(item, width - len(marker), tight) or [""]
        if lines and not tight:
            lines.append("")
        lines.extend(_hung(found, marker, " " * len(marker)))
    return lines


def _hung(lines: Sequence[str], first: str, rest: str) -> list[str]:
    return [f"{rest if at else first}{line}".rstrip() for at, line in enumerate(lines)]


def _table(node: SyntaxTreeNode) -> list[str]:
    rows = [
        [" ".join(_words(cell).split()) for cell in row.children] for part in node.children for row in part.children
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [" | ".join(cell.ljust(size) for cell, size in zip(row, widths, strict=True)).rstrip() for row in rows]
    return [lines[0], "-+-".join("-" * size for size in widths), *lines[1:]]


def _wrapped(text: str, width: int) -> Iterator[str]:
    """The lines of a text: its own, each broken at spaces as late as the width lets it be."""
    for part in text.split("\n"):
        line = ""
        for word in part.split(" "):
            if line and word and len(line) + 1 + len(word) > width:
                yield line
                line = word
            elif word:
                line = f"{line} {word}" if line else word
        if line:
            yield line


def _words(node: SyntaxTreeNode) -> str:
    """What a paragraph, heading or cell says, with a line feed for each hard break."""
    return "".join(_inline(token.children or ()) for token in _inline_tokens(node))


def _inline_tokens(node: SyntaxTreeNode) -> Iterator[Token]:
    for child in node.children:
        if child.type == "inline" and child.token is not None:
            yield child.token


def _inline(tokens: Sequence[Token]) -> str:
    parts: list[str] = []
    links: list[tuple[int, str]] = []
    raised: list[int] = []
    for token in tokens:
        if token.type == "link_open":
            links.append((len(parts), str(token.attrGet("href") or "")))
        elif token.type == "link_close":
            start, address = links.pop()
            parts.append(_address("".join(parts[start:]), address))
        elif token.type == "html_inline":
            _html(token.content, parts, raised)
        else:
            parts.append(_said(token))
    return "".join(parts)


def _said(token: Token) -> str:
    match token.type:
        case "text" | "code_inline":
            return token.content.replace("\n", " ").replace("\t", " ")
        case "softbreak":
            return " "
        case "hardbreak":
            return "\n"
        case "image":
            described = _inline(token.children or ())
            return f"[{described}: {token.attrGet('src')}]" if described else f"[{token.attrGet('src')}]"
        case "s_open" | "s_close":
            # What is struck out would otherwise read as law.
            return "~~"
        case _:
            return ""


def _address(shown: str, address: str) -> str:
    """The address of a link after its text, unless the text says it."""
    told = address.removeprefix("mailto:")
    return "" if not told or told == shown or shown.replace(" ", "%20") == told else f" ({address})"


def _html(tag: str, parts: list[str], raised: list[int]) -> None:
    """Raw HTML: a break, or something raised; any other tag is dropped."""
    if _BREAK.fullmatch(tag):
        parts.append("\n")
    elif tag == "<sup>":
        raised.append(len(parts))
    elif tag == "</sup>" and raised:
        start = raised.pop()
        words = "".join(parts[start:])
        if not _RAISED_FOR_LOOKS.fullmatch(words):
            parts[start:] = [f"^({words})"]
