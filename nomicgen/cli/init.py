"""`nomicgen init`."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from shlex import quote

import click

from nomicgen.cli.common import ending, finish, moment, say, seat, words
from nomicgen.game import begin, begin_played
from nomicgen.game.load import today
from nomicgen.game.rulesets import NAMES, abouts
from nomicgen.game.scaffold import Forge
from nomicgen.game.wheel import own_wheel
from nomicgen.model import Moment, Settings
from nomicgen.repository.commits import init

__all__ = ["command"]

_RULESETS = "\n".join(f"{name:<11} {about}" for name, about in abouts().items())
_HELP = f"""\
Begin a game in DIRECTORY, under one of the rulesets that ship.

\b
{_RULESETS}

It comes with what a game on GitHub needs: workflows that judge pull requests, count votes, carry out what was adopted
and publish the site; forms; a README, and CONTRIBUTING for players. What is there already stays. `--forge none` leaves
the workflows and forms out.

The workflows install the nomicgen that you run: init packs it into a wheel, puts that into the game's `wheels/`, and
names it by its hash. `--no-wheel` leaves it out, and the workflows fail until you put one there.

With --played it comes with a short game that was played under that ruleset, with players, dates and dice of its own.

\b
nomicgen init lanterns --name "The Lantern Game" --player wren --player quill --commit
nomicgen init lanterns --player wren=wren-plays --player ada=gitlab:ada --commit
nomicgen init lanterns --repository https://github.com/us/lanterns --keeper wren-plays --commit
nomicgen init pokey --ruleset pokey --played --forge none --commit
nomicgen -C pokey status
"""


def _login(text: str) -> str:
    """An account on the forge, from the command line."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,38}", text):
        raise click.BadParameter(f"{text!r} is no account: letters, digits and hyphens, without the @")
    return text


@click.command("init", help=_HELP, short_help="Begin a game.")
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path), default=Path())
@click.option("--ruleset", type=click.Choice(NAMES), default=NAMES[0], help=f"Its rules (default: {NAMES[0]}).")
@click.option("--played", is_flag=True, help="Bring the game that was played under them, too.")
@click.option("--name", type=words, metavar="TEXT", help="The game's name (default: its ruleset's).")
@click.option("--tagline", type=words, metavar="TEXT", help="One line about it.")
@click.option(
    "--player",
    "players",
    type=seat,
    multiple=True,
    metavar="ID[=LOGIN]",
    help="A player, in the order of seats; with their account on GitHub, or FORGE:LOGIN elsewhere.",
)
@click.option(
    "--repository", type=words, metavar="URL", help="Its address on a forge, e.g. https://github.com/us/game."
)
@click.option(
    "--forge",
    type=click.Choice(["github", "none"]),
    default="github",
    help="Where it will live: with workflows and forms for GitHub, or without (default: github).",
)
@click.option("--keeper", type=_login, metavar="LOGIN", help="The account there of whoever keeps it.")
@click.option("--no-wheel", is_flag=True, help="Leave out the nomicgen that the workflows install.")
@click.option("--on", type=moment, metavar="DATE", help="The day it begins (default: today).")
@click.option("--commit", "commits", is_flag=True, help="Begin a git repository too, and commit the first move.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
def command(
    directory: Path,
    ruleset: str,
    played: bool,
    name: str | None,
    tagline: str | None,
    players: tuple[tuple[str, dict[str, str]], ...],
    repository: str | None,
    forge: Forge,
    keeper: str | None,
    no_wheel: bool,
    on: Moment | None,
    commits: bool,
    dry_run: bool,
) -> None:
    """Begins a game: its help is made with the list of rulesets."""
    if played and (players or on):
        raise click.UsageError("--played brings its own players and its own dates: leave --player and --on out.")
    if twice := next((one for one, _ in players if [ident for ident, _ in players].count(one) > 1), None):
        raise click.UsageError(f"{twice} is a player twice: name each once.")
    if keeper and forge == "none":
        raise click.UsageError("--keeper is an account on a forge: leave it out, or --forge none.")
    with ending():
        day = on or today(Settings(format=1, name=ruleset))
        start = begin_played if played else partial(begin, players=dict(players))
        move = start(
            directory,
            day,
            ruleset=ruleset,
            name=name,
            tagline=tagline,
            repository=repository,
            forge=forge,
            keeper=keeper,
            wheel=own_wheel() if forge == "github" and not no_wheel else None,
        )
        if not dry_run:
            directory.mkdir(parents=True, exist_ok=True)
            if commits:
                init(directory)
        finish(move, commits=commits, dry_run=dry_run)
        if not dry_run:
            say(f"  nomicgen -C {quote(str(directory))} status")
