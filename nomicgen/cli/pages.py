"""`nomicgen plumbing pages`."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from shlex import quote

import click

from nomicgen.cli.command_options import errors_as_messages, say, working_folder
from nomicgen.model.findings import Finding
from nomicgen.play.mending.shown import as_shown
from nomicgen.play.refusal import Refused
from nomicgen.repository.site_folder import Mirror, bring_over
from nomicgen.site.publishing.build_day import load_to_publish
from nomicgen.site.publishing.markdown_folder import names_address, plan_site
from nomicgen.site.publishing.publication import missing_address_warning

_LISTED = 20


@click.command("pages")
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The settings of the site (default: the game's mkdocs.yml).",
)
@click.option("--strict", is_flag=True, help="Write nothing if the game has errors.")
@click.option("--dry-run", is_flag=True, help="List what would be written, and write nothing.")
def command(directory: Path, config: Path | None, strict: bool, dry_run: bool) -> None:
    """Write the site as Markdown that needs no plugin.

    DIRECTORY gets the pages and a mkdocs.yml, from which MkDocs and Zensical build the same site.

    Run it again when the game has changed: it writes what differs, and removes pages that it wrote
    before and no longer needs. It never touches files that it did not write.

    \b
    nomicgen plumbing pages ../lanterns-pages
    zensical build --strict -f ../lanterns-pages/mkdocs.yml
    """
    with errors_as_messages():
        game = load_to_publish(working_folder())
        _report(as_shown(game, game.errors), strict=strict)
        mirror = plan_site(game, directory, config=config)
        if warning := missing_address_warning(game, named=names_address(game, config)):
            click.echo(f"warning: {warning}", err=True)
        if dry_run:
            _show(mirror)
            say("nothing was written (--dry-run)")
            return
        bring_over(mirror)
        say(_summary(mirror))
        file = quote(str(directory / "mkdocs.yml"))
        say(
            "build it with one of these:",
            f"  mkdocs build --strict -f {file}",
            f"  zensical build --strict -f {file}",
        )
        if not (find_spec("mkdocs") or find_spec("zensical")):
            say("neither is installed here: `pip install 'nomicgen[site]'` brings MkDocs")


def _report(errors: tuple[Finding, ...], *, strict: bool) -> None:
    """Warn of errors, which every page will show too; with `strict`, raise Refused instead."""
    if not errors:
        return
    count = "an error" if len(errors) == 1 else f"{len(errors)} errors"
    if strict:
        raise Refused(
            f"the game has {count}, so nothing was written",
            "correct them, then run it again",
            errors,
        )
    first = f"{errors[0].span}: {errors[0].message}"
    click.echo(f"warning: the game has {count}, first {first}. Run `nomicgen check`", err=True)


def _show(mirror: Mirror) -> None:
    for verb, paths in (("write", mirror.written), ("remove", mirror.removed)):
        say(*(f"would {verb} {mirror.root / path}" for path in paths[:_LISTED]))
        if len(paths) > _LISTED:
            say(f"would {verb} {len(paths) - _LISTED} more")


def _summary(mirror: Mirror) -> str:
    parts = [f"{len(mirror.written)} written"]
    if mirror.kept:
        parts.append(f"{mirror.kept} unchanged")
    if mirror.removed:
        parts.append(f"{len(mirror.removed)} removed")
    return f"{mirror.root}: {', '.join(parts)}"
