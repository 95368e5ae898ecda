"""`nomicgen rule cite`."""

from __future__ import annotations

from pathlib import Path

import click

from nomicgen.archive.archive_view import Archive
from nomicgen.archive.citations import Citation, Resolved, Unresolved, parse_citation, resolve_citation
from nomicgen.cli.command_options import errors_as_messages, fail, format_option, print_json, show, the_game
from nomicgen.formats.citation_text import CITED, Place, citation_text, cited
from nomicgen.game.game_history import archive_of
from nomicgen.game.load import Game
from nomicgen.game.publish import published_at
from nomicgen.site.addresses import Addresses, addresses_of
from nomicgen.site.citation_links import cited_address


def _citation(text: str) -> Citation:
    """A citation, from the command line."""
    try:
        return parse_citation(text)
    except ValueError as error:
        raise click.BadParameter(f"{text!r}: {error}") from None


@click.command("cite")
@click.argument("citation", metavar="CITATION", type=_citation)
@click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The settings of the site (default: the game's mkdocs.yml).",
)
@format_option("json")
def command(citation: Citation, config: Path | None, form: str) -> None:
    """Print what a citation stands for.

    Prints its text at the end of that day, its address on the site, its commit, and how to cite it. Without a day, it
    prints the present text.

    \b
    nomicgen rule cite R203/1@2026-10-01
    nomicgen rule cite "Rule 203"
    nomicgen rule cite P301
    nomicgen rule cite "CFJ 4"
    nomicgen rule cite R4T3
    nomicgen rule cite acts/2026-10-01-correction
    """
    with errors_as_messages():
        game = the_game()
        url, directory_urls = published_at(game, config)
        archive = archive_of(game)
        found = resolve_citation(archive, citation)
        if isinstance(found, Unresolved):
            fail(found.message, found.remedy)
        addresses = addresses_of(archive, directory_urls=directory_urls)
        view = cited(archive, found, _place(game, archive, addresses, found, url))
        if form == "json":
            print_json(CITED.write(view))
            return
        for line in citation_text(view):
            show(line)


def _place(game: Game, archive: Archive, addresses: Addresses, found: Resolved, url: str) -> Place:
    address = cited_address(addresses, found, url)
    if found.instrument is None:
        path = f"turns/{found.turn.ident}.yml" if found.turn else ""
        return Place(address=address, link=addresses.file(path) if path else None)
    one = found.instrument
    origin = archive.touched.get(one.path)
    sha = origin.sha if origin else one.matter.commit
    link = addresses.file(one.path) or addresses.commit(sha, named=origin is None)
    return Place(address=address, link=link, text=_body(game, one.path, one.source.body_line))


def _body(game: Game, path: str, line: int) -> str | None:
    """What stands in a file from a line on."""
    data = game.tree.get(path)
    text = data.decode("utf-8", "replace") if isinstance(data, bytes) else None
    return None if text is None else "\n".join(text.split("\n")[line - 1 :]).strip()
