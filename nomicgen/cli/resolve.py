"""`nomicgen proposal resolve`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from msgspec.structs import replace

from nomicgen.cli.command_options import (
    carry_out,
    errors_as_messages,
    game_on,
    move_options,
    proposal_number,
)
from nomicgen.cli.completion import open_proposals
from nomicgen.cli.recording_files import RECORDING_FILE, read_recordings
from nomicgen.model.values import Moment
from nomicgen.play.load import Game
from nomicgen.play.move import Move
from nomicgen.play.proposing import proposal_of
from nomicgen.play.resolving import resolve
from nomicgen.pulls.drafts import merge_of
from nomicgen.pulls.examine import examine
from nomicgen.pulls.forge_tally import recorded_votes


@click.command("resolve")
@click.argument("number", type=proposal_number, shell_complete=open_proposals)
@click.option(
    "--reviews",
    type=RECORDING_FILE,
    multiple=True,
    metavar="FILE",
    help="Also count the votes in GitHub's JSON, as `plumbing tally` does. May be repeated.",
)
@click.option(
    "--merge",
    "ref",
    metavar="REF",
    help="Merge this commit, too, if its text is adopted.",
)
@move_options()
def command(
    number: int,
    reviews: Sequence[Path],
    ref: str | None,
    on: Moment | None,
    commits: bool,
    dry_run: bool,
) -> None:
    """End the vote on a proposal, and carry it out.

    Counts the votes, records the outcome, and carries out what takes effect. With --commit, this is
    one commit, with trailers for the proposal and its outcome. Its author is the proposal's, if
    they have an account on GitHub. `nomicgen next --do` ends every vote that is over.

    \b
    nomicgen proposal resolve 305 --dry-run     the redline, and nothing written
    nomicgen proposal resolve 305 --reviews reviews.json --merge HEAD_OF_PULL --commit
    """
    with errors_as_messages():
        game = game_on(on)
        move = _resolution(game, number, on or game.until, reviews, ref)
        carry_out(move, commits=commits, dry_run=dry_run)


def _resolution(
    game: Game, number: int, on: Moment, reviews: Sequence[Path], ref: str | None
) -> Move:
    matter = proposal_of(game, number).matter
    if matter.status != "open":  # it has no votes to count: `resolve` says what is wrong
        return resolve(game, number, on)
    votes = None
    if reviews:
        votes = recorded_votes(game, number, read_recordings(reviews), on)
    merges, why = None, ""
    if ref is not None:
        merges, why = merge_of(game, number, examine(game.root, "HEAD", ref, until=game.until))
    move = resolve(game, number, on, votes=votes, merges=merges)
    adopted = any(("Outcome", "adopted") in part.trailers for part in move.parts)
    return replace(move, said=(*move.said, f"  {why}")) if why and adopted else move
