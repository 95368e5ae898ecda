"""`nomicgen export`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from nomicgen.history.archive_view import Archive
from nomicgen.cli.command_options import errors_as_messages, fail, say, the_game
from nomicgen.formats.ruleset_text import long_md, long_txt, short_md, short_txt
from nomicgen.game.game_history import archive_of
from nomicgen.repository.durable_files import replace_file

_FORMATS: dict[tuple[str, str], Callable[[Archive], str]] = {
    ("long", "md"): long_md,
    ("long", "txt"): long_txt,
    ("short", "md"): short_md,
    ("short", "txt"): short_txt,
}


@click.command("export")
@click.argument("length", metavar="[long|short|agora]", type=click.Choice(["long", "short", "agora"]))
@click.option(
    "--as",
    "form",
    type=click.Choice(["md", "txt", "flr", "slr", "data"]),
    help="long and short: Markdown (md, the default) or plain text (txt); agora: flr (the default), slr or data.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file to write; for data, the new folder.")
def command(length: str, form: str | None, output: Path | None) -> None:
    """Print the whole ruleset, with or without its history.

    `long` and `short` are Nomic IV's formats, with and without each rule's history. `agora` prints Agora's Full Logical
    Ruleset (flr) or Short Logical Ruleset (slr), or writes the rules data that `import agora` reads (data).

    \b
    nomicgen export long --as md > rules-l.md
    nomicgen export agora --as slr
    nomicgen export agora --as data -o rules_data
    """
    form = form or ("flr" if length == "agora" else "md")
    if (length == "agora") == (form in ("md", "txt")):
        raise click.UsageError(f"--as {form} does not go with {length}.")
    with errors_as_messages():
        if form == "data":
            _write_data(output)
            return
        data = (_agora(form) if length == "agora" else _nomic_iv(length, form)).encode()
        if output is None:
            click.echo(data, nl=False)
            return
        try:
            replace_file(output, data)
        except OSError as error:
            fail(f"{output} cannot be written: {error.strerror}", "name another file with -o")
        say(f"{output} is written")


def _nomic_iv(length: str, form: str) -> str:
    return _FORMATS[length, form](archive_of(the_game(), rules_only=True))


def _agora(form: str) -> str:
    from nomicgen.game.agora_export import printed

    return printed(the_game(), full=form == "flr")


def _write_data(output: Path | None) -> None:
    """Writes Agora's rules data into a new folder."""
    from nomicgen.game.agora_export import data_of

    if output is None or output.exists():
        fail("the data have many files, and need a new folder", "name a new folder with -o")
    files = data_of(the_game())
    try:
        for path, data in files.items():
            (output / path).parent.mkdir(parents=True, exist_ok=True)
            replace_file(output / path, data)
    except OSError as error:
        fail(f"{output} cannot be written: {error.strerror}", "name another folder with -o")
    say(f"{output} holds {len(files)} files")
