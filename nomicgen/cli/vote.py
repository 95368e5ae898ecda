"""`nomicgen vote`."""

from __future__ import annotations

import click

from nomicgen.cli.command_options import ballot, ident, move_command
from nomicgen.cli.completion import open_proposals, players
from nomicgen.cli.own_player import DEFAULT, own_player
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Moment
from nomicgen.play.load import Game
from nomicgen.play.move import Move
from nomicgen.play.voting.voting import cast_vote, take_back


@click.command("vote")
@click.argument("ballot", metavar="NUMBER[-TOKEN]", type=ballot, shell_complete=open_proposals)
@click.argument(
    "choice", type=click.Choice(["for", "against", "abstain", "withdraw"]), required=False
)
@click.option(
    "--player",
    "players",
    multiple=True,
    type=ident,
    metavar="ID",
    help=f"Who votes ({DEFAULT}).",
    shell_complete=players,
)
@click.option(
    "--die", type=int, metavar="FACE", help="The face that was thrown, if the player votes by die."
)
@move_command
def command(
    game: Game,
    on: Moment,
    ballot: tuple[int, str | None],
    choice: str | None,
    players: tuple[PlayerId, ...],
    die: int | None,
) -> Move:
    """Cast votes on a proposal.

    The first vote opens the vote, and fixes the text. Until the vote closes or is counted, players
    can change their votes, or take them back (`withdraw`), except a throw. If the voters named the
    ballot (305-k7q2m4x9ta), repeat that name: then a vote on an earlier text is refused.

    \b
    nomicgen vote 305 for --player wren --player quill
    nomicgen vote 305-k7q2m4x9ta against --player tallow --commit
    nomicgen vote 305 --die 4 --player chair
    """
    number, token = ballot
    if (choice is None) == (die is None):
        raise click.UsageError(
            "say for, against, abstain or withdraw, or what was thrown: --die FACE"
        )
    voters = players or (own_player("--player"),)
    if choice == "withdraw":
        return take_back(game, number, voters, on, token=token)
    return cast_vote(game, number, dict.fromkeys(voters, choice or ""), on, die=die, token=token)
