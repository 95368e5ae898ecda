"""Texts in which no reference can be are not parsed to look for one."""

from __future__ import annotations

import re
from unittest.mock import patch

from hypothesis import example, given
from hypothesis import strategies as st

from nomicgen.history import references as module
from nomicgen.history.references import references

_WORDS = ("Rule", "rules", "RULE", "Proposal", "judgement", "judgments", "Rul&#101;", "r\\ule", "prule")
_BETWEEN = (" ", "\n", "\n> ", "\n   ", " #", "&nbsp;", " \\#", " *", "_", "  \n", "\\\n", "\u00a0", " no. ", "\t", "")
_NUMBERS = ("203", "203/1", "5-7", "0", "x", "`4`", "[8](y)", "１", "&#50;03", "*9*")
_TEXTS = st.lists(
    st.tuples(st.sampled_from(("", "> ", "- ", "the ")), *map(st.sampled_from, (_WORDS, _BETWEEN, _NUMBERS))).map(
        "".join
    ),
    max_size=3,
).map("\n".join)


@given(_TEXTS)
def test_a_text_without_a_hint_refers_to_nothing(text: str) -> None:
    found = references(text)
    with patch.object(module, "_HINT", re.compile("")):
        assert references(text) == found


_PIECES = st.sampled_from(
    [
        *("Rule 101", "Rules 101, 102 and 103/4", "rules 5-9", "Rules 1 to", "Proposals 3,", "judgement 3.", "Rule #7"),
        *(
            "Rule",
            "101",
            "and 7",
            "The word",
            "see",
            "- a",
            "(Rule 4)",
            "x/y",
            "5.",
            "1)",
            "-",
            "\u2014",
            "\u00e9",
            "mailto:",
        ),
        *("http://a.org/Rule 3", "Rule\u00a08", "*Rule* 3", "`Rule 3`", "> Rule 3", "    Rule 3", "---", "Rule 4  "),
    ]
)
_PROSE = st.lists(st.tuples(_PIECES, st.sampled_from([" ", "\n", "\n\n", "\n- "])).map("".join), max_size=8).map(
    "".join
)


@given(_PROSE.map(str.strip))
@example("- see Rules 101,\n102 and\n103\n- Rule 5\n\nRule\n6")
def test_plain_words_are_read_without_the_parser_as_it_reads_them(text: str) -> None:
    found = references(text)
    with patch.object(module, "_is_plain", return_value=False):
        assert references(text) == found


def test_plain_words_are_not_parsed() -> None:
    with patch.object(module, "parser", side_effect=AssertionError):
        found = references("By Rule 101:\n\n- as in Rules 5, 6\nand 7/1; and so on.")
    assert [(str(one), one.line) for one in found] == [
        ("Rule 101", 1),
        ("Rule 5", 3),
        ("Rule 6", 3),
        ("Rule 7/1", 4),
    ]


def test_a_text_without_a_hint_is_not_parsed() -> None:
    with patch.object(module, "parser", side_effect=AssertionError):
        assert references("The rule of three, and 203 rules; prosper, 4.") == ()
