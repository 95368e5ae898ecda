"""The table of all commands, `commands.json`: with it, `--help` and TAB need not import a command.

`make reference` writes it. `light_command` makes commands from it, which are for TAB alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from nomicgen.cli.completion import COMPLETIONS

PATH = Path(__file__).with_name("commands.json")
Row = Mapping[str, Any]
"""What the table says of a command, such as `{"help": "Begin a game.", "params": [...]}`, or of a
parameter.
"""


def read_table() -> Mapping[str, Row]:
    """Return the commands by name."""
    table: Mapping[str, Row] = json.loads(PATH.read_bytes())
    return table


def light_command(name: str, row: Row) -> click.Command:
    """Return a command that does nothing, with the name and the parameters of a row."""
    if "commands" in row:
        below = {sub: light_command(sub, sub_row) for sub, sub_row in row["commands"].items()}
        return click.Group(name, commands=below, short_help=row["help"])
    return click.Command(
        name,
        params=[_light_param(parameter) for parameter in row["params"]],
        short_help=row["help"],
    )


def _light_param(row: Row) -> click.Parameter:
    offers = COMPLETIONS.get(row.get("offers", ""))
    kind: click.ParamType[Any] | None = click.Choice(row["choices"]) if "choices" in row else None
    if "path" in row:
        kind = click.Path(file_okay=row["path"] != "folder", dir_okay=True)
    if not row["opts"][0].startswith("-"):
        return click.Argument(
            row["opts"], type=kind, nargs=row["nargs"], required=False, shell_complete=offers
        )
    opts = [*row["opts"], *row["also"]]
    if row.get("flag"):
        return click.Option(opts, is_flag=True, help=row["help"])
    return click.Option(
        opts, type=kind, nargs=row["nargs"], help=row["help"], multiple=True, shell_complete=offers
    )
