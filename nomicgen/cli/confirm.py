"""`nomicgen rule confirm`."""

from __future__ import annotations

import click

from nomicgen.cli.command_options import move_command
from nomicgen.cli.completion import rules
from nomicgen.model.values import Moment
from nomicgen.play.correcting import confirm
from nomicgen.play.load import Game
from nomicgen.play.move import Move


@click.command("confirm")
@click.argument("number", metavar="N", type=int, shell_complete=rules)
@move_command
def command(game: Game, on: Moment, number: int) -> Move:
    """Say that provisions still mean what the text says.

    This ends the warning `provisions-unconfirmed`, which comes if a rule's text was amended and its
    provisions were not.

    \b
    nomicgen rule confirm 314 --commit
    """
    return confirm(game, number, on)
