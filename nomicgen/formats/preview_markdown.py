"""A preview as Markdown, for a comment in a pull request.

Whatever a player wrote stands in a code span or in a fence that is longer than any in it: there a forge reads no markup
and no HTML, calls nobody (`@wren`) and links nothing (`#123`), and no text can pass for a part of the comment.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from nomicgen.archive.proposal_preview import Preview
from nomicgen.archive.redline import Segment
from nomicgen.diagnostics import Finding, counted
from nomicgen.formats.findings_text import finding_text
from nomicgen.formats.markdown_escapes import code_span, fenced, plain_words
from nomicgen.formats.preview_parts import (
    Block,
    Line,
    Name,
    Redline,
    SentenceChanges,
    Subheading,
    Tone,
    Word,
    preview_sections,
    preview_title,
)
from nomicgen.formats.terminal import safe

_MARKS: dict[Tone, str] = {"": "", "good": "", "bad": "❌ ", "warn": "⚠️ "}
_SIGNS = {"equal": "  ", "insert": "+ ", "delete": "- "}
_FENCE = 8_000
"""Characters of one list or fence."""
_WORDS = 600
_WIDTH = 100


def preview_markdown(preview: Preview) -> str:
    """The whole preview, with one line feed at its end."""
    parts = [f"### {words_markdown(preview_title(preview))}"]
    for section in preview_sections(preview):
        parts.append(f"#### {plain_words(section.heading)}")
        parts.extend(blocks_markdown(section.blocks))
    return "\n\n".join(parts) + "\n"


def blocks_markdown(blocks: Iterable[Block]) -> Iterator[str]:
    """Markdown, block by block; lines that follow each other are one list. What is too long is cut, and said to be."""
    for is_list, run in groupby(blocks, lambda one: isinstance(one, Line)):
        if is_list:
            yield "\n".join(cut_lines(_list([one for one in run if isinstance(one, Line)])))
        else:
            yield from map(_block, run)


def cut_lines(lines: Sequence[str]) -> list[str]:
    """The lines of a list, as far as there is room for them."""
    size = 0
    for at, line in enumerate(lines):
        size += len(line) + 10
        if size > _FENCE:
            return [*lines[:at], f"- and {counted(len(lines) - at, 'more line')}"]
    return [*lines]


def finding_markdown(finding: Finding) -> Iterator[str]:
    """A finding with what to do, and its detail."""
    rule = f", Rule {finding.rule}" if finding.rule is not None else ""
    lines = [Line((Name(finding.message),), "bad" if finding.is_error else "warn")]
    if help := finding.mending.said if finding.mending is not None else finding.help:
        lines.append(Line(("What to do: ", Name(help)), level=1))
    place = (f"Where: line {finding.span.line} of ", Name(finding.span.file), f" ({finding.slug}{rule})")
    yield "\n".join(_list([*lines, Line(place, level=1)]))
    if finding.detail:
        yield _fence(safe(finding.detail).splitlines(), "text")


def words_markdown(words: Iterable[Word]) -> str:
    """A line of words, those of players as code."""
    return "".join(plain_words(one) if isinstance(one, str) else code_span(clipped(one.text)) for one in words)


def clipped(text: str) -> str:
    """Words of a player's, no longer than anybody reads."""
    return f"{text[:_WORDS]}…" if len(text) > _WORDS else text


def _list(lines: Sequence[Line]) -> list[str]:
    """Lines as those of one list, the least deep of them at its first level."""
    least = min(one.level for one in lines)
    return [f"{'  ' * (one.level - least)}- {_MARKS[one.tone]}{words_markdown(one.words)}" for one in lines]


def _block(block: Block) -> str:
    if isinstance(block, Subheading):
        return f"##### {words_markdown(block.words)}"
    if isinstance(block, Redline):
        return _fence(_wrapped(_signed_lines(block.segments)))
    if isinstance(block, SentenceChanges):
        return _fence(_wrapped([f"{sign} {safe(line)}" for sign, line in block.lines]))
    assert not isinstance(block, Line)
    return _fence([line for one in block.findings for line in finding_text(one).plain.split("\n")], "text")


def _signed_lines(segments: Sequence[Segment]) -> list[str]:
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


def _wrapped(lines: Sequence[str]) -> list[str]:
    """Lines of a redline, each with its sign, no longer than fits on a page: a forge does not break them."""
    wrapper = textwrap.TextWrapper(_WIDTH, break_on_hyphens=False, expand_tabs=False)
    done: list[str] = []
    for line in lines:
        pieces = wrapper.wrap(line[2:]) if len(line) > _WIDTH + 2 else []
        done += [f"{line[:2]}{one}" for one in pieces] or [line]
    return done


def _fence(lines: Sequence[str], language: str = "diff") -> str:
    """A fence of lines; what is too long is cut, with a line that begins as none of a redline's does."""
    size = 0
    for at, line in enumerate(lines):
        size += len(line) + 1
        if size > _FENCE:
            return fenced("\n".join((*lines[:at], f"@@ {counted(len(lines) - at, 'line')} more @@")), language)
    return fenced("\n".join(lines), language)
