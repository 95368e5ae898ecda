"""`nomicgen resolve`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from msgspec.structs import replace

from nomicgen.cli.common import complain, ending, finish, game_on, move_options, print_findings
from nomicgen.cli.names import open_proposals
from nomicgen.cli.recordings import RECORDING, recording
from nomicgen.game import Game, Move, examine, resolve, resolve_due
from nomicgen.game.due import now
from nomicgen.game.play import proposal_of
from nomicgen.game.pulls_drafts import merge_of
from nomicgen.game.pulls_votes import recorded_votes
from nomicgen.importers.github import BALLOTS_BY
from nomicgen.model import Moment

__all__ = ["command"]


@click.command("resolve")
@click.argument("number", type=int, required=False, shell_complete=open_proposals)
@click.option("--due", is_flag=True, help="End every vote that is over, each as of when it ended; one commit each.")
@click.option(
    "--reviews", type=RECORDING, multiple=True, metavar="FILE", help="Count the votes in GitHub's JSON as well."
)
@click.option("--ballots-by", default=BALLOTS_BY, metavar="LOGIN", help=f"Who writes ballots (default: {BALLOTS_BY}).")
@click.option("--merge", "ref", metavar="REF", help="Show this commit as merged, if its text is adopted.")
@move_options
def command(
    number: int | None,
    due: bool,
    reviews: Sequence[Path],
    ballots_by: str,
    ref: str | None,
    on: Moment | None,
    commits: bool,
    dry_run: bool,
) -> None:
    """End the vote on proposal NUMBER: tally it, record the outcome, apply what takes effect.

    With --commit, that is one commit in its author's name, whose trailers name the proposal and its outcome. What is
    decided already stays as it is. With --due, one that cannot be ended keeps none of the others back; then the exit
    code is 1.

    \b
    nomicgen resolve 305 --dry-run     the redline, and nothing written
    nomicgen resolve 305 --commit
    nomicgen resolve --due --commit    every vote whose time is up, or in which everybody voted
    nomicgen resolve 305 --reviews reviews.json --merge HEAD_OF_PULL --commit
    """
    if due == (number is not None):
        raise click.UsageError("Say which vote to end: NUMBER, or --due for each that is over.")
    if due and (reviews or ref is not None):
        raise click.UsageError("--reviews and --merge are about one proposal: say its NUMBER instead of --due.")
    with ending():
        game = game_on(on)
        if number is None:
            _due(game, on or now(game.settings), commits=commits, dry_run=dry_run)
        else:
            move = _one(game, number, on or game.until, reviews, ballots_by, ref)
            finish(move, commits=commits, dry_run=dry_run)


def _due(game: Game, on: Moment, *, commits: bool, dry_run: bool) -> None:
    settling = resolve_due(game, on)
    finish(settling.move, commits=commits, dry_run=dry_run)
    for number, refused in sorted(settling.refused.items()):
        print_findings(refused.findings, stderr=True)
        complain(f"proposal {number} stays open: {refused.message}", refused.remedy)
    if settling.refused:
        raise SystemExit(1)


def _one(game: Game, number: int, on: Moment, reviews: Sequence[Path], ballots_by: str, ref: str | None) -> Move:
    _, matter = proposal_of(game, number)
    if matter.status != "open":
        return resolve(game, number, on)
    votes = None
    if reviews:
        votes = recorded_votes(game, number, recording(reviews, ballots_by), on)
    merges, why = None, ""
    if ref is not None:
        merges, why = merge_of(game, number, examine(game.root, "HEAD", ref, until=game.until))
    move = resolve(game, number, on, votes=votes, merges=merges)
    adopted = any(("Outcome", "adopted") in part.trailers for part in move.parts)
    return replace(move, said=(*move.said, f"  {why}")) if why and adopted else move
