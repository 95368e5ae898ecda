"""Findings, laid out: for a terminal, as JSON, as commands of GitHub's workflows. The words are the findings' own."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field

from nomicgen.diagnostics import Finding, Mending, counted, picked
from nomicgen.formats.findings_text import SHOWN, folded
from nomicgen.formats.json_parts import Document, View
from nomicgen.formats.terminal import safe

LISTED = 5000
"""Findings that a document has: forges take no more, and a game that has so many is not mended one by one."""


class EditView(View):
    """Lines of a file that become others."""

    first: int = Field(description="the first line, counted from 1")
    last: int = Field(description="the last line; the one before `first` where lines are put in")
    lines: Sequence[str] = Field(description="what stands there instead")


class MendingView(View):
    """What makes a finding go."""

    said: str = Field(description="what to do, for somebody who has no shell")
    edits: Sequence[EditView] = Field(description="what is to be changed in the file; may be empty")
    path: str | None = Field(description="what the file is to be called; null where it keeps its name")
    command: str = Field(description="what is typed at a shell; may be empty")
    asks: str = Field(description="what its author is asked, as it was guessed; may be empty")


class FindingView(View):
    """What is wrong, and where."""

    slug: str = Field(description="the kind of finding")
    severity: Literal["error", "warning"] = Field(description="whether it stands in the way")
    file: str = Field(description="where it is")
    line: int = Field(description="counted from 1")
    column: int = Field(description="counted from 1, in characters")
    message: str = Field(description="what is wrong")
    rule: int | None = Field(description="the rule of the game that is offended")
    help: str = Field(description="what to do")
    detail: str = Field(description="further lines; may be empty")
    mending: MendingView | None = Field(description="what to do, as data; null where that is not known")


class FindingsView(Document):
    """Everything that is wrong."""

    findings: tuple[FindingView, ...] = Field(
        description=f"in the order of the files; at most {LISTED:,}, errors before warnings"
    )
    more: int = Field(description="how many more there are, which are not listed")
    errors: int = Field(description="how many of them are errors")
    warnings: int = Field(description="how many are warnings")


def finding_view(finding: Finding) -> FindingView:
    """A finding as documents have it."""
    span = finding.span
    return FindingView(
        slug=finding.slug,
        severity=finding.severity,
        file=span.file,
        line=span.line,
        column=span.column,
        message=finding.message,
        rule=finding.rule,
        help=finding.help,
        detail=finding.detail,
        mending=_mending_view(finding.mending) if finding.mending is not None else None,
    )


def _mending_view(mending: Mending) -> MendingView:
    return MendingView(
        said=mending.said,
        edits=[EditView(first=one.first, last=one.last, lines=one.lines) for one in mending.edits],
        path=mending.path,
        command=mending.command,
        asks=mending.asks,
    )


def findings_json(findings: Sequence[Finding]) -> dict[str, Any]:
    """All findings: `{"format": 1, "findings": […], "more": n, "errors": n, "warnings": n}`."""
    errors = sum(1 for one in findings if one.is_error)
    listed, more = picked(findings, LISTED)
    view = FindingsView(
        findings=tuple(map(finding_view, listed)), more=more, errors=errors, warnings=len(findings) - errors
    )
    return view.model_dump(mode="json")


def findings_github(findings: Sequence[Finding], old: Sequence[Finding] = (), folder: str = "") -> str:
    """A workflow command for each finding, one a line, so that GitHub shows it at its place in a pull request.

    Of `old`, what the base has already, only the number is said. `folder` is the game's place in its repository
    (`games/tea`), where GitHub looks for the files; '' where it is the whole.
    """
    shown, more = picked(findings, SHOWN)
    commands = [_command(one, folder) for one in shown]
    if more:
        commands.append(f"::notice title=nomicgen::{counted(more, 'more finding')}: nomicgen check")
    if old:
        commands.append(
            f"::notice title=nomicgen::{counted(len(old), 'finding')} of the base not shown: nomicgen check"
        )
    return "".join(f"{one}\n" for one in commands)


def place(file: str, folder: str) -> str:
    """The path of a game's file in the repository; `../x` is one beside the game."""
    return posixpath.normpath(posixpath.join(folder, file)) if folder else file


def _command(finding: Finding, folder: str) -> str:
    title = f"{finding.slug}{f' (Rule {finding.rule})' if finding.rule is not None else ''}"
    properties = {
        "file": place(finding.span.file, folder),
        "line": str(finding.span.line),
        "col": str(finding.span.column),
        "title": title,
    }
    shown = ",".join(f"{key}={_property(safe(value))}" for key, value in properties.items())
    # Whoever reads it there has a browser.
    help = finding.mending.said if finding.mending is not None else finding.help
    parts = [folded(finding.message), f"help: {folded(help)}" if help else "", finding.detail]
    return f"::{finding.severity} {shown}::{_data(safe(chr(10).join(part for part in parts if part)))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
