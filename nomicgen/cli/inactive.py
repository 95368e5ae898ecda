"""`nomicgen inactive`."""

from __future__ import annotations

import click

from nomicgen.cli.common import ident, moment, moves
from nomicgen.cli.names import players
from nomicgen.game import Game, Move, rest
from nomicgen.model import Moment

__all__ = ["command"]


@click.command("inactive")
@click.argument("player", type=ident, shell_complete=players)
@click.option("--until", type=moment, metavar="DATE", help="The first day on which the player is active again.")
@moves
def command(game: Game, on: Moment, player: str, until: Moment | None) -> Move:
    """Record that a player is inactive from that day on: no turns, and no vote where only the active have one.

    \b
    nomicgen inactive marl --on 2026-12-20 --until 2027-01-06
    nomicgen active marl
    """
    return rest(game, player, on, until)
