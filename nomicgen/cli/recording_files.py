"""Reads the files of GitHub's JSON that a command is given: reviews, comments, the timeline."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from nomicgen.cli.command_options import print_error, read_named_file
from nomicgen.pulls.forge.github import Recorded, read_recorded
from nomicgen.pulls.forge.json_documents import LIMIT
from nomicgen.repository.game_tree import shown_path

RECORDING_FILE = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)


def read_recordings(files: Sequence[Path]) -> Recorded:
    """Return what is recorded in files of GitHub's JSON.

    Ends the command if a problem is fatal, after printing all such problems.
    """
    recorded = read_recorded(
        [
            ("<stdin>" if str(file) == "-" else shown_path(str(file)), read_named_file(file, LIMIT))
            for file in files
        ]
    )
    if recorded.fatal:
        for problem in recorded.fatal:
            print_error(str(problem), problem.help)
        raise SystemExit(2)
    return recorded
