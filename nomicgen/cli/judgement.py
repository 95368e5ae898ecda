"""`nomicgen judgement`."""

from __future__ import annotations

from typing import Any

import click

from nomicgen.cli import completion
from nomicgen.cli.command_options import TEXT_FILE, ident, move_command, rule, turn_id, words
from nomicgen.model.values import Moment
from nomicgen.play import judging
from nomicgen.play.load import Game
from nomicgen.play.move import Move


@click.command("file")
@click.option(
    "--judge",
    type=ident,
    metavar="ID",
    help="Who judges (needed if several may).",
    shell_complete=completion.players,
)
@click.option(
    "--called-by",
    type=ident,
    metavar="ID",
    help="Who called for it.",
    shell_complete=completion.players,
)
@click.option("--title", type=words, metavar="TEXT", help="What it is about, in a few words.")
@click.option(
    "--rule",
    "rules",
    type=rule,
    multiple=True,
    metavar="N[/R]",
    help="A rule that it is about.",
    shell_complete=completion.rules,
)
@click.option("--proposal", type=int, metavar="N", help="The proposal that it is about.")
@click.option("--voids", type=int, metavar="N", help="The proposal that it declares void.")
@click.option(
    "--turn",
    type=turn_id,
    metavar="R1T1",
    help="The turn in which it is made (default: the one being played).",
)
@click.option(
    "--question", type=TEXT_FILE, help="Question and reasoning, from a file (- for stdin)."
)
@click.option("--ruling", type=TEXT_FILE, help="The ruling, from a file (- for stdin).")
@click.option(
    "--changes",
    type=TEXT_FILE,
    help="Instructions that the ruling makes, from a file (- for stdin).",
)
@click.option(
    "--under",
    type=int,
    metavar="N",
    help="The rule that permits the ruling's changes, or that a voided proposal breaks.",
    shell_complete=completion.rules,
)
@click.option(
    "--late",
    type=ident,
    multiple=True,
    metavar="ID",
    help="An earlier judge who let the time run out.",
    shell_complete=completion.players,
)
@move_command
def file(game: Game, on: Moment, **options: Any) -> Move:
    """Write a judgement; without a ruling it is pending.

    If you give a rule without a revision, the file names its present one.

    \b
    nomicgen judgement file --called-by wren --rule 203 --title "Is silence a vote?"
    nomicgen judgement file --judge quill --rule 203/0 --question why.md --ruling so.md --commit
    """
    texts: dict[str, Any] = {
        key: options.pop(key) or "" for key in ("question", "ruling", "changes")
    }
    return judging.judge(game, on, **options, **texts)


@click.command("overrule")
@click.argument("number", type=int, shell_complete=completion.judgements)
@click.option(
    "--by",
    type=ident,
    multiple=True,
    metavar="ID",
    help="A player who voted to overrule it.",
    shell_complete=completion.players,
)
@click.option("--judgement", type=int, metavar="N", help="The judgement that overrules it.")
@move_command
def overrule(game: Game, on: Moment, number: int, **options: Any) -> Move:
    """Mark a judgement as overruled.

    The changes that it made stay until an instruction undoes them.

    \b
    nomicgen judgement overrule 2 --by wren --by quill --by osprey --commit
    nomicgen judgement overrule 2 --judgement 3
    """
    return judging.overrule(game, number, on, **options)
