"""`nomicgen register`."""

from __future__ import annotations

import re

import click

from nomicgen.cli.command_options import account, move_command, words
from nomicgen.cli.completion import drafts
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Moment
from nomicgen.play.load import Game
from nomicgen.play.move import Move
from nomicgen.play.proposing import register
from nomicgen.play.voting.voting import open_vote
from nomicgen.pulls.drafts import register_from
from nomicgen.pulls.examine import examine


@click.command("register")
@click.argument("draft", required=False, shell_complete=drafts)
@click.option("--from", "ref", metavar="REF", help="Take the draft that this commit adds.")
@click.option(
    "--actor",
    type=account,
    metavar="github:LOGIN",
    help="Whose commit it is; others' drafts are refused.",
)
@click.option(
    "--discussion",
    type=words,
    metavar="URL",
    help="Where it is debated: the pull request's address.",
)
@click.option(
    "--open",
    "opens",
    is_flag=True,
    help="Also open the vote, unless a rule is against that now.",
)
@move_command
def command(
    game: Game,
    on: Moment,
    draft: str | None,
    ref: str | None,
    actor: PlayerId | None,
    discussion: str | None,
    opens: bool,
) -> Move:
    """Give a draft its number; its debate begins.

    DRAFT is a name, such as a-quorum for proposals/a-quorum.md; with --open, it may also be the
    number of a proposal in debate.

    With --from it registers the draft of a pull request. Nothing of its commit is checked out or
    run. If you register it again during the debate, the proposal gets the draft's newest text.

    \b
    nomicgen register a-quorum
    nomicgen register 305 --open                       open the vote on what was debated
    nomicgen register --from HEAD_OF_PULL --discussion https://forge.example/pull/7 --open --commit
    """
    if ref is not None:
        if draft is not None:
            raise click.UsageError("--from takes the draft of its commit: leave DRAFT out.")
        pull = examine(game.root, "HEAD", ref, actor=actor, until=game.until)
        return register_from(game, pull, on, discussion=discussion, opens=opens)
    if actor is not None:
        raise click.UsageError("--actor says whose commit --from is: give --from REF, too.")
    if draft is None:
        raise click.UsageError("Missing argument 'DRAFT', or --from REF.")
    number = re.fullmatch(r"(?:proposals/)?([1-9][0-9]{0,8})(?:\.md)?", draft)
    if opens and number is not None:
        return open_vote(game, int(number[1]), on)
    return register(game, draft, on, discussion=discussion, opens=opens)
