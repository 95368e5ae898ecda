"""Lists and fences of Markdown. A long one is cut, and its last line says how much is missing."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from nomicgen.formats.findings_text import finding_text
from nomicgen.formats.markdown_escapes import fenced
from nomicgen.formats.styled_text import without_style
from nomicgen.formats.terminal import safe
from nomicgen.history.redline import Segment
from nomicgen.model.findings import Finding, counted

_SIGNS = {"equal": "  ", "insert": "+ ", "delete": "- "}
"""The beginning of a redline's lines, by the kind of the segment."""
_LONGEST = 8_000
"""The most characters of one list or fence."""
_WIDTH = 100
"""The most characters of a redline's line, besides its sign."""


def cut_list(text: str) -> str:
    """Return the lines of a list, as far as there is room; a last line counts the rest."""
    lines = text.splitlines()
    size = 0
    for index, line in enumerate(lines):
        # Ten more for each line, so that many short lines are too long, too.
        size += len(line) + 10
        if size > _LONGEST:
            lines[index:] = [f"- and {counted(len(lines) - index, 'more line')}"]
            break
    return "".join(f"{line}\n" for line in lines)


def cut_fence(lines: Sequence[str], language: str) -> str:
    """Return a fence of lines. If some are cut, the last line says so; it begins with `@@`, as no
    line of a redline does.
    """
    size = 0
    for index, line in enumerate(lines):
        size += len(line) + 1
        if size > _LONGEST:
            last_line = f"@@ {counted(len(lines) - index, 'line')} more @@"
            return fenced("\n".join((*lines[:index], last_line)), language)
    return fenced("\n".join(lines), language)


def redline_fence(segments: Sequence[Segment]) -> str:
    """Return a redline in lines. Each has its sign in front, so that no text of a player can look
    like a line of another kind.
    """
    lines: list[str] = []
    begins = True
    for segment in segments:
        # A segment may begin with the blank after the word before it, which did not change.
        text = segment.text if begins else segment.text.lstrip(" ")
        begins = segment.text.endswith("\n")
        if text or segment.kind != "equal":
            lines += [
                f"{_SIGNS[segment.kind]}{line}".rstrip()
                for line in safe(text).strip("\n").split("\n")
            ]
    return cut_fence(_wrapped(lines), "diff")


def sentences_fence(sentences: Iterable[tuple[str, str]]) -> str:
    """Return a fence of pairs, a sign (`+`, `-` or a blank) and a sentence, each on a line."""
    return cut_fence(_wrapped(f"{sign} {safe(sentence)}" for sign, sentence in sentences), "diff")


def findings_fence(findings: Sequence[Finding]) -> str:
    """Return a fence of findings as `nomicgen check` prints them; '' if there are none."""
    lines = [
        line for finding in findings for line in without_style(finding_text(finding)).split("\n")
    ]
    return cut_fence(lines, "text") if lines else ""


def _wrapped(lines: Iterable[str]) -> list[str]:
    """Return lines that fit on a page, each piece with its line's sign: forges do not wrap them."""
    wrapper = textwrap.TextWrapper(_WIDTH, break_on_hyphens=False, expand_tabs=False)
    done: list[str] = []
    for line in lines:
        pieces = wrapper.wrap(line[2:]) if len(line) > _WIDTH + 2 else []
        done += [f"{line[:2]}{piece}" for piece in pieces] or [line]
    return done
