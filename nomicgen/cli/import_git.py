"""`nomicgen import git`."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import click
from msgspec.structs import replace

from nomicgen.cli.command_options import fail, words
from nomicgen.cli.import_options import Import, imports, map_option, stop_with_survey, tiers_option
from nomicgen.files.file_findings import quoted
from nomicgen.importers.git.history import read_past
from nomicgen.importers.git.importer import import_git
from nomicgen.importers.git.pictures import pictures_in
from nomicgen.importers.git.proof_states import observe
from nomicgen.importers.git.subjects import Subjects
from nomicgen.importers.git.survey import survey_repository
from nomicgen.importers.map_reader import MapReader
from nomicgen.importers.source_map import SourceMap
from nomicgen.importers.tiers import TierMap
from nomicgen.play.move import Move
from nomicgen.repository.game_tree import shown_path


def _subjects(patterns: tuple[str, ...]) -> Subjects:
    try:
        return Subjects(patterns)
    except ValueError as error:
        raise click.BadParameter(f"a pattern of --subject or of `subjects` {error}") from None


@click.command("git")
@click.argument(
    "kept", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="REPOSITORY"
)
@click.option(
    "--path",
    "paths",
    multiple=True,
    metavar="GLOB",
    help="Where the rules are: 'rules/*.md' if each has a file, rules.md if one file has them "
    "all. May be repeated."
    " Takes the place of `paths:` in the map.",
)
@map_option
@click.option(
    "--branch",
    metavar="REF",
    help="The branch to read (default: as `commits:` in the map says it, or HEAD).",
)
@click.option(
    "--continue",
    "go_on",
    is_flag=True,
    help="Go on even if the files seem to become those of another game.",
)
@click.option(
    "--subject",
    "patterns",
    multiple=True,
    metavar="REGEX",
    help="A pattern for subjects of commits, tried before the usual forms: (?P<proposal>…), "
    "(?P<judgement>…) or (?P<act>…) says what the commit is, (?P<player>…) whose. May be repeated.",
)
@click.option("--name", type=words, metavar="TEXT", help="The game's name.")
@tiers_option
@imports
def command(
    asked: Import,
    kept: Path,
    paths: tuple[str, ...],
    source_map: SourceMap | None,
    branch: str | None,
    go_on: bool,
    patterns: tuple[str, ...],
    name: str | None,
    tiers: TierMap | None,
) -> Move:
    """Read a game that was kept as commits of a repository.

    REPOSITORY is a clone or a bare repository. Each commit that changes rules becomes a proposal, a
    judgement or an act, as its subject says; if it says none of these, an act `Correction`. A map
    says which files have the rules, and how a rule begins. Without --map, a map that ships is taken
    only if it clearly fits; otherwise the survey is shown.

    \b
    nomicgen import git ../nomic --path 'Game_4/rules/md/*.md' --into nomic-4 --report report.md
    nomicgen import git ../club --path rules.md --into club
    """
    source_map = source_map or _surveyed(kept, branch or "HEAD", paths)
    source_map = source_map.replace(paths=[*paths]) if paths else source_map
    if not source_map.paths:
        fail(
            "the map does not say which files have the rules",
            "say it: --path GLOB, or `paths:` in the map",
        )
    first, last = source_map.between
    branch = branch or last or "HEAD"
    subjects = _subjects((*patterns, *source_map.subjects.values()))
    past = read_past(kept, branch, source_map.paths, MapReader(source_map))
    source = shown_path(kept.resolve().name)
    imported = import_git(
        past,
        subjects=subjects,
        name=name,
        tiers=tiers or source_map.tier_map,
        until=asked.day,
        pictures=pictures_in(kept, branch),
        start=first,
        go_on=go_on,
        by_commits=source_map.authors == "commits",
    )
    if imported.other is not None:  # the commit from which on it looks like another game
        commit = imported.other.commit
        fail(
            f"commit {commit.sha[:12]} ({quoted(commit.subject)}) {imported.other.what}: this "
            "may be another game",
            f"import the earlier with --branch {imported.other.before.sha[:12]}, the later with"
            f" `commits: {commit.sha[:12]}..` in a"
            " map, or both as one game with --continue",
        )
    if not imported.files:
        if asked.report is not None:
            asked.tell(imported, source)
        look = f"nomicgen import survey {quote(str(kept))}"
        remedy = f"see where the rules are: `{look}`; a pattern is a path from the top"
        fail(f"no commit of {branch} has a rule in {', '.join(source_map.paths)}", remedy)
    options = {
        "branch": branch,
        "continue": "yes" if go_on else None,
        "commit": past.line[-1].sha,
        "subject": list(patterns),
        "name": name,
        "tiers": tiers,
    }
    seen = observe(kept, past, source_map, first)
    return asked.bring_in(replace(imported, observed=seen), source, options, source_map)


def _surveyed(kept: Path, branch: str, paths: tuple[str, ...]) -> SourceMap:
    """Return the map that a survey finds, if it clearly fits. Ends the command otherwise."""
    survey = survey_repository(kept, str(kept), branch, paths)
    if survey.best is None or not survey.is_clear:
        stop_with_survey(survey)
    return survey.best.map
