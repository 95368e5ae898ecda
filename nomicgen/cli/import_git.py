"""`nomicgen import git`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from shlex import quote

import click

from nomicgen.cli.command_options import fail, words
from nomicgen.cli.import_options import Import, heading_option, imports, ruleset_data, tiers_option
from nomicgen.cli.import_survey import say_survey
from nomicgen.play.move import Move
from nomicgen.game.start import ImportOrigin, bring_in_files
from nomicgen.game.surveying import survey_repository
from nomicgen.importers.git.importer import import_git
from nomicgen.importers.git_outline import ArchiveForm
from nomicgen.importers.git.printed import Printed, read_printed
from nomicgen.importers.git.subjects import Subjects
from nomicgen.importers.import_report import ArchiveWarnings
from nomicgen.importers.rule_front_matter import FrontKeys
from nomicgen.importers.text_rule_forms import RuleForm
from nomicgen.importers.tiers import TierMap
from nomicgen.repository.first_parents import whereabouts
from nomicgen.repository.foreign_history import read_past
from nomicgen.importers.git.pictures import pictures_in
from nomicgen.repository.game_tree import shown_path

_LIMIT = 64 * 1024 * 1024


def _subjects(patterns: tuple[str, ...]) -> Subjects:
    try:
        return Subjects(patterns)
    except ValueError as error:
        raise click.BadParameter(f"a pattern of --subject {error}") from None


def _front(_context: click.Context, _option: click.Parameter, typed: str | None) -> FrontKeys:
    try:
        return FrontKeys.parse(typed) if typed is not None else FrontKeys()
    except ValueError as error:
        raise click.BadParameter(f"{typed!r} {error}") from None


@click.command("git")
@click.argument("kept", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="REPOSITORY")
@click.option(
    "--path",
    "paths",
    multiple=True,
    metavar="GLOB",
    help="Where the rules are: 'rules/*.md' if each has a file, rules.md if one file has them all. May be repeated."
    " Without it, a survey looks for them.",
)
@click.option("--yes", "agreed", is_flag=True, help="Import what the survey finds, and do not ask.")
@heading_option
@click.option(
    "--front-matter",
    "front",
    callback=_front,
    metavar="KEYS",
    help="What unusual keys of front matter mean: RULE=number,Type=tier; also title, revision.",
)
@click.option("--branch", default="HEAD", metavar="REF", help="The branch to read (default: HEAD).")
@click.option(
    "--subject",
    "patterns",
    multiple=True,
    metavar="REGEX",
    help="What a commit's subject says it is; tried before the usual forms: a pattern with a group"
    " (?P<proposal>…), (?P<judgement>…) or (?P<act>…), and perhaps (?P<player>…). May be repeated.",
)
@click.option(
    "--history",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="LONG.md",
    help="The ruleset in the long format, for more dates, players and turns.",
)
@click.option("--name", type=words, metavar="TEXT", help="The game's name (default: as --history says it).")
@tiers_option
@imports
def command(
    asked: Import,
    kept: Path,
    paths: tuple[str, ...],
    agreed: bool,
    shape: RuleForm | None,
    front: FrontKeys,
    branch: str,
    patterns: tuple[str, ...],
    history: Path | None,
    name: str | None,
    tiers: TierMap | None,
) -> tuple[Move, Sequence[str]]:
    """Read a game that was kept as commits of a repository.

    REPOSITORY is a clone or a bare repository. Each commit that changes rules becomes a proposal, a judgement or an
    act, as its subject says. Other commits become acts `Correction`. The rules' numbers, revisions and tiers come from
    their headings, such as `## 203/1 (IMMUTABLE)`, or from front matter.

    \b
    nomicgen import git ../nomic --path 'Game_4/rules/md/*.md' --into nomic-4 --report report.md
    nomicgen import git ../club --path rules.md --into club --history rules-l.md
    """
    subjects = _subjects(patterns)
    warnings = ArchiveWarnings()
    rule_paths = paths or _surveyed(kept, branch, agreed=agreed)
    past = read_past(kept, branch, rule_paths, ArchiveForm(shape=shape, front=front))
    if past.doubt is not None:
        fail(f"{past.doubt.path}: {past.doubt.doubt.message}", past.doubt.doubt.help)
    printed = _printed(history, warnings) if history is not None else None
    source = shown_path(kept.resolve().name)
    imported = import_git(
        past,
        source,
        subjects=subjects,
        printed=printed,
        where=whereabouts(kept, past.line[-1].sha, printed.shas) if printed is not None and past.line else None,
        name=name,
        tiers=tiers,
        warnings=warnings,
        until=asked.day,
        pictures=pictures_in(kept, branch),
    )
    if imported.files or asked.report is not None:
        asked.tell(imported.report)
    if not imported.files:
        look = f"nomicgen import survey {quote(str(kept))}"
        remedy = f"see where the rules are: `{look}`; a pattern is a path from the top"
        fail(f"no commit of {branch} has a rule in {', '.join(rule_paths)}", remedy)
    options: dict[str, list[str]] = {
        "path": list(rule_paths),
        "branch": [branch],
        "commit": [past.line[-1].sha],
        "heading": [shape.pattern] if shape is not None and shape.pattern else [],
        "front-matter": [str(front)] if front.meanings else [],
        "subject": list(patterns),
        "history": [shown_path(history.name)] if history is not None else [],
        "name": [name] if name else [],
        "tiers": [str(tiers)] if tiers is not None else [],
    }
    origin = ImportOrigin(source=source, observed=imported.observed, options=options)
    return bring_in_files(asked.into, imported.files, origin, asked.day, asked.founding), ()


def _surveyed(kept: Path, branch: str, *, agreed: bool) -> tuple[str, ...]:
    """The paths that a survey finds, once somebody has agreed to them."""
    survey = survey_repository(kept, str(kept), branch)
    say_survey(survey)
    if survey.command is None:
        fail("this cannot be imported as it is", survey.help)
    if not agreed and not (sys.stdin is not None and sys.stdin.isatty() and click.confirm("Import it so")):
        fail("nothing was imported", "accept this with --yes, or say where the rules are: --path GLOB")
    return survey.patterns


def _printed(file: Path, warnings: ArchiveWarnings) -> Printed | None:
    return read_printed(ruleset_data(file, _LIMIT), shown_path(file.name), warnings)
