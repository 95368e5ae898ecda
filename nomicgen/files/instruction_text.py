"""Instructions of an instrument, written as Markdown: what `files/instructions.py` reads.

A rule is named as `203/0`, by the number and revision that it has before the instrument. Parts of a
block that are None are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nomicgen.files.yaml_writing import dump


def enact(
    number: int | None, title: str | None, text: str | None, *, whole: bool = False, **block: object
) -> str:
    """Return an enactment. Without a number the rule gets the next free one; with a `text` of None
    its text is lost.

    `whole` confirms that `text` is the whole text. `block` has the other keys of its block.
    """
    words = f"Enact Rule{'' if number is None else f' {number}'}{f': {title}' if title else ''}"
    return _written(words, text, {**block, "text": "whole" if whole else _lost(text)})


def amend(
    ref: object,
    text: str | None,
    *,
    whole: bool = False,
    comment: Sequence[str] = (),
    **block: object,
) -> str:
    """Return an amendment, with the whole new text; with a `text` of None, that is lost.

    `whole` confirms that `text` is the whole text. The lines of a `comment` begin the block.
    """
    return _written(
        f"Amend Rule {ref}", text, {**block, "text": "whole" if whole else _lost(text)}, comment
    )


def mark(ref: object, **block: object) -> str:
    """Return a mark; `block` says it: a note on a rule, its provisions, or that it is void."""
    return _written(f"Mark Rule {ref}", None, block)


def repeal(ref: object) -> str:
    """Return a repeal."""
    return f"## Repeal Rule {ref}"


def transmute(ref: object, tier: str) -> str:
    """Return a transmutation to another tier."""
    return f"## Transmute Rule {ref} to {tier}"


def retitle(ref: object, title: str) -> str:
    """Return a retitling; the title is on one line."""
    return f"## Retitle Rule {ref}: {title}"


def renumber(ref: object, number: int) -> str:
    """Return a renumbering."""
    return f"## Renumber Rule {ref} to {number}"


def _lost(text: str | None) -> str | None:
    return "lost" if text is None else None


def _written(
    words: str, body: str | None, block: Mapping[str, object], comment: Sequence[str] = ()
) -> str:
    keys = "".join(f"# {' '.join(line.split())}\n" for line in comment) + dump(block)
    parts = (f"## {words}", f"```yaml rule\n{keys}```" if keys else "", body or "")
    return "\n\n".join(part for part in parts if part)
