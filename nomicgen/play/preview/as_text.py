"""A preview for a terminal."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from nomicgen.formats.findings_text import finding_text
from nomicgen.formats.preview_templates import filled_template, preview_templates, signed_sentences
from nomicgen.formats.redline_text import segments_text
from nomicgen.formats.styled_text import style_text
from nomicgen.formats.terminal import safe
from nomicgen.formats.text_templates import Escaped
from nomicgen.history.past.effects_between import Effects
from nomicgen.history.redline import Segment
from nomicgen.model.findings import Finding
from nomicgen.play.preview.proposal import Preview
from nomicgen.play.preview.sections import preview_sections

if TYPE_CHECKING:
    from jinja2 import Environment

# Marks of templates for colours, and of lines that are laid out already. Players' words hold no
# such characters: `safe` spells them out.
_GOOD, _BAD, _WARN, _LAID_OUT = map(Escaped, "\x01\x02\x03\x04")
# The style of a line by its mark, and of a provision's sentence by its sign.
_TONES: dict[str, str] = {_GOOD: "green", _BAD: "bold red", _WARN: "yellow"}
_SIGNS = {"-": "red", "+": "green", " ": ""}


def preview_text(preview: Preview) -> Iterator[str]:
    """Yield the preview, in texts that each stand on lines of their own. Nothing in it is read as
    markup.
    """
    environment = _terminal_templates()
    yield style_text(filled_template(environment, "preview_title.md", preview=preview), "bold")
    for heading, words in preview_sections(environment, preview):
        yield from ("", style_text(heading, "bold"), *_lines(words))


def effects_text(heading: str, effects: Effects) -> Iterator[str]:
    """Yield the effects under a heading; nothing if there are none."""
    if effects == Effects():
        return
    if words := filled_template(_terminal_templates(), "preview_effects.md", effects=effects):
        yield from (style_text(heading, "bold"), *_lines(words))


@functools.cache
def _terminal_templates() -> Environment:
    environment = preview_templates(_on_one_line)
    # `bounded` cuts long lists in Markdown, and nothing here. `own` is for nomicgen's own words,
    # which need no marks to set them off from what players wrote.
    environment.filters |= {
        "bounded": Escaped,
        "own": lambda text: Escaped(safe(str(text))),
        "printed": _findings,
        "quoted": lambda text: (
            f"\N{LEFT DOUBLE QUOTATION MARK}{text}\N{RIGHT DOUBLE QUOTATION MARK}"
        ),
        "redline": _redline,
    }
    environment.globals |= {
        "good": _GOOD,
        "bad": _BAD,
        "warn": _WARN,
        "signed_lines": _sentences,
    }
    return environment


def _on_one_line(text: str) -> str:
    return " ".join(safe(text).split())


def _redline(segments: Sequence[Segment]) -> Escaped:
    """Return a redline with a margin, so that no line of a rule poses as one of the preview."""
    return _laid_out(
        f"    | {line}" if line else "    |" for line in segments_text(segments).split("\n")
    )


def _sentences(**sentences: Iterable[str]) -> Escaped:
    return _laid_out(
        style_text(f"    {sign} {safe(sentence)}", _SIGNS[sign])
        for sign, sentence in signed_sentences(**sentences)
    )


def _findings(findings: Sequence[Finding]) -> Escaped:
    return _laid_out(
        f"  {line}".rstrip() for finding in findings for line in finding_text(finding).split("\n")
    )


def _laid_out(lines: Iterable[str]) -> Escaped:
    return Escaped("\n".join(f"{_LAID_OUT}{line}" for line in lines))


def _lines(words: str) -> Iterator[str]:
    """Yield the lines of a section, without the marks of Markdown.

    What stands below a heading is indented once more.
    """
    margin = "  "
    for line in words.split("\n"):
        if line.startswith(_LAID_OUT):
            yield line.removeprefix(_LAID_OUT)
        elif line.startswith("##### "):
            yield style_text(f"  {line.removeprefix('##### ')}", "bold")
            margin = "    "
        elif line:
            depth, _, item = line.partition("- ")
            tone = _TONES.get(item[:1], "")
            yield style_text(f"{margin}{depth}{item.lstrip(''.join(_TONES))}", tone)
