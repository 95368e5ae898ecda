"""`nomicgen next`."""

from __future__ import annotations

import click

from nomicgen.cli.command_options import (
    carry_out,
    errors_as_messages,
    fail,
    format_option,
    game_on,
    move_options,
    print_json,
    say,
)
from nomicgen.importers.open_archive import opening_task
from nomicgen.model.findings import listed
from nomicgen.model.values import Moment
from nomicgen.play.possible_moves import do_next, has_no_turns, whats_next
from nomicgen.play.tasks import NEXT, task_lines


@click.command("next")
@click.option(
    "--do",
    "does",
    is_flag=True,
    help="Do what needs no choice, and list the rest.",
)
@format_option("json")
@move_options(help="As of this day (default: today).")
def command(does: bool, form: str, on: Moment | None, commits: bool, dry_run: bool) -> None:
    """List what can be done now, and by whom.

    The most urgent comes first, each with its command, if one does it.

    With --do it does what needs no choice: it ends votes that are over, as of the moment when they
    were over; records changes that rules make to themselves, and what follows from deadlines that
    have passed; writes what took effect into rules/; opens votes whose debate is over; begins the
    next turn. With --commit, each of these becomes a commit. If something cannot be done, it does
    the rest and exits with 1.

    --commit and --dry-run need --do.

    \b
    nomicgen next --do --commit
    """
    if (commits or dry_run) and not does:
        raise click.UsageError("--commit and --dry-run need --do: give it, too.")
    if does and form != "text":
        raise click.UsageError("--do prints text: leave out --format.")
    with errors_as_messages():
        game = game_on(on)
        if does:
            settling = do_next(game, on)
            carry_out(settling.move, commits=commits, dry_run=dry_run)
            game = settling.game
        opening = opening_task(game, on or game.until)
        tasks = (*((opening,) if opening is not None else ()), *whats_next(game, on))
        if form == "json":
            print_json(NEXT.write(tasks=tasks))
            return
        for task in tasks:
            say(*task_lines(task))
        if not tasks:
            won = "is won, and " * (game.replay.winner is not None)
            say(f"the game {won}waits for nobody; `nomicgen status` shows its state")
        if has_no_turns(game):
            say("anybody can propose: nomicgen propose --title TITLE --author ID")
        if does and (stuck := {task.path: None for task in tasks if task.is_stuck}):
            fail(f"this is due, and cannot be done yet: {listed([*stuck])}", code=1)
