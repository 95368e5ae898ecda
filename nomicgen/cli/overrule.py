"""`nomicgen overrule`."""

from __future__ import annotations

import click

from nomicgen.cli.common import moves
from nomicgen.game import Game, Move, overrule
from nomicgen.model import Moment

__all__ = ["command"]


@click.command("overrule")
@click.argument("number", type=int)
@moves
def command(game: Game, on: Moment, number: int) -> Move:
    """Mark judgement NUMBER as overruled from that day on. What it changed stands until an instruction undoes it.

    \b
    nomicgen overrule 2 --commit
    """
    return overrule(game, number, on)
