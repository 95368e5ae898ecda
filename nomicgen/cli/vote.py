"""`nomicgen vote`."""

from __future__ import annotations

import click

from nomicgen.cli.common import ident, moves
from nomicgen.game import Game, Move, cast_vote
from nomicgen.model import Moment

__all__ = ["command"]


@click.command("vote")
@click.argument("number", type=int)
@click.argument("choice", type=click.Choice(["for", "against", "abstain"]))
@click.option("--player", "players", required=True, multiple=True, type=ident, metavar="ID", help="Who votes so.")
@moves
def command(game: Game, on: Moment, number: int, choice: str, players: tuple[str, ...]) -> Move:
    """Cast votes on proposal NUMBER; the first opens the vote, and fixes what is voted on.

    A vote may be changed until the vote is resolved.

    \b
    nomicgen vote 305 for --player wren --player quill
    nomicgen vote 305 against --player tallow --commit
    """
    return cast_vote(game, number, dict.fromkeys(players, choice), on)
