"""Findings as SARIF 2.1.0 (OASIS), which forges and editors read: what was found, by which check,
where.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from nomicgen import __version__
from nomicgen.formats.findings import LISTED, path_in_repository
from nomicgen.formats.terminal import safe
from nomicgen.model.findings import CODES, Finding, pick_findings

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_ROOT = "%SRCROOT%"
_BRACKETS = r"[\\\[\]]"
_BRACES = "[{}]"


def findings_sarif(
    findings: Sequence[Finding], old: Sequence[Finding] | None = None, folder: str = ""
) -> dict[str, Any]:
    """Return a log of one run. If `old`, the findings of the base, are given, each result says
    whether it is new.

    It has at most `LISTED` results, since forges take no more: old ones are left out before new
    ones, and of each kind warnings before errors. The run's property `resultsNotListed` counts
    them. `folder` is the game's place in its repository (`games/tea`), with which paths begin; ''
    if it is at the top.
    """
    findings, more = pick_findings(findings, LISTED)
    old, unlisted = (None, 0) if old is None else pick_findings(old, LISTED - len(findings))
    state = None if old is None else "new"
    states = [
        *((finding, state) for finding in findings),
        *((finding, "unchanged") for finding in old or ()),
    ]
    used = {finding.slug for finding, _ in states}
    slugs = [slug for slug in CODES if slug in used]
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "nomicgen",
                        "version": __version__,
                        "rules": [_rule(slug) for slug in slugs],
                    }
                },
                "originalUriBaseIds": {
                    _ROOT: {"description": {"text": "the top of the repository"}}
                },
                # A column counts characters, whatever their encoding.
                "columnKind": "unicodeCodePoints",
                "results": [
                    _result(finding, slugs.index(finding.slug), state, folder)
                    for finding, state in states
                ],
                **(
                    {"properties": {"resultsNotListed": more + unlisted}} if more + unlisted else {}
                ),
            }
        ],
    }


def _rule(slug: str) -> dict[str, Any]:
    code = CODES[slug]
    summary = {"text": _plain(f"{code.summary[:1].upper()}{code.summary[1:]}.")}
    return {
        "id": slug,
        "shortDescription": summary,
        "fullDescription": summary,
        "help": {"text": f"nomicgen explain {slug}"},
        "defaultConfiguration": {"level": code.severity},
    }


def _result(finding: Finding, index: int, state: str | None, folder: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.slug,
        "ruleIndex": index,
        "level": finding.severity,
        "message": {"text": _message(finding)},
        "locations": [{"physicalLocation": _location(finding, folder)}],
    }
    if state is not None:
        result["baselineState"] = state
    if finding.rule is not None:
        result["properties"] = {"ruleOfTheGame": finding.rule}
    return result


def _message(finding: Finding) -> str:
    rule = f" (Rule {finding.rule})" if finding.rule is not None else ""
    parts = (
        f"{finding.message}{rule}",
        f"What to do: {finding.help}" if finding.help else "",
        finding.detail,
    )
    return _plain("\n".join(part for part in parts if part))


def _location(finding: Finding, folder: str) -> dict[str, Any]:
    # A path that is not UTF-8 was read with lone surrogates, and they stay in the address.
    uri = quote(path_in_repository(finding.span.file, folder), errors="surrogatepass")
    return {
        "artifactLocation": {"uri": uri, "uriBaseId": _ROOT},
        "region": {"startLine": finding.span.line, "startColumn": finding.span.column},
    }


def _plain(text: str) -> str:
    """Escape words so that no reader of SARIF finds a link (3.11.6) or a placeholder (3.11.5)."""
    return re.sub(_BRACES, r"\g<0>\g<0>", re.sub(_BRACKETS, r"\\\g<0>", safe(text)))
