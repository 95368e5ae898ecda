"""`nomicgen correct`."""

from __future__ import annotations

import click

from nomicgen.cli.command_options import move_command, words
from nomicgen.model.values import Moment
from nomicgen.play.correcting import correct
from nomicgen.play.load import Game
from nomicgen.play.move import Move


@click.command("correct")
@click.argument("file")
@click.argument("key")
@click.argument("value", required=False)
@click.option(
    "--evidence",
    required=True,
    type=words,
    metavar="TEXT",
    help="Where to see it: an address, or a description.",
)
@move_command
def command(game: Game, on: Moment, file: str, key: str, value: str | None, evidence: str) -> Move:
    """Correct what was recorded wrongly.

    Sets KEY of FILE to VALUE, and writes an act that records it. You can correct only votes, dates,
    dice and points in a file, and only once they are settled. Without VALUE, the key is deleted.
    `dice` are all throws of a turn; while it goes on, only throws that the rules refuse can be
    corrected.

    \b
    nomicgen correct turns/R1T2.yml dice.0 6 --evidence "the photograph of the throw" --commit
    nomicgen correct turns/R1T3.yml dice "6" --evidence "the die has six sides, not sixty" --commit
    """
    return correct(game, file, key, value, on, evidence=evidence)
