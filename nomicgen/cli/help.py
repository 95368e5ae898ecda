"""`nomicgen help`."""

from __future__ import annotations

import click

from nomicgen.cli.command_options import say
from nomicgen.cli.command_table import read_table


@click.command("help")
@click.argument("words", nargs=-1, metavar="[COMMAND]...")
def command(words: tuple[str, ...]) -> None:
    """List all commands by what they are for.

    With the name of a command, show its help.

    \b
    nomicgen help proposal preview
    """
    context = click.get_current_context().find_root()
    if not words:
        say(*_all_commands())
        return
    program = context.command
    for word in words:
        if not isinstance(program, click.Group):
            raise click.UsageError(f"`{context.command_path}` has no command {word!r}.")
        _, subcommand, _ = program.resolve_command(context, [word])
        assert subcommand is not None  # else the line above raises
        program, context = subcommand, click.Context(subcommand, info_name=word, parent=context)
    say(program.get_help(context))


def _all_commands() -> list[str]:
    from nomicgen.cli.program import HEADINGS

    table = read_table()
    lines: list[str] = []
    for heading, names in HEADINGS.items():
        rows = [(name, table[name]) for name in names]
        flat = [(name, row["help"]) for name, row in rows if "commands" not in row]
        deep = [
            (f"{name} {sub}", sub_row["help"])
            for name, row in rows
            for sub, sub_row in row.get("commands", {}).items()
        ]
        lines += ["", heading] if lines else [heading]
        lines += [f"  {name:<19} {text}" for name, text in (*flat, *deep)]
    return lines
