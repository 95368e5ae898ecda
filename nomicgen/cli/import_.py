"""`nomicgen import`."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from nomicgen.cli.command_options import read_limited, words
from nomicgen.cli.import_agora import command as import_agora
from nomicgen.cli.import_git import command as import_git
from nomicgen.cli.import_options import (
    Import,
    imports,
    map_option,
    stop_with_survey,
    survey_of_file,
    tiers_option,
)
from nomicgen.cli.import_survey import command as import_survey
from nomicgen.importers.git.pictures import pictures_beside
from nomicgen.importers.long.importer import import_long as read_long
from nomicgen.importers.source_map import SourceMap
from nomicgen.importers.text.importer import import_text as read_text
from nomicgen.importers.tiers import TierMap
from nomicgen.play.move import Move
from nomicgen.repository.game_tree import shown_path

_LONG_LIMIT, _TEXT_LIMIT = 16 << 20, 4 << 20
"""The most bytes of a file in the long format, and of a plain text."""
_NO_RULESET = "that is no ruleset"
_FILE = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
_TEXT_DAY = (
    "A day on which these rules were in force: the history begins there (default: it is not "
    "known). With --adoption or --provisions, the day on which the archive is opened."
)


@click.group("import")
def command() -> None:
    """Make a game of a ruleset that was kept elsewhere."""


@command.command("long")
@_FILE
@imports
def import_long(asked: Import, file: Path) -> Move:
    """Read a ruleset in Nomic IV's long format.

    The command reports what is odd about the text, and goes on.

    \b
    nomicgen import long rules-l.md --into nomic-4
    nomicgen -C nomic-4 check
    """
    data, source = read_limited(file, _LONG_LIMIT, _NO_RULESET), shown_path(file.name)
    return asked.bring_in(read_long(data, source, pictures=pictures_beside(file)), source)


@command.command("text")
@_FILE
@click.option("--name", type=words, metavar="TEXT", help="The game's name (default: Nomic).")
@tiers_option
@map_option
@partial(imports, day=_TEXT_DAY)
def import_text(
    asked: Import,
    file: Path,
    name: str | None,
    tiers: TierMap | None,
    source_map: SourceMap | None,
) -> Move:
    """Read a ruleset that was kept as plain text.

    A map says how a rule begins, and what ends it. Without --map, a map that ships is taken only if
    it clearly fits; otherwise the survey is shown. Lines above the rules become a page; other
    lines that belong to no rule are left out and reported.

    \b
    nomicgen import text rules.txt --into club --map numbered
    nomicgen import text rules.txt --into club --provisions suber --commit
    """
    data, source = read_limited(file, _TEXT_LIMIT, _NO_RULESET), shown_path(file.name)
    if source_map is None:
        survey = survey_of_file(file, data)
        if survey.best is None or not survey.is_clear:
            stop_with_survey(survey)
        source_map = survey.best.map
    # If the archive is opened, --on is the day of that, and the rules may be older.
    started = asked.on if asked.opening is None else None
    pictures = pictures_beside(file)
    imported = read_text(
        data, source, source_map, name=name, tiers=tiers, pictures=pictures, started=started
    )
    return asked.bring_in(imported, source, {"name": name, "tiers": tiers}, source_map)


command.add_command(import_agora)
command.add_command(import_git)
command.add_command(import_survey)
