"""What of a rule no program reads, by its author's own claim: nothing is guessed from a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

Unread = Literal[True] | tuple[str, ...]
"""True for a whole rule, else the passages, each on one line. An empty tuple claims nothing."""


def is_standing(passage: str, text: str | None) -> bool:
    """Return whether a passage stands in a text, whole words only, however either breaks its
    lines.
    """
    words = r"\s+".join(map(re.escape, passage.split()))
    return bool(words) and re.search(rf"(?<!\w){words}(?!\w)", text or "") is not None


def still_unread(
    unread: bool | Sequence[str] | None, text: str | None, provisions: object
) -> Unread:
    """Return what of a claim holds for a rule with this text: passages that stand in it.

    All, unless it has provisions.
    """
    if not unread or unread is True:
        return True if unread and not provisions else ()
    return tuple(
        dict.fromkeys(" ".join(passage.split()) for passage in unread if is_standing(passage, text))
    )


def said_unread(unread: Unread) -> tuple[str, tuple[str, ...]]:
    """Return a claim as an English sentence, "" for none, and the passages that it introduces."""
    if unread is True:
        return "No program reads this rule.", ()
    return (
        f"No program reads {'this sentence' if len(unread) == 1 else 'these sentences'}:"
        if unread
        else "",
        unread,
    )
