"""`nomicgen do`."""

from __future__ import annotations

import click

from nomicgen.cli.command_options import ident, move_command
from nomicgen.cli.completion import deeds, open_proposals, players
from nomicgen.cli.own_player import DEFAULT, own_player
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Moment
from nomicgen.play.doing import do_deed
from nomicgen.play.load import Game
from nomicgen.play.move import Move


@click.command("do")
@click.argument("deed", shell_complete=deeds)
@click.argument("about", metavar="[NUMBER|TURN]", required=False, shell_complete=open_proposals)
@click.option(
    "--player",
    type=ident,
    metavar="ID",
    help=f"Who does it ({DEFAULT}).",
    shell_complete=players,
)
@move_command
def command(game: Game, on: Moment, deed: str, about: str | None, player: PlayerId | None) -> Move:
    """Do what a rule lets you do, such as second a proposal.

    `nomicgen next` lists what can be done now, and by whom. For a deed about the present turn, you
    can leave TURN out.

    \b
    nomicgen do second 305 --player wren
    nomicgen do second 305 --player wren --commit
    """
    return do_deed(game, deed, about, player or own_player("--player"), on)
