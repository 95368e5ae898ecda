"""`nomicgen open`."""

from __future__ import annotations

import sys

import click

from nomicgen.cli.command_options import move_command, say
from nomicgen.cli.founding_options import (
    ADOPTION,
    Seat,
    adoption_options,
    players_option,
    seats,
    typed_opening,
)
from nomicgen.cli.founding_options import adoption as read_adoption
from nomicgen.importers.open_archive import Opening, like_ruleset, offer_lines, open_game
from nomicgen.model.values import Moment
from nomicgen.play.load import Game
from nomicgen.play.move import Move
from nomicgen.play.preconditions import rules_of_voting


@click.command("open")
@adoption_options
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

    From then on the program judges the game by its rules, and players can vote. An act of that day
    gives rules their provisions. At a terminal, the command asks
    for missing options. What happened before is not judged; you can still enter it with `nomicgen
    record`.

    \b
    nomicgen open --adoption majority --adoption-rule 201 --player ada=ada-plays --commit
    nomicgen open --provisions suber
    """
    asked = typed_opening(adoption, adoption_rule, provisions) or _ask_for_opening(game)
    if asked.provisions is None and asked.rule is None and _at_terminal():
        asked = Opening(adoption=asked.adoption, rule=_ask_for_rule(game))
    return open_game(game, asked, seats(players), on)


def _at_terminal() -> bool:
    """Return whether the command can ask somebody."""
    return sys.stdin is not None and sys.stdin.isatty()


def _ask_for_opening(game: Game) -> Opening:
    """Ask how the archive is to be opened. The ruleset most like the rules is offered first."""
    say(*offer_lines(game))
    if not _at_terminal():
        raise click.UsageError(
            "say how changes are adopted, with --adoption NEEDS --adoption-rule N, or --provisions."
        )
    if (like := like_ruleset(game)) is not None and click.confirm("Enforce this"):
        return Opening(provisions=like)
    needs = click.prompt(
        "How are changes adopted", type=click.Choice(ADOPTION), default=ADOPTION[0]
    )
    return Opening(adoption=read_adoption(needs), rule=_ask_for_rule(game))


def _ask_for_rule(game: Game) -> int:
    """Ask which rule says how changes are adopted, and return its number.

    If only one rule can say it, that is the default.
    """
    rules = rules_of_voting(game)
    for rule in rules:
        say(f"Rule {rule.number}: {' '.join((rule.title or rule.text or '').split())[:80]}")
    number: int = click.prompt(
        "Which rule says so", type=int, default=rules[0].number if len(rules) == 1 else None
    )
    return number
