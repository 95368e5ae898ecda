"""The tokens of ballots, as they are drawn outside of tests."""

from __future__ import annotations

import importlib
import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest

from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.identifiers import PlayerId
from nomicgen.play.load import load_tree
from nomicgen.play.refusal import Refused
from nomicgen.play.resolving import resolve
from nomicgen.play.voting import ballots
from nomicgen.play.voting.voting import cast_vote
from tests.ballots import HAL, NEW, game
from tests.ledger import day
from tests.play.voting.test_tally import GAME, TOKEN


@pytest.fixture
def drawn() -> Callable[[], str]:
    """What draws a token where no test has put known ones in its place."""
    source = importlib.util.find_spec("nomicgen.play.voting.ballots")
    assert source is not None
    assert source.loader is not None
    module = importlib.util.module_from_spec(source)
    source.loader.exec_module(module)
    return partial(module._new_token, GAME.records)


def test_a_token_is_drawn_by_lot_and_never_twice(
    drawn: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = [drawn() for _ in range(2000)]
    assert len(set(tokens)) == len(tokens)
    for token in tokens:
        assert ProposalMatter.read({"status": "open", "ballot": token}).ballot == token
    # Each sign has its share at each place: of 2,000 draws some 62, or 91 of the letters in front.
    for place in range(10):
        counts = Counter(token[place] for token in tokens)
        assert len(counts) == (22 if place == 0 else 32)
        assert max(counts.values()) < 150
    # One that the game has is drawn again.
    assert TOKEN in ballots.tokens_of(GAME.records)
    given = iter(f"{TOKEN}b000000009")

    def choice(_: Sequence[str]) -> str:
        return next(given)

    monkeypatch.setattr(secrets, "choice", choice)
    assert drawn() == "b000000009"


# A tie that shows only when the vote has closed: who breaks it votes then, and the vote can end.


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
    assert (
        resolved.said[0]
        == "proposal 301 is adopted: 3 for, 2 against, 0 abstaining (by silence: wren)"
    )
    assert resolved.after.findings == ()
