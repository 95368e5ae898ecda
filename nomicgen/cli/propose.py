"""`nomicgen propose`."""

from __future__ import annotations

from typing import Any

import click
from msgspec.structs import replace

from nomicgen.cli.command_options import TEXT_FILE, ident, moment, move_command, words
from nomicgen.cli.completion import players, rules
from nomicgen.cli.own_player import DEFAULT, own_player
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Moment
from nomicgen.play.load import Game
from nomicgen.play.move import Move
from nomicgen.play.proposing import NewProposal, propose
from nomicgen.play.refusal import Refused

_OUT_OF_DATE = (
    "name the revision in force in the heading; the new text of an amendment has to hold what that "
    "revision says: `nomicgen show N` prints it"
)


@click.command("propose")
@click.option(
    "--title", required=True, type=words, metavar="TEXT", help="What it is about, in a few words."
)
@click.option(
    "--author",
    type=ident,
    metavar="ID",
    help=f"Who proposes it ({DEFAULT}).",
    shell_complete=players,
)
@click.option(
    "--enact",
    is_flag=True,
    help="Enact a new rule (the default, if nothing else says what changes).",
)
@click.option(
    "--amend",
    type=int,
    multiple=True,
    metavar="N",
    help="Amend Rule N; the draft holds its text.",
    shell_complete=rules,
)
@click.option(
    "--repeal", type=int, multiple=True, metavar="N", help="Repeal Rule N.", shell_complete=rules
)
@click.option(
    "--transmute",
    type=(int, str),
    multiple=True,
    metavar="N TIER",
    help="Move Rule N to another tier.",
    shell_complete=rules,
)
@click.option(
    "--commences",
    type=moment,
    metavar="DATE",
    help="The day on which its changes are to take effect.",
)
@click.option(
    "--body",
    type=TEXT_FILE,
    help="The argument, perhaps with the changes, from a file (- for stdin).",
)
@click.option("--register", "registers", is_flag=True, help="Also register it: its debate begins.")
@move_command
def command(
    game: Game,
    on: Moment,
    author: PlayerId | None,
    body: str | None,
    registers: bool,
    **options: Any,
) -> Move:
    """Write a draft of a proposal.

    --enact, --amend, --repeal and --transmute say what it changes. Without them, the changes are
    those in the file of --body; if it has none, the draft enacts a new rule.

    `git config nomic.player ID`, or the variable NOMIC_PLAYER, says who you are, once and for all.

    \b
    nomicgen propose --title "A quorum" --author wren --amend 203
    nomicgen propose --title "Open the gate" --transmute 110 mutable --body why.md --register
    """
    draft = NewProposal(
        author=author or own_player("--author"), body=(body or "").strip("\n"), **options
    )
    try:
        return propose(game, draft, on, registers=registers)
    except Refused as refused:
        # Nothing has been written that `nomicgen proposal rebase` could merge.
        refused.findings = tuple(
            replace(one, help=_OUT_OF_DATE, mending=None) if one.slug == "revision-stale" else one
            for one in refused.findings
        )
        raise
