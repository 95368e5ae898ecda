"""`nomicgen resolve`."""

from __future__ import annotations

import click

from nomicgen.cli.common import moves
from nomicgen.game import Game, Move, resolve
from nomicgen.model import Moment

__all__ = ["command"]


@click.command("resolve")
@click.argument("number", type=int)
@moves
def command(game: Game, on: Moment, number: int) -> Move:
    """End the vote on proposal NUMBER: tally it, record the outcome, apply what takes effect.

    With --commit, that is one commit, whose trailers name the proposal and its outcome.

    \b
    nomicgen resolve 305 --dry-run     the redline, and nothing written
    nomicgen resolve 305 --commit
    """
    return resolve(game, number, on)
