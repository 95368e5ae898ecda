"""Findings as JSON, and as commands of GitHub's workflows. `findings_text.py` is for a terminal,
`sarif.py` for SARIF.
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
"""The most findings that a document lists: forges take no more, and nobody mends more singly."""


EDIT = Shape(
    "EditView",
    "A change of a file: some lines take the place of others.",
    Edit,
    first="the first line, counted from 1",
    last="the last line; the one before `first` if lines are only put in",
    lines="the new lines",
)
MENDING = Shape(
    "MendingView",
    "What makes a finding go.",
    Mending,
    said="what to do, for somebody who has no shell",
    edits=EDIT("the changes of the file; may be empty"),
    path="the new name of the file; null if it keeps its name",
    command="what to type at a shell; may be empty",
    asks="if it is a guess, the question to the file's author; else empty",
)
FINDING = Shape(
    "FindingView",
    "What is wrong, and where.",
    Finding,
    slug="the kind of finding",
    severity="an error has to be corrected; a warning may stay",
    file=at("span.file", "where it is"),
    line=at("span.line", "counted from 1"),
    column=at("span.column", "counted from 1, in characters"),
    message="what is wrong",
    rule="the rule of the game that is broken; null if none is",
    help="what to do",
    detail="further lines; may be empty",
    mending=MENDING("what to do, as data; null where that is not known"),
)
FINDINGS = Shape(
    "FindingsView",
    "Everything that is wrong.",
    format=FORMAT,
    findings=FINDING.many(
        f"in the order of the files; at most {LISTED:,}: warnings are left out first"
    ),
    more=typed(int, "how many more there are, which are not listed"),
    errors=typed(int, "how many errors there are, listed or not"),
    warnings=typed(int, "how many warnings there are, listed or not"),
)


def pick_listed(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings that a document lists: at most `LISTED`. Warnings are left out first."""
    return pick_findings(findings, LISTED)[0]


def findings_json(findings: Sequence[Finding]) -> dict[str, Any]:
    """Return `{"format": 1, "findings": […], "more": n, "errors": n, "warnings": n}`."""
    shown, more = pick_findings(findings, LISTED)
    return FINDINGS.write(findings=shown, more=more, **severities(findings))


def severities(findings: Sequence[Finding]) -> dict[str, int]:
    """Return how many errors and warnings there are, under the keys that documents use."""
    errors = sum(1 for finding in findings if finding.is_error)
    return {"errors": errors, "warnings": len(findings) - errors}


def findings_github(
    findings: Sequence[Finding], old: Sequence[Finding] = (), folder: str = ""
) -> str:
    """Return workflow commands, one a line, with which GitHub shows findings at their places in a
    pull request: at most `SHOWN`, then how many more there are.

    `old` are findings that the base has already: only their number is printed. `folder` is the
    game's place in its repository (`games/tea`), since GitHub's paths begin at the top; '' if the
    game is at the top itself.
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


def path_in_repository(file: str, folder: str) -> str:
    """Return the path of a game's file in its repository; `../x` is a file beside the game."""
    return posixpath.normpath(posixpath.join(folder, file)) if folder else file


def _command(finding: Finding, folder: str) -> str:
    title = f"{finding.slug}{f' (Rule {finding.rule})' if finding.rule is not None else ''}"
    properties = {
        "file": path_in_repository(finding.span.file, folder),
        "line": str(finding.span.line),
        "col": str(finding.span.column),
        "title": title,
    }
    shown = ",".join(f"{key}={_property(safe(value))}" for key, value in properties.items())
    # Who reads it on GitHub has a browser, and perhaps no shell.
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
    """Escape the text of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape the value of a workflow command's property."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
