"""What the site says of a proposal that names the day of its own effect."""

from __future__ import annotations

import json
from collections.abc import Mapping

from nomicgen.site.data.files import data_files
from nomicgen.site.pages.instruments_page import instrument_pages
from tests.site.small import LANTERN, site_of, small_archive
from tests.site.test_players import facts


def _facts(files: Mapping[str, str], number: int) -> dict[str, str]:
    pages = dict(instrument_pages(site_of(small_archive(files)), "proposal"))
    return facts(pages[f"proposals/{number}.md"].split("<h2>Dates</h2>")[1])


def test_the_page_of_a_proposal_tells_the_day() -> None:
    assert _facts(LANTERN, 304)["Takes effect"] == "on Apr 1, 2021, by its own words"
    adopted = _facts(LANTERN, 303)
    assert adopted["In effect"] == "Mar 10, 2021, by its own words"
    assert "Takes effect" not in adopted
    assert _facts(LANTERN, 302)["In effect"] == "Feb 2, 2021"


def test_a_rule_goes_before_the_day() -> None:
    rule = LANTERN["rules/initial/208.md"].replace("{victory:", "{effect: at-once, victory:")
    said = _facts({**LANTERN, "rules/initial/208.md": rule}, 304)["Takes effect"]
    assert said == "on Apr 1, 2021, by its own words, but Rule 208 says when it does"


def test_the_document_of_a_proposal_has_the_day() -> None:
    documents = dict(data_files(site_of(small_archive(LANTERN))))
    said = {number: json.loads(documents[f"api/v1/proposals/{number}.json"])["commences"] for number in (302, 303, 304)}
    assert said == {302: None, 303: "2021-03-10", 304: "2021-04-01"}
    strength = json.loads(documents["api/v1/players/ada.json"])["strength"]
    assert [(one["votes"], one["since"], one["until"]) for one in strength] == [
        (3, "2021-01-05", None),
        (0, "2021-01-07", "2021-01-08"),
    ]


def test_the_page_of_a_proposal_says_how_long_it_waits() -> None:
    rule = LANTERN["rules/initial/208.md"].replace("{victory:", "{effect: {after: 7 days}, victory:")
    open_one = LANTERN["proposals/304.md"].replace("commences: 2021-04-01\n", "")
    said = _facts({**LANTERN, "rules/initial/208.md": rule, "proposals/304.md": open_one}, 304)["Takes effect"]
    assert said == "7 days after the decision (Rule 208)"
