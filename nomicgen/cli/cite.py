"""`nomicgen rule cite`."""

from __future__ import annotations

import click

from nomicgen.cli.command_options import errors_as_messages, fail, format_option, print_json, show, the_game
from nomicgen.formats.citation_text import citation_text
from nomicgen.formats.reading_json import CITED, cited_fields
from nomicgen.history.citations import Citation, Unresolved, parse_citation, resolve_citation
from nomicgen.play.game_history import archive_of
from nomicgen.site.addresses import addresses_of
from nomicgen.site.citation_links import cited_address
from nomicgen.site.publishing.markdown_folder import published_at


def _citation(text: str) -> Citation:
    """A citation, from the command line."""
    try:
        return parse_citation(text)
    except ValueError as error:
        raise click.BadParameter(f"{text!r}: {error}") from None


@click.command("cite")
@click.argument("citation", metavar="CITATION", type=_citation)
@format_option("json")
def command(citation: Citation, form: str) -> None:
    """Print what a citation refers to.

    Prints a rule's text at the end of that day, its address on the site, its commit, and how to cite it. Without a day,
    it prints the present text.

    \b
    nomicgen rule cite R203/1@2026-10-01
    nomicgen rule cite "Rule 203"
    nomicgen rule cite 203@2026-10-01
    """
    with errors_as_messages():
        game = the_game()
        url, directory_urls = published_at(game)
        archive = archive_of(game)
        resolved = resolve_citation(archive, citation)
        if isinstance(resolved, Unresolved):
            fail(resolved.message, resolved.remedy)
        addresses = addresses_of(archive, directory_urls=directory_urls)
        address = cited_address(addresses, resolved.revision, url)
        if form == "json":
            print_json(CITED.write(**cited_fields(archive, resolved, address)))
            return
        show(*citation_text(archive, resolved, address))
