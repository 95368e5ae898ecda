"""`nomicgen import survey`."""

from __future__ import annotations

from pathlib import Path

import click

from nomicgen.cli.command_options import errors_as_messages, fail, say
from nomicgen.cli.import_options import ruleset_data
from nomicgen.game.surveying import survey_repository
from nomicgen.importers.survey import Survey, survey_of_text
from nomicgen.repository.game_tree import shown_path

_LIMIT = 4 * 1024 * 1024


@click.command("survey")
@click.argument("source", type=click.Path(exists=True, path_type=Path), metavar="REPOSITORY|FILE")
@click.option("--branch", default="HEAD", metavar="REF", help="The branch to look at (default: HEAD).")
@click.option("--path", "paths", multiple=True, metavar="GLOB", help="Where the rules are, if the survey is wrong.")
def command(source: Path, branch: str, paths: tuple[str, ...]) -> None:
    """Say what an archive looks like, and how to import it.

    It looks at all commits: how the rules are numbered, where their tiers are, who the authors are, how pull requests
    were merged, which pictures there are, and what would be left out. It says how sure each answer is, and writes
    nothing.

    \b
    nomicgen import survey ../old-game
    """
    with errors_as_messages():
        if source.is_dir():
            survey = survey_repository(source, str(source), branch, paths)
        else:
            survey = survey_of_text(str(source), shown_path(source.name), ruleset_data(source, _LIMIT))
        say_survey(survey)
        if survey.command is None:
            fail("this cannot be imported as it is", survey.help)


def say_survey(survey: Survey) -> None:
    """Prints each answer with how sure it is, and the command to run."""
    width = max(len(answer.about) for answer in survey.answers)
    for answer in survey.answers:
        say(f"{answer.about:<{width}}  {answer.confidence:<6}  {answer.words}")
    if survey.command is not None:
        say(f"  {survey.command}")
