"""Who wrote which words of a rule."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.archive.blame import Run, blame

WORDS = ["ferry", "bell", "the", "by-law", "2/3", "tide", ".", "\n\n", "\n", "- "]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=15).map(" ".join)
HISTORIES = st.lists(st.none() | TEXTS, min_size=1, max_size=6)


def told(*texts: str | None) -> str:
    return "".join(f"{{{one.index}{'?' * one.uncertain}:{one.text}}}" for one in blame(texts))


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ((), ""),
        (("",), ""),
        ((None,), ""),
        (("All agree.", None), ""),
        (("All agree.",), "{0:All agree.}"),
        (("All must agree.", "All players must agree."), "{0:All }{1:players }{0:must agree.}"),
        (("All agree.", "Most agree.", "Most agree. So be it."), "{1:Most }{0:agree. }{2:So be it.}"),
        (("All agree.", "All\n\n\nagree .", "All agree."), "{0:All agree.}"),
        ((None, "All agree."), "{1?:All agree.}"),
        (("All agree.", None, "All players agree."), "{0:All }{2?:players }{0:agree.}"),
        (("All agree.", None, "All agree.", "All agree, gladly."), "{0:All agree}{3:, gladly}{0:.}"),
        # Words that went and came again came with who brought them again.
        (("One. Two.", "One.", "One. Two."), "{0:One. }{2:Two.}"),
        (("  One.", "  One two."), "{0:  One }{1:two}{0:.}"),
    ],
)
def test_blame(texts: tuple[str | None, ...], expected: str) -> None:
    assert told(*texts) == expected


@given(HISTORIES)
def test_the_runs_are_the_last_text(texts: list[str | None]) -> None:
    runs = blame(texts)
    assert "".join(one.text for one in runs) == ((texts[-1] or "") if runs else "")
    assert bool(runs) == bool((texts[-1] or "").strip())
    assert all(one.text.strip() and 0 <= one.index < len(texts) for one in runs)
    assert all((one.index, one.uncertain) != (other.index, other.uncertain) for one, other in pairwise(runs))


@given(HISTORIES)
def test_words_come_with_a_text_that_has_them(texts: list[str | None]) -> None:
    for one in blame(texts):
        source = texts[one.index]
        assert source is not None
        assert set(one.text.split()) <= set(source.split()) | {""}
        assert one.uncertain == (one.index > 0 and texts[one.index - 1] is None)


@given(TEXTS.filter(str.strip), st.lists(st.sampled_from(["gulls ", "weather\n", "rope  "]), max_size=4))
def test_a_word_that_nobody_touched_is_the_first_authors(first: str, more: list[str]) -> None:
    texts = [first]
    for one in more:
        texts.append(f"{one}{texts[-1]} {one.strip()}")
    assert "".join(run.text for run in blame(texts) if run.index == 0).split() == first.split()


@given(HISTORIES, TEXTS)
def test_a_text_that_is_put_again_with_other_blanks_changes_nothing(texts: list[str | None], last: str) -> None:
    again = blame([*texts, last, f" {last}\n"])
    assert [(one.index, one.uncertain, one.text.split()) for one in again] == [
        (one.index, one.uncertain, one.text.split()) for one in blame([*texts, last])
    ]


def test_letters_are_what_is_no_blank() -> None:
    assert Run(" All\nagree. ", 0).letters == 9
