"""Templates of Markdown for forges.

A value that is filled in may be a player's words, and is shown as code, unless a filter says
otherwise.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence

from jinja2 import Environment

from nomicgen.formats.markdown_blocks import (
    cut_fence,
    cut_list,
    findings_fence,
    redline_fence,
    sentences_fence,
)
from nomicgen.formats.markdown_escapes import code_span, fenced, plain_words
from nomicgen.formats.preview_templates import (
    closed_up,
    filled_template,
    preview_templates,
    signed_sentences,
)
from nomicgen.formats.terminal import safe
from nomicgen.formats.text_templates import Escaped
from nomicgen.law.questions import debate_of
from nomicgen.model.findings import Finding
from nomicgen.model.values import Moment

WHOLE = "nomicgen proposal preview --base BASE --head HEAD"
"""The command that prints all of a comment that was cut."""
_PART = 20_000
"""The most characters of one part of a comment."""
_WORDS = 600
"""The most characters that are shown of one text of a player, such as a title."""


@functools.cache
def markdown_templates() -> Environment:
    """Return the templates of comments and previews, with their filters."""
    environment = preview_templates(_as_code)
    environment.filters |= {
        "bounded": lambda text: Escaped(cut_list(text)),
        "detail": lambda text: Escaped(cut_fence(safe(text).splitlines(), "text")),
        "file": lambda text: Escaped(fenced(text.removesuffix("\n"), "markdown")),
        "findings": _findings,
        "fitting": _fitting_sections,
        "moment": lambda moment: Escaped(moment_words(moment)),
        "own": lambda text: Escaped(plain_words(str(text))),  # nomicgen's own words
        "printed": lambda findings: Escaped(findings_fence(findings)),
        "quoted": str,  # a title is shown as code here; at a terminal it gets quotation marks
        "redline": lambda segments: Escaped(redline_fence(segments)),
        "typed": lambda text: Escaped(fenced(text, "text")),
    }
    environment.globals |= {
        "good": Escaped(""),
        "bad": Escaped("❌ "),
        "debate_of": debate_of,
        "warn": Escaped("⚠️ "),
        "signed_lines": lambda **sentences: Escaped(sentences_fence(signed_sentences(**sentences))),
    }
    return environment


def moment_words(moment: Moment) -> str:
    """Return a moment in words: `2026-02-08`, or `2026-02-08 at 18:30`."""
    return str(moment).replace("T", " at ")


def _as_code(text: str) -> str:
    """Return a player's words as code, cut if they are long."""
    return code_span(f"{text[:_WORDS]}…" if len(text) > _WORDS else text)


def _findings(findings: Sequence[Finding]) -> Escaped:
    return _cut_part(
        filled_template(markdown_templates(), "finding.md", finding=finding) for finding in findings
    )


def _fitting_sections(text: str) -> Escaped:
    return _cut_part(re.split(r"\n\n(?=##### )", closed_up(text)))


def _cut_part(chunks: Iterable[str]) -> Escaped:
    """Return the first chunks of Markdown that fit into a part of a comment; if some do not, the
    last line says how to see all.
    """
    text = ""
    for chunk in chunks:
        if len(text) + len(chunk) > _PART:
            text += f"⚠️ There is more of this than fits here; all of it: `{WHOLE}`"
            break
        text += f"{chunk}\n\n"
    return Escaped(text.rstrip("\n"))
