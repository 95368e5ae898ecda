"""What was recorded wrongly: it is said where it stands and where it is corrected, and no word of it does anything."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import pytest

from nomicgen.site.build import pages
from tests.site.small import LANTERN, ON, small_archive, words

EVIL = "<script>alert(1)</script>"
CORRECTION = f"""---
cause: correction
date: 2021-02-20
restates:
  - {{file: proposals/301.md, key: votes.cy, was: for, now: against, evidence: 'https://list.example/9?a=1&b="2"'}}
  - {{file: proposals/302.md, key: earlier.0.votes.bo, now: against, evidence: "{EVIL}"}}
  - {{file: proposals/301.md, key: points.0.reason, was: "{EVIL}", now: for grace, evidence: 'javascript:alert(1)'}}
  - {{file: turns/R1T1.yml, key: dice.0, was: 3, now: 4, evidence: a picture}}
  - {{file: players/cy.yml, key: left, was: 2021-02-09, now: 2021-02-10, evidence: a letter}}
---
"""


@pytest.fixture(scope="module")
def made() -> Mapping[str, str]:
    return pages(small_archive({**LANTERN, "acts/2021-02-20-correction.md": CORRECTION}), today=ON)


def notices(page: str) -> list[str]:
    return [words(one) for one in re.findall(r'<div class="n-notice" role="note"><p>(.*?)</p></div>', page)]


def test_it_stands_on_the_page_that_it_concerns(made: Mapping[str, str]) -> None:
    assert notices(made["proposals/301.md"]) == [
        "Corrected on Feb 20, 2021: the vote of cy was recorded as for, and was against (evidence), as an act says.",
        "Corrected on Feb 20, 2021: the reason in line 1 of its points was recorded as "
        "&lt;script&gt;alert(1)&lt;/script&gt;, and was for grace (javascript:alert(1)), as an act says.",
    ]
    assert notices(made["players/cy.md"]) == [
        "Corrected on Feb 20, 2021: the day of leaving was recorded as 2021-02-09, and was 2021-02-10 (a letter), "
        "as an act says."
    ]
    turn = "Corrected on Feb 20, 2021: die 1 was recorded as 3, and was 4 (a picture), as an act says."
    assert turn in words(made["scores.md"])
    assert turn in words(made["players/ada.md"])


def test_it_stands_on_the_page_of_the_act(made: Mapping[str, str]) -> None:
    found = notices(made["acts/2021-02-20-correction.md"])
    assert found[1] == (
        "This corrects Proposal 302: the vote of bo at submission 1 was not recorded, and was against "
        "(&lt;script&gt;alert(1)&lt;/script&gt;)."
    )
    assert [one.partition(":")[0] for one in found[3:]] == [
        "This corrects the turn R1T1",
        "This corrects the days of Cy",
    ]


def test_no_word_of_it_does_anything(made: Mapping[str, str]) -> None:
    for path, page in made.items():
        if path.endswith(".md"):
            assert "<script>alert" not in page
            assert 'href="javascript' not in page
    link = (
        '<a class="n-out" rel="noopener nofollow ugc" href="https://list.example/9?a=1&amp;b=&#34;2&#34;">evidence</a>'
    )
    assert link in made["proposals/301.md"]


def test_the_data_has_it(made: Mapping[str, str]) -> None:
    told = json.loads(made["api/v1/acts/2021-02-20-correction.json"])
    assert told["restates"][1] == {
        "file": "proposals/302.md",
        "key": "earlier.0.votes.bo",
        "was": None,
        "now": "against",
        "evidence": EVIL,
    }
