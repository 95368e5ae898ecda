"""The fenced `yaml rule` block after an instruction's heading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from nomicgen.files.file_findings import Notes
from nomicgen.files.front_matter import Composed, YamlPlace, compose
from nomicgen.files.markdown import Body
from nomicgen.files.validation import validate
from nomicgen.model.records import Verb
from nomicgen.model.rule_matters import RuleBlock
from nomicgen.model.values import Source

if TYPE_CHECKING:
    from markdown_it.token import Token


_KEYS: dict[Verb, tuple[str, ...]] = {
    "enact": (
        "mutability",
        "reenacts",
        "revision",
        "section",
        "provisions",
        "defines",
        "unread",
        "text",
    ),
    "amend": ("revision", "section", "provisions", "defines", "unread", "text", "meaning"),
    "mark": ("void", "note", "section", "defines", "unread", "provisions"),
}
"""The keys that a block may have, by verb; other verbs take no block."""


class Block(Struct, frozen=True):
    """A block, read. `end` is the body's line after it, from 0. `matter` is None if it cannot be
    used.
    """

    end: int
    matter: RuleBlock | None = None
    source: Source | None = None


def read_block(token: Token, body: Body, verb: Verb, notes: Notes) -> Block:
    """Read the block of an instruction; what is wrong with it is added to `notes`."""
    assert token.map is not None
    first, end = token.map
    # A fence may be indented; its content is without that indentation.
    indent = len(body.lines[first]) - len(body.lines[first].lstrip())
    if verb not in _KEYS:
        notes.at(
            "block-misplaced",
            body.line + first,
            indent + 1,
            f"`{verb.capitalize()}` takes no `yaml rule` block",
            f"delete it; a block below `## Mark Rule N/R` can have {', '.join(_KEYS['mark'])}",
        )
        return Block(end)
    start = body.line + first + 1
    composed = compose(token.content, notes, YamlPlace(notes.file, start, indent), start)
    if composed is None:
        return Block(end)
    return Block(end, _read_matter(composed, verb, notes), composed.source)


def _read_matter(composed: Composed, verb: Verb, notes: Notes) -> RuleBlock | None:
    fits = _check_keys(composed, verb, notes)
    matter = validate(RuleBlock, composed, notes)
    return matter if fits else None


def _check_keys(composed: Composed, verb: Verb, notes: Notes) -> bool:
    allowed = _KEYS[verb]
    strange = [key for key in composed.data if key in RuleBlock.keys and key not in allowed]
    for key in strange:
        notes.add(
            "block-misplaced",
            composed.source.key(key),
            f"`{key}` cannot be in the block of `{verb.capitalize()}`",
            f"the keys there are {', '.join(allowed)}",
        )
    return not strange
