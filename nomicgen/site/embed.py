"""A page as both engines take it: front matter that holds nothing active, and HTML that Markdown leaves alone."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

__all__ = ["page_source", "plain"]

_PRE = re.compile(r"(<pre\b.*?</pre>)", re.DOTALL)
_BREAK = re.compile(r"[ \t]*\n\s*")
_BLOCK = re.compile(r"> (?=</?(?:a|article|aside|details|div|footer|form|h[1-6]|header|li|nav|ol|p|section|ul)\b)")
_INERT = str.maketrans({"{": "&#123;", "}": "&#125;", "`": "&#96;", "\t": "&#9;"})
# Themes put a title into the page without escaping it, and one of them unescapes it first.
_TITLE = str.maketrans({"<": "‹", ">": "›", '"': "”", "{": "(", "}": ")", "`": "'", "\\": "∖"})
_ENTITY = re.compile(r"&(?=[#\w])")


def plain(text: str) -> str:
    """A text for front matter: one line, and nothing in it that HTML, Jinja or Markdown would act upon."""
    return _ENTITY.sub("＆", " ".join(text.translate(_TITLE).split()))


def page_source(
    html: str, *, title: str, description: str = "", hide: Sequence[str] = ("navigation", "toc"), boost: float = 1
) -> str:
    """A page: front matter and one block of HTML. With a `boost` of 0 the search leaves it out.

    No line of the block begins with anything but a tag, no blank line is in it, and braces and backquotes are written
    as references: whatever a player wrote, no Markdown extension, macro or template sees syntax of its own.
    """
    head = [f"title: {json.dumps(plain(title), ensure_ascii=False)}"]
    if description:
        head.append(f"description: {json.dumps(plain(description), ensure_ascii=False)}")
    head += ["hide:", *(f"  - {one}" for one in hide)] if hide else []
    if boost != 1:
        head += ["search:", f"  boost: {boost:g}" if boost else "  exclude: true"]
    return "\n".join(("---", *head, "---", "", _block(html), ""))


def _block(html: str) -> str:
    parts = []
    for index, part in enumerate(_PRE.split(html.strip())):
        if index % 2:
            parts.append(part.replace("\n", "&#10;").translate(_INERT))
        else:
            parts.append(_BLOCK.sub(">\n", _BREAK.sub(" ", part)).translate(_INERT))
    return "".join(parts)
