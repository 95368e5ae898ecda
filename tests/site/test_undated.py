"""What a site says of a decision whose day nobody recorded: no day is invented for it."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from nomicgen.model.values import Moment
from nomicgen.site.build import pages
from tests.site.small import small_archive
from tests.site.test_history import days
from tests.site.test_rule import notices, rule, words
from tests.timelines import Reader

TODAY = Moment.parse("2021-01-01")
LAW = "format: 1\nname: Lamps\ntiers: [immutable, mutable]\n"


def decided(number: int, day: str | None, instruction: str, more: str = "") -> str:
    when = f"decided: {day}\n" if day else ""
    return f"---\nnumber: {number}\nstatus: adopted\n{when}votes: unrecorded\n{more}---\n\n{instruction}\n"


def tree(before: str | None = "2019-08-05", after: str | None = "2019-09-09") -> Mapping[str, str]:
    return {
        "nomic.yml": LAW,
        "rules/initial/1.md": rule(1, "Lamps."),
        "rules/initial/2.md": rule(2, "Oil."),
        "proposals/301.md": decided(301, before, "## Amend Rule 1\n\nMany lamps."),
        "proposals/302.md": decided(302, None, "## Repeal Rule 2", "note: in <August>\n"),
        "proposals/303.md": decided(303, after, "## Amend Rule 1\n\nFew lamps."),
    }


def site(files: Mapping[str, str]) -> Mapping[str, str]:
    return pages(small_archive(files, TODAY), today=TODAY)


def test_the_page_of_a_rule_says_that_the_day_is_not_recorded() -> None:
    page = site(tree())["rules/2.md"]
    assert "repealed, day not recorded" in words(page)
    assert notices(page) == [
        "This rule was repealed by Proposal 302. The day is not recorded: by its number between Aug 5, 2019 and "
        "Sep 9, 2019. Its last text is kept here."
    ]
    assert "Repealed by Proposal 302 by its number between Aug 5, 2019 and Sep 9, 2019; in <August>" in words(page)


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("2019-08-05", None, ": by its number not before Aug 5, 2019"),
        (None, "2019-09-09", ": by its number not after Sep 9, 2019"),
        (None, None, ""),
        ("2019-09-09", "2019-08-05", ""),
    ],
)
def test_only_what_the_numbers_tell_is_said(before: str | None, after: str | None, told: str) -> None:
    assert f"The day is not recorded{told}. Its last text" in notices(site(tree(before, after))["rules/2.md"])[0]


def test_the_history_has_it_once_and_without_a_day() -> None:
    page = site(tree())["history.md"]
    assert {day: len(some) for day, some in days(page).items()} == {"2019-09-09": 1, "2019-08-05": 1}
    assert "Proposal 302: adopted; Rule 2/0 repealed" in words(page.partition("Without a date")[2])
    assert words(page).count("Rule 2/0 repealed") == 1


def test_points_that_it_gives_have_no_day_either() -> None:
    played = small_archive(
        {
            **tree(),
            "players/wren.yml": "name: Wren\n",
            "proposals/302.md": decided(
                302, None, "## Repeal Rule 2", "points: [{player: wren, amount: 5, reason: oil}]\n"
            ),
        },
        TODAY,
    ).replay
    assert [(one.player, one.moment) for one in played.awards] == [("wren", None)]


def test_the_data_has_null() -> None:
    found = {path: json.loads(data) for path, data in site(tree()).items() if path.endswith(".json")}
    gone = found["api/v1/rules/2.json"]
    assert [one["effective"] for one in gone["entries"]] == [None, None]
    assert [one["until"] for one in gone["revisions"]] == [None]
    assert [one["effective"] for one in found["api/v1/timeline.json"]["moments"]] == ["2019-08-05", None, "2019-09-09"]
    assert found["api/v1/proposals/302.json"]["effective"] is None
    assert [len(Reader(found).on(day)) for day in ("2019-08-04", "2019-08-05", "2019-09-09")] == [2, 1, 1]


def test_a_failed_proposal_of_which_nothing_is_left_has_its_page() -> None:
    lost = "---\nnumber: 304\nstatus: defeated\nvotes: unrecorded\n---\n"
    made = site({**tree(), "proposals/304.md": lost})
    assert "defeated" in words(made["proposals/304.md"])
    assert json.loads(made["api/v1/proposals/304.json"])["decided"] is None
    assert "Proposal 304: defeated" in words(made["history.md"].partition("Without a date")[2])
