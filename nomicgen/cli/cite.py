"""`nomicgen rule cite`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from nomicgen.cli.command_options import (
    errors_as_messages,
    fail,
    format_option,
    print_json,
    read_limited,
    say,
    show,
    the_game,
)
from nomicgen.formats.citation_text import citation_text
from nomicgen.formats.reading_json import CITED, OUTDATED, OUTDATED_ONE, cited_fields
from nomicgen.history.citations import Citation, Unresolved, parse_citation, resolve_citation
from nomicgen.history.outdated_citations import outdated_citations
from nomicgen.play.game_history import game_history_of
from nomicgen.site.addresses import addresses_of
from nomicgen.site.citation_links import cited_address
from nomicgen.site.publishing.markdown_folder import published_at

_MOST = 8 << 20
"""The most bytes that a file may have whose citations are checked."""


def _citation(text: str) -> Citation:
    """Return a citation that was typed, such as `R203/1@2026-10-01`."""
    try:
        return parse_citation(text)
    except ValueError as error:
        raise click.BadParameter(f"{text!r}: {error}", param_hint="'CITATION'") from None


def _check_files(files: Sequence[Path], form: str) -> None:
    """Print the citations of files that are out of date. Exits with 1 if there are any."""
    game_history = game_history_of(the_game())
    texts = {
        file: read_limited(file, _MOST, "leave it out").decode("utf-8", "replace") for file in files
    }
    found = [
        (file, one)
        for file, text in texts.items()
        for one in outdated_citations(game_history, text)
    ]
    if form == "json":
        print_json(
            OUTDATED.write(
                citations=[OUTDATED_ONE.write(one, file=file.as_posix()) for file, one in found]
            )
        )
    else:
        say(
            *(
                f"{file.as_posix()}:{one.line}:{one.column}: {one.citation}: {one.why}"
                for file, one in found
            )
        )
    if found:
        raise SystemExit(1)


@click.command("cite")
@click.argument("citations", metavar="CITATION|FILE...", nargs=-1, required=True)
@click.option(
    "--check",
    "checks",
    is_flag=True,
    help="In files, list citations of words that are no longer law.",
)
@format_option("json")
def command(citations: tuple[str, ...], checks: bool, form: str) -> None:
    """Print what a citation refers to, or check those in files.

    It prints the rule's text at the end of the day that the citation names, its address on the
    site, its commit, and how to cite it. Without a day, R203 is the last text, and R203/1 that
    revision.

    With --check it reads files, of this repository or another. It finds citations with a day, such
    as R203/1@2026-10-01, and addresses that the site's *Copy quotation* made. If the words of
    one have changed since, it names the proposal that changed them, and exits with 1.

    \b
    nomicgen rule cite R203/1@2026-10-01
    nomicgen rule cite "Rule 203"
    nomicgen rule cite 203@2026-10-01
    nomicgen -C ../game rule cite --check README.md docs/house.md
    """
    with errors_as_messages():
        if checks:
            _check_files([Path(name) for name in citations], form)
            return
        if len(citations) > 1:
            raise click.UsageError("give one citation, or files with --check")
        citation = _citation(citations[0])
        game = the_game()
        url, directory_urls = published_at(game)
        game_history = game_history_of(game)
        resolved = resolve_citation(game_history, citation)
        if isinstance(resolved, Unresolved):
            fail(resolved.message, resolved.remedy)
        addresses = addresses_of(game_history, directory_urls=directory_urls)
        address = cited_address(addresses, resolved.revision, url)
        if form == "json":
            print_json(CITED.write(**cited_fields(game_history, resolved, address)))
            return
        show(*citation_text(game_history, resolved, address))
