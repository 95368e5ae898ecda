"""Redlines by word for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from nomicgen.formats.styled_text import style_text
from nomicgen.formats.terminal import safe
from nomicgen.history.redline import Segment, redline


def redline_text(old: str, new: str) -> str:
    """Return how `old` became `new`, as `segments_text` shows it."""
    return segments_text(redline(old, new))


def segments_text(segments: Sequence[Segment]) -> str:
    """Return a redline: what goes is struck out, what comes is underlined, and both are in brackets
    for those who see no colours.

    The brackets are `[-…-]` and `{+…+}`; if the text itself has such a bracket, they have one mark
    more, and so on.
    """
    shown = [(segment.kind, safe(segment.text)) for segment in segments]
    gone, come = (_marks(mark, "".join(text for _, text in shown)) for mark in "-+")
    text = ""
    for kind, part in shown:
        if kind == "equal":
            text += part
        elif kind == "delete":
            text += style_text(f"[{gone}{part}{gone}]", "red strike")
        else:
            text += style_text(f"{{{come}{part}{come}}}", "green underline")
    return text


def _marks(mark: str, text: str) -> str:
    opened, closed = ("[", "]") if mark == "-" else ("{", "}")
    count = 1
    while opened + mark * count in text or mark * count + closed in text:
        count += 1
    return mark * count
