"""`nomicgen import`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Any

import click

from nomicgen.cli.command_options import words
from nomicgen.cli.import_agora import command as import_agora
from nomicgen.cli.import_git import command as import_git
from nomicgen.cli.import_options import Import, heading_option, imports, ruleset_data, tiers_option
from nomicgen.cli.import_survey import command as import_survey
from nomicgen.play.move import Move
from nomicgen.play.rulesets import NAMES
from nomicgen.game.start import bring_in, bring_in_text
from nomicgen.importers.tiers import TierMap
from nomicgen.importers.git.pictures import pictures_beside
from nomicgen.repository.game_tree import shown_path

_LIMIT = 16 * 1024 * 1024
_TEXT_LIMIT = 4 * 1024 * 1024


_FILE = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
_TEXT_DAY = "A day on which these rules were in force: the history begins there (default: it is not known)."


@click.group("import")
def command() -> None:
    """Make a game of a ruleset that was kept elsewhere."""


@command.command("long")
@_FILE
@imports
def import_long(asked: Import, file: Path) -> tuple[Move, Sequence[str]]:
    """Read a ruleset in Nomic IV's long format.

    The command reports what is odd about it, and goes on.

    \b
    nomicgen import long rules-l.md --into nomic-4
    nomicgen -C nomic-4 check
    """
    data, source = ruleset_data(file, _LIMIT), shown_path(file.name)
    imported = bring_in(asked.into, data, source, asked.day, asked.founding, pictures_beside(file))
    asked.tell(imported.report, imported.findings, in_findings=True)
    return imported.move, ()


@command.command("text")
@_FILE
@click.option("--name", type=words, metavar="TEXT", help="The game's name (default: as the text says it).")
@tiers_option
@heading_option
@click.option("--provisions", type=click.Choice(NAMES), help="Put this ruleset's provisions into the rules, by number.")
@partial(imports, day=_TEXT_DAY)
def import_text(
    asked: Import, file: Path, name: str | None, tiers: TierMap | None, **options: Any
) -> tuple[Move, Sequence[str]]:
    """Read a ruleset that was kept as plain text.

    The text has numbered paragraphs, headings such as `Rule 101`, or one long paragraph. Lines that belong to no rule
    are left out and reported. If the rules cannot be told from the rest, the text is refused; then say with --heading
    how a rule begins. A file in the long format is read as by `import long`.

    \b
    nomicgen import text rules.txt --into club --tiers immutable=101-199,mutable=200-
    nomicgen import text rules.txt --into club --provisions suber --commit
    """
    imported = bring_in_text(
        asked.into,
        ruleset_data(file, _TEXT_LIMIT),
        shown_path(file.name),
        asked.day,
        asked.founding,
        started=asked.on,
        name=name,
        tiers=tiers,
        pictures=pictures_beside(file),
        **options,
    )
    asked.tell(imported.report, imported.findings, in_findings=True)
    if not imported.like:
        return imported.move, ()
    again = [str(file), "--into", f"{asked.into}-{imported.like}"]
    again += ["--name", name] if name else []
    again += ["--tiers", str(tiers)] if tiers else []
    return imported.move, (
        f"the rules are numbered as those of `{imported.like}` are; if they say the same, they can be enforced:",
        f"  nomicgen import text {' '.join(map(quote, again))} --provisions {imported.like}",
    )


command.add_command(import_agora)
command.add_command(import_git)
command.add_command(import_survey)
