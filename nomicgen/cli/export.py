"""`nomicgen export`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from nomicgen.archive.view import Archive
from nomicgen.cli.common import ending, fail, say, the_game
from nomicgen.formats.ruleset import long_md, long_txt, short_md, short_txt
from nomicgen.game import archive_of
from nomicgen.repository.folders import replace_file

__all__ = ["command"]

_FORMATS: dict[tuple[str, str], Callable[[Archive], str]] = {
    ("long", "md"): long_md,
    ("long", "txt"): long_txt,
    ("short", "md"): short_md,
    ("short", "txt"): short_txt,
}


@click.command("export")
@click.argument("length", type=click.Choice(["long", "short"]))
@click.option("--as", "form", type=click.Choice(["md", "txt"]), default="md", help="Markdown or plain text.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file to write.")
def command(length: str, form: str, output: Path | None) -> None:
    """Print the whole ruleset, with or without its history.

    The formats are Nomic IV's: `long` has each rule's history, `short` has not.

    \b
    nomicgen export long --as md > rules-l.md
    nomicgen export short --as txt -o rules-s.txt
    """
    with ending():
        data = _FORMATS[length, form](archive_of(the_game(), rules_only=True)).encode()
        if output is None:
            click.echo(data, nl=False)
            return
        try:
            replace_file(output, data)
        except OSError as error:
            fail(f"{output} cannot be written: {error.strerror}", "name another file with -o")
        say(f"{output} is written")
