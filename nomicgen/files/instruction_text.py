"""Instructions of an instrument, written as the Markdown that `files/instructions.py` reads.

`ref` names a rule by number and revision, such as `203/0`. Keys of a block that are None are left
out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nomicgen.files.yaml_writing import dump


def enact(
    number: int | None, title: str | None, text: str | None, *, whole: bool = False, **block: object
) -> str:
    """Return an enactment. If `number` is None, the rule gets the next free one; if `title` is
    None, it has none; if `text` is None, the text is lost.

    `whole` writes `text: whole`, which confirms that nothing is missing. `block` has other keys.
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
    """Return an amendment with the whole new text; if `text` is None, the new text is lost.

    `whole` writes `text: whole`; `block` has other keys. Lines of `comment` begin the block.
    """
    return _written(
        f"Amend Rule {ref}", text, {**block, "text": "whole" if whole else _lost(text)}, comment
    )


def mark(ref: object, **block: object) -> str:
    """Return a mark. `block` has its keys, such as `note`, `provisions` or `void`."""
    return _written(f"Mark Rule {ref}", None, block)


def repeal(ref: object) -> str:
    """Return a repeal."""
    return f"## Repeal Rule {ref}"


def transmute(ref: object, tier: str) -> str:
    """Return a transmutation to another tier."""
    return f"## Transmute Rule {ref} to {tier}"


def retitle(ref: object, title: str) -> str:
    """Return a retitling. `title` must be one line."""
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
