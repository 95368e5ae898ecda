"""Findings for a terminal. Their other forms are elsewhere, so that a plain `nomicgen check` need
not import those.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nomicgen.formats.styled_text import style_text
from nomicgen.formats.terminal import safe
from nomicgen.model.findings import Finding, counted, pick_findings

SHOWN = 500
"""The most findings of one game that are shown to a person, or in a forge's log."""

_SEVERITY_STYLES = {"error": "bold red", "warning": "bold yellow"}
_DETAIL_STYLES = {"+": "green", "-": "red", "@": "cyan"}
"""Styles for lines of a detail, by their first character."""


def finding_text(finding: Finding) -> str:
    """Return a finding in lines, safe for a terminal.

    The first is `rules/203.md:12:1: error[rules-differ]: message`. Then come `rule:`, `help:` and
    the detail, as far as the finding has them.
    """
    kind = style_text(f"{finding.severity}[{finding.slug}]", _SEVERITY_STYLES[finding.severity])
    lines = [
        style_text(safe(f"{finding.span}: "), "bold")
        + kind
        + safe(f": {on_one_line(finding.message)}")
    ]
    if finding.rule is not None:
        lines.append(style_text("  rule: ", "bold cyan") + f"Rule {finding.rule}")
    if finding.help:
        lines.append(style_text("  help: ", "bold cyan") + safe(on_one_line(finding.help)))
    detail = (
        style_text(safe(f"    {line}".rstrip()), _detail_style(line))
        for line in finding.detail.splitlines()
    )
    return "\n".join((*lines, *detail))


def _detail_style(line: str) -> str:
    return _DETAIL_STYLES.get(line[:1], "")


def findings_text(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield a text for each finding, `SHOWN` at most, then a line that counts the rest; it leaves
    out warnings first.
    """
    shown, more = pick_findings(findings, SHOWN)
    yield from map(finding_text, shown)
    if more:
        yield style_text(f"and {counted(more, 'more finding')}", "yellow")


def summary_text(findings: Sequence[Finding], subject: str) -> str:
    """Return the last line: what was checked (`subject`), and how many errors and warnings it has.

    An example is `13 rules in force: 1 error, 0 warnings`.
    """
    errors = sum(1 for finding in findings if finding.is_error)
    warnings = len(findings) - errors
    counts = (
        f"{counted(errors, 'error')}, {counted(warnings, 'warning')}"
        if findings
        else "nothing is wrong"
    )
    return style_text(
        f"{subject}: {counts}", "bold red" if errors else "yellow" if warnings else "green"
    )


def on_one_line(text: str) -> str:
    """Return a message on one line, whatever it quotes."""
    return " ".join(text.splitlines()) if "\n" in text or "\r" in text else text
