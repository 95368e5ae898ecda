"""References in texts: what is one, where it stands, and what it may not be taken for."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nomicgen.history.citations import Resolved, parse_citation, resolve_citation, revision_periods
from nomicgen.history.game_history import GameHistory
from nomicgen.history.references import (
    Reference,
    citing_rules,
    dangling_references,
    mentions,
    references,
)
from nomicgen.model.values import Moment
from nomicgen.site.addresses import addresses_of
from nomicgen.site.build import pages
from nomicgen.site.citation_links import cited_address
from nomicgen.site.texts.terms import Terms, term_key
from tests.deep import examples
from tests.games import legal_games
from tests.history.test_citation import given_again, renumbered
from tests.ledger import Ledger
from tests.rulesets import history_of_tree


def said(text: str) -> list[str]:
    return [f"{one}{f'-{one.until}' if one.until else ''} @{one.line}" for one in references(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See Rule 203.", ["Rule 203 @1"]),
        ("see rule 203/1, then", ["Rule 203/1 @1"]),
        ("Rules 101-116 and 201–213 (mutable)", ["Rule 101-116 @1", "Rule 201-213 @1"]),
        ("Rules 101 through 116", ["Rule 101-116 @1"]),
        ("rules 201, 202 and 203, 10 points", ["Rule 201 @1", "Rule 202 @1", "Rule 203 @1"]),
        ("Rule 203, 204 votes", ["Rule 203 @1"]),
        ("Proposal 329 and Judgment 2 or judgements 3 & 4", [
            "Proposal 329 @1", "Judgement 2 @1", "Judgement 3 @1", "Judgement 4 @1"]),
        ("A line ends with Rule\n203 and goes on to Rule\n  #204.", ["Rule 203 @2", "Rule 204 @3"]),
        ("- item\n- of Rule 7", ["Rule 7 @2"]),
        ("| a | b |\n|--|--|\n| x | Rule 7 |", ["Rule 7 @3"]),
        ("**Rule 7** binds", ["Rule 7 @1"]),
        ("`Rule 5` and Rule 5", ["Rule 5 @1"]),
        ("[Rule 5](x) Rule 6", ["Rule 6 @1"]),
        ("    Rule 5 in code", []),
        ("```\nRule 5\n```", []),
        ("Rule 3.2, rule 7th, Rule 0, ruler 5, by-rule 5, Rule 12a, Rule\u00a012x", []),
        ("Rules 116-101", ["Rule 116 @1"]),
        ("Rule 2000000000", []),
    ],
)  # fmt: skip
def test_references(text: str, expected: list[str]) -> None:
    assert said(text) == expected


def test_the_words_of_a_mention_become_its_link() -> None:
    prose = "by Rules 201, 202 and 205-207 or Judgement 4"
    assert [prose[one.start : one.end] for one in mentions(prose)] == [
        "Rules 201",
        "202",
        "205-207",
        "Judgement 4",
    ]


@given(
    st.lists(st.integers(1, 999_999_999), min_size=1, max_size=6),
    st.sampled_from(["Rules", "proposals"]),
)
def test_every_number_of_a_list_is_found(numbers: list[int], word: str) -> None:
    listed = " and ".join(filter(None, [", ".join(map(str, numbers[:-1])), str(numbers[-1])]))
    kind = "rule" if word == "Rules" else "proposal"
    assert [(one.kind, one.number) for one in references(f"{word} {listed}.")] == [
        (kind, one) for one in numbers
    ]


@given(st.text("Rule 12/-,\n&and#`[]()*_", max_size=60))
@example("Rule 12\n\n> - <!-- &\n> ")
def test_a_line_is_that_of_the_text(text: str) -> None:
    lines = text.split("\n")
    for one in references(text):
        assert str(one.number) in lines[one.line - 1] or "`" in text or "[" in text


def test_ranges_name_all_their_numbers() -> None:
    assert list(Reference(kind="rule", number=101, until=103).numbers) == [101, 102, 103]


def test_who_cites_whom(game_history: GameHistory) -> None:
    assert citing_rules(game_history.replay.current) == {
        102: (101,),
        201: (101,),
        203: (101, 204, 207),
        204: (101,),
        206: (101, 304),
        207: (101,),
        303: (101,),
    }


def test_nothing_dangles_here(game_history: GameHistory) -> None:
    assert list(dangling_references(game_history.records, game_history.replay)) == []


# Defined terms in prose: the same as one expression of them all would find, whatever their number.


def _found(terms: list[str], prose: str) -> list[tuple[str, int]]:
    return [(match["term"], match.start()) for match in Terms(map(term_key, terms)).finditer(prose)]


@pytest.mark.parametrize(
    ("terms", "prose", "found"),
    [
        (["vote"], "A Vote, votes; a devote, vote-less or pre-vote.", [("Vote", 2), ("vote", 8)]),
        (["vote"], "Voters voted.", []),
        (
            ["vote", "vote of thanks"],
            "a vote of\nthanks, a vote",
            [("vote of\nthanks", 2), ("vote", 20)],
        ),
        (["box", "votes cast"], "boxes, the votes cast", [("box", 0), ("votes cast", 11)]),
        (["vote", "votes cast"], "votes cast and votes", [("votes cast", 0), ("vote", 15)]),
        (["x-ray"], "x-rays, x", [("x-ray", 0)]),
        (["§ one", "one"], "one § one", [("one", 0), ("§ one", 4)]),
        ([], "nothing", []),
    ],
)
def test_terms_are_found(terms: list[str], prose: str, found: list[tuple[str, int]]) -> None:
    assert _found(terms, prose) == found


_WORDS = st.lists(
    st.sampled_from(["vote", "votes", "Vote", "of", "open", "x-ray", "§", "ray", "es"]), min_size=1
)


@given(
    st.lists(_WORDS.map(lambda words: " ".join(words[:3])), min_size=1, max_size=6),
    st.lists(
        st.sampled_from(
            [
                "vote",
                "votes",
                "VOTES",
                "of",
                "open",
                "x",
                "-",
                "ray",
                "§",
                "s",
                "es",
                ",",
                " ",
                "\n",
            ]
        )
    ),
)
def test_they_are_those_that_one_expression_finds(terms: list[str], pieces: list[str]) -> None:
    keys = sorted({term_key(term) for term in terms}, key=lambda key: (-len(key), key))
    choice = "|".join(r"\s+".join(map(re.escape, key.split())) for key in keys)
    whole = re.compile(rf"(?<![\w-])(?P<term>{choice})(?:e?s)?(?![\w-])", re.IGNORECASE)
    prose = " ".join(pieces) if len(pieces) % 2 else "".join(pieces)
    assert _found(terms, prose) == [
        (match["term"], match.start()) for match in whole.finditer(prose)
    ]


# A citation's address leads to what is cited, on a page that is there.


UNTIL = "2026-12-31"


def address(whole: GameHistory, text: str, url: str = "", *, directory_urls: bool = True) -> str:
    found = resolve_citation(whole, parse_citation(text))
    assert isinstance(found, Resolved)
    return cited_address(addresses_of(whole, directory_urls=directory_urls), found.revision, url)


def section(made: Mapping[str, str], there: str) -> str:
    """What stands at an address: the section of a revision, as it is read."""
    path, _, anchor = there.partition("/#")
    page = made[f"{path}.md"]
    part = page.partition(f'<section class="n-revision" id="{anchor}">')[2].partition("</section>")[
        0
    ]
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", part)).split())


def test_addresses() -> None:
    whole = history_of_tree(renumbered().tree, UNTIL)
    assert address(whole, "203/0") == "rules/203/#r0"
    assert address(whole, "203@2026-02-03") == "rules/301/#r1"
    assert address(whole, "203") == "rules/303/#r2"
    assert (
        address(whole, "203/0", "https://nomic.example/game")
        == "https://nomic.example/game/rules/203/#r0"
    )
    assert address(whole, "203/0", directory_urls=False) == "rules/203.html#r0"
    again = history_of_tree(given_again().tree, UNTIL)
    assert address(again, "202/0@2026-01-01") == "rules/202/2026-01-01/#r0"
    assert address(again, "202/0@2026-02-03") == "rules/202/#r0"


def check(made: Ledger) -> None:
    whole = history_of_tree(made.tree, UNTIL)
    site = pages(whole, today=Moment.parse(UNTIL))
    addresses = addresses_of(whole)
    for history in whole.histories.rules.values():
        for one in revision_periods(history):
            said = section(site, cited_address(addresses, one))
            text = one.rule.text or ""
            if "stands above." in said:
                assert one.rule == history.current
            else:
                assert said.endswith(text), said


def test_each_address_leads_to_the_text() -> None:
    for made in (renumbered(), given_again()):
        check(made)


@settings(deadline=None, max_examples=examples(0.05))
@given(legal_games(moves=5))
def test_whatever_the_game_each_address_is_there(made: Ledger) -> None:
    whole = history_of_tree(made.tree, UNTIL)
    site = pages(whole, today=Moment.parse(UNTIL))
    addresses = addresses_of(whole)
    for history in whole.histories.rules.values():
        for one in revision_periods(history):
            path, _, anchor = cited_address(addresses, one).partition("/#")
            assert f'id="{anchor}"' in site[f"{path}.md"]
