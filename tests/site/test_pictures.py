"""The pictures: what they show is what happened, whatever players are called, and however little or
much there is.
"""

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

from nomicgen.model.identifiers import PlayerId
from nomicgen.site.charts import svg
from nomicgen.site.charts.growth import growth
from nomicgen.site.charts.scores import scores
from nomicgen.site.parts.page import Page
from nomicgen.site.render import number
from nomicgen.site.texts.short_words import shorten
from tests.site.small import LANTERN, site_of, small_history, words

RULE = "---\nnumber: {0}\nmutability: mutable\nrevision: 0\n---\n\n{1}\n"
NOTHING = {"nomic.yml": "format: 1\nname: Nothing\n"}
HOSTILE = "</title><script>x()</script> \N{HEBREW LETTER ALEF} & \"d\" 'e' {{ 7 }}"
Picture = Callable[[Page], Markup | None]


def page_of(files: Mapping[str, str], path: str = "history.md") -> Page:
    return Page(site_of(small_history(files)), path)


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
    # 301 enacts in January, 302 amends; 303 is adopted, and in effect only after the day of the
    # site.
    assert rows(growth(lantern())) == [
        ["After", "mutable", "all"],
        ["Jan 1, 2021", "4", "4"],
        ["Jan 6, 2021", "5", "5"],
    ]
    picture = growth(lantern())
    assert words(str(picture)).startswith(
        "Growth of the ruleset 4 rules at the beginning, 5 rules now. Each mark below the axis "
        "is a change of the law."
    )
    [line] = [one for one in kind(picture, "n-edge") if one.tag == "path"]
    # Six to the top: 240 is none, 8 is six.
    levels = svg.Scale(0, 5, 240, 8)
    assert heights(line.get("d", ""))[:2] == [round(levels(4), 1), levels(5)]
    [rug] = kind(picture, "n-rug")
    days = (date(2021, 2, 28) - date(2021, 1, 1)).days
    assert rug.get("d") == "".join(f"M{round(day / days * 800)} 242v6" for day in (5, 32))


def test_growth_says_in_words_what_is_to_be_seen() -> None:
    desc = drawn(growth(lantern())).find(".//desc")
    assert desc is not None
    assert desc.text == "4 rules at the beginning, 5 rules now."


def test_a_ruleset_that_never_changed_or_nobody_knows_when_has_no_growth() -> None:
    files = {**NOTHING, "rules/initial/203.md": RULE.format(203, "All.")}
    assert growth(page_of(files)) is None
    files["proposals/301.md"] = "---\nnumber: 301\nstatus: adopted\n---\n\n## Enact Rule\n\nNew.\n"
    assert growth(page_of(files)) is None


def test_points_are_written_as_everywhere() -> None:
    act = (
        "---\ncause: Luck\ndate: 2021-01-15\n"
        "points: [{player: cy, amount: 155/2, reason: luck}]\n---\n\nSo.\n"
    )
    game = {
        "nomic.yml": f"{NOTHING['nomic.yml']}started: 2021-01-01\n",
        "players/cy.yml": "name: Cy\n",
    }
    picture = scores(page_of({**game, "acts/luck.md": act}))
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
    drawing = [one for one in kind(picture, "n-series") if one.get("d") != "M0 6H26"]
    lines = {one.get("class", "").split()[-1]: heights(one.get("d", "")) for one in drawing}
    assert lines["n-series-1"] == [float(number(levels(value))) for value in (0, 10, 20)]
    assert lines["n-series-5"] == [float(number(levels(value))) for value in (0, 0.5, -0.5)]
    assert lines["n-series-6"] == [float(number(levels(value))) for value in (0, -3)]
    assert "Ada won on Feb 2, 2021. 20 points win, by Rule 208." in words(str(picture))


def test_scores_name_eight_and_draw_all() -> None:
    crowd = {
        f"players/p{index:02}.yml": f"name: P{index:02}\njoined: 2021-01-01\n"
        for index in range(60)
    }
    points = ", ".join(
        f"{{player: p{index:02}, amount: {index - 30}, reason: luck}}" for index in range(60)
    )
    act = f"---\ncause: Luck\nby: ada\ndate: 2021-01-15\npoints: [{points}]\n---\n\nLuck.\n"
    picture = scores(lantern(**crowd, **{"acts/luck.md": act}))
    assert len([one for one in kind(picture, "n-series") if one.get("d") != "M0 6H26"]) == 66
    assert [one.text for one in drawn(picture).iter("bdi")] == [
        f"P{index}" for index in range(59, 51, -1)
    ]
    assert len(rows(picture)) == 67
    assert len(str(picture).encode()) < 40_000


@pytest.mark.parametrize("picture", [growth, scores])
def test_nothing_to_see(picture: Picture) -> None:
    assert picture(page_of(NOTHING)) is None


@pytest.mark.parametrize("picture", [growth, scores])
def test_what_players_write_stays_text(picture: Picture) -> None:
    page = lantern(**{"players/ada.yml": f"name: {json.dumps(HOSTILE)}\njoined: 2021-01-01\n"})
    made = picture(page)
    whole = drawn(made)
    assert {one.tag for one in whole.iter()}.isdisjoint(
        {"script", "style", "foreignObject", "image", "use"}
    )
    attributes = {name for one in whole.iter() for name in one.attrib}
    assert not [one for one in attributes if one.startswith("on") or one == "style"]
    if picture is not growth:
        shown = [text for one in whole.iter("text") for text in one.itertext()]
        key = [one.text for one in whole.iter("bdi")]
        assert [one for one in (*shown, *key) if one and one.startswith("</title>")] == [
            shorten(HOSTILE, 22)
        ]


def test_ids_are_of_their_own_picture() -> None:
    page = lantern()
    ids = [
        one.get("id")
        for made in (growth, scores)
        for one in drawn(made(page)).iter()
        if one.get("id")
    ]
    assert len(ids) == len(set(ids)) > 0
    assert growth(page) == growth(lantern())


def test_growth_of_thousands_of_changes_stays_small() -> None:
    files = {**NOTHING, "rules/initial/201.md": RULE.format(201, "One.")}
    for index in range(1000):
        day = date.fromordinal(date(2015, 1, 1).toordinal() + index)
        verb = (
            "Enact Rule\n\n```yaml rule\n"
            f"mutability: {'immutable' if index % 3 else 'mutable'}\n```\n\nNew."
        )
        files[f"acts/{day}-x.md"] = f"---\ncause: X\ndate: {day}\n---\n\n## {verb}\n"
    made = growth(page_of(files))
    assert made is not None
    assert rows(made)[-1][1:] == ["666", "335", "1001"]
    assert len(rows(made)) <= 41
    assert len(str(made).encode()) <= 25_000


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
    ticks = [day for day, _ in svg.time_ticks(first, last)]
    assert all(first <= day <= last for day in ticks)
    assert ticks == sorted(ticks)
    assert 2 <= len(ticks) <= 4


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        ("2020-06-01", "2020-06-05", ["Jun 1, 2020", "Jun 5, 2020"]),
        ("2020-06-15", "2021-03-01", ["Jul 2020", "Oct 2020", "Jan 2021"]),
        ("2015-03-01", "2020-03-01", ["2016", "2018", "2020"]),
    ],
)
def test_ticks_of_time_are_at_round_places(first: str, last: str, expected: list[str]) -> None:
    ticks = svg.time_ticks(date.fromisoformat(first), date.fromisoformat(last))
    assert [words for _, words in ticks] == expected


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
    assert shorten(text, most) == expected


def test_a_game_of_one_player() -> None:
    files = {
        "nomic.yml": f"{NOTHING['nomic.yml']}started: 2021-01-01\n",
        "players/solo.yml": "name: Solo\n",
        "acts/alone.md": "---\ncause: Alone\nby: solo\ndate: 2021-01-15\n"
        "points: [{player: solo, amount: 2, reason: why}]\n---\n\nSo.\n",
        "proposals/301.md": "---\nnumber: 301\nauthor: solo\ndate: 2021-01-15\n"
        "status: withdrawn\n---\n\nNo.\n",
    }
    page = page_of(files)
    assert rows(scores(page))[1:] == [["Solo", "2", "0", "2", "Jan 15, 2021"]]
    assert rows(scores(page_of(files, "players/solo.md"), player=PlayerId("solo"))) == rows(
        scores(page)
    )
