"""Makes the file of a page for both engines, MkDocs and Zensical: front matter that no template
acts upon, and HTML that Markdown leaves alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

_PRE = r"(?s)(<pre\b.*?</pre>)"
_BREAK = r"[ \t]*\n\s*"
# A blank before a tag of a block: there a line may end.
_BLOCK = (
    r"> (?=</?(?:a|article|aside|details|div|footer|form|h[1-6]|header|li|nav|ol|p|section|ul)\b)"
)
# Letters that an extension or a template might act upon, and the references that browsers show.
_INERT = {"{": "&#123;", "}": "&#125;", "`": "&#96;", "\t": "&#9;"}
# Themes put a title into the page without escaping it, and one of them unescapes it first.
_TITLE = str.maketrans({"<": "‹", ">": "›", '"': "”", "{": "(", "}": ")", "`": "'", "\\": "∖"})
# The beginning of a reference such as `&lt;`, which a theme might unescape.
_ENTITY = r"&(?=[#\w])"


Metadata = Mapping[str, object]
"""What the head of a page tells programs (`parts/metadata.py`)."""


def plain(text: str) -> str:
    """Return a text for front matter: on one line, and with other letters in place of those that
    HTML, Jinja or Markdown act upon.
    """
    return re.sub(_ENTITY, "＆", " ".join(text.translate(_TITLE).split()))


def page_source(
    html: str, *, title: str, description: str = "", meta: Metadata = MappingProxyType({})
) -> str:
    """Return a page: front matter and one block of HTML. `meta` is what its head tells programs.

    Each line of the block begins with a tag, none is blank, and braces and backquotes are written
    as references: whatever a player wrote, no Markdown extension, macro or template sees syntax of
    its own. The caller makes the texts in `meta` `plain`: a person's own theme may print them
    without escaping.
    """
    lines = [line for key, value in meta.items() for line in _key_lines(key, value, "  ")]
    head = [
        *(["nomic:", *lines] if lines else []),
        f"title: {json.dumps(plain(title), ensure_ascii=False)}",
    ]
    if description:
        head.append(f"description: {json.dumps(plain(description), ensure_ascii=False)}")
    return "\n".join(
        ("---", *head, "hide:", "  - navigation", "  - toc", "---", "", _block(html), "")
    )


def _key_lines(key: str, value: object, pad: str) -> Iterator[str]:
    """Yield a key and its value as lines of YAML: mappings as blocks, the rest as JSON."""
    name = json.dumps(key) if key.startswith("@") else key
    if isinstance(value, Mapping):
        yield f"{pad}{name}:"
        for below, part in value.items():
            yield from _key_lines(below, part, f"{pad}  ")
    elif isinstance(value, list) and value and all(isinstance(part, Mapping) for part in value):
        yield f"{pad}{name}:"
        for part in value:
            first, *rest = (
                line for below, one in part.items() for line in _key_lines(below, one, f"{pad}  ")
            )
            yield f"{pad}- {first.removeprefix(f'{pad}  ')}"
            yield from rest
    else:
        yield f"{pad}{name}: {json.dumps(value, ensure_ascii=False)}"


def _block(html: str) -> str:
    parts = re.split(_PRE, html.strip())
    parts[::2] = (re.sub(_BLOCK, ">\n", re.sub(_BREAK, " ", part)) for part in parts[::2])
    parts[1::2] = (part.replace("\n", "&#10;") for part in parts[1::2])
    block = "".join(parts)
    for letter, reference in _INERT.items():
        block = block.replace(letter, reference)
    return block
