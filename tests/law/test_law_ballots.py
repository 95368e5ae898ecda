"""The ballot: who votes, for how long, and what silence, abstention, ties, dice and authors make of a vote."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicgen.law.precedence import Law
from nomicgen.law.shapes import TieBreak
from nomicgen.law.state import Tally
from tests.ledger import Ledger, day

NEW = "## Enact Rule\n\nNew."
MAJORITY = {"needs": "majority", "of": "eligible"}
UMPIRE = {"tie_break": {"by": "umpire"}}
DIE = {"tie_break": {"by": "hal", "die": "3", "for": ["1"], "against": ["2"]}}
DUMMY = {"dummy": {"die": "6", "for": ["4", "5", "6"], "against": ["1", "2"]}}
P301 = "proposals/301.md"


def game(ballot: Any, adoption: Any = None, **rules: Any) -> Ledger:
    """Rule 105 says how votes are held, Rule 203 how many are enough."""
    said = {105: {"ballot": ballot}, 203: {"adoption": adoption or MAJORITY}}
    return Ledger.start({**said, **{int(number[1:]): one for number, one in rules.items()}})


def voted(made: Ledger, votes: str, until: str = "12-31", **matter: Any) -> tuple[bool | None, Tally]:
    """Proposal 301 with these votes, and what they come to; `more` has the votes of others than the four."""
    more = matter.pop("more", {})
    words = {"f": "for", "a": "against", "-": "abstain"}
    given = {who: words[vote] for who, vote in zip(("osprey", "quill", "tallow", "wren"), votes, strict=True) if vote != "."}
    made.proposal(301, "02-01", NEW, matter.pop("status", "adopted") and votes, **{"votes": {**given, **more}, **matter})
    tally = made.play(until)[1].tallies[P301]
    return tally.adopted, tally


def told(made: Ledger, votes: str, until: str = "12-31", **matter: Any) -> list[str]:
    """What is wrong with a vote whose status is what its votes come to, unless `status` says another."""
    status = matter.pop("status", None)
    if status is None:
        status = "adopted" if voted(Ledger(dict(made.tree)), votes, until, **matter)[0] else "defeated"
    voted(made, votes, until, status=status, **matter)
    return made.told(until)
