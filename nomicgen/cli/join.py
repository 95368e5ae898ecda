"""`nomicgen join`."""

from __future__ import annotations

import click

from nomicgen.cli.common import forge_account, ident, moves, words
from nomicgen.game import Game, Move, join
from nomicgen.model import Moment

__all__ = ["command"]


@click.command("join")
@click.argument("player", type=ident)
@click.option("--name", type=words, metavar="TEXT", help="How the player is called (default: the id).")
@click.option(
    "--account",
    "accounts",
    type=forge_account,
    multiple=True,
    metavar="LOGIN",
    help="The player's account on GitHub; on another forge, FORGE:LOGIN.",
)
@click.option("--order", type=int, metavar="N", help="The seat in the playing order.")
@click.option(
    "--kind",
    type=click.Choice(["person", "dummy", "bot"]),
    default="person",
    help="dummy: a seat that no person fills; bot: a program (default: person).",
)
@moves
def command(
    game: Game,
    on: Moment,
    player: str,
    name: str | None,
    accounts: tuple[tuple[str, str], ...],
    order: int | None,
    kind: str,
) -> Move:
    """Add a player, who plays from that day on.

    \b
    nomicgen join marl --name Marl --account marl-plays --order 5 --commit
    nomicgen join ada --account gitlab:ada
    nomicgen join chair --kind dummy
    """
    return join(game, player, on, name=name, accounts=dict(accounts), order=order, kind=kind)
