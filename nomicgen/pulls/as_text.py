"""What is said of a pull request, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.formats.findings_text import findings_text
from nomicgen.formats.styled_text import style_text
from nomicgen.formats.terminal import safe
from nomicgen.model.findings import counted
from nomicgen.play.preview.as_text import effects_text
from nomicgen.play.preview.proposal import Preview
from nomicgen.pulls.parts import KIND_WORDS
from nomicgen.pulls.request import PullVerdict

_SHOWN = 12  # paths


def verdict_text(verdict: PullVerdict, preview: Preview | None = None) -> Iterator[str]:
    """Yield the verdict, in texts that each stand on lines of their own: findings, what the pull
    request is and brings about, the result.

    The caller prints a `preview` too. So its effects are left out here, and the findings that it
    shares with the verdict are only counted.
    """
    findings = [
        finding
        for finding in verdict.findings
        if preview is None or finding not in preview.findings
    ]
    yield from findings_text(findings)
    if findings:
        yield ""
    yield f"It is {KIND_WORDS[verdict.kind]}{_paths_clause(verdict)}"
    if verdict.actor is not None:
        plays = (
            f", who plays as {', '.join(verdict.players)}"
            if verdict.players
            else ", who is no player"
        )
        claims = f", and claims the seat of {verdict.claims}" if verdict.claims is not None else ""
        yield f"from {safe(verdict.actor)}{plays}{claims}"
    if verdict.old:
        yield style_text(
            f"{counted(len(verdict.old), 'finding')} of the base not shown: nomicgen check",
            "yellow",
        )
    if preview is None and (effects := [*effects_text("What it brings about", verdict.effects)]):
        yield from ("", *effects, "")
    yield _result(verdict)


def _paths_clause(verdict: PullVerdict) -> str:
    if not verdict.paths:
        return ""
    more = len(verdict.paths) - _SHOWN
    paths = ", ".join(" ".join(safe(path).split()) for path in verdict.paths[:_SHOWN])
    return f": {paths}{f' and {more} more' if more > 0 else ''}"


def _result(verdict: PullVerdict) -> str:
    errors = sum(1 for finding in verdict.findings if finding.is_error)
    warnings = len(verdict.findings) - errors
    if errors:
        return style_text(
            f"refused: {counted(errors, 'error')}, {counted(warnings, 'warning')}", "bold red"
        )
    if warnings:
        return style_text(f"not refused: {counted(warnings, 'warning')}", "yellow")
    return style_text("nothing is wrong with it", "green")
