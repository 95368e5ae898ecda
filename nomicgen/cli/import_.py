"""`nomicgen import`."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import click

from nomicgen.cli.common import ending, fail, finish, moment, print_findings, say
from nomicgen.game import bring_in
from nomicgen.game.load import today
from nomicgen.model import Moment, Settings
from nomicgen.repository import git
from nomicgen.repository.tree import shown_path

__all__ = ["command"]

_LIMIT = 64 * 1024 * 1024


@click.group("import")
def command() -> None:
    """Make a game of a ruleset that was kept elsewhere."""


@command.command("long")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--into", required=True, type=click.Path(file_okay=False, path_type=Path), help="The new game's directory."
)
@click.option("--on", type=moment, metavar="DATE", help="The day of the import (default: today).")
@click.option("--commit", "commits", is_flag=True, help="Begin a git repository too, and commit the import.")
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
def import_long(file: Path, into: Path, on: Moment | None, commits: bool, dry_run: bool) -> None:
    """Read a ruleset in Nomic IV's long format; what its source slips in is reported, and stops nothing.

    \b
    nomicgen import long rules-l.md --into nomic-4
    nomicgen -C nomic-4 check
    """
    with ending():
        try:
            if not file.is_file():
                fail(f"{file} is no ordinary file", "save the ruleset in a file, and name that")
            if file.stat().st_size > _LIMIT:
                fail(f"{file} is larger than 64 MiB", "that is no ruleset")
            data = file.read_bytes()
        except OSError as error:
            fail(f"{file} cannot be read: {error.strerror}")
        day = on or today(Settings(format=1, name="Nomic"))
        move, findings = bring_in(into, data, shown_path(file.name), day)
        print_findings(findings)
        if dry_run:
            name, count = move.after.settings.name, sum(len(part.paths) for part in move.parts)
            say(f"{into} would hold {name}, in {count} files; nothing was written (--dry-run)")
            return
        into.mkdir(parents=True, exist_ok=True)
        if commits and not git.inspect(into).present:
            git.init(into)
        finish(move, commits=commits, dry_run=False)
        say(f"  nomicgen -C {quote(str(into))} check")
