"""Confirming that a rule's provisions mean what its new text says."""

from __future__ import annotations

from nomicgen.law.checks.provisions import is_doubtful
from nomicgen.model.values import Moment
from nomicgen.play.load import Game
from nomicgen.play.move import Move, Part, edited, idle, verified
from nomicgen.play.proposing import standing_rule


def confirm(game: Game, number: int, on: Moment) -> Move:
    """Enter the revision in force of a rule under `confirmed` of nomic.yml."""
    rule = standing_rule(game, number)
    if not is_doubtful(rule, game.settings):
        return idle(game, on, f"Rule {rule.ref} has no mark: its provisions are as new as its text, or confirmed")
    confirmed = [*map(str, game.settings.confirmed), rule.ref]
    part = Part(
        writes={"nomic.yml": edited(game, "nomic.yml", {"confirmed": confirmed})},
        subject=f"The provisions of Rule {rule.ref} mean what its text says",
    )
    return verified(game, part, said=(f"the provisions of Rule {rule.ref} are confirmed",), on=on)
