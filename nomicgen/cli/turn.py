"""`nomicgen turn`."""

from __future__ import annotations

from typing import Any

import click

from nomicgen.cli.command_options import ident, moment, move_command, turn_id
from nomicgen.cli.completion import players, turns
from nomicgen.model.values import Moment
from nomicgen.play.load import Game
from nomicgen.play.move import Move
from nomicgen.play.players_and_turns import record_turn
from nomicgen.play.resolving import with_effects


@click.command("turn")
@click.argument("turn", metavar="[R1T1]", type=turn_id, required=False, shell_complete=turns)
@click.option(
    "--player",
    type=ident,
    metavar="ID",
    help="Whose turn it is, if the rules do not say.",
    shell_complete=players,
)
@click.option(
    "--dice",
    type=int,
    multiple=True,
    metavar="N",
    help="The number thrown; repeat it for each die.",
)
@click.option("--end", "ends", is_flag=True, help="The turn has ended.")
@click.option("--pass", "passed", is_flag=True, help="The turn was passed.")
@click.option(
    "--until",
    type=moment,
    metavar="DATE",
    help="The turn's last day, if it was prolonged or cut short.",
)
@move_command
def command(game: Game, on: Moment, turn: str | None, **options: Any) -> Move:
    """Begin, play or end a turn.

    R2T3 is the third turn of the second round. If you name no turn, --dice, --end, --pass and
    --until are about the present turn; without them, the command begins the next turn by the
    rules, and carries out what takes effect with it.

    \b
    nomicgen turn --dice 4 --end --commit
    nomicgen turn R2T1 --player wren
    """
    return with_effects(record_turn(game, turn, on, **options))
