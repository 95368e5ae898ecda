"""Defined terms in prose: the same as one expression of them all would find, whatever their number."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.site.texts.terms import Terms, term_key


def _found(terms: list[str], prose: str) -> list[tuple[str, int]]:
    return [(match["term"], match.start()) for match in Terms(map(term_key, terms)).finditer(prose)]


@pytest.mark.parametrize(
    ("terms", "prose", "found"),
    [
        (["vote"], "A Vote, votes; a devote, vote-less or pre-vote.", [("Vote", 2), ("vote", 8)]),
        (["vote"], "Voters voted.", []),
        (["vote", "vote of thanks"], "a vote of\nthanks, a vote", [("vote of\nthanks", 2), ("vote", 20)]),
        (["box", "votes cast"], "boxes, the votes cast", [("box", 0), ("votes cast", 11)]),
        (["vote", "votes cast"], "votes cast and votes", [("votes cast", 0), ("vote", 15)]),
        (["x-ray"], "x-rays, x", [("x-ray", 0)]),
        (["§ one", "one"], "one § one", [("one", 0), ("§ one", 4)]),
        ([], "nothing", []),
    ],
)
def test_terms_are_found(terms: list[str], prose: str, found: list[tuple[str, int]]) -> None:
    assert _found(terms, prose) == found


_WORDS = st.lists(st.sampled_from(["vote", "votes", "Vote", "of", "open", "x-ray", "§", "ray", "es"]), min_size=1)


@given(
    st.lists(_WORDS.map(lambda words: " ".join(words[:3])), min_size=1, max_size=6),
    st.lists(
        st.sampled_from(["vote", "votes", "VOTES", "of", "open", "x", "-", "ray", "§", "s", "es", ",", " ", "\n"])
    ),
)
def test_they_are_those_that_one_expression_finds(terms: list[str], pieces: list[str]) -> None:
    keys = sorted({term_key(term) for term in terms}, key=lambda key: (-len(key), key))
    choice = "|".join(r"\s+".join(map(re.escape, key.split())) for key in keys)
    whole = re.compile(rf"(?<![\w-])(?P<term>{choice})(?:e?s)?(?![\w-])", re.IGNORECASE)
    prose = " ".join(pieces) if len(pieces) % 2 else "".join(pieces)
    assert _found(terms, prose) == [(match["term"], match.start()) for match in whole.finditer(prose)]
