"""HTML in a text of Markdown: each element as Markdown has it, or else shown as it is typed. No other comes through."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from html import unescape
from itertools import groupby

from nomicgen.patterns import lazy_pattern

_CODE = lazy_pattern(r"(`+[^`]*`+)")
_ATTRIBUTE = lazy_pattern(r"""(?<=[\s"'])([A-Za-z][A-Za-z-]*)\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>=`]+))""")
_WORDS = r"(?P<words>(?:(?!</?(?P=tag)\b|\n[ \t]*\n).){0,2000}?)"
_PAIR = lazy_pattern(
    rf"<(?P<tag>b|strong|i|em|s|del|strike|code|tt|kbd|a)(?P<rest>\s[^<>]*)?>{_WORDS}</(?P=tag)\s*>",
    re.IGNORECASE | re.DOTALL,
)
_IMAGE = lazy_pattern(r"<img(?P<rest>\s[^<>]*?)/?>", re.IGNORECASE)
_BREAK = lazy_pattern(r"<br\s*/?>|</br>", re.IGNORECASE)
_ALONE = lazy_pattern(
    r"^(?P<lead>[ \t]*)(?:(?:<br ?/?>|</?(?:p|div|center|font|section|article)(?:\s[^<>]*)?>)[ \t]*)+$",
    re.IGNORECASE | re.MULTILINE,
)
_RULER = lazy_pattern(r"^[ \t]*<hr\s*/?>[ \t]*$", re.IGNORECASE | re.MULTILINE)
_HEADING = lazy_pattern(
    r"^[ \t]*<h(?P<level>[1-6])(?:\s[^<>]*)?>(?P<words>[^\n]*?)</h(?P=level)>[ \t]*$", re.IGNORECASE | re.MULTILINE
)
_OPENED = lazy_pattern(r"^(?P<lead>[ \t]*)<(?:p|div|center)(?:\s[^<>]*)?>[ \t]*", re.IGNORECASE | re.MULTILINE)
_CLOSED = lazy_pattern(r"[ \t]*</(?:p|div|center)\s*>[ \t]*$", re.IGNORECASE | re.MULTILINE)
_ITEM = lazy_pattern(
    r"^(?P<lead>[ \t]*)<li(?:\s[^<>]*)?>[ \t]*(?P<words>[^\n]*?)[ \t]*(?:</li>)?[ \t]*$", re.IGNORECASE | re.MULTILINE
)
_LIST = lazy_pattern(r"^[ \t]*</?(?P<tag>ul|ol)(?:\s[^<>]*)?>[ \t]*$", re.IGNORECASE | re.MULTILINE)
_DRESSED = lazy_pattern(r"<(?P<tag>/?(?:sub|sup|span))(?:\s[^<>]*)?>", re.IGNORECASE)
_TAG = lazy_pattern(r"<(?=[A-Za-z/!?])(?!(?:/?(?:sub|sup|span)|br ?/?)>|https?://|mailto:|[\w.+-]+@[\w.-]+>)")
_BARE = lazy_pattern(r"^(?P<lead>[ \t]*)<(?=/?(?:sub|sup|span)>|br ?/?>)", re.MULTILINE)
_GAP = lazy_pattern(r"\n[ \t]*\n(?:[ \t]*\n)+")
_BLOCK = lazy_pattern(r"^[ \t]*(?:[-+*][ \t]|[>|]|#{1,6}[ \t]|[0-9]{1,9}[.)][ \t])", re.MULTILINE)
_SCHEME = lazy_pattern(r"[A-Za-z][A-Za-z0-9+.-]*:|[\\/]{2}")
_SAFE = lazy_pattern(r"(?:https?://|mailto:)\S+", re.IGNORECASE)
_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "s": "~~", "del": "~~", "strike": "~~"}
_KEPT = 5


def without_html(text: str, code: Collection[int]) -> str:
    """The text with those elements as Markdown that Markdown has: breaks, emphasis, links, pictures, headings, lists.

    `code` are lines, from 0, that are code.
    """
    return _outside_code(text, code, _as_markdown)


def escape_tags(text: str, code: Collection[int]) -> str:
    """The text with all other tags escaped, so that they are shown as they are typed."""
    return _outside_code(text, code, lambda part: _TAG.sub(r"\\<", part))


def escape_leading_tags(text: str, code: Collection[int]) -> str:
    """The text with those tags escaped that rules may hold, where they stand at a line's beginning."""
    return _outside_code(text, code, lambda part: _BARE.sub(r"\g<lead>\\<", part))


def _outside_code(text: str, code: Collection[int], change: Callable[[str], str]) -> str:
    """A text, changed but for its lines of code, and code within lines."""
    changed: list[str] = []
    lines = enumerate(text.split("\n"))
    for is_code, some in groupby(lines, key=lambda numbered: numbered[0] in code):
        part = "\n".join(line for _, line in some)
        pieces = [part] if is_code else _CODE.split(part)
        # Every second piece is code.
        pieces[::2] = pieces[::2] if is_code else map(change, pieces[::2])
        changed.append("".join(pieces))
    return "\n".join(changed)


def _as_markdown(part: str) -> str:
    part = _RULER.sub("\n---\n", part)
    part = _HEADING.sub(lambda match: f"\n{'#' * max(int(match['level']), 3)} {match['words'].strip()}\n", part)
    if _LIST.search(part):
        part = _ITEM.sub(r"\g<lead>- \g<words>", part)
        part = _LIST.sub("", part)
    part = _ALONE.sub("", part)
    part = _CLOSED.sub("\n", _OPENED.sub(r"\n\g<lead>", part))
    part = _BREAK.sub("<br>", part)
    part = _IMAGE.sub(_image, part)
    for _ in range(_KEPT):
        paired = _PAIR.sub(_pair, part)
        if paired == part:
            break
        part = paired
    part = _DRESSED.sub(lambda match: f"<{match['tag'].lower()}>", part)
    return _GAP.sub("\n\n", part)


def _attributes(rest: str | None) -> dict[str, str]:
    return {
        match[1].casefold(): unescape(match[2] or match[3] or match[4] or "")
        for match in _ATTRIBUTE.finditer(rest or "")
    }


def _image(match: re.Match[str]) -> str:
    attributes = _attributes(match["rest"])
    address = _address(attributes.get("src", ""))
    words = re.sub(r"([\[\]\\`*_<])", r"\\\1", " ".join(attributes.get("alt", "").split()))
    return f"![{words}]({address})" if address else match[0]


def _address(address: str) -> str | None:
    """An address as a link of Markdown has it; None for one that is nothing for players."""
    bare = address.strip()
    is_safe = _SAFE.fullmatch(bare) if _SCHEME.match(bare) else bare and bare.isprintable()
    if not is_safe or any(sign in bare for sign in "<>\\\n"):
        return None
    return f"<{bare}>" if re.search(r"[\s()]", bare) else bare


def _pair(match: re.Match[str]) -> str:
    tag, words = match["tag"].casefold(), match["words"]
    bare = words.strip()
    if tag == "a":
        address = _address(_attributes(match["rest"]).get("href", ""))
        return (
            f"[{bare}]({address})"
            if address and bare and not _BLOCK.search(bare) and "](" not in bare.replace("![", "")
            else match[0]
        )
    if tag in ("code", "tt", "kbd"):
        return f"`{unescape(bare)}`" if bare and "`" not in bare else match[0]
    mark = _MARKS[tag]
    if not bare or mark[0] in (bare[0], bare[-1]) or _BLOCK.search(bare):
        return match[0]
    before = words[: len(words) - len(words.lstrip())]
    return f"{before}{mark}{bare}{mark}{words[len(words.rstrip()) :]}"
