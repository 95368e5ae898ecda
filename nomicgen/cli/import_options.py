"""What the imports of archives share: carrying out a game's first move, and the report on what it was made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from shlex import quote
from typing import Any

import click

from nomicgen.cli.command_options import fail, finish, print_findings, say
from nomicgen.cli.founding_options import adoption_options, founded, founding_options, opening
from nomicgen.diagnostics import Finding
from nomicgen.game import Founding, Move
from nomicgen.game.load import today
from nomicgen.importers.import_report import Report, report_json, report_lines, report_markdown
from nomicgen.importers.text_rule_forms import Shape
from nomicgen.importers.text_tiers import TierMap
from nomicgen.model import IMPORT, Moment, Settings
from nomicgen.repository.commits import init
from nomicgen.repository.durable_files import replace_file

report_option = click.option(
    "--report",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write what is odd about the source, and every event: JSON where FILE ends in .json, else Markdown.",
)


def shape_of(_context: click.Context, _option: click.Parameter, typed: str | None) -> Shape | None:
    """How a rule begins, from the command line."""
    try:
        return None if typed is None else Shape.parse(typed)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


heading_option = click.option(
    "--heading",
    "shape",
    callback=shape_of,
    metavar="REGEX",
    help="What a rule's first line begins with: a pattern with a group (?P<number>…), and perhaps (?P<title>…),"
    " (?P<tier>…) and (?P<revision>…).",
)


def archive_options(function: Callable[..., None]) -> Callable[..., None]:
    """What all imports are told of who plays on, where, and by which rule."""
    return founding_options(None)(adoption_options(function))


def brought(
    *, adoption: dict[str, str] | None, adoption_rule: int | None, provided: bool = False, **founding: Any
) -> Founding:
    """What was typed of the game that an archive becomes; with `provided`, its rules get provisions of a ruleset."""
    if provided and adoption is not None:
        raise click.UsageError("--provisions say how changes are adopted: leave --adoption out.")
    return founded(**founding, opened=opening(adoption, adoption_rule))


def the_day() -> Moment:
    """Today, for a game that has no time zone yet."""
    return today(Settings(format=1, name="Nomic"))


def tiers(text: str) -> TierMap:
    """The tiers of a game, and which numbers are of which, from the command line."""
    try:
        return TierMap.parse(text)
    except ValueError as error:
        raise click.BadParameter(f"{text!r} {error}") from None


def tell(report: Report, file: Path | None, findings: Sequence[Finding] = (), *, in_findings: bool = False) -> None:
    """Tells what is odd about a source: findings, and what the report has, unless that is the same; in a file, if one
    was named, all of it.
    """
    print_findings(findings)
    if file is not None:
        _write(file, report)
    elif not in_findings:
        say(*report_lines(report))


def _write(file: Path, report: Report) -> None:
    """Writes a report, as its file's name says."""
    text = report_json(report) if file.suffix == ".json" else report_markdown(report)
    try:
        replace_file(file, text.encode())
    except OSError as error:
        fail(f"{file} cannot be written: {error.strerror}", "give --report a file in a directory that is there")
    say(f"{file} holds the report: {len(report.oddities)} oddities, {len(report.deeds)} events")


def carry_out(move: Move, into: Path, *, commits: bool, dry_run: bool) -> None:
    """Writes the game, or with `dry_run` says what would be written."""
    if dry_run:
        name, count = move.after.settings.name, sum(len(part.paths) for part in move.parts)
        if (imported := move.after.records.imported) is not None:
            say(f"{IMPORT} would say: {imported.told}")
        say(f"{into} would hold {name}, in {count} files; nothing was written (--dry-run)")
        return
    into.mkdir(parents=True, exist_ok=True)
    if commits:
        init(into)
    finish(move, commits=commits, dry_run=False)
    say(f"  nomicgen -C {quote(str(into))} check")
