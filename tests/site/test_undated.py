"""What a site says of a decision whose day nobody recorded: no day is invented for it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import pytest

from nomicgen.model.values import Moment
from nomicgen.site.build import pages
from tests.ledger import UNANIMOUS, Ledger
from tests.rulesets import history_of_tree
from tests.site.small import small_history
from tests.site.test_history import days
from tests.site.test_rule import made, notices, rule, words
from tests.timelines import Reader

TODAY = Moment.parse("2021-01-01")
LAW = "format: 1\nname: Lamps\ntiers: [immutable, mutable]\n"


def decided(number: int, day: str | None, instruction: str, more: str = "") -> str:
    when = f"decided: {day}\n" if day else ""
    return (
        f"---\nnumber: {number}\nstatus: adopted\n{when}votes: unrecorded\n{more}---\n\n"
        f"{instruction}\n"
    )


def tree(before: str | None = "2019-08-05", after: str | None = "2019-09-09") -> Mapping[str, str]:
    return {
        "nomic.yml": LAW,
        "rules/initial/1.md": rule(1, "Lamps."),
        "rules/initial/2.md": rule(2, "Oil."),
        "proposals/301.md": decided(301, before, "## Amend Rule 1\n\nMany lamps."),
        "proposals/302.md": decided(302, None, "## Repeal Rule 2", "note: in <August>\n"),
        "proposals/303.md": decided(303, after, "## Amend Rule 1\n\nFew lamps."),
    }


CERTIFICATE = {
    "format": 1,
    "kind": "text",
    "source": "lamps.txt",
    "digest": "0" * 64,
    "states": 1,
    "identical": 1,
}


def test_an_archive_claims_nothing_that_its_source_does_not_say() -> None:
    files = {
        **tree(),
        "players/wren.yml": "name: Wren\nkind: past\n",
        "import.json": json.dumps(CERTIFICATE) + "\n",
    }
    there = site(files)
    home = words(there["index.md"])
    assert "This game was played elsewhere, from Aug 5, 2019 to Sep 9, 2019." in home
    assert "It was read from lamps.txt: 1 of 1 states identical." in home
    for claim in (
        "No turn has been recorded",
        "How to join",
        "How to propose",
        "nomicgen ",
        "Scores",
        "open for votes",
    ):
        assert claim not in home
    assert "How to change it" not in words(there["rules/1.md"])
    assert "1 player whom the source names" in words(there["players/index.md"])
    assert "The source tells of no points." in words(there["scores.md"])
    played = site({path: text for path, text in files.items() if path != "import.json"})
    assert "How to join" in words(played["index.md"])


def site(files: Mapping[str, str]) -> Mapping[str, str]:
    return pages(small_history(files, TODAY), today=TODAY)


def test_the_page_of_a_rule_says_that_the_day_is_not_recorded() -> None:
    page = site(tree())["rules/2.md"]
    assert "repealed, day not recorded" in words(page)
    assert notices(page) == [
        "This rule was repealed by Proposal 302. The day is not recorded: by its number between "
        "Aug 5, 2019 and Sep 9, 2019. Its last text is kept here."
    ]
    assert (
        "Repealed by Proposal 302 by its number between Aug 5, 2019 and Sep 9, 2019; in <August>"
        in words(page)
    )


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("2019-08-05", None, ": by its number not before Aug 5, 2019"),
        (None, "2019-09-09", ": by its number not after Sep 9, 2019"),
        (None, None, ""),
        ("2019-09-09", "2019-08-05", ""),
    ],
)
def test_only_what_the_numbers_tell_is_said(
    before: str | None, after: str | None, told: str
) -> None:
    assert (
        f"The day is not recorded{told}. Its last text"
        in notices(site(tree(before, after))["rules/2.md"])[0]
    )


def test_the_history_has_it_once_and_without_a_day() -> None:
    page = site(tree())["history.md"]
    assert {day: len(some) for day, some in days(page).items()} == {
        "2019-09-09": 1,
        "2019-08-05": 1,
    }
    assert "Proposal 302: adopted; Rule 2/0 repealed" in words(page.partition("Without a date")[2])
    assert words(page).count("Rule 2/0 repealed") == 1


def test_points_that_it_gives_have_no_day_either() -> None:
    played = small_history(
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
    found = {
        path: json.loads(data) for path, data in site(tree()).items() if path.endswith(".json")
    }
    gone = found["api/v1/rules/2.json"]
    assert [one["effective"] for one in gone["entries"]] == [None, None]
    assert [one["until"] for one in gone["revisions"]] == [None]
    assert [one["effective"] for one in found["api/v1/timeline.json"]["moments"]] == [
        "2019-08-05",
        None,
        "2019-09-09",
    ]
    assert found["api/v1/proposals/302.json"]["effective"] is None
    assert [len(Reader(found).on(day)) for day in ("2019-08-04", "2019-08-05", "2019-09-09")] == [
        2,
        1,
        1,
    ]


def test_a_failed_proposal_of_which_nothing_is_left_has_its_page() -> None:
    lost = "---\nnumber: 304\nstatus: defeated\nvotes: unrecorded\n---\n"
    made = site({**tree(), "proposals/304.md": lost})
    assert "defeated" in words(made["proposals/304.md"])
    assert json.loads(made["api/v1/proposals/304.json"])["decided"] is None
    assert "Proposal 304: defeated" in words(made["history.md"].partition("Without a date")[2])


# What a rule's page shows of the sentences that no program reads.


HOSTILE = '`<b onclick=hacked()>` & "{{ 7 * 7 }}" [x](javascript:hacked())'


def made_of(block: str) -> dict[str, str]:
    game = Ledger.start({101: UNANIMOUS, 202: {"floor": {"mutable": "1"}}})
    text = f"Tea is {HOSTILE}. It is late."
    game.proposal(301, "01-05", f"## Amend Rule 202/0\n\n```yaml rule\n{block}\n```\n\n{text}")
    return dict(pages(history_of_tree(game.applied().tree), today=Moment.parse("2026-02-01")))


def shown(made: dict[str, str]) -> str:
    """What the page of Rule 202 has beside its text for a program, without its sentences of
    provisions.
    """
    found = re.search('<section class="n-program">(.*?)</section>', made["rules/202.md"])
    return re.sub('<h2>.*</h2>|<ul class="n-sentences">.*?</ul>', "", found[1]) if found else ""


def test_a_rule_that_no_program_reads_says_so_in_one_line() -> None:
    made = made_of("provisions: {}\nunread: true")
    assert shown(made) == '<p class="n-unread">No program reads this rule.</p>'
    assert "Machine-readable meaning" not in made["rules/202.md"].partition('id="revisions"')[0]
    assert json.loads(made["api/v1/rules/202.json"])["unread"] is True


def test_the_passages_stand_below_what_a_program_reads_and_can_do_nothing() -> None:
    passage = json.dumps(f"Tea is {HOSTILE}.")
    made = made_of(f"provisions:\n  floor: {{mutable: 1}}\nunread: [{passage}, It is late.]")
    assert "Machine-readable meaning" in made["rules/202.md"]
    assert shown(made) == (
        '<p class="n-unread">No program reads these sentences:</p><ul class="n-unread">'
        "<li><q>Tea is &#96;&lt;b onclick=hacked()&gt;&#96; &amp; &#34;&#123;&#123; 7 * 7 "
        "&#125;&#125;&#34; "
        "[x](javascript:hacked()).</q></li>"
        "<li><q>It is late.</q></li></ul>"
    )
    assert json.loads(made["api/v1/rules/202.json"])["unread"] == [
        f"Tea is {HOSTILE}.",
        "It is late.",
    ]


def test_one_passage_is_one_sentence() -> None:
    made = made_of("provisions: {}\nunread: [It is late.]")
    assert shown(made).startswith('<p class="n-unread">No program reads this sentence:</p>')
    told = "<dt>Read by no program</dt><dd><ins>“It is late.”</ins></dd>"
    assert told in made["proposals/301.md"]


def test_a_rule_that_claims_nothing_shows_nothing() -> None:
    made = made_of("provisions: {}")
    assert shown(made) == ""
    assert json.loads(made["api/v1/rules/202.json"])["unread"] == []


# A game that is won: its first page says so, what ended with it, and what its rules have come
# after.


WINNING = "provisions:\n  victory: {points: 20}\n  points: {awards: {in: [turn]}}\n"
GAME = {
    "rules/initial/201.md": rule(201, "Turns go round.", "provisions:\n  turns: {order: seat}\n"),
    "rules/initial/208.md": rule(
        208, "Twenty win. A new game begins with Rule 201 alone.", WINNING
    ),
    "players/wren.yml": "name: Wren\njoined: 2020-01-01\norder: 1\n",
    "players/quill.yml": "name: Quill\njoined: 2020-01-01\norder: 2\n",
    "turns/R1T1.yml": (
        "player: wren\nbegan: 2020-02-01\nended: 2020-02-03\n"
        "points: [{player: wren, amount: 20, reason: a song}]\n"
    ),
}


def victory(page: str) -> str:
    return words(
        page.partition('<section class="n-victory"')[2].partition("</section>")[0].partition(">")[2]
    )


def test_the_first_page_of_a_game_that_is_won() -> None:
    page = made(GAME)["index.md"]
    assert victory(page) == (
        "Wren won on Feb 3, 2020, with 20 points or more (Rule 208). "
        "The game is over. Nobody has begun a turn or opened a vote since. The scores "
        "What the rules say of winning, and of what comes after: Rule 208"
        "Twenty win. A new game begins with Rule 201 alone."
    )
    assert "The next is" not in words(page)


def test_a_game_may_go_on_after_a_win() -> None:
    page = made(
        {**GAME, "turns/R1T2.yml": "player: quill\nbegan: 2020-03-01\nended: 2020-03-02\n"}
    )["index.md"]
    assert "The game is over" not in victory(page)
    assert "Play has gone on since." in victory(page)
    assert "The next is Wren’s" in words(page)


def test_nobody_has_won_before() -> None:
    assert (
        "n-victory"
        not in made({path: text for path, text in GAME.items() if "R1T1" not in path})["index.md"]
    )


def test_changes_without_a_day_are_changes_all_the_same() -> None:
    lead = words(site(tree(None, None))["index.md"])
    assert "The initial set stands as it was written." not in lead
    assert "No change has a known day." in lead


def test_no_day_is_given_for_a_change_that_has_none() -> None:
    there = site({**tree(None, None), "nomic.yml": f"{LAW}started: 2019-01-01\n"})
    said = words(there["ruleset/long.md"])
    assert "The law as it stands, when Proposal 303 changed it last." in said
    assert "days on which the law changed" not in there["time.md"]
