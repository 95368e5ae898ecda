"""Who wrote which words of a rule."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.history.authorship import AuthoredText, authorship_of, without_lone_marks

WORDS = ["ferry", "bell", "the", "by-law", "2/3", "tide", ".", "\n\n", "\n", "- "]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=15).map(" ".join)
HISTORIES = st.lists(st.none() | TEXTS, min_size=1, max_size=6)


def told(*texts: str | None) -> str:
    return "".join(
        f"{{{one.index}{'?' * one.uncertain}:{one.text}}}" for one in authorship_of(texts)
    )


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ((), ""),
        (("",), ""),
        ((None,), ""),
        (("All agree.", None), ""),
        (("All agree.",), "{0:All agree.}"),
        (("All must agree.", "All players must agree."), "{0:All }{1:players }{0:must agree.}"),
        (
            ("All agree.", "Most agree.", "Most agree. So be it."),
            "{1:Most }{0:agree. }{2:So be it.}",
        ),
        (("All agree.", "All\n\n\nagree .", "All agree."), "{0:All agree.}"),
        ((None, "All agree."), "{1?:All agree.}"),
        (("All agree.", None, "All players agree."), "{0:All }{2?:players }{0:agree.}"),
        (
            ("All agree.", None, "All agree.", "All agree, gladly."),
            "{0:All agree}{3:, gladly}{0:.}",
        ),
        # Words that went and came again came with who brought them again.
        (("One. Two.", "One.", "One. Two."), "{0:One. }{2:Two.}"),
        (("  One.", "  One two."), "{0:  One }{1:two}{0:.}"),
        # A lone word between two changes is no passage.
        (
            ("Two gulls must vote aye.", "Every heron must now say no."),
            "{1:Every heron must now say no}{0:.}",
        ),
        # A sentence that came begins where it begins, and so does one that went.
        (
            (
                "A player may vote. Votes count.",
                "A player may pass. A player may vote. Votes count.",
            ),
            "{1:A player may pass. }{0:A player may vote. Votes count.}",
        ),
        (
            ("A boat may wait.", "A boat may sail. A boat may wait.", "A boat may wait."),
            "{0:A boat may wait.}",
        ),
        # The mark of an item has no author of its own: `readable` puts it to the words behind it.
        (("- tea\n- rum", "- tea\n- ale\n- rum"), "{0:- tea\n}{1:- ale\n- }{0:rum}"),
    ],
)
def test_blame(texts: tuple[str | None, ...], expected: str) -> None:
    assert told(*texts) == expected


@given(HISTORIES)
def test_the_runs_are_the_last_text(texts: list[str | None]) -> None:
    runs = authorship_of(texts)
    assert "".join(one.text for one in runs) == ((texts[-1] or "") if runs else "")
    assert bool(runs) == bool((texts[-1] or "").strip())
    assert all(one.text.strip() and 0 <= one.index < len(texts) for one in runs)
    assert all(
        (one.index, one.uncertain) != (other.index, other.uncertain)
        for one, other in pairwise(runs)
    )


@given(HISTORIES)
def test_words_come_with_a_text_that_has_them(texts: list[str | None]) -> None:
    for one in authorship_of(texts):
        source = texts[one.index]
        assert source is not None
        assert set(one.text.split()) <= set(source.split()) | {""}
        assert one.uncertain == (one.index > 0 and texts[one.index - 1] is None)


@given(TEXTS, st.lists(TEXTS, max_size=4))
def test_a_sentence_that_nobody_touched_is_the_first_authors(around: str, more: list[str]) -> None:
    sentence = "Every gull waits for weather."
    texts = [sentence, *(f"{one}\n\n{sentence}\n\n{around}" for one in more)]
    assert "".join(run.text for run in authorship_of(texts) if run.index == 0).strip() == sentence


@given(HISTORIES, TEXTS)
def test_a_text_that_is_put_again_with_other_blanks_changes_nothing(
    texts: list[str | None], last: str
) -> None:
    again = authorship_of([*texts, last, f" {last}\n"])
    assert [(one.index, one.uncertain, one.text.split()) for one in again] == [
        (one.index, one.uncertain, one.text.split()) for one in authorship_of([*texts, last])
    ]


def test_letters_are_what_is_no_blank() -> None:
    assert AuthoredText(" All\nagree. ", 0).letters == 9


FRESH = [f"w{number}" for number in range(400)]


@st.composite
def edited(draw: st.DrawFn, words: list[str]) -> tuple[list[str], list[tuple[str, int]]]:
    """Texts, each made of the one before by edits, and the words of the last with the text that
    each came with.

    Each word that is drawn is used up, so that `words` without any twice make it plain which
    stayed.
    """
    supply = iter(words)
    text = [(next(supply), 0) for _ in range(draw(st.integers(1, 20)))]
    texts = [" ".join(word for word, _ in text)]
    for index in range(1, draw(st.integers(1, 6))):
        for _ in range(draw(st.integers(1, 3))):
            start = draw(st.integers(0, len(text)))
            end = draw(st.integers(start, min(len(text), start + 4)))
            text[start:end] = [(next(supply), index) for _ in range(draw(st.integers(0, 4)))]
        texts.append(" ".join(word for word, _ in text))
    return texts, text


@given(edited(FRESH))
def test_no_word_is_older_than_the_edit_that_brought_it(
    case: tuple[list[str], list[tuple[str, int]]],
) -> None:
    texts, expected = case
    found = [(word, run.index) for run in authorship_of(texts) for word in run.text.split()]
    assert [word for word, _ in found] == [word for word, _ in expected]
    assert all(index >= truth for (_, index), (_, truth) in zip(found, expected, strict=True))


def test_a_text_too_long_to_compare_is_compared_by_paragraphs_first() -> None:
    old = [f"p{number} " + " ".join(f"w{number}x{at}" for at in range(99)) for number in range(60)]
    new = [
        *old[:20],
        "Quite another paragraph.",
        *old[20:40],
        old[40].replace("w40x50", "changed"),
        *old[41:],
    ]
    runs = authorship_of(["\n\n".join(old), "\n\n".join(new)])
    assert [run.text.strip() for run in runs if run.index == 1] == [
        "Quite another paragraph.",
        "changed",
    ]


def test_a_mark_goes_with_the_words_before_it() -> None:
    assert [
        (run.index, run.text)
        for run in without_lone_marks(authorship_of(["All agree.", "All agree, gladly."]))
    ] == [
        (0, "All agree"),
        (1, ", gladly."),
    ]


# Who wrote which words, measured against what people say who read both texts.


_TRUTH = Path(__file__).with_name("authorship.toml")
RULES: Sequence[Mapping[str, Any]] = tomllib.loads(_TRUTH.read_text("utf-8"))["rules"]
_PART = r"\{(\d+):([^}]*)\}"


def truth_of(rule: Mapping[str, Any]) -> list[AuthoredText]:
    return [AuthoredText(text, int(index)) for index, text in re.findall(_PART, rule["truth"])]


def found_in(rule: Mapping[str, Any]) -> list[AuthoredText]:
    return list(
        without_lone_marks(
            authorship_of([*rule["texts"], "".join(one.text for one in truth_of(rule))])
        )
    )


def letters(runs: Sequence[AuthoredText]) -> list[int]:
    """The origin of each letter."""
    return [one.index for one in runs for _ in range(one.letters)]


def test_there_are_forty_rules() -> None:
    assert len(RULES) >= 40
    assert len({rule["name"] for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("rule", RULES, ids=[rule["name"] for rule in RULES])
def test_most_of_a_rule_is_credited_rightly_and_in_no_more_pieces(rule: Mapping[str, Any]) -> None:
    truth, found = truth_of(rule), found_in(rule)
    right = [one == other for one, other in zip(letters(truth), letters(found), strict=True)]
    assert sum(right) >= 0.9 * len(right), found
    assert len(found) <= len(truth) + (len(truth) > 2), found


def test_all_of_them_together() -> None:
    pairs = [
        pair
        for rule in RULES
        for pair in zip(letters(truth_of(rule)), letters(found_in(rule)), strict=True)
    ]
    assert sum(one == other for one, other in pairs) >= 0.995 * len(pairs)
    assert sum(len(found_in(rule)) for rule in RULES) <= 1.02 * sum(
        len(truth_of(rule)) for rule in RULES
    )


def test_no_phrase_is_a_small_word() -> None:
    small = {"is", "of", "the", "a", "rule", "them", "it", "and", "that", "to"}
    alone = {run.text.strip(" \n.,;:").casefold() for rule in RULES for run in found_in(rule)}
    assert not alone & small
