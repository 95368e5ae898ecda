"""The pictures: what they show is what happened, whatever players are called, and however little or much there is."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from nomicgen.identifiers import PlayerId
from nomicgen.site import svg
from nomicgen.site.charts import citations, growth, proposals, scores
from nomicgen.site.page import Page
from nomicgen.site.site_view import Site
from tests.site.small import LANTERN, site_of, small_archive, words

RULE = "---\nnumber: {0}\nmutability: mutable\nrevision: 0\n---\n\n{1}\n"
NOTHING = {"nomic.yml": "format: 1\nname: Nothing\n"}
HOSTILE = "</title><script>x()</script> \N{HEBREW LETTER ALEF} & \"d\" 'e' {{ 7 }}"
Picture = Callable[[Page], Markup | None]


def page_of(files: Mapping[str, str], path: str = "history.md") -> Page:
    return Page(site_of(small_archive(files)), path)


def lantern(**more: str) -> Page:
    return page_of({**LANTERN, **more})


def drawn(picture: Markup | None) -> ET.Element:
    """A picture as XML: it is well-formed."""
    assert picture is not None
    return ET.fromstring(picture)


def rows(picture: Markup | None) -> list[list[str]]:
    """The numbers of a picture: the words of each cell of its table."""
    table = drawn(picture).find(".//table")
    assert table is not None
    return [["".join(cell.itertext()) for cell in row] for row in table.iter("tr")]


def kind(picture: Markup | None, name: str) -> list[ET.Element]:
    return [one for one in drawn(picture).iter() if name in one.get("class", "").split()]


def heights(path: str) -> list[float]:
    """The heights of a line of steps, in its order, up to where it is closed off below."""
    first, *more = re.findall(r"(?:M[\d.]+ |V)(-?[\d.]+)", path)
    return [float(first), *map(float, more)]


def test_growth_counts_the_rules_after_every_change() -> None:
    # 301 enacts in January, 302 amends; 303 is adopted, and in effect only after the day of the site.
    assert rows(growth(lantern())) == [
        ["After", "mutable", "all"],
        ["Jan 1, 2021", "4", "4"],
        ["Jan 6, 2021", "5", "5"],
    ]
    picture = growth(lantern())
    assert words(str(picture)).startswith(
        "Growth of the ruleset 4 rules at the beginning, 5 rules now. Each mark below the base is a change of the law."
    )
    [line] = kind(picture, "n-edge")
    # Six to the top: 240 is none, 8 is six.
    levels = svg.Scale(0, 5, 240, 8)
    assert heights(line.get("d", ""))[:2] == [round(levels(4), 1), levels(5)]
    [rug] = kind(picture, "n-rug")
    days = (date(2021, 2, 28) - date(2021, 1, 1)).days
    assert rug.get("d") == "".join(f"M{round(day / days * 800)} 242v6" for day in (5, 32))


def test_growth_says_in_words_what_is_to_be_seen() -> None:
    desc = drawn(growth(lantern())).find(".//desc")
    assert desc is not None
    assert desc.text == (
        "A chart of the number of rules in each tier. It begins with 4 rules (4 mutable) at 2021-01-01 and ends with "
        "5 rules (5 mutable) at 2021-02-28. The most at one time: 5."
    )


def test_growth_draws_the_cap_of_the_time() -> None:
    capped = RULE.format(209, "At most six.").replace("revision: 0\n", "revision: 0\nprovisions: {cap: {mutable: 6}}\n")
    more = (
        "---\nnumber: 306\nauthor: ada\ndate: 2021-02-05\nopened: 2021-02-05\ndecided: 2021-02-06\nstatus: adopted\n"
        "votes: {ada: for}\n---\n\nMore.\n\n## Amend Rule 209/0\n\n"
        "```yaml rule\nprovisions:\n  cap: {mutable: 8}\n```\n\n"
        "At most eight.\n"
    )
    picture = growth(lantern(**{"rules/initial/209.md": capped, "proposals/306.md": more}))
    [line] = kind(picture, "n-cap")
    levels = svg.Scale(0, 8, 240, 8)
    assert heights(line.get("d", "")) == [levels(6), levels(8)]
    assert [one.text for one in kind(picture, "n-bound")] == ["at most 8 mutable rules"]


def test_growth_of_a_game_without_dates_goes_by_change() -> None:
    files = {
        **NOTHING,
        "rules/initial/203.md": RULE.format(203, "All."),
        "rules/initial/204.md": RULE.format(204, "None."),
        "proposals/301.md": "---\nnumber: 301\nstatus: adopted\n---\n\n## Repeal Rule 204/0\n",
        "proposals/302.md": "---\nnumber: 302\nstatus: adopted\n---\n\n## Enact Rule\n\nNew.\n",
    }
    picture = growth(page_of(files))
    assert rows(picture)[1:] == [["the beginning", "2", "2"], ["change 1", "1", "1"], ["change 2", "2", "2"]]
    assert "The archive has few dates" in words(str(picture))
    [line] = kind(picture, "n-edge")
    assert line.get("d", "").startswith("M0 8H400V124H800V8H800")


def test_a_ruleset_that_never_changed_has_no_growth() -> None:
    files = {**NOTHING, "rules/initial/203.md": RULE.format(203, "All.")}
    assert growth(page_of(files)) is None
    files["proposals/301.md"] = "---\nnumber: 301\nstatus: adopted\n---\n\n## Enact Rule\n\nNew.\n"
    assert rows(growth(page_of(files)))[1:] == [
        ["the beginning", "1", "1"],
        ["change 1", "2", "2"],
    ]


def test_points_are_written_as_everywhere() -> None:
    award = "---\nnumber: 301\nstatus: adopted\npoints: [{player: cy, amount: 155/2, reason: luck}]\n---\n\nSo.\n"
    players = {"players/cy.yml": "name: Cy\n"}
    picture = scores(page_of({**NOTHING, **players, "proposals/301.md": award}))
    assert rows(picture)[1][:4] == ["Cy", "77 1/2", "0", "77 1/2"]
    assert "155/2" not in str(picture)


def test_scores_are_those_of_the_standings() -> None:
    picture = scores(lantern())
    assert rows(picture) == [
        ["Player", "points", "lowest", "highest", "last change"],
        ["Ada", "20", "0", "20", "Feb 2, 2021"],
        ["Index", "10", "0", "10", "Feb 27, 2021"],
        ["Cy", "1/2", "0", "1/2", "Jan 6, 2021"],
        ["Eve", "0", "0", "0", "—"],
        ["Bo <b>", "−1/2", "−1/2", "1/2", "Feb 3, 2021"],
        ["Robin", "−3", "−3", "0", "Feb 2, 2021"],
    ]
    levels = svg.Scale(-5, 20, 240, 8)
    lines = {one.get("class", "").split()[-1]: heights(one.get("d", "")) for one in kind(picture, "n-series")}
    assert lines["n-series-1"] == [float(svg.number(levels(value))) for value in (0, 10, 20)]
    assert lines["n-series-5"] == [float(svg.number(levels(value))) for value in (0, 0.5, -0.5)]
    assert lines["n-series-6"] == [float(svg.number(levels(value))) for value in (0, -3)]
    assert [one.text for one in kind(picture, "n-bound")] == ["20 points win", "won"]
    assert "Ada won on Feb 2, 2021. 20 points win, by Rule 208." in words(str(picture))


def test_scores_name_eight_and_draw_all() -> None:
    crowd = {f"players/p{index:02}.yml": f"name: P{index:02}\njoined: 2021-01-01\n" for index in range(60)}
    points = ", ".join(f"{{player: p{index:02}, amount: {index - 30}, reason: luck}}" for index in range(60))
    act = f"---\ncause: Luck\nby: ada\ndate: 2021-01-15\npoints: [{points}]\n---\n\nLuck.\n"
    picture = scores(lantern(**crowd, **{"acts/luck.md": act}))
    assert len(kind(picture, "n-series")) == 66
    assert ["".join(one.itertext()) for one in kind(picture, "n-label")] == [f"P{index}" for index in range(59, 51, -1)]
    places = [float(one.get("y", "")) for one in drawn(picture).iter("text") if one.get("x") == "16"]
    assert places == sorted(places)
    assert all(after - before >= 15.9 for before, after in pairwise(places))
    assert len(rows(picture)) == 67
    assert len(str(picture).encode()) < 40_000


def test_proposals_by_author_and_fate() -> None:
    picture = proposals(lantern())
    assert rows(picture) == [
        ["Player", "proposed", "adopted", "defeated", "withdrawn or void", "undecided", "adopted, %"],
        ["Ada", "2", "2", "0", "0", "0", "100"],
        ["Index", "2", "1", "0", "0", "1", "100"],
        ["Cy", "1", "0", "1", "0", "0", "0"],
    ]
    bars = [(one.get("class", "").split("--")[1], one.get("x"), one.get("width")) for one in kind(picture, "n-fate")]
    assert bars[3:] == [
        ("adopted", "0%", "100%"),
        ("adopted", "0%", "50%"),
        ("undecided", "50%", "50%"),
        ("defeated", "0%", "50%"),
    ]
    links = [one.get("href") for one in drawn(picture).iter("a") if one.find("text") is not None]
    assert links == ["../players/ada/", "../players/index_/", "../players/cy/"]


def test_proposals_of_many_players_end_in_one_line() -> None:
    crowd = {f"players/p{index:02}.yml": f"name: P{index:02}\njoined: 2021-01-01\n" for index in range(20)}
    drafts = {
        f"proposals/d{index}.md": f"---\nauthor: p{index:02}\nstatus: draft\n---\n\nHm.\n\n## Repeal Rule 201/0\n"
        for index in range(20)
    }
    picture = proposals(lantern(**crowd, **drafts))
    names = ["".join(one.itertext()) for one in kind(picture, "n-label")]
    assert (len(names), names[0], names[-1]) == (16, "Ada", "8 others")
    assert len(rows(picture)) == 24


def citing(texts: Mapping[int, str]) -> Site:
    return site_of(
        small_archive({**NOTHING, **{f"rules/initial/{n}.md": RULE.format(n, text) for n, text in texts.items()}})
    )


def around(site: Site, number: int) -> Markup | None:
    history = site.archive.histories.of_number(number)
    assert history is not None
    return citations(Page(site, f"rules/{number}.md"), history)


def test_citations_around_a_rule() -> None:
    site = citing(
        {201: "See Rule 202.", 202: "See Rule 203 and Rules 204-205.", 203: "Rule 202.", 204: "A.", 205: "B."}
    )
    picture = around(site, 202)
    assert [one.get("href") for one in drawn(picture).iter("a") if one.get("aria-label")] == [
        "../../rules/201/",
        "../../rules/203/",
        "../../rules/203/",
        "../../rules/204/",
        "../../rules/205/",
    ]
    assert len(kind(picture, "n-cite")) == 5
    assert rows(picture) == [
        ["Rule", "cites it", "is cited by it"],
        ["Rule 201/0", "yes", "—"],
        ["Rule 203/0", "yes", "yes"],
        ["Rule 204/0", "—", "yes"],
        ["Rule 205/0", "—", "yes"],
    ]
    assert around(citing({201: "Alone."}), 201) is None


def test_citations_of_what_many_cite() -> None:
    site = citing({200: "The first.", **dict.fromkeys(range(201, 231), "See Rule 200.")})
    picture = around(site, 200)
    assert len([one for one in drawn(picture).iter("a") if one.get("aria-label")]) == 12
    assert "+ 18 more" in words(str(picture))
    assert len(rows(picture)) == 31


@pytest.mark.parametrize("picture", [growth, scores, proposals])
def test_nothing_to_see(picture: Picture) -> None:
    assert picture(page_of(NOTHING)) is None


@pytest.mark.parametrize("picture", [growth, scores, proposals])
def test_what_players_write_stays_text(picture: Picture) -> None:
    page = lantern(**{"players/ada.yml": f"name: {json.dumps(HOSTILE)}\njoined: 2021-01-01\n"})
    made = picture(page)
    whole = drawn(made)
    assert {one.tag for one in whole.iter()}.isdisjoint({"script", "style", "foreignObject", "image", "use"})
    attributes = {name for one in whole.iter() for name in one.attrib}
    assert not [one for one in attributes if one.startswith("on") or one == "style"]
    if picture is not growth:
        shown = [text for one in whole.iter("text") for text in one.itertext()]
        assert [one for one in shown if one.startswith("</title>")] == [
            svg.shortened(HOSTILE, 13 if picture is scores else 22)
        ]


def test_ids_are_of_their_own_picture() -> None:
    page = lantern()
    ids = [one.get("id") for made in (growth, scores, proposals) for one in drawn(made(page)).iter() if one.get("id")]
    assert len(ids) == len(set(ids)) == 3
    assert growth(page) == growth(lantern())


def test_growth_of_thousands_of_changes_stays_small() -> None:
    files = {**NOTHING, "rules/initial/201.md": RULE.format(201, "One.")}
    for index in range(1000):
        day = date.fromordinal(date(2015, 1, 1).toordinal() + index)
        verb = f"Enact Rule\n\n```yaml rule\nmutability: {'immutable' if index % 3 else 'mutable'}\n```\n\nNew."
        files[f"acts/{day}-x.md"] = f"---\ncause: X\ndate: {day}\n---\n\n## {verb}\n"
    made = growth(page_of(files))
    assert made is not None
    assert rows(made)[-1][1:] == ["666", "335", "1001"]
    assert len(rows(made)) <= 41
    assert len(str(made).encode()) <= 25_000


@given(st.lists(st.floats(0, 240), max_size=14), st.floats(1, 30))
def test_labels_keep_apart_and_in_order(wanted: list[float], gap: float) -> None:
    places = svg.spread_labels(sorted(wanted), gap, 0, 240)
    room = min(gap, 240 / max(len(wanted) - 1, 1))
    assert all(after - before >= room - 1e-6 for before, after in pairwise(places))
    assert all(-1e-6 <= one <= 240 + 1e-6 for one in places)


@given(st.integers(-(10**9), 10**9), st.integers(0, 10**9))
def test_ticks_enclose_what_they_measure(low: int, span: int) -> None:
    ticks = svg.round_ticks(low, low + span)
    assert ticks[0] <= low
    assert ticks[-1] >= low + span
    assert 2 <= len(ticks) <= 7
    assert len({after - before for before, after in pairwise(ticks)}) == 1


@given(st.dates(), st.dates())
def test_ticks_of_time_lie_between_the_days(one: date, other: date) -> None:
    first, last = sorted((one, other))
    ticks = svg.time_ticks(first, last)
    assert all(first.toordinal() <= tick.at <= last.toordinal() for tick in ticks)
    assert [tick.at for tick in ticks] == sorted({tick.at for tick in ticks})
    assert len(ticks) <= 7


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        ("2020-06-01", "2020-06-05", ["Jun 1, 2020", "Jun 2", "Jun 3", "Jun 4", "Jun 5"]),
        ("2020-06-15", "2021-03-01", ["Jul 2020", "Oct", "2021"]),
        ("2015-03-01", "2020-03-01", ["2016", "2017", "2018", "2019", "2020"]),
    ],
)
def test_ticks_of_time_are_at_round_places(first: str, last: str, expected: list[str]) -> None:
    ticks = svg.time_ticks(date.fromisoformat(first), date.fromisoformat(last))
    assert [one.text for one in ticks] == expected


@pytest.mark.parametrize(
    ("text", "most", "expected"),
    [
        ("short", 5, "short"),
        ("rather long", 8, "rather…"),
        ("漢字漢字", 6, "漢字…"),
        ("e\N{COMBINING ACUTE ACCENT}" * 4, 4, "e\N{COMBINING ACUTE ACCENT}" * 4),
        ("a\N{RIGHT-TO-LEFT OVERRIDE}b\x07c\n d", 9, "ab c d"),
    ],
)
def test_texts_are_cut_by_what_is_seen(text: str, most: int, expected: str) -> None:
    assert svg.shortened(text, most) == expected


def test_a_game_of_one_player() -> None:
    files = {
        **NOTHING,
        "players/solo.yml": "name: Solo\n",
        "acts/alone.md": "---\ncause: Alone\nby: solo\ndate: 2021-01-15\n"
        "points: [{player: solo, amount: 2, reason: why}]\n---\n\nSo.\n",
        "proposals/301.md": "---\nnumber: 301\nauthor: solo\ndate: 2021-01-15\nstatus: withdrawn\n---\n\nNo.\n",
    }
    page = page_of(files)
    assert rows(scores(page))[1:] == [["Solo", "2", "0", "2", "Jan 15, 2021"]]
    assert rows(scores(page_of(files, "players/solo.md"), player=PlayerId("solo"))) == rows(scores(page))
    assert rows(proposals(page))[1:] == [["Solo", "1", "0", "0", "1", "0", "—"]]
    # All of it is one day: the axis goes by what happened.
    [line] = kind(scores(page), "n-series")
    assert line.get("d") == "M0 240H800V8H800"
