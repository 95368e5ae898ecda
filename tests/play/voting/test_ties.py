"""A tie that shows only when the vote has closed: who breaks it votes then, and the vote can end."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicgen.model.identifiers import PlayerId
from nomicgen.play.load import load_tree
from nomicgen.play.refusal import Refused
from nomicgen.play.resolving import resolve
from nomicgen.play.voting.voting import cast_vote
from tests.ballots import HAL, NEW, game
from tests.ledger import day


def test_who_breaks_ties_votes_after_the_vote_has_closed() -> None:
    made = game({**HAL, "silence": "for", "closes_after": "3"}).player("hal", kind="bot")
    made.proposal(301, "02-01", NEW, "faa.", "open").applied()
    on = day("02-06")
    loaded = load_tree(Path(), made.tree, on)
    with pytest.raises(Refused, match="the vote on proposal 301 closed on 2026-02-04"):
        cast_vote(loaded, 301, {PlayerId("wren"): "for"}, on)
    with pytest.raises(Refused, match="proposal 301 is tied"):
        resolve(loaded, 301, on)
    voted = cast_vote(loaded, 301, {PlayerId("hal"): ""}, on, die=1).after
    assert voted.findings == ()
    resolved = resolve(voted, 301, on)
    assert resolved.said[0] == "proposal 301 is adopted: 3 for, 2 against, 0 abstaining (by silence: wren)"
    assert resolved.after.findings == ()
