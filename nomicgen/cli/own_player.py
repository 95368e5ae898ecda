"""Who types a command: without an option, a variable or git's settings name the player."""

from __future__ import annotations

import os

import click

from nomicgen.cli.command_options import ident, working_folder
from nomicgen.model.identifiers import PlayerId
from nomicgen.repository.errors import RepositoryError
from nomicgen.repository.game_tree import find_root
from nomicgen.repository.git import git_setting

VARIABLE, SETTING = "NOMIC_PLAYER", "nomic.player"
DEFAULT = f"default: the variable {VARIABLE}, or {SETTING} in your git settings"
"""For the help of an option that may be left out because of `own_player`."""
_HOW = f"`git config {SETTING} ID` or the variable {VARIABLE}"


def own_player(option: str) -> PlayerId:
    """Return the player whom NOMIC_PLAYER or git's settings name.

    Raises UsageError if neither does, with the advice to type `option`, or if the name is no id.
    """
    named = os.environ.get(VARIABLE) or _of_git()
    if not named:
        raise click.UsageError(f"Say who it is: {option} ID. {_HOW} says it once and for all.")
    try:
        return PlayerId(ident(named))
    except click.BadParameter as error:
        raise click.UsageError(f"{_HOW} should name a player: {error.message}") from None


def _of_git() -> str | None:
    try:
        return git_setting(find_root(working_folder()), SETTING)
    except RepositoryError:
        return None
