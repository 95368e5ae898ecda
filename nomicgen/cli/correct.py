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

    Sets KEY of FILE to VALUE, and writes an act that records it. Without VALUE, the key is deleted.
    KEY is one that holds a vote, a date, dice or points, such as votes.wren, decided, dice.0 (the
    first throw), dice (all throws) or points.0.amount.

    A proposal or judgement must be decided before it can be corrected. While a turn goes on, a
    throw can be corrected only if the rules refuse it.

    \b
    nomicgen correct turns/R1T2.yml dice.0 6 --evidence "the photograph of the throw" --commit
    nomicgen correct turns/R1T3.yml dice 6 --evidence "a six was thrown, not a sixty" --commit
    """
    return correct(game, file, key, value, on, evidence=evidence)
