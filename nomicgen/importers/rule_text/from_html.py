"""HTML in a text of Markdown: elements that Markdown also has become Markdown, tags of layout go,
and tags that no rule may have are escaped, so that they are shown as they are typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from html import unescape
from itertools import groupby

_CODE = r"(`+[^`]*`+)"
_ATTRIBUTE = r"""(?<=[\s"'])([A-Za-z][A-Za-z-]*)\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>=`]+))"""
_WORDS = r"(?P<words>(?:(?!</?(?P=tag)\b|\n[ \t]*\n).){0,2000}?)"
_PAIR = (
    r"(?is)<(?P<tag>b|strong|i|em|s|del|strike|code|tt|kbd|a)(?P<rest>\s[^<>]*)?>"
    rf"{_WORDS}</(?P=tag)\s*>"
)
"""An element that Markdown has, with its words."""
_IMAGE = r"(?i)<img(?P<rest>\s[^<>]*?)/?>"
_BREAK = r"(?i)<br\s*/?>|</br>"
_ALONE = (
    r"(?im)^(?P<lead>[ \t]*)(?:(?:<br "
    r"?/?>|</?(?:p|div|center|font|section|article|body|html)(?:\s[^<>]*)?>)[ \t]*)+$"
)
"""A line that has only tags by which a text is laid out."""
_RULER = r"(?im)^[ \t]*<hr\s*/?>[ \t]*$"
_HEADING = r"(?im)^[ \t]*<h(?P<level>[1-6])(?:\s[^<>]*)?>(?P<words>[^\n]*?)</h(?P=level)>[ \t]*$"
_OPENED = r"(?im)^(?P<lead>[ \t]*)<(?:p|div|center)(?:\s[^<>]*)?>[ \t]*"
"""The tag of a paragraph at the beginning of a line."""
_CLOSED = r"(?im)[ \t]*</(?:p|div|center)\s*>[ \t]*$"
"""The tag that ends a paragraph, at the end of a line."""
_ITEM = r"(?im)^(?P<lead>[ \t]*)<li(?:\s[^<>]*)?>[ \t]*(?P<words>[^\n]*?)[ \t]*(?:</li>)?[ \t]*$"
_LIST = r"(?im)^[ \t]*</?(?P<tag>ul|ol)(?:\s[^<>]*)?>[ \t]*$"
_DRESSED = r"(?i)<(?P<tag>/?(?:sub|sup|span))(?:\s[^<>]*)?>"
"""A tag that a rule may have, perhaps with attributes, which it may not have."""
_TAG = r"<(?=[A-Za-z/!?])(?!(?:/?(?:sub|sup|span)|br ?/?)>|https?://|mailto:|[\w.+-]+@[\w.-]+>)"
"""The beginning of a tag that no rule may have."""
_BARE = r"(?m)^(?P<lead>[ \t]*)<(?=/?(?:sub|sup|span)>|br ?/?>)"
"""A tag that a rule may have, at the beginning of a line."""
_GAP = r"\n[ \t]*\n(?:[ \t]*\n)+"
"""Two blank lines, or more."""
_BLOCK = r"(?m)^[ \t]*(?:[-+*][ \t]|[>|]|#{1,6}[ \t]|[0-9]{1,9}[.)][ \t])"
"""What opens a block of Markdown at the beginning of a line, such as the sign of a list."""
_SCHEME = r"[A-Za-z][A-Za-z0-9+.-]*:|[\\/]{2}"
"""How an address begins that leads to another site."""
_SAFE = r"(?i)(?:https?://|mailto:)\S+"
"""An address at another site that is safe to follow."""
_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "s": "~~", "del": "~~", "strike": "~~"}
"""Markdown's marks for elements, by their names."""
_NESTED = 5
"""How many levels of nested elements become Markdown; deeper ones stay HTML."""


def without_html(text: str, code: Collection[int]) -> str:
    """Return the text with emphasis, links, pictures, headings and lists as Markdown.

    Breaks become `<br>`. `code` are the lines, from 0, that are code, and stay as they are.
    """
    return _outside_code(text, code, _as_markdown)


def escape_tags(text: str, code: Collection[int]) -> str:
    """Return the text with all tags escaped, except those that a rule may have."""
    return _outside_code(text, code, lambda part: re.sub(_TAG, r"\\<", part))


def escape_leading_tags(text: str, code: Collection[int]) -> str:
    """Return the text with the tags that a rule may have escaped, too, where they begin a line."""
    return _outside_code(text, code, lambda part: re.sub(_BARE, r"\g<lead>\\<", part))


def _outside_code(text: str, code: Collection[int], change: Callable[[str], str]) -> str:
    """Return a text, changed everywhere except in code."""
    changed: list[str] = []
    lines = enumerate(text.split("\n"))
    for is_code, some in groupby(lines, key=lambda numbered: numbered[0] in code):
        part = "\n".join(line for _, line in some)
        pieces = [part] if is_code else re.split(_CODE, part)
        # Every second piece is code.
        pieces[::2] = pieces[::2] if is_code else map(change, pieces[::2])
        changed.append("".join(pieces))
    return "\n".join(changed)


def _as_markdown(part: str) -> str:
    part = re.sub(_RULER, "\n---\n", part)
    part = re.sub(
        _HEADING,
        lambda match: f"\n{'#' * max(int(match['level']), 3)} {match['words'].strip()}\n",
        part,
    )
    if re.search(_LIST, part):
        part = re.sub(_ITEM, r"\g<lead>- \g<words>", part)
        part = re.sub(_LIST, "", part)
    part = re.sub(_ALONE, "", part)
    part = re.sub(_CLOSED, "\n", re.sub(_OPENED, r"\n\g<lead>", part))
    part = re.sub(_BREAK, "<br>", part)
    part = re.sub(_IMAGE, _image, part)
    for _ in range(_NESTED):
        paired = re.sub(_PAIR, _pair, part)
        if paired == part:
            break
        part = paired
    part = re.sub(_DRESSED, lambda match: f"<{match['tag'].lower()}>", part)
    return re.sub(_GAP, "\n\n", part)


def _attributes(rest: str | None) -> dict[str, str]:
    return {
        match[1].casefold(): unescape(match[2] or match[3] or match[4] or "")
        for match in re.finditer(_ATTRIBUTE, rest or "")
    }


def _image(match: re.Match[str]) -> str:
    attributes = _attributes(match["rest"])
    address = _address(attributes.get("src", ""))
    words = re.sub(r"([\[\]\\`*_<])", r"\\\1", " ".join(attributes.get("alt", "").split()))
    return f"![{words}]({address})" if address else match[0]


def _address(address: str) -> str | None:
    """Return an address as a link of Markdown has it; None for one that would not be safe to
    follow.
    """
    bare = address.strip()
    is_safe = re.fullmatch(_SAFE, bare) if re.match(_SCHEME, bare) else bare and bare.isprintable()
    if not is_safe or any(sign in bare for sign in "<>\\\n"):
        return None
    return f"<{bare}>" if re.search(r"[\s()]", bare) else bare


def _pair(match: re.Match[str]) -> str:
    """Return an element with its words as Markdown, or as it is where that would not read
    the same.
    """
    tag, words = match["tag"].casefold(), match["words"]
    bare = words.strip()
    if tag == "a":
        address = _address(_attributes(match["rest"]).get("href", ""))
        return (
            f"[{bare}]({address})"
            if address
            and bare
            and not re.search(_BLOCK, bare)
            and "](" not in bare.replace("![", "")
            else match[0]
        )
    if tag in ("code", "tt", "kbd"):
        return f"`{unescape(bare)}`" if bare and "`" not in bare else match[0]
    mark = _MARKS[tag]
    if not bare or mark[0] in (bare[0], bare[-1]) or re.search(_BLOCK, bare):
        return match[0]
    before = words[: len(words) - len(words.lstrip())]
    return f"{before}{mark}{bare}{mark}{words[len(words.rstrip()) :]}"
