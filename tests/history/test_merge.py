"""Texts, merged three ways."""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.files.merge_conflicts import Names, find_conflicts
from nomicgen.history.merge import merge_texts

NAMES = Names("Rule 305/1, in force", "this proposal")
FLOOR = "A change is adopted if more than half of the players vote for it. Nobody votes twice."


def merged(base: str, ours: str, theirs: str) -> str:
    found = merge_texts(base, ours, theirs, NAMES)
    assert len(list(find_conflicts(found.text.split("\n")))) == found.conflicts
    return found.text


def conflict(ours: str, theirs: str) -> str:
    """A conflict as it stands in a text, by its marks."""
    return f"<<<<<<< Rule 305/1, in force\n{ours}=======\n{theirs}>>>>>>> this proposal"


def test_two_changes_of_one_line_are_merged_by_word() -> None:
    ours = "A change is adopted if two thirds of the players vote for it. Nobody votes twice."
    theirs = (
        "A change is adopted if more than half of the players vote for it. Nobody may vote twice."
    )
    assert merged(FLOOR, ours, theirs) == (
        "A change is adopted if two thirds of the players vote for it. Nobody may vote twice."
    )


def test_words_that_both_changed_are_a_conflict_and_the_rest_of_the_line_is_merged() -> None:
    ours = "A change is adopted if two thirds of the players vote for it. Nobody votes twice."
    theirs = (
        "A change is adopted if three quarters of the players vote for it. Nobody may vote twice."
    )
    assert merged(FLOOR, ours, theirs) == conflict(
        "A change is adopted if two thirds of the players vote for it. Nobody may vote twice.\n",
        "A change is adopted if three quarters of the players vote for it. Nobody may vote "
        "twice.\n",
    )


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("one two three FOUR five six", "one two three four FIVE six"),
        ("one two three four, five six", "one two three four FIVE six"),
        ("one two three four and five six", "one two three FOUR five six"),
        ("one two three five six", "one two three four and five six"),
    ],
)
def test_changes_of_neighbouring_words_are_a_conflict(ours: str, theirs: str) -> None:
    assert merged("one two three four five six", ours, theirs) == conflict(
        f"{ours}\n", f"{theirs}\n"
    )


def test_a_word_between_two_changes_parts_them() -> None:
    assert merged(
        "one two three four five", "one TWO three four five", "one two three FOUR five"
    ) == ("one TWO three FOUR five")


def test_neighbours_across_a_line_end_are_a_conflict() -> None:
    assert merged("one two\nthree four", "one TWO\nthree four", "one two\nTHREE four") == conflict(
        "one TWO\nthree four\n", "one two\nTHREE four\n"
    )


def test_a_sentence_that_both_wrote_anew_is_not_patched_together() -> None:
    ours = "The keeper of the lamps votes for it, and the others look on."
    theirs = "Everybody shouts for it in the square, loudly and twice."
    assert merged("The players vote for it twice.", ours, theirs) == conflict(
        f"{ours}\n", f"{theirs}\n"
    )


def test_paragraphs_apart_are_merged_by_line() -> None:
    base = "One.\n\nTwo.\n\nThree."
    assert merged(base, "Uno.\n\nTwo.\n\nThree.", "One.\n\nTwo.\n\nThree.\n\nFour.") == (
        "Uno.\n\nTwo.\n\nThree.\n\nFour."
    )


def test_a_paragraph_struck_by_one_and_changed_by_the_other_is_a_conflict() -> None:
    base = "One is here.\n\nTwo is here.\n\nThree is here."
    ours = "One is here.\n\nThree is here."
    theirs = "One is here.\n\nTwo is there.\n\nThree is here."
    two = conflict("", "Two is there.\n\n")
    assert merged(base, ours, theirs) == f"One is here.\n\n{two}\nThree is here."


def test_two_additions_at_one_place_are_a_conflict() -> None:
    added = conflict("\nTwo.\n", "\nDue.\n")
    assert merged("One.", "One.\n\nTwo.", "One.\n\nDue.") == f"One.\n{added}"


def test_two_conflicts_are_two() -> None:
    base = "One is a lamp.\n\nTwo are lamps."
    ours = "One is the lamp.\n\nTwo are many lamps."
    theirs = "One is every lamp.\n\nTwo are some lamps."
    assert merged(base, ours, theirs) == "\n\n".join(
        [
            conflict("One is the lamp.\n", "One is every lamp.\n"),
            conflict("Two are many lamps.\n", "Two are some lamps.\n"),
        ]
    )


def test_lines_without_a_conflict_stand_outside_the_marks() -> None:
    base = "- one is one\n- two is two\n- three is three\n- four is four"
    ours = "- one is uno\n- two is due\n- three is three\n- four is four"
    theirs = "- one is one\n- two is deux\n- three is trois\n- four is four"
    two = conflict("- two is due\n", "- two is deux\n")
    assert merged(base, ours, theirs) == f"- one is uno\n{two}\n- three is trois\n- four is four"


def test_items_of_a_list_and_rows_of_a_table_are_merged_by_word() -> None:
    assert merged(
        "- wren: 1 lamp\n- quill: 2 lamps",
        "- wren: 5 lamp\n- quill: 2 lamps",
        "- wren: 1 lamp\n- quill: 7 lamps",
    ) == ("- wren: 5 lamp\n- quill: 7 lamps")
    head = "| who | lamps |\n|---|---|\n"
    assert (
        merged(
            f"{head}| wren | 1 |\n| quill | 2 |",
            f"{head}| wren | 4 |\n| quill | 2 |",
            f"{head}| wren | 1 |\n| owl | 2 |",
        )
        == f"{head}| wren | 4 |\n| owl | 2 |"
    )


def test_blanks_at_line_ends_and_beginnings_are_kept() -> None:
    base = "One two three.  \n\n    code\n\n- a\n  - b  c"
    ours = "One two four.  \n\n    code\n\n- a\n  - b  c"
    theirs = "One two three.  \n\n    code\n    more\n\n- a\n  - b  c"
    assert merged(base, ours, theirs) == "One two four.  \n\n    code\n    more\n\n- a\n  - b  c"


def test_a_blank_alone_can_be_a_change() -> None:
    assert merged(
        "One  \ntwo three four five", "One\ntwo three four five", "One  \ntwo three four six"
    ) == ("One\ntwo three four six")


def test_a_very_large_comparison_is_not_tried() -> None:
    base = "\n".join(["a"] * 4000)
    found = merge_texts(base, f"{base}\nb", f"c\n{base}", NAMES)
    assert found.conflicts == 1
    assert found.text == conflict(f"{base}\nb\n", f"c\n{base}\n")


WORDS = st.sampled_from(
    ["one", "two", "three", "four", "the", " ", "  ", "\n", "\n\n", ", ", "- ", "    "]
)
TEXTS = (
    st.lists(WORDS, min_size=1, max_size=24)
    .map("".join)
    .filter(str.strip)
    .map(lambda text: text.strip("\n"))
)


@given(TEXTS, TEXTS)
def test_what_only_one_side_changed_is_taken(base: str, changed: str) -> None:
    for found in (merge_texts(base, changed, base, NAMES), merge_texts(base, base, changed, NAMES)):
        assert (found.text, found.conflicts) == (changed, 0)
    found = merge_texts(base, changed, changed, NAMES)
    assert (found.text, found.conflicts) == (changed, 0)


@given(TEXTS, TEXTS, TEXTS)
def test_a_merge_invents_no_words_and_loses_none_that_is_new(
    base: str, ours: str, theirs: str
) -> None:
    found = merge_texts(base, ours, theirs, NAMES)
    lines = found.text.split("\n")
    conflicts = list(find_conflicts(lines))
    assert len(conflicts) == found.conflicts
    marks = set(chain.from_iterable((one.start, one.middle, one.end) for one in conflicts))
    words = {word for at, line in enumerate(lines) if at not in marks for word in line.split()}
    assert words <= set(ours.split()) | set(theirs.split())
    assert words >= (set(ours.split()) | set(theirs.split())) - set(base.split())


@given(TEXTS, TEXTS, TEXTS)
def test_the_sides_change_places_with_the_texts(base: str, ours: str, theirs: str) -> None:
    names = Names("same", "same")
    one, other = merge_texts(base, ours, theirs, names), merge_texts(base, theirs, ours, names)
    assert one.conflicts == other.conflicts
    if not one.conflicts:
        assert one.text == other.text
