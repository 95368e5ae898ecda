"""`nomicgen proposal resubmit`."""

from __future__ import annotations

import click

from nomicgen.cli.command_options import account, move_command, proposal_number
from nomicgen.cli.completion import open_proposals
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Moment
from nomicgen.play.load import Game
from nomicgen.play.move import Move
from nomicgen.play.voting.voting import resubmit
from nomicgen.pulls.drafts import put_again
from nomicgen.pulls.examine import examine


@click.command("resubmit")
@click.argument("number", type=proposal_number, shell_complete=open_proposals)
@click.option(
    "--from", "ref", metavar="REF", help="Take the text of the draft that this commit adds."
)
@click.option(
    "--actor",
    type=account,
    metavar="github:LOGIN",
    help="Whose commit it is; others' drafts are refused.",
)
@move_command
def command(game: Game, on: Moment, number: int, ref: str | None, actor: PlayerId | None) -> Move:
    """Put a proposal to the vote again, as it reads now.

    The votes so far are kept as earlier votes.

    \b
    nomicgen proposal resubmit 305
    nomicgen proposal resubmit 305 --from HEAD_OF_PULL
    """
    if ref is None:
        if actor is not None:
            raise click.UsageError("--actor says whose commit --from is: give --from REF, too.")
        return resubmit(game, number, on)
    return put_again(
        game, number, examine(game.root, "HEAD", ref, actor=actor, until=game.until), on
    )
