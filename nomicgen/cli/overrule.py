"""`nomicgen overrule`."""

from __future__ import annotations

import click

from nomicgen.cli.common import ident, moves
from nomicgen.cli.names import judgements, players
from nomicgen.game import Game, Move, overrule
from nomicgen.model import Moment

__all__ = ["command"]


@click.command("overrule")
@click.argument("number", type=int, shell_complete=judgements)
@click.option(
    "--by", type=ident, multiple=True, metavar="ID", help="A player who voted to overrule it.", shell_complete=players
)
@click.option("--judgement", type=int, metavar="N", help="The judgement that overrules it.")
@moves
def command(game: Game, on: Moment, number: int, by: tuple[str, ...], judgement: int | None) -> Move:
    """Mark judgement NUMBER as overruled from that day on. What it changed stands until an instruction undoes it.

    \b
    nomicgen overrule 2 --by wren --by quill --by osprey --commit
    nomicgen overrule 2 --judgement 3
    """
    return overrule(game, number, on, by=by, judgement=judgement)
