"""`nomicgen preview`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from nomicgen.archive.preview import Preview
from nomicgen.cli.common import console, ending, fail, moment, print_json, the_game
from nomicgen.files.text import SIZE_LIMIT
from nomicgen.formats.preview_json import preview_json
from nomicgen.formats.preview_markdown import preview_markdown
from nomicgen.formats.preview_text import preview_text
from nomicgen.game import Game, preview_file, preview_of
from nomicgen.model import Moment

__all__ = ["command"]


@click.command("preview")
@click.argument("proposal", metavar="FILE|NUMBER|DRAFT")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    help="How to print it (default: text).",
)
@click.option("--on", type=moment, metavar="DATE", help="As the rules stand at the end of this day (default: today).")
def command(proposal: str, form: str, on: Moment | None) -> None:
    """Show what a proposal would do, as the rules now stand.

    FILE may lie anywhere, and is read as a proposal of this game (- for stdin); NUMBER and DRAFT name one that is in
    it. It says what would change, what votes that needs, what becomes possible and impossible, and how the open
    proposals change each other. Nothing is written. Exits with 1 where the proposal would be refused.

    \b
    nomicgen preview 305
    nomicgen preview a-quorum
    nomicgen preview ~/ideas/quorum.md --format markdown
    """
    with ending():
        made = _preview(the_game(on), proposal)
        if form == "json":
            print_json(preview_json(made))
        elif form == "markdown":
            click.echo(preview_markdown(made), nl=False)
        else:
            out = console()
            for text in preview_text(made):
                out.print(text)
        raise SystemExit(0 if made.legal else 1)


def _preview(game: Game, named: str) -> Preview:
    """The preview of what was named: a proposal of the game first, then a file."""
    if named == "-":
        return preview_file(game, sys.stdin.buffer.read(SIZE_LIMIT + 1), "stdin")
    path = f"proposals/{named}.md"
    if path in game.tree:
        return preview_of(game, path)
    file = Path(named)
    if not file.is_file():
        fail(f"there is no proposal {named}, and no such file", "`nomicgen status` lists the proposals and drafts")
    inside = _inside(game, file)
    if inside is not None:
        return preview_of(game, inside)
    with file.open("rb") as stream:
        return preview_file(game, stream.read(SIZE_LIMIT + 1), named)


def _inside(game: Game, file: Path) -> str | None:
    """The path in the game of a file that is one of its own, read already."""
    whole = file.resolve()
    path = whole.relative_to(game.root).as_posix() if whole.is_relative_to(game.root) else ""
    return path if path in game.tree else None
