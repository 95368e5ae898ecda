"""A finding for a terminal: apart from its other forms, whose models a plain `nomicgen check` need not wait for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nomicgen.diagnostics import Finding, counted, picked
from nomicgen.formats.styled_text import Text
from nomicgen.formats.terminal import safe

SHOWN = 500
"""Findings that a person, or a forge's log, is shown of one game."""

_SEVERITY_STYLES = {"error": "bold red", "warning": "bold yellow"}
_DETAIL_STYLES = {"+": "green", "-": "red", "@": "cyan"}
_INDENT = "  "


def finding_segments(finding: Finding) -> tuple[tuple[str, str], ...]:
    """A finding as (text, style) pairs, to be printed one after the other; safe for a terminal.

    `rules/203.md:12:1: error[rules-differ]: message`, then `rule:` and `help:`, each on a line, then the detail.
    """
    return tuple((safe(text), style) for text, style in _segments(finding))


def _segments(finding: Finding) -> Iterator[tuple[str, str]]:
    yield f"{finding.span}: ", "bold"
    yield f"{finding.severity}[{finding.slug}]", _SEVERITY_STYLES[finding.severity]
    yield f": {folded(finding.message)}", ""
    if finding.rule is not None:
        yield f"\n{_INDENT}rule: ", "bold cyan"
        yield f"Rule {finding.rule}", ""
    if finding.help:
        yield f"\n{_INDENT}help: ", "bold cyan"
        yield folded(finding.help), ""
    for line in finding.detail.splitlines():
        yield f"\n{f'{_INDENT * 2}{line}'.rstrip()}", _DETAIL_STYLES.get(line[:1], "")


def finding_text(finding: Finding) -> Text:
    """A finding as rich prints it. Text in it is never read as markup."""
    return Text.assemble(*finding_segments(finding))


def findings_text(findings: Sequence[Finding]) -> Iterator[Text]:
    """Findings, each a text of its own; of many the first, and a last line that counts the rest."""
    shown, more = picked(findings, SHOWN)
    yield from map(finding_text, shown)
    if more:
        yield Text(f"and {counted(more, 'more finding')}", "yellow")


def summary_text(findings: Sequence[Finding], told: str) -> Text:
    """What was looked at, and how much is wrong with it: `13 rules in force: 1 error, 0 warnings`."""
    errors = sum(1 for one in findings if one.is_error)
    warnings = len(findings) - errors
    found = f"{counted(errors, 'error')}, {counted(warnings, 'warning')}" if findings else "nothing is wrong"
    return Text(f"{told}: {found}", "bold red" if errors else "yellow" if warnings else "green")


def folded(text: str) -> str:
    """A message on one line, whatever it quotes."""
    return " ".join(text.splitlines()) if "\n" in text or "\r" in text else text
