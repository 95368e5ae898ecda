"""A preview as Markdown, for a comment in a pull request.

Whatever a player wrote stands in a code span or in a fence that is longer than any in it: there a forge reads no markup
and no HTML, calls nobody (`@wren`) and links nothing (`#123`), and no text can pass for a part of the comment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from nomicgen.archive.proposal_preview import Preview
from nomicgen.archive.redline import Segment
from nomicgen.formats.findings_text import finding_text
from nomicgen.formats.markdown_escapes import code_span, fenced, plain_words
from nomicgen.formats.preview_parts import Block, Head, Line, Moved, Redlined, Tone, Word, title, view
from nomicgen.formats.terminal import safe

__all__ = ["code_span", "fenced", "list_markdown", "plain_words", "preview_markdown", "signed_lines", "words_markdown"]

_MARKS: dict[Tone, str] = {"": "", "good": "", "bad": "❌ ", "warn": "⚠️ "}
_SIGNS = {"equal": "  ", "insert": "+ ", "delete": "- "}


def preview_markdown(preview: Preview) -> str:
    """The whole preview, with one line feed at its end."""
    parts = [f"### {words_markdown(title(preview))}"]
    for section in view(preview):
        parts.append(f"#### {plain_words(section.heading)}")
        parts.extend(_joined(section.blocks))
    return "\n\n".join(parts) + "\n"


def _joined(blocks: Sequence[Block]) -> Iterator[str]:
    """Lines that follow each other are one list."""
    for is_list, run in groupby(blocks, lambda one: isinstance(one, Line)):
        if is_list:
            yield list_markdown([one for one in run if isinstance(one, Line)])
        else:
            yield from map(_fence, run)


def list_markdown(lines: Sequence[Line]) -> str:
    """Lines as one list, the least deep of them at its first level."""
    least = min(one.level for one in lines)
    return "\n".join(f"{'  ' * (one.level - least)}- {_MARKS[one.tone]}{words_markdown(one.words)}" for one in lines)


def _fence(block: Block) -> str:
    if isinstance(block, Head):
        return f"##### {words_markdown(block.words)}"
    if isinstance(block, Redlined):
        return fenced("\n".join(signed_lines(block.segments)), "diff")
    if isinstance(block, Moved):
        return fenced("\n".join(f"{sign} {safe(line)}" for sign, line in block.lines), "diff")
    assert not isinstance(block, Line)
    return fenced("\n".join(finding_text(one).plain for one in block.findings), "text")


def signed_lines(segments: Sequence[Segment]) -> list[str]:
    """A redline in lines, each with what becomes of it in front, so that no text can claim to be of another kind."""
    lines: list[str] = []
    begins = True
    for one in segments:
        # The blank between two words is not what changed.
        text = one.text if begins else one.text.lstrip(" ")
        begins = one.text.endswith("\n")
        if text or one.kind != "equal":
            lines += [f"{_SIGNS[one.kind]}{line}".rstrip() for line in safe(text).strip("\n").split("\n")]
    return lines


def words_markdown(words: Iterable[Word]) -> str:
    """A line of words, those of players as code."""
    return "".join(plain_words(one) if isinstance(one, str) else code_span(one.text) for one in words)
