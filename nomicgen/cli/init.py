"""`nomicgen init`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import Any

import click
from msgspec.structs import replace

from nomicgen.cli.command_options import carry_out, errors_as_messages, moment, say, words
from nomicgen.cli.founding_options import founding_options, typed_founding
from nomicgen.model.findings import counted
from nomicgen.model.settings import Settings
from nomicgen.model.values import Moment
from nomicgen.play.load import known_zone, today
from nomicgen.play.machine_zone import machine_zone
from nomicgen.play.move import Move
from nomicgen.play.rulesets import NAMES, abouts
from nomicgen.play.start import begin
from nomicgen.repository.commits import init

_RULESETS = "\n".join(f"{name:<11} {about}" for name, about in abouts().items())
_HELP = f"""\
Begin a game in DIRECTORY (default: here), under one of these rulesets.

\b
{_RULESETS}

It writes what a game on GitHub needs: workflows that judge pull requests, count votes, carry out
adopted changes and publish the site; forms; a README, and CONTRIBUTING for players. Existing files
stay; a directory with files of a game is refused. `--forge none` leaves out workflows and forms.

The workflows install the nomicgen that you run: init packs it into a wheel in the game's
`.github/nomicgen/`, and writes down its hash. `--no-wheel` leaves it out; the workflows then fail
until `.github/nomicgen/requirements.txt` names a nomicgen and its hash.

\b
nomicgen init lanterns --name "The Lantern Game" --player wren --player quill --commit
nomicgen init lanterns --player wren=wren-plays --player ada=gitlab:ada --commit
nomicgen init pokey --ruleset pokey --played --forge none --commit
"""


def _zone(text: str) -> str:
    """Return a time zone, from the command line."""
    if known_zone(text) is None:
        raise click.BadParameter(
            f"{text!r} should be a time zone such as Europe/London, as the tz database names it"
        )
    return text


@click.command("init", help=_HELP, short_help="Begin a game.")
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path), default=Path())
@click.option(
    "--ruleset",
    type=click.Choice(NAMES),
    default=NAMES[0],
    help=f"Its rules (default: {NAMES[0]}).",
)
@click.option(
    "--played",
    is_flag=True,
    help="Add a short game that was played, with its players and days.",
)
@click.option(
    "--name", type=words, metavar="TEXT", help="The game's name (default: its ruleset's)."
)
@founding_options("github")
@click.option(
    "--timezone",
    type=_zone,
    metavar="ZONE",
    help="Where its days begin and end, such as Europe/London (default: this machine's zone).",
)
@click.option(
    "--on", type=moment, metavar="DATE", help="The day it begins (default: today, in that zone)."
)
@click.option(
    "--commit", "commits", is_flag=True, help="Make a git repository, and commit the game."
)
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
def command(
    directory: Path,
    ruleset: str,
    played: bool,
    name: str | None,
    timezone: str | None,
    on: Moment | None,
    commits: bool,
    dry_run: bool,
    **founding: Any,
) -> None:
    """Begin a game. The command's help is `_HELP`, which lists the rulesets."""
    if played and (founding["players"] or on):
        raise click.UsageError(
            "--played has its own players and dates: leave out --player and --on."
        )
    with errors_as_messages():
        # A game that was played keeps the zone in which its days were written.
        zone = timezone or (None if played else machine_zone() or "UTC")
        day = on or today(Settings(format=1, name=ruleset, timezone=zone or "UTC"))
        typed = replace(typed_founding(**founding), timezone=zone)
        move = begin(directory, day, typed, ruleset=ruleset, name=name, played=played)
        if dry_run:
            say(*move.said, *_files(move), "nothing was written (--dry-run)")
            return
        directory.mkdir(parents=True, exist_ok=True)
        if commits:
            init(directory)
        carry_out(move, commits=commits, dry_run=False)
        say(f"  nomicgen -C {quote(str(directory))} status")


def _files(move: Move) -> Iterator[str]:
    """Yield the settings and the players' files as they would be, then the counts of the others."""
    writes = {path: data for part in move.parts for path, data in part.writes.items()}
    for path in sorted(writes):
        if path == "nomic.yml" or path.startswith("players/"):
            yield f"{path}:"
            yield from (f"  {line}" for line in writes[path].decode().splitlines())
    folders = Counter(f"{path.partition('/')[0]}/" if "/" in path else path for path in writes)
    yield from (
        f"{name}  {counted(count, 'file')}" if name[-1] == "/" else name
        for name, count in folders.items()
    )
