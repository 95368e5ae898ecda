"""Markdown as wrapped plain text, and read back."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from nomicgen.files.markdown import parse_body, same_tokens
from nomicgen.formats.plaintext import plain, unwrapped


def laid(text: str, width: int = 30) -> list[str]:
    """The lines, of which the same text is read again."""
    lines = plain(text, width, 2).split("\n")
    assert unwrapped(lines, 2) == text
    return lines


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


def test_markup_and_hard_breaks_stay() -> None:
    assert laid("### Lamps\n\nlit *at* dusk,  \nout **at** `dawn` or when they have burnt\\\nand\nso on") == [
        "  ### Lamps",
        "",
        "  lit *at* dusk,  ",
        "  out **at** `dawn` or when",
        "  they have burnt\\",
        "  and ",
        "  so on",
    ]


def test_a_line_that_ends_in_the_text_as_well_says_so() -> None:
    assert laid("it was wrapped\nbefore") == ["  it was wrapped ", "  before"]


def test_items_hang_by_their_marker() -> None:
    assert laid("Sold:\n* oil in bottles of every size\n* wicks\n\n  9. long\n  10. short and quite bendable") == [
        "  Sold:",
        "  * oil in bottles of every",
        "    size",
        "  * wicks",
        "",
        "    9. long",
        "    10. short and quite",
        "        bendable",
    ]
    assert laid("> said by the one who keeps the gate\n>\n> - twice, and then once more") == [
        "  > said by the one who keeps",
        "  > the gate",
        "  >",
        "  > - twice, and then once",
        "  >   more",
    ]


def test_code_and_tables_stand_out() -> None:
    text = (
        "```py\nx  =  1\n\n# far beyond the last column of the line\n```\n\n| lamp | *oil* |\n|---|--:|\n| big | 10 |"
    )
    assert laid(text) == [f"  {line}" if line else "" for line in text.split("\n")]


def test_what_would_begin_something_else_begins_no_line() -> None:
    assert laid("the lamps that are lit are 12. - and # and > are words too") == [
        "  the lamps that are lit",
        "  are 12. - and # and > are",
        "  words too",
    ]
    long = f"``` and then {'b' * 40} `c`"
    assert laid(long) == [f"  {long}"]


@given(st.lists(st.text("abc -*1.)>#`|\n_[]()<>&", max_size=30), max_size=12))
def test_it_reads_as_it_did(parts: list[str]) -> None:
    text = "\n".join(line.strip() for line in "\n".join(parts).split("\n"))
    lines = plain(text).split("\n")
    assert all(line == "" or line.startswith(" " * 6) for line in lines)
    laid_out = "\n".join(line[6:] for line in lines)
    assert [one.type for one in parse_body(laid_out, 1).tokens] == [one.type for one in parse_body(text, 1).tokens]
    assert same_tokens(parse_body(unwrapped(lines), 1, True).tokens, parse_body(text, 1, True).tokens)


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=64), min_size=1, max_size=60))
def test_wrapping_is_greedy_and_loses_no_word(words: list[str]) -> None:
    lines = plain(" ".join(words)).split("\n")
    assert " ".join(lines).split() == words
    assert all(len(line) <= 70 for line in lines)
    for line, following in pairwise(lines):
        assert len(line) + 1 + len(following.split()[0]) > 70
