"""`nomicgen judge`."""

from __future__ import annotations

import click

from nomicgen.cli import names
from nomicgen.cli.common import TEXT_FILE, ident, moves, rule, turn_id, words
from nomicgen.game import Game, Move, judge
from nomicgen.model import Moment, RuleRef

__all__ = ["command"]


@click.command("judge")
@click.option(
    "--judge", "judge_", required=True, type=ident, metavar="ID", help="Who judges.", shell_complete=names.players
)
@click.option("--called-by", type=ident, metavar="ID", help="Who called for it.", shell_complete=names.players)
@click.option("--title", type=words, metavar="TEXT", help="What it is about, in a few words.")
@click.option(
    "--rule",
    "rules",
    type=rule,
    multiple=True,
    metavar="N[/R]",
    help="A rule that it construes.",
    shell_complete=names.rules,
)
@click.option("--proposal", type=int, metavar="N", help="The proposal that it is about.")
@click.option("--voids", type=int, metavar="N", help="The proposal that it declares void.")
@click.option(
    "--turn", type=turn_id, metavar="R1T1", help="The turn in which it is made (default: the one being played)."
)
@click.option("--question", type=TEXT_FILE, help="Question and reasoning, from a file (- for stdin).")
@click.option("--ruling", type=TEXT_FILE, help="The ruling, from a file (- for stdin).")
@click.option("--changes", type=TEXT_FILE, help="Instructions that the ruling makes, from a file.")
@click.option(
    "--under",
    type=int,
    metavar="N",
    help="The rule that lets it make them, or that a voided proposal offends.",
    shell_complete=names.rules,
)
@click.option(
    "--late",
    type=ident,
    multiple=True,
    metavar="ID",
    help="A judge before who let the time run out.",
    shell_complete=names.players,
)
@moves
def command(
    game: Game,
    on: Moment,
    judge_: str,
    called_by: str | None,
    title: str | None,
    rules: tuple[RuleRef, ...],
    proposal: int | None,
    voids: int | None,
    turn: str | None,
    question: str | None,
    ruling: str | None,
    changes: str | None,
    under: int | None,
    late: tuple[str, ...],
) -> Move:
    """Write a judgement, pinned to the revisions that it construes; without a ruling it is pending.

    \b
    nomicgen judge --judge quill --called-by wren --rule 203 --title "Is silence a vote?"
    nomicgen judge --judge quill --rule 203/0 --question why.md --ruling so.md --commit
    """
    return judge(
        game,
        on,
        judge=judge_,
        called_by=called_by,
        title=title,
        rules=rules,
        proposal=proposal,
        voids=voids,
        turn=turn,
        question=question or "",
        ruling=ruling or "",
        changes=changes or "",
        under=under,
        late=late,
    )
