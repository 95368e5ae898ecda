"""Markdown as wrapped plain text."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.formats.plaintext import plain, plain_line


def laid(text: str, width: int = 30) -> list[str]:
    return plain(text, width, 2).split("\n")


def test_a_line_is_filled_to_its_last_column() -> None:
    words = "a" * 20 + " " + "b" * 43 + " c"
    assert plain(words) == f"      {'a' * 20} {'b' * 43}\n      c"
    assert plain(words.replace("b ", "bb ")) == f"      {'a' * 20}\n      {'b' * 44} c"


def test_only_spaces_break_a_line() -> None:
    assert laid("https://forge.example/a-very-long/address and self-evident-things") == [
        "  https://forge.example/a-very-long/address",
        "  and self-evident-things",
    ]
    assert laid("seventeen\u00a0lamps twelve\u00a0candles ten") == [
        "  seventeen\u00a0lamps",
        "  twelve\u00a0candles ten",
    ]


def test_paragraphs_headings_and_hard_breaks() -> None:
    assert laid("### Lamps  \nlit *at* dusk,  \nout **at** `dawn`\\\nand\nso on") == [
        "  Lamps",
        "",
        "  lit at dusk,",
        "  out at dawn",
        "  and so on",
    ]


def test_items_hang_by_the_marker_that_they_were_written_with() -> None:
    assert laid("Sold:\n* oil in bottles of every size\n* wicks\n\n  9. long\n  10. short and quite bendable") == [
        "  Sold:",
        "",
        "  * oil in bottles of every",
        "    size",
        "",
        "  * wicks",
        "",
        "    9. long",
        "    10. short and quite",
        "        bendable",
    ]
    assert laid("3) three\n4) four\n\n- loose\n\n- items\n\n  of two paragraphs") == [
        "  3) three",
        "  4) four",
        "",
        "  - loose",
        "",
        "  - items",
        "",
        "    of two paragraphs",
    ]
    assert laid("-\n- x") == ["  -", "  - x"]


def test_quotations_code_rules_and_tables() -> None:
    assert laid("> said by the one who\n> keeps the gate of the town\n>\n> twice") == [
        "  > said by the one who keeps",
        "  > the gate of the town",
        "  >",
        "  > twice",
    ]
    assert laid("```py\nx  =  1\n\n# far beyond the last column of the line\n```\n\n***\n\n    indented") == [
        "  x  =  1",
        "",
        "  # far beyond the last column of the line",
        "",
        "  * * *",
        "",
        "  indented",
    ]
    assert laid("| lamp | *oil* |\n|---|--:|\n| big | 10 |\n| small | |") == [
        "  lamp  | oil",
        "  ------+----",
        "  big   | 10",
        "  small |",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[the list](https://a.example/l)", "the list (https://a.example/l)"),
        ("<https://a.example/l> and https://b.example", "https://a.example/l and https://b.example"),
        ("<gate@a.example>", "gate@a.example"),
        ("[https://a.example](https://a.example)", "https://a.example"),
        ("![the chart](images/319.png) ![](x.png)", "[the chart: images/319.png] [x.png]"),
        ("a ~~b~~ c", "a ~~b~~ c"),
        ("2<sup>-*k*</sup> H<sub>2</sub>O 1<sup>st</sup> word<sup>[1]</sup>", "2^(-k) H2O 1st word[1]"),
        ("x<sup>a</sup></sup> <span>y</span> <sup>z", "x^(a) y z"),
        ("<sup>[a</sup>](https://a.example)", "^(a) (https://a.example)"),
        ("one<br>two<br/>three", "one two three"),
        ("\\*not bold\\* &amp; 3 &lt; 4", "*not bold* & 3 < 4"),
        ("", ""),
    ],
)
def test_what_becomes_of_markup(text: str, said: str) -> None:
    assert plain_line(text) == said


@given(st.lists(st.text("abc -*1.)>#`|\n_[]()<>&", max_size=30), max_size=12))
def test_no_line_is_broken_where_it_could_have_held_more(parts: list[str]) -> None:
    text = "\n".join(parts)
    for line in plain(text).split("\n"):
        assert line == line.rstrip()
        assert line == "" or line.startswith(" " * 6)


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=64), min_size=1, max_size=60))
def test_wrapping_is_greedy_and_loses_no_word(words: list[str]) -> None:
    lines = plain(" ".join(words)).split("\n")
    assert " ".join(lines).split() == words
    assert all(len(line) <= 70 for line in lines)
    for line, following in pairwise(lines):
        assert len(line) + 1 + len(following.split()[0]) > 70
