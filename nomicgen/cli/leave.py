"""`nomicgen leave`."""

from __future__ import annotations

import click

from nomicgen.cli.common import ident, moves
from nomicgen.cli.names import players
from nomicgen.game import Game, Move, leave
from nomicgen.model import Moment

__all__ = ["command"]


@click.command("leave")
@click.argument("player", type=ident, shell_complete=players)
@moves
def command(game: Game, on: Moment, player: str) -> Move:
    """Record that a player plays no longer, from that day on; the file stays.

    \b
    nomicgen leave marl --commit
    """
    return leave(game, player, on)
