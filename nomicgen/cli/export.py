"""`nomicgen export`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import click

from nomicgen.cli.command_options import errors_as_messages, fail, say, the_game
from nomicgen.formats.ruleset_text import long_md, long_txt, short_md, short_txt
from nomicgen.history.game_history import GameHistory
from nomicgen.play.game_history import game_history_of
from nomicgen.repository.durable_files import replace_file

_FORMATS: dict[tuple[str, str], Callable[[GameHistory], str]] = {
    ("long", "md"): long_md,
    ("long", "txt"): long_txt,
    ("short", "md"): short_md,
    ("short", "txt"): short_txt,
}
"""By length and format, the function that writes the ruleset."""
# The beginning of a picture in Markdown, up to the file's name in images/.
_PICTURE = r"(!\[[^\[\]]*\]\(\s*<?)(?:\.\./)?images/"


@click.command("export")
@click.argument("length", metavar="long|short", type=click.Choice(["long", "short"]))
@click.option(
    "--as",
    "form",
    type=click.Choice(["md", "txt"]),
    default="md",
    help="Markdown (md, the default) or plain text (txt).",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file to write.")
def command(length: str, form: str, output: Path | None) -> None:
    """Print the whole ruleset, with or without its history.

    `long` and `short` are Nomic IV's formats, with and without each rule's history. Links to
    pictures are relative to the file that is written; without -o, to the present folder.

    \b
    nomicgen export long --as md > rules-l.md
    nomicgen export short --as txt -o ruleset.txt
    """
    with errors_as_messages():
        game = the_game()
        text = _FORMATS[length, form](game_history_of(game, rules_only=True))
        data = _with_pictures(
            text, game.root, output.parent if output is not None else Path()
        ).encode()
        if output is None:
            click.echo(data, nl=False)
            return
        try:
            replace_file(output, data)
        except OSError as error:
            fail(f"{output} cannot be written: {error.strerror}", "name another file with -o")
        say(f"{output} is written")


def _with_pictures(text: str, root: Path, folder: Path) -> str:
    """Return the text with links to the game's pictures that work in `folder`.

    In a rule's text, links start from the folder `rules/`.
    """
    link = quote(Path(os.path.relpath(root / "images", folder)).as_posix())
    return re.sub(_PICTURE, lambda match: f"{match[1]}{link}/", text)
