"""The table of all commands: what `--help` lists, and what TAB offers, without loading a command.

`make reference` writes it into `commands.json`. A command that is made of it is for completion alone.
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


def read_table() -> Mapping[str, Row]:
    """The commands by name."""
    table: Mapping[str, Row] = json.loads(PATH.read_bytes())
    return table


def light_command(name: str, row: Row) -> click.Command:
    """A command that has the parameters of another, and does nothing."""
    if "commands" in row:
        below = {one: light_command(one, of) for one, of in row["commands"].items()}
        return click.Group(name, commands=below, short_help=row["help"])
    return click.Command(name, params=[_light(one) for one in row["params"]], short_help=row["help"])


def _light(row: Row) -> click.Parameter:
    offers = COMPLETIONS.get(row.get("offers", ""))
    kind: click.ParamType[Any] | None = click.Choice(row["choices"]) if "choices" in row else None
    if "path" in row:
        kind = click.Path(file_okay=row["path"] != "folder", dir_okay=True)
    if not row["opts"][0].startswith("-"):
        return click.Argument(row["opts"], type=kind, nargs=row["nargs"], required=False, shell_complete=offers)
    opts = [*row["opts"], *row["also"]]
    if row.get("flag"):
        return click.Option(opts, is_flag=True, help=row["help"])
    return click.Option(opts, type=kind, nargs=row["nargs"], help=row["help"], multiple=True, shell_complete=offers)


def write_table(group: click.Group, context: click.Context) -> str:
    """The table's text, from the commands themselves."""
    return json.dumps(_rows(group, context), ensure_ascii=False, indent=1) + "\n"


def _rows(group: click.Group, context: click.Context) -> dict[str, Row]:
    commands = {name: group.get_command(context, name) for name in group.list_commands(context)}
    return {name: _row(one, context) for name, one in commands.items() if one is not None and not one.hidden}


def _row(command: click.Command, context: click.Context) -> Row:
    said = {"help": command.get_short_help_str(100)}
    if isinstance(command, click.Group):
        return {**said, "commands": _rows(command, context)}
    return {**said, "params": [_param(one) for one in command.params if not getattr(one, "hidden", False)]}


def _param(one: click.Parameter) -> Row:
    offers = getattr(one, "_custom_shell_complete", None)
    row: dict[str, Any] = {"opts": one.opts, "nargs": one.nargs}
    if isinstance(one, click.Option):
        row |= {"also": one.secondary_opts, "help": one.help or "", "flag": one.is_flag}
    if isinstance(one.type, click.Choice):
        row["choices"] = list(one.type.choices)
    if isinstance(one.type, click.Path):
        row["path"] = "any" if one.type.file_okay else "folder"
    if offers is not None:
        row["offers"] = next(name for name, one in COMPLETIONS.items() if one is offers)
    return row
