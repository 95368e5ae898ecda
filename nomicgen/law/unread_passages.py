"""What no program reads of a rule, as the rule's author says; nothing is guessed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

Unread = Literal[True] | tuple[str, ...]
"""The claim: True for a whole rule, else the passages, each on one line; () claims nothing."""


def is_in_text(passage: str, text: str | None) -> bool:
    """Return whether a passage stands in a text, in whole words; line breaks make no difference."""
    words = r"\s+".join(map(re.escape, passage.split()))
    return bool(words) and re.search(rf"(?<!\w){words}(?!\w)", text or "") is not None


def still_unread(
    unread: bool | Sequence[str] | None, text: str | None, provisions: object
) -> Unread:
    """Return what still holds of a claim for a rule with this text and these provisions.

    Passages hold if they stand in the text; True holds if there are no provisions.
    """
    if not unread or unread is True:
        return True if unread and not provisions else ()
    return tuple(
        dict.fromkeys(" ".join(passage.split()) for passage in unread if is_in_text(passage, text))
    )


def said_unread(unread: Unread) -> tuple[str, tuple[str, ...]]:
    """Return a sentence for a claim ("" if there is none), and the passages to list below it."""
    if unread is True:
        return "No program reads this rule.", ()
    return (
        f"No program reads {'this sentence' if len(unread) == 1 else 'these sentences'}:"
        if unread
        else "",
        unread,
    )
