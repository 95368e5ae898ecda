"""`nomicgen register`."""

from __future__ import annotations

import click

from nomicgen.cli.common import moves
from nomicgen.game import Game, Move, register
from nomicgen.model import Moment

__all__ = ["command"]


@click.command("register")
@click.argument("draft")
@moves
def command(game: Game, on: Moment, draft: str) -> Move:
    """Give DRAFT the next number; its debate begins.

    \b
    nomicgen register a-quorum
    nomicgen register proposals/a-quorum.md --commit
    """
    return register(game, draft, on)
