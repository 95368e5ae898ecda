"""`nomicgen init`."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import click

from nomicgen.cli.common import ending, finish, ident, moment, say, words
from nomicgen.game import begin
from nomicgen.game.load import today
from nomicgen.model import Moment, Settings
from nomicgen.repository import git

__all__ = ["command"]


@click.command("init")
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path), default=Path())
@click.option("--name", required=True, type=words, metavar="TEXT", help="The game's name.")
@click.option("--tagline", type=words, metavar="TEXT", help="One line about it.")
@click.option("--player", "players", type=ident, multiple=True, metavar="ID", help="A player; in the order of seats.")
@click.option(
    "--repository", type=words, metavar="URL", help="Its address on a forge, e.g. https://github.com/us/game."
)
@click.option("--on", type=moment, metavar="DATE", help="The day it begins (default: today).")
@click.option("--commit", "commits", is_flag=True, help="Begin a git repository too, and commit the first move.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
def command(
    directory: Path,
    name: str,
    tagline: str | None,
    players: tuple[str, ...],
    repository: str | None,
    on: Moment | None,
    commits: bool,
    dry_run: bool,
) -> None:
    """Begin a game in DIRECTORY, with an initial set of 29 rules.

    The set is Suber's in its mechanics (101-116 immutable, 201-213 mutable), in words of our own.

    \b
    nomicgen init lanterns --name "The Lantern Game" --player wren --player quill --commit
    cd lanterns
    nomicgen status
    """
    with ending():
        day = on or today(Settings(format=1, name=name))
        move = begin(directory, day, name=name, tagline=tagline, players=players, repository=repository)
        if not dry_run:
            directory.mkdir(parents=True, exist_ok=True)
            if commits and not git.inspect(directory).present:
                git.init(directory)
        finish(move, commits=commits, dry_run=dry_run)
        if not dry_run:
            say(f"  nomicgen -C {quote(str(directory))} status")
