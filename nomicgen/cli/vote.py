"""`nomicgen vote`."""

from __future__ import annotations

import click

from nomicgen.cli.common import ballot, ident, moves
from nomicgen.cli.names import open_proposals, players
from nomicgen.game import Game, Move, cast_vote
from nomicgen.model import Moment

__all__ = ["command"]


@click.command("vote")
@click.argument("ballot", metavar="NUMBER[-TOKEN]", type=ballot, shell_complete=open_proposals)
@click.argument("choice", type=click.Choice(["for", "against", "abstain"]), required=False)
@click.option(
    "--player",
    "players",
    required=True,
    multiple=True,
    type=ident,
    metavar="ID",
    help="Who votes so.",
    shell_complete=players,
)
@click.option("--die", type=int, metavar="FACE", help="What was thrown for who votes by die, instead of a choice.")
@moves
def command(
    game: Game,
    on: Moment,
    ballot: tuple[int, str | None],
    choice: str | None,
    players: tuple[str, ...],
    die: int | None,
) -> Move:
    """Cast votes on proposal NUMBER; the first opens the vote, and fixes what is voted on.

    A vote may be changed until the vote is resolved. For a dummy, or who breaks a tie by die, the rules say what the
    throw is. Where the voters named the ballot (305-k7q2m4x9ta), give it as they wrote it: a vote on an earlier text
    is refused.

    \b
    nomicgen vote 305 for --player wren --player quill
    nomicgen vote 305-k7q2m4x9ta against --player tallow --commit
    nomicgen vote 305 --die 4 --player chair
    """
    if (choice is None) == (die is None):
        raise click.UsageError("say for, against or abstain, or what was thrown: --die FACE")
    number, token = ballot
    return cast_vote(game, number, dict.fromkeys(players, choice or ""), on, die=die, token=token)
