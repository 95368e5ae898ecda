"""`nomicgen advance`."""

from __future__ import annotations

import click

from nomicgen.cli.common import moves
from nomicgen.game import Game, Move, advance
from nomicgen.model import Moment

__all__ = ["command"]


@click.command("advance")
@moves
def command(game: Game, on: Moment) -> Move:
    """Write what the rules do by themselves and is due: rules that change (`sunset`), a turn that passes.

    \b
    nomicgen advance --dry-run
    nomicgen advance --commit
    """
    return advance(game, on)
