"""Findings as SARIF: of the schema that OASIS publishes, each at its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft4Validator

from nomicgen import __version__
from nomicgen.formats.findings import findings_github
from nomicgen.formats.sarif import findings_sarif
from nomicgen.model.findings import CODES, Finding
from nomicgen.model.values import Span
from tests.deep import examples

SCHEMA = Path(__file__).parent / "sarif/sarif-schema-2.1.0.json"
VALIDATOR = Draft4Validator(json.loads(SCHEMA.read_text("utf-8")))
CAP = Finding(
    slug="cap-exceeded",
    span=Span(file="proposals/303.md", line=15, column=3),
    message="this would be the 26th mutable rule; Rule 209 allows 25",
    help="repeal a mutable rule first",
    rule=209,
)
LOST = Finding(
    slug="text-lost",
    span=Span(file="rules/a b#é:%.md"),
    message="[all](https://y.example) {0} \\",
    help="",
    detail="-old",
)


def run_of(document: dict[str, Any]) -> dict[str, Any]:
    assert list(VALIDATOR.iter_errors(document)) == []
    assert json.loads(json.dumps(document)) == document
    [run] = document["runs"]
    assert isinstance(run, dict)
    return run


def test_the_schema_is_one_and_refuses_what_is_no_log() -> None:
    Draft4Validator.check_schema(VALIDATOR.schema)
    document = findings_sarif([CAP])
    document["runs"][0]["results"][0]["level"] = "fatal"
    assert [one.json_path for one in VALIDATOR.iter_errors(document)] == [
        "$.runs[0].results[0].level"
    ]


def test_a_finding_as_a_result() -> None:
    run = run_of(findings_sarif([CAP]))
    assert run["results"] == [
        {
            "ruleId": "cap-exceeded",
            "ruleIndex": 0,
            "level": "error",
            "message": {
                "text": "this would be the 26th mutable rule; Rule 209 allows 25 (Rule 209)\n"
                "What to do: repeal a mutable rule first"
            },
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "proposals/303.md", "uriBaseId": "%SRCROOT%"},
                        "region": {"startLine": 15, "startColumn": 3},
                    }
                }
            ],
            "properties": {"ruleOfTheGame": 209},
        }
    ]
    assert run["columnKind"] == "unicodeCodePoints"
    assert list(run["originalUriBaseIds"]) == ["%SRCROOT%"]


def test_a_kind_of_finding_as_a_rule() -> None:
    driver = run_of(findings_sarif([CAP, CAP]))["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("nomicgen", __version__)
    assert driver["rules"] == [
        {
            "id": "cap-exceeded",
            "shortDescription": {"text": "More rules of a tier than the cap allows."},
            "fullDescription": {"text": "More rules of a tier than the cap allows."},
            "help": {"text": "nomicgen explain cap-exceeded"},
            "defaultConfiguration": {"level": "error"},
        }
    ]


def test_no_text_is_a_link_or_a_placeholder() -> None:
    [result] = run_of(findings_sarif([LOST]))["results"]
    assert result["message"]["text"] == "\\[all\\](https://y.example) {{0}} \\\\\n-old"
    assert (
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        == "rules/a%20b%23%C3%A9%3A%25.md"
    )


def test_what_the_base_has_is_told_from_what_is_new() -> None:
    run = run_of(findings_sarif([CAP], [LOST]))
    assert [(one["ruleId"], one["baselineState"]) for one in run["results"]] == [
        ("cap-exceeded", "new"),
        ("text-lost", "unchanged"),
    ]
    assert [run["tool"]["driver"]["rules"][one["ruleIndex"]]["id"] for one in run["results"]] == [
        "cap-exceeded",
        "text-lost",
    ]
    assert [one["baselineState"] for one in run_of(findings_sarif([CAP], []))["results"]] == ["new"]
    assert "baselineState" not in run_of(findings_sarif([CAP]))["results"][0]


def test_a_game_below_the_top_of_its_repository() -> None:
    outside = Finding(slug="symlink", span=Span(file="../docs/a.md"), message="x", help="")
    results = run_of(findings_sarif([CAP, outside], folder="games/tea"))["results"]
    uris = [one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in results]
    assert uris == ["games/tea/proposals/303.md", "games/docs/a.md"]
    commands = findings_github([CAP, outside], folder="games/tea").splitlines()
    assert [one.split(",")[0] for one in commands] == [
        "::error file=games/tea/proposals/303.md",
        "::error file=games/docs/a.md",
    ]


FINDINGS = st.builds(
    Finding,
    slug=st.sampled_from(sorted(CODES)),
    span=st.builds(
        Span,
        file=st.text(st.characters(), min_size=1),
        line=st.integers(1, 9**9),
        column=st.integers(1, 99),
    ),
    message=st.text(st.characters(), min_size=1),
    help=st.text(st.characters()),
    rule=st.none() | st.integers(1, 999),
    detail=st.text(st.characters()),
)


@settings(max_examples=examples(0.6), deadline=None)
@given(st.lists(FINDINGS, max_size=6), st.none() | st.lists(FINDINGS, max_size=3))
def test_whatever_is_found_is_a_valid_log(
    findings: list[Finding], old: list[Finding] | None
) -> None:
    run = run_of(findings_sarif(findings, old))
    everything = [*findings, *(old or ())]
    assert [one["ruleId"] for one in run["results"]] == [one.slug for one in everything]
    for one, result in zip(everything, run["results"], strict=True):
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert uri.isascii()
        assert not set(uri) & set(' :?#[]@"<>\\^`{|}')
        assert unquote(uri, errors="surrogatepass") == one.span.file
        text = result["message"]["text"].replace("{{", "").replace("}}", "")
        assert not set(text) & set("{}")
        assert "[" not in text.replace("\\\\", "").replace("\\[", "")


def test_the_base_is_summed_up_for_a_workflow() -> None:
    said = findings_github([CAP], [LOST, LOST])
    assert said.splitlines()[1:] == [
        "::notice title=nomicgen::2 findings of the base not shown: nomicgen check"
    ]
    assert findings_github([], []) == ""
