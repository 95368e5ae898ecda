"""`nomicgen plumbing tally`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from nomicgen.cli.command_options import (
    errors_as_messages,
    format_option,
    game_on,
    moment,
    print_json,
    say,
)
from nomicgen.cli.completion import open_proposals
from nomicgen.cli.recording_files import RECORDING_FILE, read_recordings
from nomicgen.model.values import Moment
from nomicgen.play.voting.status import vote_lines
from nomicgen.pulls.forge_tally import count_recorded
from nomicgen.pulls.tally_text import COUNT, count_text


@click.command("tally")
@click.argument("number", type=int, shell_complete=open_proposals)
@click.option(
    "--reviews",
    "files",
    required=True,
    multiple=True,
    type=RECORDING_FILE,
    metavar="FILE",
    help="GitHub's JSON of the pull request: reviews, comments, timeline, reactions (- for stdin). "
    "May be repeated.",
)
@click.option(
    "--on", type=moment, metavar="DATE", help="As of the end of this day (default: today)."
)
@format_option("json")
def command(number: int, files: Sequence[Path], on: Moment | None, form: str) -> None:
    """Count the votes on a proposal that were cast on GitHub.

    It reads GitHub's own JSON: reviews, comments such as `/vote for 301-k7q2m4x9ta`, and reactions
    on the bot's comment for the ballot. A player's `accounts` say whose vote it is. Only the last
    vote of each player counts, and only on the text that is voted on. For other votes it prints why
    they do not count. It writes nothing: `nomicgen proposal resolve NUMBER --reviews FILE` ends the
    vote with them.

    \b
    gh api --paginate repos/OWNER/REPO/pulls/12/reviews > reviews.json
    gh api --paginate repos/OWNER/REPO/issues/12/comments > comments.json
    nomicgen plumbing tally 305 --reviews reviews.json --reviews comments.json
    """
    with errors_as_messages():
        game = game_on(on)
        recorded = read_recordings(files)
        counted = count_recorded(game, number, recorded, on or game.until)
        if form == "json":
            print_json(COUNT.write(counted.count))
        else:
            say(*count_text(counted.count), *vote_lines(counted.game, number, counted.count.tally))
