"""A game in which points are awarded, and its awards as lines."""

from __future__ import annotations

from typing import Any

from tests.ledger import Ledger

NEW = "## Enact Rule\n\nNew."
MAJORITY: dict[str, Any] = {"adoption": {"needs": "majority", "of": "eligible"}}
ONCE = "```yaml rule\nprovisions:\n  points: {on: adopted, to: author, amount: 99}\n```"


def game(points: Any = None, **rules: Any) -> Ledger:
    """Rule 202 awards points; a majority of all four adopts."""
    said = {202: {"points": points} if points else {}, 203: MAJORITY}
    return Ledger.start({**said, **{int(number[1:]): one for number, one in rules.items()}})


def lines(made: Ledger, until: str = "12-31") -> list[str]:
    """Every award in its order: `wren 20/3 by 202: why`."""
    return [
        f"{one.player} {one.amount} by {one.rule}: {one.reason}"
        for one in made.play(until)[1].awards
    ]


def award(player: str, amount: Any, reason: str = "Wit") -> dict[str, Any]:
    return {"player": player, "amount": amount, "reason": reason}
