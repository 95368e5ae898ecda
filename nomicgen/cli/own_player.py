"""Who types: if no option says it, the environment or git's settings name the player."""

from __future__ import annotations

import os

import click

from nomicgen.cli.command_options import ident, working_folder
from nomicgen.model.identifiers import PlayerId
from nomicgen.repository.errors import RepositoryError
from nomicgen.repository.game_tree import find_root
from nomicgen.repository.git import git_setting

VARIABLE, SETTING = "NOMIC_PLAYER", "nomic.player"
HOW = f"`git config {SETTING} ID` or the variable {VARIABLE}"


def own_player(option: str) -> PlayerId:
    """Return the player who types. Raises UsageError if nothing names one; it advises to type the
    `option`.
    """
    named = os.environ.get(VARIABLE) or _of_git()
    if not named:
        raise click.UsageError(f"Say who it is: {option} ID. {HOW} says it once for all.")
    try:
        return PlayerId(ident(named))
    except click.BadParameter as error:
        raise click.UsageError(f"{HOW} should name a player: {error.message}") from None


def _of_git() -> str | None:
    try:
        return git_setting(find_root(working_folder()), SETTING)
    except RepositoryError:
        return None
