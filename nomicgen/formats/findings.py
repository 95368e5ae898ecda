"""Findings, laid out: for a terminal, as JSON, as commands of GitHub's workflows. The words are the
findings' own.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import Any

from nomicgen.formats.documents import FORMAT, Shape, at, typed
from nomicgen.formats.findings_text import SHOWN, on_one_line
from nomicgen.formats.terminal import safe
from nomicgen.model.findings import Edit, Finding, Mending, counted, pick_findings

LISTED = 5000
"""Findings that a document has at most: forges take no more, and nobody mends so many singly."""


EDIT = Shape(
    "EditView",
    "Lines of a file that become others.",
    Edit,
    first="the first line, counted from 1",
    last="the last line; the one before `first` where lines are put in",
    lines="what stands there instead",
)
MENDING = Shape(
    "MendingView",
    "What makes a finding go.",
    Mending,
    said="what to do, for somebody who has no shell",
    edits=EDIT("what is to be changed in the file; may be empty"),
    path="what the file is to be called; null where it keeps its name",
    command="what is typed at a shell; may be empty",
    asks="what its author is asked, as it was guessed; may be empty",
)
FINDING = Shape(
    "FindingView",
    "What is wrong, and where.",
    Finding,
    slug="the kind of finding",
    severity="whether it stands in the way",
    file=at("span.file", "where it is"),
    line=at("span.line", "counted from 1"),
    column=at("span.column", "counted from 1, in characters"),
    message="what is wrong",
    rule="the rule of the game that is offended",
    help="what to do",
    detail="further lines; may be empty",
    mending=MENDING("what to do, as data; null where that is not known"),
)
FINDINGS = Shape(
    "FindingsView",
    "Everything that is wrong.",
    format=FORMAT,
    findings=FINDING.many(f"in the order of the files; at most {LISTED:,}, errors before warnings"),
    more=typed(int, "how many more there are, which are not listed"),
    errors=typed(int, "how many of them are errors"),
    warnings=typed(int, "how many are warnings"),
)


def listed(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings that a document has of many: errors before warnings."""
    return pick_findings(findings, LISTED)[0]


def findings_json(findings: Sequence[Finding]) -> dict[str, Any]:
    """All findings: `{"format": 1, "findings": […], "more": n, "errors": n, "warnings": n}`."""
    shown, more = pick_findings(findings, LISTED)
    return FINDINGS.write(findings=shown, more=more, **severities(findings))


def severities(findings: Sequence[Finding]) -> dict[str, int]:
    """Return how many errors and warnings there are, by the keys of documents."""
    errors = sum(1 for finding in findings if finding.is_error)
    return {"errors": errors, "warnings": len(findings) - errors}


def findings_github(
    findings: Sequence[Finding], old: Sequence[Finding] = (), folder: str = ""
) -> str:
    """Return a workflow command for each finding, one a line, so that GitHub shows it at its place
    in a pull request.

    Of `old`, what the base has already, only the number is said. `folder` is the game's place in
    its repository (`games/tea`), where GitHub looks for the files; '' where it is the whole.
    """
    shown, more = pick_findings(findings, SHOWN)
    commands = [_command(finding, folder) for finding in shown]
    if more:
        commands.append(f"::notice title=nomicgen::{counted(more, 'more finding')}: nomicgen check")
    if old:
        commands.append(
            f"::notice title=nomicgen::{counted(len(old), 'finding')} of the base not shown: "
            "nomicgen check"
        )
    return "".join(f"{command}\n" for command in commands)


def place(file: str, folder: str) -> str:
    """Return the path of a game's file in the repository; `../x` is one beside the game."""
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
    parts = [
        on_one_line(finding.message),
        f"help: {on_one_line(help)}" if help else "",
        finding.detail,
    ]
    return (
        f"::{finding.severity} {shown}::{_data(safe(chr(10).join(part for part in parts if part)))}"
    )


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
