"""Findings as SARIF 2.1.0 (OASIS), which forges and editors read: what was found, by which check, where."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from nomicgen import __version__
from nomicgen.diagnostics import CODES, Finding, picked
from nomicgen.formats.findings import LISTED, place
from nomicgen.formats.terminal import safe
from nomicgen.patterns import lazy_pattern

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
_FINGERPRINT = "nomicgenFinding/v1"
_BRACKETS = lazy_pattern(r"[\\\[\]]")
_BRACES = lazy_pattern("[{}]")


def findings_sarif(
    findings: Sequence[Finding], old: Sequence[Finding] | None = None, folder: str = ""
) -> dict[str, Any]:
    """A log of one run. With `old`, what the base has already, each result says whether it is new.

    It has at most `LISTED` results, which is what forges take: the new before the old, errors before warnings. The
    run's property `resultsNotListed` counts the rest. `folder` is the game's place in its repository (`games/tea`), of
    which paths begin; '' where it is the whole.
    """
    findings, more = picked(findings, LISTED)
    old, unlisted = (None, 0) if old is None else picked(old, LISTED - len(findings))
    used = {one.slug for one in (*findings, *(old or ()))}
    slugs = [slug for slug in CODES if slug in used]
    states = [(one, None if old is None else "new") for one in findings] + [(one, "unchanged") for one in old or ()]
    prints = _fingerprints([one for one, _ in states])
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {"name": "nomicgen", "version": __version__, "rules": [_rule(one) for one in slugs]}
                },
                "originalUriBaseIds": {_ROOT: {"description": {"text": "the top of the repository"}}},
                # A column counts characters, whatever their encoding.
                "columnKind": "unicodeCodePoints",
                "results": [
                    _result(one, slugs.index(one.slug), state, folder, mark)
                    for (one, state), mark in zip(states, prints, strict=True)
                ],
                **({"properties": {"resultsNotListed": more + unlisted}} if more + unlisted else {}),
            }
        ],
    }


def _rule(slug: str) -> dict[str, Any]:
    code = CODES[slug]
    summary = _plain(_sentence(code.summary))
    why, what = _page(slug)
    return {
        "id": slug,
        "shortDescription": {"text": summary},
        "fullDescription": {"text": _plain(why) or summary},
        "help": {"text": _plain(f"{what}\n\nnomicgen explain {slug}".strip())},
        "defaultConfiguration": {"level": code.severity},
    }


@cache
def _page(slug: str) -> tuple[str, str]:
    """Why a finding is one and what to do about it, as its page says; '' where it does not."""
    page = files("nomicgen").joinpath("explain", f"{slug}.md")
    text = page.read_text("utf-8").partition("\n## ")[0] if page.is_file() else ""
    parts = dict(re.findall(r"^\*\*(Why|What to do)\.\*\* (.+?)(?=\n\n|\Z)", text, re.MULTILINE | re.DOTALL))
    return parts.get("Why", "").strip(), parts.get("What to do", "").strip()


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _result(finding: Finding, index: int, state: str | None, folder: str, fingerprint: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.slug,
        "ruleIndex": index,
        "level": finding.severity,
        "message": {"text": _message(finding)},
        "locations": [{"physicalLocation": _location(finding, folder)}],
        "partialFingerprints": {_FINGERPRINT: fingerprint},
    }
    if state is not None:
        result["baselineState"] = state
    if finding.rule is not None:
        result["properties"] = {"ruleOfTheGame": finding.rule}
    return result


def _message(finding: Finding) -> str:
    rule = f" (Rule {finding.rule})" if finding.rule is not None else ""
    parts = (f"{finding.message}{rule}", f"What to do: {finding.help}" if finding.help else "", finding.detail)
    return _plain("\n".join(one for one in parts if one))


def _location(finding: Finding, folder: str) -> dict[str, Any]:
    # A path that is not UTF-8 was read with lone surrogates, and they stay in the address.
    uri = quote(place(finding.span.file, folder), errors="surrogatepass")
    return {
        "artifactLocation": {"uri": uri, "uriBaseId": _ROOT},
        "region": {"startLine": finding.span.line, "startColumn": finding.span.column},
    }


def _fingerprints(findings: Sequence[Finding]) -> Iterator[str]:
    """What stays the same when lines above a finding come or go: neither its place in the file nor its detail."""
    seen: Counter[str] = Counter()
    for one in findings:
        said = "\0".join((one.slug, one.span.file, str(one.rule), one.message))
        digest = hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        seen[digest] += 1
        yield f"{digest}:{seen[digest]}"


def _plain(text: str) -> str:
    """Words in which no reader of SARIF finds a link (3.11.6) or a placeholder (3.11.5)."""
    return _BRACES.sub(r"\g<0>\g<0>", _BRACKETS.sub(r"\\\g<0>", safe(text)))
