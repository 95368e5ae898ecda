"""`nomicgen active`."""

from __future__ import annotations

import click

from nomicgen.cli.common import ident, moves
from nomicgen.cli.names import players
from nomicgen.game import Game, Move, come_back
from nomicgen.model import Moment

__all__ = ["command"]


@click.command("active")
@click.argument("player", type=ident, shell_complete=players)
@moves
def command(game: Game, on: Moment, player: str) -> Move:
    """Record that a player who was inactive is active again, from that day on.

    \b
    nomicgen active marl --commit
    """
    return come_back(game, player, on)
