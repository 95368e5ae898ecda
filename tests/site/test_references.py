"""References in texts: what is one, where it stands, and what it may not be taken for."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nomicgen.history.archive_view import Archive
from nomicgen.history.references import Reference, citing_rules, dangling, mentions, references


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
        ("A long line ends with Rule\n203 and goes on to Rule\n  #204.", ["Rule 203 @2", "Rule 204 @3"]),
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
    assert [prose[one.start : one.end] for one in mentions(prose)] == ["Rules 201", "202", "205-207", "Judgement 4"]


@given(st.lists(st.integers(1, 999_999_999), min_size=1, max_size=6), st.sampled_from(["Rules", "proposals"]))
def test_every_number_of_a_list_is_found(numbers: list[int], word: str) -> None:
    listed = " and ".join(filter(None, [", ".join(map(str, numbers[:-1])), str(numbers[-1])]))
    kind = "rule" if word == "Rules" else "proposal"
    assert [(one.kind, one.number) for one in references(f"{word} {listed}.")] == [(kind, one) for one in numbers]


@given(st.text("Rule 12/-,\n&and#`[]()*_", max_size=60))
@example("Rule 12\n\n> - <!-- &\n> ")
def test_a_line_is_that_of_the_text(text: str) -> None:
    lines = text.split("\n")
    for one in references(text):
        assert str(one.number) in lines[one.line - 1] or "`" in text or "[" in text


def test_ranges_name_all_their_numbers() -> None:
    assert list(Reference(kind="rule", number=101, until=103).numbers) == [101, 102, 103]


def test_who_cites_whom(archive: Archive) -> None:
    assert citing_rules(archive.replay.current) == {
        102: (101,),
        201: (101,),
        203: (101, 204, 207),
        204: (101,),
        206: (101, 304),
        207: (101,),
        303: (101,),
    }


def test_nothing_dangles_here(archive: Archive) -> None:
    assert list(dangling(archive.records, archive.replay)) == []
