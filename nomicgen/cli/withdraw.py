"""`nomicgen proposal withdraw`."""

from __future__ import annotations

import click

from nomicgen.cli.command_options import move_command, proposal_number
from nomicgen.cli.completion import open_proposals
from nomicgen.model.values import Moment
from nomicgen.play.load import Game
from nomicgen.play.move import Move
from nomicgen.play.resolving import withdraw


@click.command("withdraw")
@click.argument("number", type=proposal_number, shell_complete=open_proposals)
@move_command
def command(game: Game, on: Moment, number: int) -> Move:
    """Take a proposal back before it is decided.

    It keeps its number. A rule may forbid it, for example once the vote is open.

    \b
    nomicgen proposal withdraw 307 --commit
    """
    return withdraw(game, number, on)
