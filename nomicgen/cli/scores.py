"""`nomicgen scores`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from nomicgen.cli.command_options import (
    errors_as_messages,
    fail,
    format_option,
    game_on,
    ident,
    moment,
    print_json,
    say,
    the_game,
)
from nomicgen.cli.completion import players
from nomicgen.formats.json_parts import SCORES, scores_fields
from nomicgen.history.standings import Score, Standings, standings_of
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Moment
from nomicgen.play.load import as_of
from nomicgen.play.scores_text import amount, signed, won


@click.command("scores")
@click.option(
    "--explain",
    "player",
    type=ident,
    metavar="ID",
    help="One player's score, line by line.",
    shell_complete=players,
)
@click.option(
    "--on", type=moment, metavar="DATE", help="As of the end of this day (default: today)."
)
@format_option("json")
def command(player: PlayerId | None, on: Moment | None, form: str) -> None:
    """Add up the points that were given and taken.

    \b
    nomicgen scores --explain wren
    """
    with errors_as_messages():
        # `game_on` takes later days, `as_of` earlier ones.
        game = the_game() if on is None else as_of(game_on(on), on)
        standings = standings_of(game.records, game.replay, game.until)
        score = standings.of(player) if player is not None else None
        if player is not None and score is None:
            fail(
                f"{player} has no score",
                f"players: {', '.join(other.player for other in standings.scores) or 'none yet'}",
            )
        if form == "json":
            print_json(SCORES.write(standings, **scores_fields(standings, player)))
        elif score is not None:
            _explain(score)
        else:
            _table(standings)


def _table(standings: Standings) -> None:
    rows = [
        (score.player, amount(score.total), "" if score.plays else "does not play")
        for score in standings.scores
    ]
    _print(rows, right={1})
    if standings.winner is not None:
        say(won(standings.winner))
    elif standings.goal is not None:
        points, rule = standings.goal
        say(f"{amount(points)} points win (Rule {rule})")
    if not any(score.lines for score in standings.scores):
        say(
            "no points have been given yet: `points` provisions of rules give them, and `points` "
            "in files"
        )


def _explain(score: Score) -> None:
    rows = [
        (
            str(line.moment or ""),
            signed(line.amount),
            line.reason,
            f"Rule {line.rule}" if line.rule is not None else line.span.file,
        )
        for line in score.lines
    ]
    _print(rows, right={1})
    say(f"{score.player}: {amount(score.total)}")


def _print(rows: Sequence[tuple[str, ...]], *, right: set[int]) -> None:
    """Print rows in columns; those in `right` are aligned to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell.rjust(width) if index in right else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        say("  ".join(cells).rstrip())
