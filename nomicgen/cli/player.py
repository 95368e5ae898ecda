"""`nomicgen player`."""

from __future__ import annotations

from typing import Any

import click

from nomicgen.cli.command_options import forge_account, ident, moment, move_command, words
from nomicgen.cli.completion import players
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Moment
from nomicgen.play import players_and_turns
from nomicgen.play.doing import take_role
from nomicgen.play.load import Game
from nomicgen.play.move import Move

_PLAYER = click.argument("player", type=ident, shell_complete=players)


@click.command("join")
@click.argument("player", type=ident)
@click.option(
    "--name", type=words, metavar="TEXT", help="What the player is called (default: the id)."
)
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
    help="dummy: an empty seat; bot: a program (default: person).",
)
@move_command
def join(
    game: Game, on: Moment, player: PlayerId, accounts: tuple[tuple[str, str], ...], **options: Any
) -> Move:
    """Add a player.

    The player plays from the day of --on.

    \b
    nomicgen player join marl --name Marl --account marl-plays --order 5 --commit
    nomicgen player join chair --kind dummy
    """
    return players_and_turns.join(game, player, on, accounts=dict(accounts), **options)


@click.command("leave")
@_PLAYER
@move_command
def leave(game: Game, on: Moment, player: PlayerId) -> Move:
    """Record that a player leaves.

    The player's file stays.

    \b
    nomicgen player leave marl --commit
    """
    return players_and_turns.leave(game, player, on)


@click.command("rest")
@_PLAYER
@click.option(
    "--until",
    type=moment,
    metavar="DATE",
    help="The first day on which the player is active again.",
)
@move_command
def rest(game: Game, on: Moment, player: PlayerId, until: Moment | None) -> Move:
    """Record that a player is inactive for a while.

    Inactive players have no turns. They vote, unless a rule lets only active players vote.

    \b
    nomicgen player rest marl --on 2026-12-20 --until 2027-01-06
    """
    return players_and_turns.rest(game, player, on, until)


@click.command("return")
@_PLAYER
@move_command
def come_back(game: Game, on: Moment, player: PlayerId) -> Move:
    """Record that an inactive player is active again.

    \b
    nomicgen player return marl --commit
    """
    return players_and_turns.come_back(game, player, on)


@click.command("claim")
@_PLAYER
@click.option(
    "--account",
    type=forge_account,
    required=True,
    metavar="LOGIN",
    help="The player's account on GitHub; on another forge, FORGE:LOGIN.",
)
@move_command
def claim(game: Game, on: Moment, player: PlayerId, account: tuple[str, str]) -> Move:
    """Add the account of a player who has none yet.

    \b
    nomicgen player claim ada --account ada-plays --commit
    """
    return players_and_turns.claim(game, player, on, account)


@click.command("role")
@_PLAYER
@click.argument("role", type=ident)
@move_command
def role(game: Game, on: Moment, player: PlayerId, role: str) -> Move:
    """Record that a player has a role.

    If a rule lets a player have only one of several roles, the new one takes the place of the
    other. If the rule fixes points for that, an act gives or takes them.

    \b
    nomicgen player role marl brick --commit
    """
    return take_role(game, player, role, on)
