"""Redlines, word by word."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.archive.redline import redline

MARKS = {"equal": "{}", "insert": "[+{}+]", "delete": "[-{}-]"}
TEXTS = st.lists(st.sampled_from(["a", "rule", "the", " ", " ", ", ", ".", "\n", "\n\n", "é", "don't"])).map("".join)


def shown(old: str, new: str) -> str:
    return "".join(MARKS[one.kind].format(one.text) for one in redline(old, new))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", ""),
        ("same", "same", "same"),
        ("", "new text", "[+new text+]"),
        ("old text", "", "[-old text-]"),
        (
            "A rule-change is adopted if all vote for it. So be it.",
            "A rule-change is adopted if a simple majority votes for it, openly. So be it.",
            "A rule-change is adopted if [-all vote-][+a simple majority votes+] for it[+, openly+]. So be it.",
        ),
        ("ten days", "twenty nights", "[-ten days-][+twenty nights+]"),
        ("It binds all.", "It binds nobody.", "It binds [-all-][+nobody+]."),
        ("One.\n\nTwo.", "One.\n\nTwo.\n\nThree.", "One.\n\nTwo.[+\n\nThree.+]"),
    ],
)
def test_redlines(old: str, new: str, expected: str) -> None:
    assert shown(old, new) == expected


@given(TEXTS, TEXTS)
def test_both_texts_can_be_read_out_of_a_redline(old: str, new: str) -> None:
    found = redline(old, new)
    assert "".join(one.text for one in found if one.kind != "insert") == old
    assert "".join(one.text for one in found if one.kind != "delete") == new
    assert all(one.text for one in found)
    assert all(one.kind != other.kind for one, other in pairwise(found))
    assert ("insert", "delete") not in {(one.kind, other.kind) for one, other in pairwise(found)}


def test_very_long_texts_are_compared_by_paragraphs() -> None:
    old = "".join(f"Paragraph {number} says little.\n\n" for number in range(1500))
    new = old.replace("Paragraph 700 says", "Paragraph 700 said")
    changed = [one for one in redline(old, new) if one.kind != "equal"]
    assert [one.text for one in changed] == ["Paragraph 700 says little.\n\n", "Paragraph 700 said little.\n\n"]
