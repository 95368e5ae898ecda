"""`nomicgen import agora`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from nomicgen.cli.common import ending, fail, moment, print_findings, words
from nomicgen.cli.importing import archive_options, brought, carry_out, report_option, the_day, write_report
from nomicgen.game import bring_in_files
from nomicgen.importers.agora import import_agora
from nomicgen.model import Moment
from nomicgen.repository.bundles import read_bundle
from nomicgen.repository.tree import shown_path

__all__ = ["command"]


def _is_wanted(path: str) -> bool:
    return path.startswith(("rules/", "proposals/")) or path == "config/index"


@click.command("agora")
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--into", required=True, type=click.Path(file_okay=False, path_type=Path), help="The new game's directory."
)
@click.option("--name", type=words, metavar="TEXT", help="The game's name (default: Agora).")
@click.option("--on", type=moment, metavar="DATE", help="The day of the import (default: today).")
@click.option("--commit", "commits", is_flag=True, help="Begin a git repository too, and commit the import.")
@click.option("--dry-run", is_flag=True, help="Write no game, only the report if one is asked for.")
@report_option
@archive_options
def command(
    source: Path,
    into: Path,
    name: str | None,
    on: Moment | None,
    commits: bool,
    dry_run: bool,
    report: Path | None,
    **archive: Any,
) -> None:
    """Read Agora's rules data.

    The data are a folder with rules/ and proposals/, or a tar archive of one. Every entry of every rule's history
    becomes part of a proposal or an act; texts that the data does not have are said to be lost, powers are tiers,
    categories sections, annotations judgements. What is odd is in the report.

    \b
    nomicgen import agora rules_data --into agora --report agora.md
    nomicgen import agora agora-rules-data.tar.gz --into agora --dry-run --report agora.json
    """
    with ending():
        bundle = read_bundle(source, ("rules", "proposals", "config"), _is_wanted)
        imported = import_agora(bundle.files, shown_path(source.name), name=name, skipped=bundle.skipped)
        if report is not None:
            write_report(report, imported.report)
        if not imported.files:
            print_findings(imported.findings)
            fail(f"{source} holds no rules of Agora", "name the folder that has rules/ in it, or a tar archive of it")
        move = bring_in_files(into, imported.files, shown_path(source.name), on or the_day(), brought(**archive))
        carry_out(move, imported.findings, into, commits=commits, dry_run=dry_run)
