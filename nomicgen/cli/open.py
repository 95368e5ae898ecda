"""`nomicgen open`."""

from __future__ import annotations

import sys

import click

from nomicgen.cli.command_options import move_command
from nomicgen.cli.founding_options import ADOPTION, Seat, adoption_options, opening, players_option, seats
from nomicgen.cli.founding_options import adoption as read_adoption
from nomicgen.game.archived import rules_of_voting
from nomicgen.play.load import Game
from nomicgen.play.move import Move
from nomicgen.game.open_archive import Opening, open_game
from nomicgen.play.rulesets import NAMES
from nomicgen.model import Moment


@click.command("open")
@adoption_options
@click.option("--provisions", type=click.Choice(NAMES), help="Give the rules this ruleset's provisions, by number.")
@players_option
@move_command
def command(
    game: Game,
    on: Moment,
    adoption: dict[str, str] | None,
    adoption_rule: int | None,
    provisions: str | None,
    players: tuple[Seat, ...],
) -> Move:
    """Open an archive for play, from a day on.

    From then on the program judges the game by its rules, and players can vote. An act of that day gives a provision to
    the rule that says how changes are adopted. At a terminal, the command asks for missing options. What happened
    before is not judged; you can still enter it with `nomicgen record`.

    \b
    nomicgen open --adoption majority --adoption-rule 201 --player ada=ada-plays --player bob --commit
    nomicgen open --provisions suber
    """
    asked = opening(adoption, adoption_rule, provisions) or _asked(game)
    if asked.provisions is None and asked.rule is None and _at_terminal():
        asked = Opening(adoption=asked.adoption, rule=_asked_rule(game))
    return open_game(game, asked, seats(players), on)


def _at_terminal() -> bool:
    """Whether somebody is there who can be asked."""
    return sys.stdin is not None and sys.stdin.isatty()


def _asked(game: Game) -> Opening:
    """What is asked for at a terminal."""
    if not _at_terminal():
        raise click.UsageError("say how changes are adopted, with --adoption NEEDS --adoption-rule N, or --provisions.")
    needs = click.prompt("How are changes adopted", type=click.Choice(ADOPTION), default=ADOPTION[0])
    return Opening(adoption=read_adoption(needs), rule=_asked_rule(game))


def _asked_rule(game: Game) -> int:
    """The number of the rule that says so, as it is typed; offered is the one that says most of votes."""
    rules = rules_of_voting(game)
    number: int = click.prompt("Which rule says so", type=int, default=rules[0].number if rules else None)
    return number
