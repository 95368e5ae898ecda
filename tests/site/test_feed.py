"""The feed of a game: what it tells, where it leads, when it says that things happened."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC
from html import unescape
from zoneinfo import ZoneInfo

import pytest

from nomicgen.history.game_history import GameHistory
from nomicgen.history.zones import timestamp
from nomicgen.model.values import Moment
from nomicgen.play.load import known_zone
from nomicgen.site.build import pages
from tests.ledger import UNANIMOUS, Ledger
from tests.rulesets import history_of_tree
from tests.site.conftest import Built
from tests.site.example import TODAY, load_history
from tests.site.test_atom import faults
from tests.site.test_data import addresses, faults_of, leads_somewhere

pytestmark = pytest.mark.deep


def titles_of(feed: str) -> list[str]:
    """What a feed tells, without the digests of weeks."""
    return [
        title
        for title in re.findall("<title>(.*)</title>", feed)
        if not title.startswith("The week ")
    ]


def test_the_feed_is_valid_and_leads_from_anywhere(game_history: GameHistory) -> None:
    feed = pages(game_history, today=TODAY, url="https://harbour.example/nomic")["feed.xml"]
    assert faults(feed) == []
    titles = titles_of(feed)
    assert titles[:3] == [
        "Harbour Nomic",
        "Proposal 305 · Louder tides: put to the vote",
        "Judgement 2 · A slip in Rule 204: given",
    ]
    assert len(titles) == 12
    assert set(re.findall('(?:href=|&quot;)"(.)', feed)) == {"h"}
    assert (
        "&lt;p&gt;Proposed by Bo Ek; defeated, 1 for, 2 against, 1 "
        "abstained.&lt;/p&gt;&lt;ul&gt;&lt;li&gt;"
        '&lt;a href="https://harbour.example/nomic/proposals/302/#changes"&gt;Repeal Rule '
        "205/0&lt;/a&gt;"
        "&lt;/li&gt;&lt;/ul&gt;&lt;blockquote&gt;&lt;p&gt;Crumbs in the "
        "harbour.&lt;/p&gt;&lt;/blockquote&gt;"
    ) in feed


def test_each_rule_and_each_player_has_a_feed_where_the_site_has_an_address(
    game_history: GameHistory,
) -> None:
    made = pages(game_history, today=TODAY, url="https://harbour.example/nomic")
    own = {path: text for path, text in made.items() if path.endswith("/feed.xml")}
    assert [path for path, text in own.items() if faults(text)] == []
    assert {path.split("/")[0] for path in own} == {"rules", "players"}
    titles = re.findall("<title>(.*)</title>", own["rules/203/feed.xml"])
    assert titles[0] == "Rule 203/1 · Adoption, Harbour Nomic"
    assert any(title.startswith("Judgement 1 ") for title in titles[1:])
    assert "https://harbour.example/nomic/rules/203/feed.xml" in own["rules/203/feed.xml"]
    assert 'href="feed.xml"' in made["rules/203.md"] or "rules/203/feed.xml" in made["rules/203.md"]


def test_a_feed_of_a_site_that_may_stand_anywhere_is_relative(made: Mapping[str, str]) -> None:
    assert faults(made["feed.xml"]) == []
    assert not [path for path in made if path.endswith("/feed.xml")]
    assert 'rel="self"' not in made["feed.xml"]
    there = addresses(made)
    leads = re.findall(r'href="([^"]+)"', unescape(made["feed.xml"]))
    assert len([href for href in leads if not href.startswith("digest/")]) == 24
    assert [href for href in leads if not leads_somewhere(href, there)] == []
    assert '<link rel="alternate" type="text/html" href="proposals/305/" />' in made["feed.xml"]


def test_a_hostile_player_reaches_no_reader_of_data_or_feed(hostile: Built) -> None:
    made = pages(load_history(hostile.game), today=TODAY)
    assert faults_of(made) == []
    assert faults(made["feed.xml"]) == []
    contents = re.findall('<content type="html">(.*)</content>', made["feed.xml"])
    assert any("hacked" in one for one in contents)
    assert {tag for one in contents for tag in re.findall(r"<[^>\s]+", unescape(one))} == {
        *("<a", "</a", "<blockquote", "</blockquote", "<li", "</li", "<p", "</p", "<ul", "</ul"),
    }


def test_a_change_that_comes_later_is_news_of_its_own() -> None:
    game = Ledger.start(
        {101: UNANIMOUS, 201: {}}, timezone="Europe/Paris", repository="https://forge.example/game"
    )
    game.proposal(
        301,
        "01-05",
        "## Amend Rule 201/0\n\nA new text.",
        title="Later",
        effective=Moment.parse("2026-02-01"),
    )
    told = history_of_tree(game.tree, "2026-02-02")
    before, after = (
        pages(told, today=Moment.parse(day))["feed.xml"] for day in ("2026-01-31", "2026-02-02")
    )
    assert [titles_of(feed)[1] for feed in (before, after)] == [
        "Proposal 301 · Later: adopted",
        "Proposal 301 · Later: in effect",
    ]
    assert "<updated>2026-02-01T00:00:00+01:00</updated>" in after


def test_only_the_newest_fifty_are_in_the_feed() -> None:
    game = Ledger.start({101: UNANIMOUS})
    for number in range(301, 361):
        game.proposal(
            number,
            f"0{1 + (number - 301) // 28}-{(number - 301) % 28 + 1:02}",
            "## Enact Rule\n\nMore.",
        )
    feed = pages(history_of_tree(game.tree), today=Moment.parse("2026-12-31"))["feed.xml"]
    assert feed.count("<entry>") - feed.count("<title>The week ") == 50
    assert faults(feed) == []
    assert titles_of(feed)[1] == "Proposal 360: adopted"


@pytest.mark.parametrize(
    ("moment", "zone", "expected"),
    [
        ("2020-07-26", "Europe/London", "2020-07-26T00:00:00+01:00"),
        ("2020-01-26T18:30", "America/New_York", "2020-01-26T18:30:00-05:00"),
        ("1847-05-01", "Europe/Amsterdam", "1847-05-01T00:00:00+00:00"),
        ("0001-01-01", "Asia/Tokyo", "0001-01-01T00:00:00+00:00"),
        ("9999-12-31T23:59:59", "America/New_York", "9999-12-31T23:59:59-05:00"),
    ],
)
def test_a_moment_is_of_the_games_own_time_zone(moment: str, zone: str, expected: str) -> None:
    assert timestamp(Moment.parse(moment), ZoneInfo(zone)) == expected


def test_a_zone_that_is_none_is_none() -> None:
    assert known_zone("Nowhere/Land") is None
    assert known_zone("../etc") is None
    assert (
        timestamp(Moment.parse("2020-07-26"), known_zone("UTC") or UTC)
        == "2020-07-26T00:00:00+00:00"
    )


def test_each_week_has_a_page_to_cite_and_an_entry_once_it_is_over(
    game_history: GameHistory,
) -> None:
    made = pages(game_history, today=TODAY, url="https://harbour.example/nomic")
    weeks = sorted(path for path in made if path.startswith("digest/"))
    assert weeks[0] == "digest/2020-W23.md"  # the game began on Monday, June 1
    page = made["digest/2020-W24.md"]
    text = " ".join(re.sub("<[^>]*>", " ", page).split())
    assert (
        "Jun 8, 2020 to Jun 14, 2020 : 1 change of the law; 1 vote opened; 1 vote decided; "
        "with Ada." in text
    )
    assert "Proposal 301 A floor under the majority" in text
    assert "The week 2020-W24, Harbour Nomic, https" in text
    assert made["history.md"].count(f'href="../{weeks[-1].removesuffix(".md")}/"') == 1
    told = re.findall("<title>The week (.*)</title>", made["feed.xml"])
    assert (
        told
        == [week.removeprefix("digest/").removesuffix(".md") for week in reversed(weeks)][
            : len(told)
        ]
    )
    assert 0 < len(told) <= 4
    # A week that goes on is not told yet.
    early = pages(
        game_history, today=Moment.parse("2020-06-12"), url="https://harbour.example/nomic"
    )
    assert re.findall("<title>The week (.*)</title>", early["feed.xml"]) == ["2020-W23"]
    assert "digest/2020-W24.md" in early
