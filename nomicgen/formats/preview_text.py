"""A preview for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nomicgen.archive.proposal_preview import Preview
from nomicgen.formats.findings_text import finding_text
from nomicgen.formats.preview_parts import (
    Block,
    FindingList,
    Line,
    Quote,
    Redline,
    Section,
    SentenceChanges,
    Subheading,
    Tone,
    Word,
    preview_sections,
    preview_title,
)
from nomicgen.formats.redline_text import segments_text
from nomicgen.formats.styled_text import Text
from nomicgen.formats.terminal import safe

_SIGNS = {"-": "red", "+": "green", " ": ""}
_MARGIN = "    | "

_STYLES: dict[Tone, str] = {"": "", "good": "green", "bad": "bold red", "warn": "yellow"}


def preview_text(preview: Preview) -> Iterator[Text]:
    """The preview, in texts that each stand on lines of their own. Text in it is never read as markup."""
    yield Text(_words(preview_title(preview)), "bold")
    for section in preview_sections(preview):
        yield Text()
        yield from section_text(section)


def section_text(section: Section) -> Iterator[Text]:
    """A section under its heading; nothing of one that has nothing to say."""
    if section.blocks:
        yield Text(section.heading, "bold")
    for block in section.blocks:
        yield from _block(block)


def _block(block: Block) -> Iterator[Text]:
    if isinstance(block, Subheading):
        yield Text(f"  {_words(block.words)}", "bold")
    elif isinstance(block, Line):
        yield Text(f"{'  ' * (block.level + 1)}{_words(block.words)}", _STYLES[block.tone])
    elif isinstance(block, Redline):
        yield _indented(segments_text(block.segments), _MARGIN)
    elif isinstance(block, SentenceChanges):
        yield from (Text(f"    {sign} {safe(line)}", _SIGNS[sign]) for sign, line in block.lines)
    else:
        yield from _findings(block)


def _findings(block: FindingList) -> Iterator[Text]:
    for finding in block.findings:
        yield _indented(finding_text(finding), "  ")


def _indented(text: Text, margin: str) -> Text:
    """The text with a margin at each line, so that no line of a rule can pass for one of the preview's own."""
    return Text.joined(
        Text.assemble(margin, *line.pieces) if line.pieces else Text(margin.rstrip()) for line in text.lines()
    )


def _words(words: Iterable[Word]) -> str:
    return "".join(safe(one) if isinstance(one, str) else _quoted(one) for one in words)


def _quoted(word: Word) -> str:
    assert not isinstance(word, str)
    text = " ".join(safe(word.text).split())
    return f"\N{LEFT DOUBLE QUOTATION MARK}{text}\N{RIGHT DOUBLE QUOTATION MARK}" if isinstance(word, Quote) else text
