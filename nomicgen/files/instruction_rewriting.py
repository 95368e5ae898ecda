"""Rewrites instructions where they stand: headings, blocks and texts. Every other byte stays.

`nomicgen proposal rebase` uses it: `## Amend Rule 203/0` becomes `## Amend Rule 203/1`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from nomicgen.files.file_findings import Notes
from nomicgen.files.front_matter import split_front
from nomicgen.files.markdown import Body, is_rule_block, parse_body
from nomicgen.files.merge_conflicts import Names, find_conflicts, mark
from nomicgen.model.records import Instruction
from nomicgen.model.values import RuleRef

if TYPE_CHECKING:
    from markdown_it.token import Token


class Rewriting(Struct, frozen=True, kw_only=True):
    """An instruction, and how it is to be rewritten: `target` is the revision that it will name.

    `text` and `block` are its new text and the new lines of its block; None leaves them. `title` is
    the title in force if it conflicts with the instruction's own. `names` are the names of the two
    sides of a conflict.
    """

    instruction: Instruction
    target: RuleRef
    names: Names
    text: str | None = None
    block: str | None = None
    title: str | None = None


class Rewritten(Struct, frozen=True, kw_only=True):
    """A rewritten file, and for each rewriting the file's lines, from 1, on which its conflicts
    begin.
    """

    data: bytes
    conflicts: tuple[tuple[int, ...], ...]


class _Edit(Struct, frozen=True):
    """Lines `start` to before `end` of the file, from 0, and the lines to put there."""

    start: int
    end: int
    lines: Sequence[str]


def rewrite(data: bytes, rewritings: Sequence[Rewriting]) -> Rewritten:
    """Rewrite instructions of an instrument's file, given in the order of the file.

    The file must be one that was read without findings.
    """
    text = data.decode()
    lines, body = text.split("\n"), _body(text)
    written: list[str] = []
    conflicts: list[tuple[int, ...]] = []
    done = 0
    for rewriting in rewritings:
        marks: list[int] = []
        for edit in _edits(rewriting, lines, body):
            written += lines[done : edit.start]
            marks += (len(written) + conflict.start + 1 for conflict in find_conflicts(edit.lines))
            written += edit.lines
            done = edit.end
        conflicts.append(tuple(marks))
    return Rewritten(data="\n".join([*written, *lines[done:]]).encode(), conflicts=tuple(conflicts))


def _body(text: str) -> Body:
    front = split_front(text, Notes(""))
    assert front is not None, "an instrument needs front matter"
    return parse_body(front.body, front.body_line)


def _edits(rewriting: Rewriting, lines: Sequence[str], body: Body) -> list[_Edit]:
    instruction = rewriting.instruction
    edits = [_heading(rewriting, lines)]
    if rewriting.block is not None:
        edits.append(_block(rewriting.instruction, rewriting.block, body))
    if rewriting.text is not None:
        assert instruction.text is not None, "only an instruction with a text gets a new one"
        start = instruction.text_line - 1
        edits.append(
            _Edit(start, start + instruction.text.count("\n") + 1, rewriting.text.split("\n"))
        )
    return edits


def _heading(rewriting: Rewriting, lines: Sequence[str]) -> _Edit:
    at = rewriting.instruction.span.line - 1
    # A title may name the same revision. The target is the first in the line.
    heading = lines[at].replace(
        f"Rule {rewriting.instruction.target}", f"Rule {rewriting.target}", 1
    )
    if rewriting.title is None:
        return _Edit(at, at + 1, [heading])
    now = f"## Retitle Rule {rewriting.target}: {rewriting.title}"
    return _Edit(at, at + 1, _lines(mark(f"{now}\n", f"{heading}\n", rewriting.names)))


def _block(instruction: Instruction, block: str, body: Body) -> _Edit:
    token = _block_token(instruction, body)
    assert token.map is not None
    opens, closes = token.map[0], token.map[1] - 1
    indent = " " * (len(body.lines[opens]) - len(body.lines[opens].lstrip()))
    start = body.line + opens
    return _Edit(
        start,
        start + closes - opens - 1,
        [f"{indent if line else ''}{line}" for line in _lines(block)],
    )


def _block_token(instruction: Instruction, body: Body) -> Token:
    after = instruction.span.line - body.line
    return next(
        token
        for token in body.tokens
        if is_rule_block(token) and token.map is not None and token.map[0] > after
    )


def _lines(text: str) -> list[str]:
    """Return the lines of a text that ends in a line feed, without their line feeds."""
    return text.split("\n")[:-1]
