"""The sentences of a rule's text, and whose words they are made of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.history.passages import sentence_authors, sentence_parts
from nomicgen.history.rule_history import build_histories
from tests.ledger import Ledger

PIECES = [
    "All agree.",
    "So it is!",
    "e.g. tea",
    "\n\n",
    "\n- ",
    "\n",
    " ",
    "1. ",
    "| a | b |",
    "---",
    "J. Heron",
    "?",
    "(Aye.)",
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("No end", ["No end"]),
        ("One. Two.", ["One. ", "Two."]),
        ("Is it? It is! So…", ["Is it? ", "It is! ", "So…"]),
        ('He said "no." Then "Yes." *Done.* Rest', ['He said "no." ', 'Then "Yes." ', "*Done.* ", "Rest"]),
        ("Drinks, e.g. Tea, i.e. Brew, cf. Rule 3. End", ["Drinks, e.g. Tea, i.e. Brew, cf. Rule 3. ", "End"]),
        ("A. Heron plays. So do I. Good.", ["A. Heron plays. ", "So do I. ", "Good."]),
        ("At 3.5 points vs. Two. then more.", ["At 3.5 points vs. Two. then more."]),
        ("One\nline.\n\nTwo. Three.", ["One\nline.\n\n", "Two. ", "Three."]),
        ("Items:\n- one. Two\n- three\n  more.", ["Items:\n", "- one. ", "Two\n", "- three\n  more."]),
        ("1. First. More.\n2. Second.", ["1. First. ", "More.\n", "2. Second."]),
        ("### Heading\n\nText.\n\n---\n\nMore.", ["### Heading\n\n", "Text.\n\n---\n\n", "More."]),
        ("| a | b |\n|---|---|\n| One. Two. | c |", ["| a | b |\n|---|---|\n", "| One. Two. | c |"]),
        ("See no. 5 and nos. 6, 7. No. Never.", ["See no. 5 and nos. 6, 7. ", "No. ", "Never."]),
        ("100 points. 200 points.", ["100 points. ", "200 points."]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert list(sentence_parts(text)) == expected


@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_sentences_together_are_the_text(text: str) -> None:
    parts = sentence_parts(text)
    assert "".join(parts) == text
    assert all(parts)
    assert all(any(letter.isalnum() for letter in part) for part in parts[1:])


def test_a_long_word_or_blank_takes_no_time() -> None:
    text = "." * 40_000 + " " * 40_000 + "\n" * 40_000 + "a" * 40_000 + ". " * 20_000
    assert "".join(sentence_parts(text)) == text


def told(made: Ledger, number: int, at: int | None = None) -> list[list[tuple[int, str]]]:
    _, played = made.play()
    sources = {rule.number: (f"rules/initial/{rule.number}.md", None) for rule in played.initial}
    history = build_histories(played, sources).of_number(number)
    assert history is not None
    return [[(run.index, run.text) for run in one.runs] for one in sentence_authors(history, at)]


def test_each_sentence_has_its_origins_through_lines_that_gave_no_text() -> None:
    made = Ledger.start({201: {}})
    made.proposal(301, "01-05", "## Amend Rule 201/0\n\nThe text of 201. A bell rings at noon.")
    made.proposal(302, "01-06", "## Retitle Rule 201/1: The bell")
    made.proposal(303, "01-07", "## Renumber Rule 201/1 to 401")
    made.proposal(304, "01-08", "## Amend Rule 401/1\n\nThe text of 201. A loud bell rings, at noon. So be it.")
    expected = [
        [(0, "The text of 201. ")],
        [(1, "A "), (4, "loud "), (1, "bell rings, at noon. ")],
        [(4, "So be it.")],
    ]
    assert told(made, 401) == expected
    assert told(made, 201) == expected
    assert told(made, 401, 3) == [[(0, "The text of 201. ")], [(1, "A bell rings at noon.")]]
