"""`nomicgen proposal sign`."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import click

from nomicgen.cli.command_options import ballot, errors_as_messages, ident, key_option, the_game
from nomicgen.cli.completion import open_proposals, players
from nomicgen.cli.own_player import SETTING, own_player
from nomicgen.model.front_matters import Choice
from nomicgen.model.identifiers import PlayerId
from nomicgen.play.voting.signed_votes import sign_vote


@click.command("sign")
@click.argument("ballot", metavar="NUMBER[-TOKEN]", type=ballot, shell_complete=open_proposals)
@click.argument("choice", type=click.Choice(get_args(Choice)))
@click.option(
    "--player",
    type=ident,
    metavar="ID",
    help=f"Whose vote it is (default: {SETTING} in your git settings).",
    shell_complete=players,
)
@key_option
def command(ballot: tuple[int, str | None], choice: Choice, player: PlayerId | None, key: Path | None) -> None:
    """Sign your vote with an SSH key.

    The key must be in players/ID.yml under `keys`. Prints the vote and its signature, and writes nothing. Send it to
    the keeper, who records it. Or comment on the pull request: the line of your vote, and below it the signed vote in a
    fence. `nomicgen verify` checks the signature.

    \b
    nomicgen proposal sign 305 for --player wren > vote.txt
    nomicgen vote 305 --signed vote.txt --commit
    """
    with errors_as_messages():
        number, token = ballot
        player = player or own_player("--player")
        click.echo(sign_vote(the_game(), number, choice, player, token=token, key=key), nl=False)
