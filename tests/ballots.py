"""A vote for tests: what ballots under one law come to, and what is wrong with them."""

from __future__ import annotations

from typing import Any

from nomicgen.law.voting.tally import Tally
from tests.ledger import Ledger

NEW = "## Enact Rule\n\nNew."
MAJORITY = {"needs": "majority", "of": "eligible"}
P301 = "proposals/301.md"
HAL = {"tie_break": {"by": "hal", "die": "3", "for": ["1"], "against": ["2"]}}


def game(ballot: Any = None, adoption: Any = None, **rules: Any) -> Ledger:
    """Rule 105 says how votes are held, Rule 203 how many are enough."""
    said = {105: {"ballot": ballot} if ballot else {}, 203: {"adoption": adoption or MAJORITY}}
    return Ledger.start({**said, **{int(number[1:]): one for number, one in rules.items()}})


def tally(made: Ledger, votes: str, until: str = "12-31", **matter: Any) -> Tally:
    """What the votes on proposal 301 come to."""
    return made.proposal(301, "02-01", NEW, votes, **matter).play(until)[1].tallies[P301]


def told(made: Ledger, votes: str, until: str = "12-31", **matter: Any) -> list[str]:
    """What is wrong with a vote whose status is what its votes come to."""
    adopted = tally(Ledger(dict(made.tree)), votes, until, **matter).adopted
    return made.proposal(
        301, "02-01", NEW, votes, "adopted" if adopted else "defeated", **matter
    ).told(until)


def by_die(vote: str, face: int) -> dict[str, Any]:
    return {"vote": vote, "cast_by": "die", "die": face}


def silent(vote: str) -> dict[str, Any]:
    return {"vote": vote, "cast_by": "silence"}
