"""`nomicgen apply`."""

from __future__ import annotations

import click

from nomicgen.cli.command_options import carry_out, errors_as_messages, moment, the_game
from nomicgen.model.values import Moment
from nomicgen.play.resolving import apply_rules


@click.command("apply")
@click.option(
    "--on",
    type=moment,
    metavar="DATE",
    help="Apply what is due at the end of this day (default: today).",
)
@click.option("--commit", "commits", is_flag=True, help="Make one commit for each instrument.")
@click.option("--dry-run", is_flag=True, help="Show what would change, and write nothing.")
def command(on: Moment | None, commits: bool, dry_run: bool) -> None:
    """Make the files of rules/ agree with the ledger.

    Writes all files or none; with --commit, all of a commit or none. Running it again changes
    nothing.

    \b
    nomicgen apply --commit
    """
    with errors_as_messages():
        carry_out(apply_rules(the_game(on)), commits=commits, dry_run=dry_run)
