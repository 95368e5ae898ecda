"""`nomicgen proposal rebase`."""

from __future__ import annotations

import click

from nomicgen.cli.command_options import move_command, show
from nomicgen.cli.completion import proposals
from nomicgen.formats.redline_text import redline_text
from nomicgen.formats.styled_text import styled
from nomicgen.formats.terminal import safe
from nomicgen.game.load import Game
from nomicgen.game.move import Move
from nomicgen.game.rebasing import rebase
from nomicgen.model import Moment


@click.command("rebase")
@click.argument("proposal", metavar="NAME|NUMBER", shell_complete=proposals)
@move_command
def command(game: Game, on: Moment, proposal: str) -> Move:
    """Merge a draft with rules that changed meanwhile.

    A proposal in debate can be rebased as well. Each instruction gets the revision in force for the one that it names,
    and the author's change is put into the text and the provisions in force. Words that both changed are a conflict:
    both stand in the file, between three lines that mark them, and you write what is meant.

    \b
    nomicgen proposal rebase a-quorum
    nomicgen proposal rebase 305 --dry-run
    """
    rebased = rebase(game, proposal, on)
    for one in rebased.merged:
        if one.text is not None:
            show(styled(safe(f"Rule {one.rule.ref}, in force -> this proposal"), "bold"))
            show(redline_text(one.rule.text or "", one.text))
            show("")
    return rebased.move
