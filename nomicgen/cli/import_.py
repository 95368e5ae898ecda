"""`nomicgen import`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Any

import click

from nomicgen.cli.command_options import ending, fail, given, moment, say, words
from nomicgen.cli.import_agora import command as import_agora
from nomicgen.cli.import_git import command as import_git
from nomicgen.cli.import_options import (
    archive_options,
    brought,
    carry_out,
    heading_option,
    report_option,
    tell,
    the_day,
    tiers,
)
from nomicgen.cli.import_survey import command as import_survey
from nomicgen.game import bring_in, bring_in_text
from nomicgen.game.rulesets import NAMES
from nomicgen.importers.text_rule_forms import Shape
from nomicgen.importers.text_tiers import TierMap
from nomicgen.model import Moment
from nomicgen.repository.foreign_pictures import pictures_beside
from nomicgen.repository.game_tree import shown_path

_LIMIT = 16 * 1024 * 1024
_TEXT_LIMIT = 4 * 1024 * 1024


def imports(function: Callable[..., None], day: str = "The day of the import (default: today).") -> Callable[..., None]:
    """What all imports are told: the text, where the game goes, and the day."""
    for option in (
        click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing."),
        click.option("--commit", "commits", is_flag=True, help="Begin a git repository too, and commit the import."),
        click.option("--on", type=moment, metavar="DATE", help=day),
        click.option(
            "--into", required=True, type=click.Path(file_okay=False, path_type=Path), help="The new game's directory."
        ),
        click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path)),
        report_option,
        archive_options,
    ):
        function = option(function)
    return function


@click.group("import")
def command() -> None:
    """Make a game of a ruleset that was kept elsewhere."""


@command.command("long")
@imports
def import_long(
    file: Path, into: Path, on: Moment | None, commits: bool, dry_run: bool, report: Path | None, **archive: Any
) -> None:
    """Read a ruleset in Nomic IV's long format.

    What is odd about it is reported, and stops nothing.

    \b
    nomicgen import long rules-l.md --into nomic-4
    nomicgen -C nomic-4 check
    """
    with ending():
        founding = brought(**archive)
        made = bring_in(into, _data(file), shown_path(file.name), on or the_day(), founding, pictures_beside(file))
        tell(made.report, report, made.findings, in_findings=True)
        carry_out(made.move, into, commits=commits, dry_run=dry_run)


@command.command("text")
@partial(imports, day="A day on which these rules were in force: the history begins there (default: it is not known).")
@click.option("--name", type=words, metavar="TEXT", help="The game's name (default: as the text says it).")
@click.option(
    "--tiers",
    "typed",
    type=tiers,
    metavar="TIERS",
    help="The tiers, most entrenched first, and which numbers are of which where the text does not say it:"
    " immutable=101-199,mutable=200-; in immutable,mutable=200- the first has all others.",
)
@heading_option
@click.option("--provisions", type=click.Choice(NAMES), help="Put this ruleset's provisions into the rules, by number.")
def import_text(
    file: Path,
    into: Path,
    on: Moment | None,
    commits: bool,
    dry_run: bool,
    name: str | None,
    typed: TierMap | None,
    provisions: str | None,
    shape: Shape | None,
    report: Path | None,
    **archive: Any,
) -> None:
    """Read a ruleset that was kept as plain text.

    It has numbered paragraphs, headings such as `Rule 101`, or one long paragraph. What belongs to no rule is left out,
    and reported. A text in which the rules cannot be told from the rest is refused, until --heading tells them. Tiers
    are taken from headings, else from what the rules say of their own numbers, else from --tiers. A file in the long
    format is read as by `import long`.

    \b
    nomicgen import text rules.txt --into club
    nomicgen import text rules.txt --into club --tiers immutable=101-199,mutable=200-
    nomicgen import text rules.txt --into club --provisions suber --commit
    """
    with ending():
        founding = brought(**archive, provided=provisions is not None)
        made = bring_in_text(
            into,
            _data(file, _TEXT_LIMIT),
            shown_path(file.name),
            on or the_day(),
            founding,
            started=on,
            name=name,
            tiers=typed,
            provisions=provisions,
            shape=shape,
            pictures=pictures_beside(file),
        )
        tell(made.report, report, made.findings, in_findings=True)
        carry_out(made.move, into, commits=commits, dry_run=dry_run)
        if made.like:
            typed_again = [str(file), "--into", f"{into}-{made.like}"]
            typed_again += ["--name", name] if name else []
            typed_again += ["--tiers", str(typed)] if typed else []
            say(
                f"the rules are numbered as those of `{made.like}` are; if they say the same, they can be enforced:",
                f"  nomicgen import text {' '.join(map(quote, typed_again))} --provisions {made.like}",
            )


def _data(file: Path, limit: int = _LIMIT) -> bytes:
    data = given(file, limit)
    if len(data) > limit:
        fail(f"{file} is larger than {limit >> 20} MiB", "that is no ruleset")
    return data


command.add_command(import_agora)
command.add_command(import_git)
command.add_command(import_survey)
