"""Turns for tests: a game that is played by turns, and whose is next."""

from __future__ import annotations

from typing import Any

from tests.ledger import UNANIMOUS, Ledger

NEW = "## Enact Rule\n\nNew."
ORDER = {"order": "alphabetical"}


def game(turns: Any = None, **rules: Any) -> Ledger:
    """Rule 201 says how turns go round."""
    said = {201: {"turns": turns} if turns else {}, 203: UNANIMOUS}
    return Ledger.start({**said, **{int(number[1:]): one for number, one in rules.items()}})


def following(made: Ledger, until: str = "12-31") -> str | None:
    """The turn that comes next: `R1T2 quill`."""
    found = made.play(until)[1].next_turn
    return f"{found.ident} {found.player}" if found else None


def played(made: Ledger, *turns: str, first: int = 1) -> Ledger:
    """With turns such as `R1T1 wren`, each on a day of January from `first` on."""
    for index, turn in enumerate(turns, first):
        ident, player = turn.split()
        made.turn(ident, player, f"01-{index:02}", f"01-{index:02}")
    return made


ROUND = ("R1T1 osprey", "R1T2 quill", "R1T3 tallow", "R1T4 wren")
