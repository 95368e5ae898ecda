"""Where one vote decided: counted again with that vote alone changed, and held against sums done by hand."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from nomicgen.history.decisive_votes import decisive_votes
from tests.ledger import UNANIMOUS, Ledger

MAJORITY = {"adoption": {"needs": "majority", "of": "cast"}}
VOTERS = ("osprey", "quill", "tallow", "wren")


def _decided(law: Mapping[str, Any], votes: str, *, adopted: bool) -> set[str]:
    status = "adopted" if adopted else "defeated"
    made = Ledger.start({203: law})
    made.proposal(301, "01-02", "## Enact Rule\n\nTea.", votes=votes, status=status)
    records, replay = made.play()
    found = decisive_votes(records, replay)
    return {voter for voter, (proposals, count) in found.items() if proposals and count == 1}


@pytest.mark.parametrize("votes", ["".join(each) for each in product("fa", repeat=4)])
def test_of_a_majority_those_decided_without_whom_it_is_none(votes: str) -> None:
    cast = dict(zip(VOTERS, votes, strict=True))
    passes = votes.count("f") * 2 > 4

    def otherwise(voter: str) -> bool:
        turned = sum((vote == "f") != (other == voter) for other, vote in cast.items())
        return (turned * 2 > 4) is not passes

    assert _decided(MAJORITY, votes, adopted=passes) == {voter for voter in VOTERS if otherwise(voter)}


def test_where_all_must_agree_each_decided_and_against_one_that_one() -> None:
    assert _decided(UNANIMOUS, "ffff", adopted=True) == set(VOTERS)
    assert _decided(UNANIMOUS, "fffa", adopted=False) == {"wren"}
    assert _decided(UNANIMOUS, "ffaa", adopted=False) == set()


def test_an_outcome_that_the_votes_do_not_give_says_nothing() -> None:
    assert _decided(UNANIMOUS, "ffff", adopted=False) == set()


def test_what_is_not_decided_counts_for_nobody() -> None:
    made = Ledger.start({203: UNANIMOUS}).proposal(301, "01-02", "## Enact Rule\n\nTea.", votes="ff..", status="open")
    assert decisive_votes(*made.play("01-03")) == {}
