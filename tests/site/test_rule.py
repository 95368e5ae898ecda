"""A rule's page: who wrote which words, what it said before, how to change it, and how long it may
get.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicgen.files.game_files import read_game
from nomicgen.history.game_history import GameHistory
from nomicgen.history.history_lines import history_line
from nomicgen.history.rule_history import build_histories
from nomicgen.law.replay.run import replay
from nomicgen.model.commits import GitState
from nomicgen.model.values import Moment
from nomicgen.site.build import pages
from nomicgen.site.texts.phrases import Mark
from nomicgen.site.texts.player_html import Linker, Target, render_text, seen_text
from nomicgen.site.texts.redline_html import redline_html

SETTINGS = "format: 1\nname: Long House\nstarted: 2020-01-01\ntiers: [immutable, mutable]\n"
PLAYERS = {
    f"players/{one}.yml": f"name: {one.capitalize()}\njoined: 2020-01-01\n"
    for one in ("wren", "quill")
}
ADOPTION = "provisions:\n  adoption: {needs: majority, of: cast}\n"
FRAME = 20_000
"""More bytes than the theme takes on any page."""


def rule(number: int, text: str, more: str = "", tier: str = "mutable") -> str:
    return f"---\nnumber: {number}\nmutability: {tier}\nrevision: 0\n{more}---\n\n{text}\n"


def adopted(
    number: int, day: str, instruction: str, more: str = "votes: unrecorded\n", author: str = "wren"
) -> str:
    head = (
        f"number: {number}\nauthor: {author}\ndate: {day}\nstatus: adopted\ndecided: {day}\n{more}"
    )
    return f"---\n{head}---\n\nSo be it.\n\n{instruction}\n"


def game_history_of(files: Mapping[str, str], until: str = "2021-01-01") -> GameHistory:
    tree = {"nomic.yml": SETTINGS, **PLAYERS, **files}
    records, findings = read_game({path: text.encode() for path, text in tree.items()})
    assert findings == ()
    played = replay(records, Moment.parse(until))
    histories = build_histories(
        played,
        {one.matter.number: (path, one.matter.commit) for path, one in records.initial.items()},
    )
    return GameHistory(
        records=records,
        replay=played,
        histories=histories,
        git=GitState(present=False, reason="none"),
    )


def made(files: Mapping[str, str], until: str = "2021-01-01", url: str = "") -> Mapping[str, str]:
    return pages(game_history_of(files, until), today=Moment.parse(until), url=url)


def words(page: str) -> str:
    """What is read of a page."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", page)).split())


def law(page: str) -> str:
    return page.partition('<div class="n-law">')[2].partition("</div>")[0]


def notices(page: str) -> list[str]:
    return [
        words(one)
        for one in re.findall(r'<div class="n-notice" role="note">(.*?)</div>', page, re.DOTALL)
    ]


def section(page: str, heading: str) -> str:
    return words(page.partition(f"<h2>{heading}</h2>")[2].partition("</section>")[0])


def history_lines(page: str) -> list[str]:
    found = page[
        page.index('<ol class="n-history">') : page.index(
            "</ol>", page.index('<ol class="n-history">')
        )
    ]
    return [
        words(one)
        for one in re.findall(r'<span class="n-line">(.*?)</span>\s*<span class="n-meta">', found)
    ]


# Who wrote which words

THRICE = {
    "rules/initial/101.md": rule(101, "All keep the rules."),
    "rules/initial/203.md": rule(203, "All must agree, as Rule 101 has it."),
    "proposals/301.md": adopted(
        301,
        "2020-02-01",
        "## Amend Rule 203/0\n\nAll players must agree,\nas Rule 101 has it.",
        author="quill",
    ),
    "proposals/302.md": adopted(
        302,
        "2020-03-01",
        "## Amend Rule 203/1\n\nAll *players* must agree, as Rule 101 has it.\n\n- `So` be it.",
    ),
}


def test_phrases_are_marked_by_the_revision_that_they_came_with() -> None:
    reference = '<a class="n-ref" href="../../rules/101/" data-revision="101/0" title="Rule 101/0">'
    assert law(made(THRICE)["rules/203.md"]) == (
        '<p><span class="n-by n-t0 n-by-end" data-by="0">All</span> '
        '<em><span class="n-by n-t1 n-by-end" data-by="1">players</span></em> '
        '<span class="n-by n-t0" data-by="0">must agree, as</span>\n'
        f'{reference}<span class="n-by n-t0" data-by="0">Rule 101</span></a> '
        '<span class="n-by n-t0 n-by-end" data-by="0">has it.</span></p>\n<ul>\n<li>'
        '<code><span class="n-by n-t2" data-by="2">So</span></code> '
        '<span class="n-by n-t2 n-by-end" data-by="2">be it.</span></li>\n</ul>'
    )


def test_the_legend_tells_of_each_origin() -> None:
    page = made(THRICE)["rules/203.md"]
    legend = page[page.index('<ol class="n-legend">') : page.index("</details>")]
    assert [words(one) for one in re.findall(r"<li data-by.*?</li>", legend, re.DOTALL)] == [
        "2203/2 Amended (2) by Proposal 302 (Wren), Mar 1, 2020 adopted; the votes were not "
        "recorded 3 words of it stand: So be it.",
        "1203/1 Amended (1) by Proposal 301 (Quill), Feb 1, 2020 adopted; the votes were not "
        "recorded 1 word of it stands: players.",
        "0203/0 Initial mutable Rule 203, Jan 1, 2020 8 words of it stand: All, must agree, as "
        "Rule 101 has it.",
    ]
    assert '<script src="../../assets/rule.js" defer></script>' in page


def test_a_rule_with_one_origin_has_no_marks() -> None:
    site = made(
        {
            **THRICE,
            "proposals/303.md": adopted(
                303, "2020-04-01", "## Amend Rule 101/0\n\nNobody does so."
            ),
        }
    )
    assert law(site["rules/101.md"]) == "<p>Nobody does so.</p>"
    assert "rule.js" not in site["rules/101.md"]
    assert (
        "All of its words came with 101/1: Amended (1) by Proposal 303 (Wren), Apr 1, 2020."
        in words(site["rules/101.md"])
    )


PIECES = [
    "Plain words, and more.",
    "See Rule 101 and\nRule 102.",
    "*Some* **must** ~~never~~ be.",
    "A `code span` here",
    "- one\n- two **three**",
    "1. H<sub>2</sub>O<br>x",
    "> quoted & <b>raw</b>",
    "```\nfenced <code>\n  kept\n```",
    "| a | b |\n|:--|--:|\n| c d | e |",
    "<div>\nblock\n</div>",
    "### A heading",
    "[a link](https://elsewhere.example) and [a page](203.md)",
    "https://elsewhere.example/path &amp; \\*so\\*",
    "    indented code",
    "![a boat](boat.png)",
]
LINKER = Linker(
    reference=lambda one: Target(
        href=f"../{one.number}/", title="a rule", note="void" if one.number == 102 else ""
    ),
    address=lambda path: None,
)


def letters(text: str) -> str:
    return "".join(text.split())


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=5), st.data())
def test_marks_hold_every_letter_whatever_the_markup(
    pieces: list[str], data: st.DataObject
) -> None:
    text = "\n\n".join(pieces)
    whole = letters(seen_text(text))
    cuts = sorted(data.draw(st.sets(st.integers(0, len(whole)), max_size=5)) | {0, len(whole)})
    spans = [(start, end) for start, end in pairwise(cuts)]
    marks = [Mark(str(index), index % 6, end - start) for index, (start, end) in enumerate(spans)]
    shown = str(render_text(text, LINKER, marks=marks))
    found: dict[str, str] = {}
    for by, inner in re.findall(
        r'<span class="n-by[^"]*" data-by="(\d+)">(.*?)</span>', shown, re.DOTALL
    ):
        found[by] = found.get(by, "") + letters(html.unescape(inner))
    assert found == {str(index): whole[start:end] for index, (start, end) in enumerate(spans)}
    plain = re.sub(r'</span>|<span class="n-by[^"]*" data-by="\d+">', "", shown)
    assert letters(plain) == letters(str(render_text(text, LINKER)).replace("</span>", ""))


def test_a_player_cannot_mark_words() -> None:
    shown = render_text('<span data-by="9" class="n-by">mine</span> <span>plain</span>', LINKER)
    assert 'data-by="9"' not in shown.replace("&lt;span data-by=", "")
    assert "<span>plain</span>" in shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[a](http://[1:])", "<p><a>a</a></p>"),
        ("[a](<//[:]?> 'b')", '<p><a title="b">a</a></p>'),
        ("<http://[[x:]>", "<p><a>http://[[x:]</a></p>"),
        ("![a](<//[x:]#>)", "<p>a (an image that is missing)</p>"),
        ("![a](http://x@[:]]])", "<p>a (an image that is missing)</p>"),
    ],
)
def test_an_address_that_nobody_can_take_apart_leads_nowhere(text: str, shown: str) -> None:
    assert render_text(text, LINKER) == shown
    assert shown in made({**THRICE, "rules/initial/104.md": rule(104, text)})["rules/104.md"]


# What it said before


def test_a_redline_shows_paragraphs_that_were_joined_and_no_blanks() -> None:
    assert redline_html("One\nline.\n\nTwo.", "One line. Two,  three.") == (
        '<div class="n-blocks"><p class="n-b-paragraph">One line. <del>¶</del>Two<ins>,  '
        "three</ins>.</p></div>"
    )


def test_a_change_of_blanks_alone_is_said_to_be_one() -> None:
    site = made(
        {
            **THRICE,
            "proposals/303.md": adopted(
                303, "2020-04-01", "## Amend Rule 101/0\n\nAll keep\nthe rules."
            ),
        }
    )
    said = "Its words are those of 101/0: only blanks, line breaks or markup changed."
    assert said in site["rules/101.md"]
    assert 'class="n-redline"' not in site["rules/101.md"]


def test_the_page_of_a_revision_without_force_does_not_say_that_it_is_in_force() -> None:
    page = made({"rules/initial/101.md": rule(101, "All keep the rules.", "void: true\n")})
    said = words(page["rules/101/0.md"])
    assert "101/0mutablevoid You read 101/0, the text of a rule without force." in said
    assert "in force" not in said


def test_a_judgement_that_is_awaited_was_called_and_not_given_on_its_day() -> None:
    head = "number: 1\nstatus: pending\ncalled_by: wren\njudge: quill\ndate: 2020-12-01\n"
    page = made({"judgements/1.md": f"---\n{head}---\n\nWhat is a lamp?\n"})
    said = words(page["judgements/1.md"])
    assert "CalledDec 1, 2020" in said
    assert "Given" not in said
    assert json.loads(page["api/v1/judgements/1.json"])["effective"] is None


def test_history_lines_are_those_of_the_long_format(
    game_history: GameHistory, made: Mapping[str, str]
) -> None:
    names = game_history.records.names
    for history in game_history.histories.rules.values():
        for number in history.numbers:
            expected = [history_line(entry, names) for entry in history.entries]
            assert history_lines(made[f"rules/{number}.md"]) == expected


def test_what_did_not_pass_is_named(made: Mapping[str, str]) -> None:
    assert section(made["rules/205.md"], "Failed proposals") == (
        "Proposal 302 · No more biscuits was to repeal this rule defeated"
    )
    assert "Failed proposals" not in made["rules/203.md"]


def test_a_line_says_when_it_took_effect_on_another_day() -> None:
    later = adopted(
        301,
        "2020-02-01",
        "## Amend Rule 203/0\n\nNew.",
        "effective: 2020-03-01\nvotes: unrecorded\n",
    )
    page = made({"rules/initial/203.md": rule(203, "Old."), "proposals/301.md": later})[
        "rules/203.md"
    ]
    assert "in effect Mar 1, 2020" in words(page)
    assert "in effect" not in words(page).partition("Feb 1, 2020")[0]


def test_each_part_of_a_history_line_is_a_link(made: Mapping[str, str]) -> None:
    page = made["rules/203.md"]
    line = re.findall(r'<span class="n-line">(.*?)</span>\s*<span class="n-meta">', page)[-1]
    links = re.findall(r'<a [^>]*href="([^"]*)"[^>]*>(.*?)</a>', line)
    assert [(href if "//" not in href else "commit", words(text)) for href, text in links][:4] == [
        ("commit", "Amended (1)"),
        ("../../proposals/301/", "Proposal 301"),
        ("../../players/ada/", "Ada"),
        ("../../time/#2020-06-10", "Jun 10, 2020"),
    ]


def test_an_old_number_has_the_whole_history_and_leads_to_the_rule() -> None:
    site = made(
        {
            "rules/initial/108.md": rule(
                108, "Numbers change.", "provisions:\n  numbering: {amended: proposal}\n"
            ),
            "rules/initial/203.md": rule(203, "All must agree."),
            "proposals/301.md": adopted(
                301, "2020-02-01", "## Amend Rule 203/0\n\nMost must agree."
            ),
        }
    )
    then, now = site["rules/203.md"], site["rules/301.md"]
    assert notices(then) == [
        "What was Rule 203 is now Rule 301/1. Below is its text from when it was Rule 203."
    ]
    for page in (then, now):
        assert history_lines(page) == [
            "Initial mutable Rule 203, Jan 1, 2020",
            "Amended (1) by Proposal 301 (Wren), Feb 1, 2020",
        ]
        assert re.findall(r'<li class="n-era">(.*?)</li>', page) == ["As Rule 203", "As Rule 301"]
    assert notices(now) == ["This rule was formerly Rule 203/0."]
    assert '<a href="../../rules/301/#r1">text of 301/1</a>' in then


# What must be known of it


def test_what_was_adopted_and_is_not_yet_in_effect_is_said() -> None:
    later = "votes: unrecorded\neffective: 2020-03-01\n"
    files = {
        "rules/initial/203.md": rule(203, "All must agree."),
        "proposals/301.md": adopted(
            301, "2020-02-01", "## Amend Rule 203/0\n\nMost must agree.", later
        ),
    }
    assert notices(made(files, "2020-02-10")["rules/203.md"]) == [
        "Proposal 301, adopted on Feb 1, 2020, will amend this rule on Mar 1, 2020. "
        "Until then the text below stands."
    ]
    assert notices(made(files, "2020-03-02")["rules/203.md"]) == []


def test_a_sunset_that_nobody_recorded_is_said() -> None:
    sunset = "provisions:\n  sunset: {after: {date: 2020-05-01}, becomes: repealed}\n"
    site = made({"rules/initial/203.md": rule(203, "For now.", sunset)}, "2020-06-01")
    assert notices(site["rules/203.md"]) == [
        "By its own words this rule was to be repealed on May 1, 2020, and nobody has recorded "
        "that yet."
    ]


def test_lost_texts_are_said() -> None:
    lost = "---\nnumber: 203\nmutability: mutable\nrevision: 0\ntext: lost\n---\n"
    found = "## Amend Rule 203/0\n\nKnown again."
    again = {"rules/initial/203.md": lost, "proposals/301.md": adopted(301, "2020-02-01", found)}
    assert notices(made({"rules/initial/203.md": lost})["rules/203.md"]) == [
        "The text of 203/0 is lost: no copy of it has come down to us."
    ]
    page = made(again)["rules/203.md"]
    assert notices(page) == ["The text of 203/0 is lost."]
    assert "The text of 203/0 is lost, so what changed cannot be shown." in page
    assert "Texts before it are lost, so some of these words may be older." in words(page)


def test_proposals_before_the_players_are_named() -> None:
    draft = (
        "---\ntitle: Turnout\nauthor: wren\nstatus: draft\n---\n\nA thought.\n\n"
        "## Repeal Rule 203/0\n"
    )
    site = made(
        {"rules/initial/203.md": rule(203, "All must agree."), "proposals/turnout.md": draft}
    )
    assert (
        section(site["rules/203.md"], "Proposed changes")
        == "Draft turnout · Turnout would repeal this rule draft"
    )


def test_a_revision_that_never_was_leads_to_the_rule() -> None:
    """A rule may speak of revisions to come: that is no old reference."""
    words = "An amendment of Rule 203/0 makes it Rule 203/1."
    site = made(
        {
            "rules/initial/107.md": rule(107, words, tier="immutable"),
            "rules/initial/203.md": rule(203, "All must agree."),
        }
    )
    assert "since amended" not in site["rules/107.md"]
    assert "#r1" not in site["rules/107.md"]


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("upheld", "construes 203/0; since amended, now 203/1; it stands"),
        (
            "overruled\noverruled: 2020-04-01",
            "construes 203/0; since amended, now 203/1; overruled Apr 1, 2020",
        ),
        ("pending", "construes 203/0; since amended, now 203/1; pending"),
    ],
)
def test_a_judgement_says_what_it_construes_and_whether_it_stands(status: str, said: str) -> None:
    head = (
        f"number: 1\ntitle: Who\njudge: wren\ndate: 2020-03-01\nrules: [203/0]\nstatus: {status}\n"
    )
    site = made(
        {
            "rules/initial/203.md": rule(203, "All must agree."),
            "proposals/301.md": adopted(
                301, "2020-02-01", "## Amend Rule 203/0\n\nMost must agree."
            ),
            "judgements/1.md": f"---\n{head}---\n\nWho?\n\n## Ruling\n\nAll.\n",
        }
    )
    assert section(site["rules/203.md"], "Judgements") == f"Judgement 1: Who {said}"


# How to change it


def test_how_to_change_a_rule() -> None:
    entrenched = "provisions:\n  entrenchment: {immutable: [transmute]}\n"
    unanimous = (
        "provisions:\n  adoption: {needs: unanimous, of: eligible, to: [transmute], over: 203}\n"
    )
    site = made(
        {
            "rules/initial/103.md": rule(103, "Keep these.", entrenched, "immutable"),
            "rules/initial/109.md": rule(109, "All for that.", unanimous, "immutable"),
            "rules/initial/203.md": rule(203, "Most must agree.", ADOPTION),
        }
    )
    assert section(site["rules/203.md"], "How to change it") == (
        "It can be amended or repealed by more than half of votes cast (Rule 203)."
        "It can be made immutable by all eligible voters (Rule 109)."
        "Amend it Repeal it Change its tierAt a shellnomicgen propose --title TITLE "
        "--author ID --amend 203"
    )
    assert section(site["rules/103.md"], "How to change it") == (
        "It can be made mutable by all eligible voters (Rule 109)."
        "It cannot be amended or repealed (Rule 103)."
        "To change its words, it must be transmuted first."
        "Change its tierAt a shellnomicgen propose --title TITLE --author ID --transmute "
        "103 mutable"
    )


def test_where_rules_tell_a_program_nothing_that_is_said() -> None:
    site = made({"rules/initial/203.md": rule(203, "All must agree.")})
    assert section(site["rules/203.md"], "How to change it") == (
        "The texts of the rules say what a change needs. No program reads them."
        "Amend it Repeal itAt a shellnomicgen propose --title TITLE --author ID --amend 203"
    )


def test_a_rule_says_how_it_is_cited() -> None:
    files = {"rules/initial/203.md": rule(203, "All must agree.")}
    cited = made(files, url="https://long.example/house")["rules/203.md"]
    assert section(cited, "Cite this").startswith(
        "Rule 203/0, Long House, https://long.example/house/rules/203/0/"
    )
    assert section(made(files)["rules/203.md"], "Cite this").startswith(
        "Rule 203/0, Long House This rule as data"
    )
