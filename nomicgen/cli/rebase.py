"""`nomicgen proposal rebase`."""

from __future__ import annotations

import click

from nomicgen.cli.command_options import move_command, show
from nomicgen.cli.completion import proposals
from nomicgen.formats.redline_text import redline_text
from nomicgen.formats.styled_text import style_text
from nomicgen.formats.terminal import safe
from nomicgen.model.values import Moment
from nomicgen.play.load import Game
from nomicgen.play.move import Move
from nomicgen.play.rebasing import rebase


@click.command("rebase")
@click.argument("proposal", metavar="DRAFT|NUMBER", shell_complete=proposals)
@move_command
def command(game: Game, on: Moment, proposal: str) -> Move:
    """Merge a draft with rules that have changed since.

    You can also merge a proposal in debate. Each instruction then names the revision in force, and
    the author's change is put into the text and the provisions in force. If both changed the same
    words, the file has both versions between three lines that mark the conflict, and you choose.

    \b
    nomicgen proposal rebase a-quorum
    nomicgen proposal rebase 305 --dry-run
    """
    rebased = rebase(game, proposal, on)
    for merge in rebased.merged:
        if merge.text is not None:
            show(style_text(safe(f"Rule {merge.rule.ref}, in force -> this proposal"), "bold"))
            show(redline_text(merge.rule.text or "", merge.text))
            show("")
    return rebased.move
