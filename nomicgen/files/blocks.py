"""The fenced `yaml rule` block after an instruction's heading."""

from __future__ import annotations

from dataclasses import dataclass

from markdown_it.token import Token

from nomicgen.files.front import Composed, compose
from nomicgen.files.markdown import Body
from nomicgen.files.matter import validate
from nomicgen.files.notes import Notes
from nomicgen.model import RuleBlock, Source, Span, Verb

__all__ = ["Block", "read_block"]

_KEYS: dict[Verb, tuple[str, ...]] = {
    "enact": ("mutability", "reenacts", "revision", "section", "provisions", "defines", "text"),
    "amend": ("revision", "section", "provisions", "defines", "text"),
    "mark": ("void", "note", "section", "defines", "provisions"),
}


@dataclass(frozen=True, slots=True)
class Block:
    """A block, read; `matter` is None where it cannot be used. `end` is the line after it, from 0, in the body."""

    end: int
    matter: RuleBlock | None = None
    source: Source | None = None


def read_block(token: Token, body: Body, verb: Verb, notes: Notes) -> Block:
    """Reads the block of an instruction; what is wrong with it is added to `notes`."""
    assert token.map is not None
    first, end = token.map
    if verb not in _KEYS:
        line = body.lines[first]
        notes.at(
            "block-misplaced",
            body.line + first,
            len(line) - len(line.lstrip()) + 1,
            f"`{verb.capitalize()}` takes no `yaml rule` block",
            "delete it; `## Mark Rule N/R` sets what such a block can say",
        )
        return Block(end)
    content = token.content.split("\n")

    def place(line: int, column: int) -> Span:
        # A fence may be indented; its content is without that indentation. One left open may have no line of content.
        at = first + 1 + line
        known = line < len(content) and at < len(body.lines)
        indent = len(body.lines[at]) - len(content[line]) if known else 0
        return Span(file=notes.file, line=body.line + first + 1 + line, column=column + max(indent, 0) + 1)

    composed = compose(token.content, notes, place, body.line + first + 1)
    if composed is None:
        return Block(end)
    fits = _check_keys(composed, verb, notes)
    matter = validate(RuleBlock, composed, notes)
    return Block(end, matter if fits else None, composed.source)


def _check_keys(composed: Composed, verb: Verb, notes: Notes) -> bool:
    allowed = _KEYS[verb]
    strange = [key for key in composed.data if key in RuleBlock.model_fields and key not in allowed]
    for key in strange:
        notes.add(
            "block-misplaced",
            composed.source.key(key),
            f"`{key}` cannot stand in the block of `{verb.capitalize()}`",
            f"the keys there are {', '.join(allowed)}",
        )
    return not strange
