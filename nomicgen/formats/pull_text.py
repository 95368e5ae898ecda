"""What is said of a pull request, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.archive.proposal_preview import Preview
from nomicgen.archive.pull_request import PullVerdict
from nomicgen.diagnostics import counted
from nomicgen.formats.findings_text import findings_text
from nomicgen.formats.preview_parts import Section, effects_blocks
from nomicgen.formats.preview_text import section_text
from nomicgen.formats.pull_parts import kind_words
from nomicgen.formats.styled_text import Text
from nomicgen.formats.terminal import safe

_SHOWN = 12


def verdict_text(verdict: PullVerdict, preview: Preview | None = None) -> Iterator[Text]:
    """The verdict, in texts that each stand on lines of their own: the findings, what it is and brings about, how it
    ends. What a `preview` says that is shown as well is counted, and not said again.
    """
    findings = [finding for finding in verdict.findings if preview is None or finding not in preview.findings]
    yield from findings_text(findings)
    if findings:
        yield Text()
    yield Text(f"It is {kind_words(verdict.kind)}{_touches(verdict)}")
    if verdict.actor is not None:
        plays = f", who plays as {', '.join(verdict.players)}" if verdict.players else ", who is no player"
        claims = f", and claims the seat of {verdict.claims}" if verdict.claims is not None else ""
        yield Text(f"from {safe(verdict.actor)}{plays}{claims}")
    if verdict.old:
        yield Text(f"{counted(len(verdict.old), 'finding')} of the base not shown: nomicgen check", "yellow")
    if preview is None and (blocks := effects_blocks(verdict.effects)):
        yield from (Text(), *section_text(Section("What it brings about", blocks)), Text())
    yield _end(verdict)


def _touches(verdict: PullVerdict) -> str:
    if not verdict.paths:
        return ""
    more = len(verdict.paths) - _SHOWN
    paths = ", ".join(" ".join(safe(path).split()) for path in verdict.paths[:_SHOWN])
    return f": {paths}{f' and {more} more' if more > 0 else ''}"


def _end(verdict: PullVerdict) -> Text:
    errors = sum(1 for finding in verdict.findings if finding.is_error)
    warnings = len(verdict.findings) - errors
    if errors:
        return Text(f"refused: {counted(errors, 'error')}, {counted(warnings, 'warning')}", "bold red")
    if warnings:
        return Text(f"not refused: {counted(warnings, 'warning')}", "yellow")
    return Text("nothing is wrong with it", "green")
