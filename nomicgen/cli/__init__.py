"""The command line: one file a command. Commands only parse, call, print and exit: 0 clean, 1 findings, 2 usage."""

from __future__ import annotations

import sys
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import click

from nomicgen import __version__
from nomicgen.cli.table import light_command, read_table
from nomicgen.later import uncollected

__all__ = ["COMMANDS", "main"]

# Each command's module is imported when it is called, so that no command waits for another's libraries.
COMMANDS: dict[str, str] = {
    "init": "init",
    "open": "open",
    "check": "check",
    "verify": "verify",
    "witness": "witness",
    "explain": "explain",
    "next": "next",
    "status": "status",
    "show": "show",
    "history": "history",
    "diff": "diff",
    "blame": "blame",
    "cite": "cite",
    "propose": "propose",
    "preview": "preview",
    "rebase": "rebase",
    "register": "register",
    "vote": "vote",
    "sign": "sign",
    "tally": "tally",
    "withdraw": "withdraw",
    "resubmit": "resubmit",
    "resolve": "resolve",
    "pulls": "pulls",
    "apply": "apply",
    "advance": "advance",
    "judge": "judge",
    "overrule": "overrule",
    "correct": "correct",
    "record": "record",
    "join": "join",
    "leave": "leave",
    "inactive": "inactive",
    "active": "active",
    "turn": "turn",
    "scores": "scores",
    "export": "export",
    "import": "import_",
    "pages": "pages",
    "reference": "reference",  # hidden: it writes the documentation
}


class _Commands(click.Group):
    """A group that imports a command when it is asked for, and lists commands in the order of a game."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().main(*args, **kwargs)
        except OSError:
            # A command has its own end; help and the version are printed before one begins.
            from nomicgen.cli.common import ending

            with ending():
                raise

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, row["help"]) for name, row in read_table().items()])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        if ctx.resilient_parsing:  # a shell asks what can be typed
            rows = read_table()
            return light_command(cmd_name, rows[cmd_name]) if cmd_name in rows else None
        with uncollected():
            command = import_module(f"nomicgen.cli.{COMMANDS[cmd_name]}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches  # only on this path

            near = get_close_matches(args[0] if args else "", COMMANDS, 1)
            raise click.UsageError(error.message + (f" Did you mean {near[0]}?" if near else ""), ctx) from None


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "-C",
    "--game",
    "game",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="The game's directory, or one below it (default: here).",
)
@click.version_option(__version__, prog_name="nomicgen")
@click.pass_context
def main(context: click.Context, game: Path) -> None:
    """Keep a game of Nomic in git: check it, play it, publish it.

    \b
    A new game:   nomicgen init lanterns --name "The Lantern Game" --player wren
    A change:     nomicgen propose, then register, vote and resolve
    What is next: nomicgen next

    Every command says with --help what it takes, with examples.
    """
    context.obj = game
    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a character gets its escape, and not a traceback.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
