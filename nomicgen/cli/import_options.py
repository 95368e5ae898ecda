"""What the commands of `nomicgen import` share: options, the report on the source, and how the new
game is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import update_wrapper
from pathlib import Path
from shlex import quote
from types import MappingProxyType
from typing import Any, NoReturn

import click
from msgspec import Struct

from nomicgen.cli.command_options import (
    carry_out,
    errors_as_messages,
    fail,
    moment,
    options,
    print_findings,
    read_limited,
    say,
)
from nomicgen.cli.founding_options import (
    adoption_options,
    founding_options,
    typed_founding,
    typed_opening,
)
from nomicgen.importers.founding import ImportOrigin, bring_in
from nomicgen.importers.game_writing import ImportedGame
from nomicgen.importers.import_report import alike_findings, report_lines, report_markdown
from nomicgen.importers.long.importer import import_long
from nomicgen.importers.open_archive import Opening, offer_lines
from nomicgen.importers.source_map import BadMap, SourceMap, parse_map, shipped_maps
from nomicgen.importers.survey import Survey, survey_of_text
from nomicgen.importers.tiers import TierMap
from nomicgen.model.import_record import IMPORT
from nomicgen.model.settings import Settings
from nomicgen.model.values import Moment
from nomicgen.play.load import today
from nomicgen.play.move import Move
from nomicgen.play.start import Founding
from nomicgen.repository.commits import init
from nomicgen.repository.durable_files import replace_file
from nomicgen.repository.game_tree import shown_path

_MAP_LIMIT = 1 << 20  # bytes


def _typed_map(
    _context: click.Context, _option: click.Parameter, typed: str | None
) -> SourceMap | None:
    """Return the map that was typed: one that ships, by its name, or one in a file."""
    if typed is None or typed in shipped_maps():
        return shipped_maps()[typed] if typed is not None else None
    if not Path(typed).is_file():
        known = ", ".join(shipped_maps())
        raise click.BadParameter(f"there is no file {typed}, and the maps that ship are {known}")
    try:
        data = read_limited(Path(typed), _MAP_LIMIT, "that is no map")
        return parse_map(data.decode("utf-8", "replace"))
    except BadMap as error:
        raise click.BadParameter(
            f"{typed}{f':{error.line}' if error.line else ''}: {error}"
        ) from None


map_option = click.option(
    "--map",
    "source_map",
    callback=_typed_map,
    metavar="MAP",
    help="How the rules are to be read: the name of a map that ships, or a YAML file, as `import "
    "survey --write` makes"
    " one. Without it, a survey looks for one.",
)


def survey_of_file(file: Path, data: bytes) -> Survey:
    """Return the survey of a text, `data`; the importer of the long format knows its own."""
    name = shown_path(file.name)
    return survey_of_text(str(file), name, data, is_long=bool(import_long(data, name).files))


def stop_with_survey(survey: Survey) -> NoReturn:
    """Print a survey, since its best map must be chosen by the user, and exit with 3."""
    say(
        "nothing was imported: without --map, a map that ships is taken only if it reads "
        "everything, no other finds many more rules, and it is clear that these are rules"
    )
    say_survey(survey)
    raise click.exceptions.Exit(3)


def say_survey(survey: Survey) -> None:
    """Print the best maps, what is known about the history, and the command to type next."""
    for trial in survey.trials:
        say(trial.in_words)
    for answer in survey.answers:
        say(f"{answer.about:<9} {answer.words}")
    if survey.command is not None:
        say(f"  {survey.command}")
    if survey.help:
        say(survey.help)


class Import(Struct, frozen=True, kw_only=True):
    """The values of the options that all imports share.

    `into` is the new game's directory, `on` the day that was typed, `report` the file for a report.
    `founding` is what the game gets besides its rules, `opening` how it is opened, None if it stays
    an archive. `accepted` is the percentage of `--accept`.
    """

    into: Path
    on: Moment | None
    report: Path | None
    founding: Founding
    opening: Opening | None
    accepted: int | None = None

    @property
    def day(self) -> Moment:
        """The day of the import: today in UTC if none was typed, since there is no game yet."""
        return self.on or today(Settings(format=1, name="Nomic"))

    def tell(self, imported: ImportedGame, source: str) -> None:
        """Print what is odd about a source, similar findings as one; write all of it to the file of
        --report, if there is one.
        """
        print_findings(alike_findings(imported.findings))
        if self.report is not None:
            _write_report(
                self.report, report_markdown(source, imported.findings, imported.warnings)
            )
        else:
            say(*report_lines(imported.warnings))

    def bring_in(
        self,
        imported: ImportedGame,
        source: str,
        options: Mapping[str, object] = MappingProxyType({}),
        source_map: SourceMap | None = None,
    ) -> Move:
        """Return the move that founds the imported game, after printing what is odd about the
        source.

        `options` are those of the import besides the shared ones: its certificate records them.
        """
        if imported.files:
            self.tell(imported, source)
        recorded = {
            key: value if isinstance(value, list) else [str(value)]
            for key, value in options.items()
            if value
        }
        origin = ImportOrigin(
            source=source, options=recorded, source_map=source_map, accepted=self.accepted
        )
        return bring_in(self.into, imported, origin, self.day, self.founding, self.opening)


_DAY = "The day of the import (default: today)."
_TRIAL = "Write no game, only the report if one is asked for."


def imports(
    function: Callable[..., Move], day: str = _DAY, dry_run: str = _TRIAL
) -> Callable[..., None]:
    """Make a command of a function that takes an `Import` and its own options, and returns a move.

    `day` and `dry_run` are the help of `--on` and `--dry-run`.
    """

    def command(
        into: Path,
        on: Moment | None,
        report: Path | None,
        adoption: dict[str, str] | None,
        adoption_rule: int | None,
        provisions: str | None,
        commits: bool,
        dry_run: bool,
        accepted: int | None,
        **own_options: Any,
    ) -> None:
        founding = {
            key: own_options.pop(key)
            for key in ("players", "repository", "forge", "keeper", "no_wheel")
        }
        with errors_as_messages():
            asked = Import(
                into=into,
                on=on,
                report=report,
                founding=typed_founding(**founding),
                opening=typed_opening(adoption, adoption_rule, provisions),
                accepted=accepted,
            )
            move = function(asked, **own_options)
            _carry_out(move, into, commits=commits, dry_run=dry_run)
            say(*offer_lines(move.after, f"nomicgen -C {quote(str(into))} open"))

    update_wrapper(command, function)
    return options(
        click.option(
            "--into",
            required=True,
            type=click.Path(file_okay=False, path_type=Path),
            help="The new game's directory.",
        ),
        click.option("--on", type=moment, metavar="DATE", help=day),
        click.option(
            "--accept",
            "accepted",
            type=click.IntRange(0, 100),
            metavar="PERCENT",
            help="Sets three limits: at least PERCENT of the source's words must have a place in "
            "the game (default: 98); at most 100 - PERCENT may be left out (default: 5); at most "
            "100 - PERCENT may stand above the rules and look like rules (default: 10).",
        ),
        click.option(
            "--commit",
            "commits",
            is_flag=True,
            help="Make a git repository, and commit the import.",
        ),
        click.option("--dry-run", is_flag=True, help=dry_run),
        click.option(
            "--report",
            type=click.Path(dir_okay=False, path_type=Path),
            metavar="FILE",
            help="Write all that is odd about the source, as Markdown.",
        ),
        founding_options(None),
        adoption_options,
    )(command)


def _tiers(text: str) -> TierMap:
    """Return the tiers of a game, and which numbers belong to each, from the command line."""
    try:
        return TierMap.parse(text)
    except ValueError as error:
        raise click.BadParameter(f"{text!r} {error}") from None


tiers_option = click.option(
    "--tiers",
    type=_tiers,
    metavar="TIERS",
    help="The tiers, the most entrenched first, with their numbers if the text has no tiers:"
    " immutable=101-199,mutable=200-. A tier without numbers gets all other rules.",
)


def _write_report(file: Path, report: str) -> None:
    """Write a report, and print that it is written."""
    try:
        replace_file(file, report.encode())
    except OSError as error:
        fail(
            f"{file} cannot be written: {error.strerror}",
            "give --report a file in a directory that exists",
        )
    say(f"{file} holds all that is odd about the source")


def _carry_out(move: Move, into: Path, *, commits: bool, dry_run: bool) -> None:
    """Write the game, or with `dry_run` say what would be written."""
    if dry_run:
        name, count = move.after.settings.name, sum(len(part.paths) for part in move.parts)
        if (imported := move.after.records.imported) is not None:
            say(f"{IMPORT} would say: {imported.told}")
        say(f"{into} would hold {name}, in {count} files; nothing was written (--dry-run)")
        return
    into.mkdir(parents=True, exist_ok=True)
    if commits:
        init(into)
    carry_out(move, commits=commits, dry_run=False)
    say(f"  nomicgen -C {quote(str(into))} check")
