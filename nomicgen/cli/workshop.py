"""`nomicgen plumbing workshop`."""

from __future__ import annotations

from pathlib import Path

import click

from nomicgen.cli.command_options import errors_as_messages, say
from nomicgen.play.refusal import Refused
from nomicgen.site.workshop.runtime import install_checker


@click.command("workshop")
@click.option(
    "--into",
    "site",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="SITE",
    help="The folder of the built site.",
)
@click.option(
    "--optional", is_flag=True, help="Exit with status 0 if the checker cannot be fetched."
)
def command(site: Path, optional: bool) -> None:
    """Put the checker of drafts into a built site.

    Without the checker, the site's page for proposals works, but does not say whether a draft is
    lawful. The checker is fetched through npm and pip, compared with the digests that nomicgen
    names, and kept in your cache folder.

    \b
    mkdocs build --strict
    nomicgen plumbing workshop --into site
    """
    with errors_as_messages():
        say("fetching and compiling the checker: a minute or two the first time")
        try:
            size = install_checker(site)
        except Refused as error:
            if not optional:
                raise
            click.echo(
                f"warning: the site has no checker of drafts: {error.message}: {error.remedy}",
                err=True,
            )
            return
        say(
            f"{site} checks drafts in the browser: {size / 1_000_000:.1f} MB, loaded when "
            "somebody writes"
        )
