"""The folds of a long comment: a reader sees its beginning, and opens the rest part by part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nomicgen.files.markdown import parse_body

VISIBLE = 120
"""Words before the first fold."""
_HEADING = "#### "
_FOLDS = r"(?s)<details>.*?</details>"


def fold_parts(frame: str, parts: Sequence[str]) -> Iterator[str]:
    """Yield the parts of a comment, each Markdown that begins with its heading or has none; `frame`
    is the text around them, and its words count, too.

    Parts that fit into `VISIBLE` words stay as they are. Of the first one that does not fit, the
    beginning stays if some of it fits; the rest is folded, and so is each part after it. Blank
    lines part the HTML of a fold from its inside, so that forges read that as Markdown.
    """
    room = VISIBLE - _count_words(frame)
    for place, part in enumerate(parts):
        if _count_words(part) <= room:
            room -= _count_words(part)
            yield part
            continue
        shown, rest = _divide_part(part, room)
        if shown:
            yield shown
            heading = _heading(part)
            yield _fold(f"More: {heading[:1].lower()}{heading[1:]}" if heading else "More", rest)
        else:
            yield _folded_part(part)
        yield from map(_folded_part, parts[place + 1 :])
        return


def _count_words(text: str) -> int:
    """Return how many words are seen: those in folds are not."""
    return len(re.sub(_FOLDS, "", text).split())


def _heading(part: str) -> str:
    first = part.partition("\n")[0]
    return first.removeprefix(_HEADING) if first.startswith(_HEADING) else ""


def _folded_part(part: str) -> str:
    heading = _heading(part)
    return _fold(heading or "More", part.partition("\n")[2] if heading else part)


def _fold(summary: str, text: str) -> str:
    inner = text.strip("\n")
    return f"<details><summary>{summary}</summary>\n\n{inner}\n\n</details>"


def _divide_part(part: str, room: int) -> tuple[str, str]:
    """Return the paragraphs and list items of a part that fit, with its heading; and the others."""
    lines = part.split("\n")
    best = 0
    for begin in _begins(part):
        if _count_words("\n".join(lines[:begin])) > room:
            break
        best = begin
    shown = "\n".join(lines[:best]).rstrip("\n")
    # One line alone, such as a heading, is not worth a fold with the rest.
    return (shown, "\n".join(lines[best:])) if "\n" in shown else ("", part)


def _begins(part: str) -> Iterator[int]:
    """Yield the lines, from 0, where an outermost paragraph or list item begins that is in no fold.

    A fence belongs to the words before it: they say what it is for.
    """
    folds = 0
    for token in parse_body(part, 1).tokens:
        item = token.type == "list_item_open" and token.level == 1
        block = token.level == 0 and token.nesting >= 0 and not token.type.endswith("_list_open")
        if token.map is not None and (item or block) and token.type != "fence" and not folds:
            yield token.map[0]
        if token.type == "html_block":
            folds += token.content.count("<details>") - token.content.count("</details>")
