"""The history page: every day on which something happened, with links to all that it names."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping

import pytest

from nomicgen.history.game_events import game_events
from nomicgen.site.addresses import HISTORY, moment_anchor
from nomicgen.site.build import pages
from tests.site.small import LANTERN, ON, small_history, words


@functools.cache
def history_page() -> str:
    return pages(small_history(LANTERN), today=ON)[HISTORY]


def test_the_week_to_cite_has_a_page() -> None:
    there = pages(small_history(LANTERN), today=ON)
    [week] = re.findall(r'href="../(digest/[^"]*)/"', there[HISTORY])
    assert f"{week}.md" in there


def days(page: str) -> dict[str, list[str]]:
    """The words of each entry by the anchor of its day."""
    found = re.findall(r'<section id="(\d{4}-\d\d-\d\d)"[^>]*>(.*?)</section>', page, re.DOTALL)
    return {
        anchor: [words(one) for one in re.findall(r"<li.*?</li>", html, re.DOTALL)]
        for anchor, html in found
    }


def links(page: str, anchor: str) -> list[str]:
    section = page.split(f'<section id="{anchor}"', 1)[1].split("</section>", 1)[0]
    return re.findall(r'href="([^"]*)"', section)


def test_each_day_says_what_happened() -> None:
    assert days(history_page()) == {
        "2021-06-01": ["Eve joined"],
        "2021-02-28": ["Proposal 304 Oil (Index): put to the vote"],
        "2021-02-27": ["Proposal 303 (Index): adopted, 2 for, 0 against; Index +10"],
        "2021-02-25": ["Proposal 303 (Index): put to the vote"],
        "2021-02-20": ["Bo &lt;b&gt; became inactive"],
        "2021-02-10": ["Cy left"],
        "2021-02-03": ["R1T2, turn of Bo &lt;b&gt;: passed; −1"],
        "2021-02-02": [
            "Proposal 302 (Ada): adopted, 2 for, 1 against, 1 abstained; Rule 301/1 amended; Ada "
            "+10",
            "Act: Candlemas (Ada): Robin −3",
            "Ada won with 20 points, by Rule 208",
        ],
        "2021-02-01": ["R1T2, turn of Bo &lt;b&gt;: began", "Proposal 302 (Ada): put to the vote"],
        "2021-01-21": ["Proposal 305 (Cy): defeated, 1 for, 2 against"],
        "2021-01-20": ["Proposal 305 (Cy): put to the vote"],
        "2021-01-07": ["R1T1, turn of Ada: ended, throwing 4"],
        "2021-01-06": [
            "Proposal 301 (Ada): adopted, 2 for, 1 against; Rule 301/0 enacted; Ada +10, Cy "
            "+1/2, Bo &lt;b&gt; +1/2"
        ],
        "2021-01-05": ["R1T1, turn of Ada: began", "Proposal 301 (Ada): put to the vote"],
        "2021-01-04": ["Bo &lt;b&gt; was active again"],
        "2021-01-03": ["Bo &lt;b&gt; became inactive"],
        "2021-01-02": ["Index joined"],
        "2021-01-01": [
            "The game began with 4 rules",
            "Ada was there from the first day",
            "Bo &lt;b&gt; was there from the first day",
            "Cy was there from the first day",
        ],
    }


def test_what_it_names_is_linked() -> None:
    assert links(history_page(), "2021-02-02") == [
        "../time/#2021-02-02",
        "../proposals/302/",
        "../players/ada/",
        "../rules/301/#r1",
        "../players/ada/",
        "../acts/index_/",
        "../players/ada/",
        "../players/robin/",
        "../players/ada/",
        "../rules/208/",
    ]
    assert '<a href="../feed.xml" type="application/atom+xml">' in history_page()


def test_every_dated_event_has_its_day() -> None:
    events = game_events(small_history(LANTERN))
    assert set(days(history_page())) == {
        moment_anchor(one.moment)[:10] for one in events if one.moment
    }


def test_entries_can_be_filtered() -> None:
    day = history_page().split('<section id="2021-01-06"', 1)[1]
    assert re.findall(r"<li[^>]*>", day)[0] == (
        '<li data-nomic-item data-kind="proposal|law|points" data-player="ada|cy|bo">'
    )
    options = re.findall(r'<option value="([^"]*)">', history_page())
    assert options == [
        "",
        "law",
        "proposal",
        "act",
        "turn",
        "points",
        "player",
        "",
        "ada",
        "bo",
        "cy",
        "eve",
        "index",
        "robin",
    ]


def test_what_has_no_date_stands_at_the_end() -> None:
    files = {
        "nomic.yml": "format: 1\nname: Attic\n",
        "players/ada.yml": "name: Ada\n",
        "proposals/301.md": "---\nnumber: 301\nauthor: ada\nstatus: withdrawn\n---\n\nNo.\n",
    }
    page = pages(small_history(files), today=ON)[HISTORY]
    assert days(page) == {}
    assert words(page.split('<h2 id="undated">', 1)[1].split("</section>", 1)[0]) == (
        "Without a date Proposal 301 (Ada): withdrawn"
    )


def test_a_game_in_which_nothing_happened() -> None:
    page = pages(small_history({"nomic.yml": "format: 1\nname: Nothing\n"}), today=ON)[HISTORY]
    assert "<p>Nothing has happened yet.</p>" in page
    assert "<figure" not in page


def test_years_are_a_way_to_jump() -> None:
    days = {
        f"players/eve{at}.yml": f"name: Eve {at}\njoined: {2018 + at % 4}-12-{1 + at:02}\n"
        for at in range(30)
    }
    page = pages(small_history({**LANTERN, **days}), today=ON)[HISTORY]
    contents = page.split('<nav class="n-contents"', 1)[1].split("</nav>", 1)[0]
    years = [f"year-{year}" for year in (2021, 2020, 2019, 2018)]
    assert re.findall(r'href="#(year-[^"]*)"', contents) == years
    assert re.findall(r'<h2 id="(year-\d+)">', page) == years


def test_an_imported_game_says_how_true_its_import_is() -> None:
    certificate = {
        "format": 1,
        "kind": "git",
        "source": "<b>*old* `club`",
        "digest": "0" * 64,
        "states": 5,
        "identical": 3,
        "differing": [
            {"place": "a" * 40, "rule": 201, "why": "text, title", "states": 2},
            {"place": "a" * 40, "rule": 203, "why": "text, title", "states": 2},
            {"place": "<i>x</i>", "rule": 1, "why": "only in the ledger"},
        ],
        "unlisted": 4,
        "words": 400,
        "placed": 390,
        "omitted": 2,
        "left_out": [
            {"why": "a <b>signature</b>", "words": 2, "lines": ["-- ", "Wren <i>Keeper</i>"]}
        ],
        "nowhere": 4,
        "passages": [
            {"place": "<i>r.md</i>:3", "text": "by <u>nobody</u>", "words": 2, "states": 2}
        ],
        "foreign": 1,
        "foreign_passages": [{"place": "c1", "rule": 201, "text": "noon", "words": 1}],
        "accepted": 90,
    }
    game_history = small_history({**LANTERN, "import.json": json.dumps(certificate) + "\n"})
    page = pages(game_history, today=ON)[HISTORY]
    told = words(page.split('id="imported"', 1)[1].split("</section>", 1)[0].partition(">")[2])
    assert "imported from &lt;b&gt;*old* &#96;club&#96;." in told
    said = (
        "3 of 5 states identical; 97.9 % of the words placed, 4 words are nowhere, 1 word is "
        "in no source"
    )
    assert f"{said}, 0.5 % left out, --accept 90." in told
    assert "&lt;i&gt;r.md&lt;/i&gt;:3, in 2 states: by &lt;u&gt;nobody&lt;/u&gt;" in told
    assert "c1, Rule 201: noon" in told
    assert "Left out, 2 words: a &lt;b&gt;signature&lt;/b&gt;" in told
    assert "Wren &lt;i&gt;Keeper&lt;/i&gt;" in told
    assert said in pages(game_history, today=ON)["index.md"]
    assert (
        "aaaaaaaaaaaa: Rules 201, 203 in 2 states from there on: the ledger has another text and "
        "title" in told
    )
    assert "&lt;i&gt;x&lt;/i&gt;: Rule 1: the source lacks it" in told
    assert "and 4 more" in told
    assert 'id="imported"' not in history_page()


# What was recorded wrongly: it is said where it stands and where it is corrected, and no word of it
# does anything.


EVIL = "<script>alert(1)</script>"
CORRECTION = f"""---
cause: correction
date: 2021-02-20
restates:
  - {{file: proposals/301.md, key: votes.cy, was: for, now: against, evidence: 'https://list.example/9?a=1&b="2"'}}
  - {{file: proposals/302.md, key: earlier.0.votes.bo, now: against, evidence: "{EVIL}"}}
  - {{file: proposals/301.md, key: points.0.reason, was: "{EVIL}", now: for grace,
      evidence: 'javascript:alert(1)'}}
  - {{file: turns/R1T1.yml, key: dice.0, was: 3, now: 4, evidence: a picture}}
  - {{file: players/cy.yml, key: left, was: 2021-02-09, now: 2021-02-10, evidence: a letter}}
---
"""


@pytest.fixture(scope="module")
def made() -> Mapping[str, str]:
    return pages(small_history({**LANTERN, "acts/2021-02-20-correction.md": CORRECTION}), today=ON)


def notices(page: str) -> list[str]:
    return [
        words(one)
        for one in re.findall(r'<div class="n-notice" role="note"><p>(.*?)</p></div>', page)
    ]


def test_it_stands_on_the_page_that_it_concerns(made: Mapping[str, str]) -> None:
    assert notices(made["proposals/301.md"]) == [
        "Corrected on Feb 20, 2021: the vote of cy was recorded as for, but was against "
        "(evidence), as an act says.",
        "Corrected on Feb 20, 2021: the reason in line 1 of its points was recorded as "
        "&lt;script&gt;alert(1)&lt;/script&gt;, but was for grace (javascript:alert(1)), as an "
        "act says.",
    ]
    assert notices(made["players/cy.md"]) == [
        "Corrected on Feb 20, 2021: the day of leaving was recorded as 2021-02-09, but was "
        "2021-02-10 (a letter), "
        "as an act says."
    ]
    turn = (
        "Corrected on Feb 20, 2021: die 1 was recorded as 3, but was 4 (a picture), as an act says."
    )
    assert turn in words(made["scores.md"])
    assert turn in words(made["players/ada.md"])


def test_it_stands_on_the_page_of_the_act(made: Mapping[str, str]) -> None:
    found = notices(made["acts/2021-02-20-correction.md"])
    assert found[1] == (
        "This corrects Proposal 302: the vote of bo at submission 1 was not recorded, but was "
        "against (&lt;script&gt;alert(1)&lt;/script&gt;)."
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
        '<a class="n-out" rel="noopener nofollow ugc" '
        'href="https://list.example/9?a=1&amp;b=&#34;2&#34;">evidence</a>'
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
