"""Texts in which no reference can be are not parsed to look for one."""

from __future__ import annotations

import re
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from nomicgen.archive import references as module
from nomicgen.archive.references import references

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
    found = references.__wrapped__(text)
    with patch.object(module, "_HINT", re.compile("")):
        assert references.__wrapped__(text) == found


def test_a_text_without_a_hint_is_not_parsed() -> None:
    with patch.object(module, "parser", side_effect=AssertionError):
        assert references.__wrapped__("The rule of three, and 203 rules; prosper, 4.") == ()
