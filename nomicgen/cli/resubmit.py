"""`nomicgen resubmit`."""

from __future__ import annotations

import click

from nomicgen.cli.common import moves
from nomicgen.game import Game, Move, resubmit
from nomicgen.model import Moment

__all__ = ["command"]


@click.command("resubmit")
@click.argument("number", type=int)
@moves
def command(game: Game, on: Moment, number: int) -> Move:
    """Put proposal NUMBER to the vote again, as it is written now; the votes so far are kept as earlier ones.

    \b
    nomicgen resubmit 305
    nomicgen vote 305 for --player wren
    """
    return resubmit(game, number, on)
