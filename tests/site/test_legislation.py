"""Rules and adopted proposals in the words of schema.org's `Legislation`, and nothing that the ledger lacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml

from nomicgen.history.archive_view import Archive
from nomicgen.site.build import pages
from tests.site.conftest import Built
from tests.site.example import TODAY

URL = "https://harbour.example/nomic/"
# Of the vocabulary (schema.org, version 29) the terms of Legislation and its parents that are used here.
TERMS = {
    *("@context", "@type", "name", "url", "isPartOf"),
    *("legislationIdentifier", "legislationDate", "legislationDateVersion", "legislationLegalForce"),
    *("legislationAmends", "legislationRepeals", "legislationConsolidates"),
}
FORCES = {"https://schema.org/InForce", "https://schema.org/NotInForce"}


def law_of(page: str) -> Any:
    return yaml.safe_load(page.split("---\n")[1])["nomic"].get("law")


def things(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from things(part)


@pytest.fixture(scope="module")
def laws(archive: Archive) -> dict[str, Any]:
    made = pages(archive, today=TODAY, url=URL)
    found = {
        path: law_of(page)
        for path, page in made.items()
        if path.startswith(("rules/", "proposals/")) and "nomic:" in page
    }
    return {path: law for path, law in found.items() if law is not None}


def test_every_term_is_of_the_vocabulary(laws: dict[str, Any]) -> None:
    for law in laws.values():
        assert law["@context"] == "https://schema.org"
        for thing in things(law):
            assert set(thing) <= TERMS
            assert thing["@type"] == "Legislation"
            assert thing.get("url", URL).startswith(URL)
            assert thing.get("legislationLegalForce", "https://schema.org/InForce") in FORCES


def test_a_rule_says_its_revision_its_days_and_what_made_it(laws: dict[str, Any]) -> None:
    rule = laws["rules/203.md"]
    assert rule["legislationIdentifier"] == "203/1"
    assert rule["legislationDate"] < rule["legislationDateVersion"]
    assert rule["legislationLegalForce"] == "https://schema.org/InForce"
    assert rule["url"] == f"{URL}rules/203/"
    assert [one["@type"] for one in rule["legislationConsolidates"]] == ["Legislation"]


def test_only_adopted_proposals_are_legislation(laws: dict[str, Any], archive: Archive) -> None:
    adopted = {
        one.path
        for one in archive.records.of_kind("proposal")
        if one.matter.status == "adopted" and one.number is not None
    }
    told = {path for path in laws if path.startswith("proposals/")}
    assert told
    assert told <= adopted
    assert any("legislationAmends" in laws[path] for path in told)


def test_what_players_wrote_ends_no_script(hostile: Built) -> None:
    for page in sorted(hostile.site.rglob("rules/*/index.html")):
        text = page.read_text("utf-8")
        (script,) = text.split('<script type="application/ld+json">')[1:2] or [""]
        assert "<" not in script.partition("</script>")[0]
