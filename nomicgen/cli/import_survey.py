"""`nomicgen import survey`."""

from __future__ import annotations

from pathlib import Path

import click

from nomicgen.cli.command_options import (
    errors_as_messages,
    fail,
    format_option,
    print_json,
    read_limited,
    say,
)
from nomicgen.cli.import_options import say_survey, survey_of_file
from nomicgen.importers.git.survey import survey_repository
from nomicgen.importers.source_map import map_bytes
from nomicgen.importers.survey import SURVEY

_LIMIT = 4 * 1024 * 1024


@click.command("survey")
@click.argument("source", type=click.Path(exists=True, path_type=Path), metavar="REPOSITORY|FILE")
@click.option(
    "--branch", default="HEAD", metavar="REF", help="The branch to look at (default: HEAD)."
)
@click.option(
    "--path",
    "paths",
    multiple=True,
    metavar="GLOB",
    help="Where the rules are, if the survey is wrong.",
)
@click.option(
    "--write",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="MAP",
    help="Save the best map.",
)
@format_option("json")
def command(
    source: Path, branch: str, paths: tuple[str, ...], write: Path | None, form: str
) -> None:
    """Say which maps read a source, and how to import it.

    It tries the maps that ship, and maps that it derives from lines that look alike. For the best
    three it prints how many rules each finds, how many of the words it places, and the first lines
    that it cannot place. For a repository, it also describes the history.

    \b
    nomicgen import survey ../old-game
    nomicgen import survey rules.txt --write my-map.yml
    """
    with errors_as_messages():
        if source.is_dir():
            survey = survey_repository(source, str(source), branch, paths)
        else:
            survey = survey_of_file(source, read_limited(source, _LIMIT, "that is no ruleset"))
        if form == "json":
            print_json(SURVEY.write(survey))
        elif survey.best is not None:
            say_survey(survey)
        if survey.best is None:
            fail("no map reads this", survey.help)
        if write is not None:
            write.write_bytes(map_bytes(survey.best.map))
            say(f"{write} holds the map; edit it, then import with --map {write}")
