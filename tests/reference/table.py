"""The table of all commands, which `nomicgen/cli/command_table.py` reads."""

from __future__ import annotations

import json
from typing import Any

import click

from nomicgen.cli.command_table import Row
from nomicgen.cli.completion import COMPLETIONS


def table_text(group: click.Group, context: click.Context) -> str:
    """Return the table's text, from the commands themselves."""
    return json.dumps(_rows(group, context), ensure_ascii=False, indent=1) + "\n"


def _rows(group: click.Group, context: click.Context) -> dict[str, Row]:
    commands = {name: group.get_command(context, name) for name in group.list_commands(context)}
    return {
        name: _row(command, context)
        for name, command in commands.items()
        if command is not None and not command.hidden
    }


def _row(command: click.Command, context: click.Context) -> Row:
    described = {"help": command.get_short_help_str(100)}
    if isinstance(command, click.Group):
        return {**described, "commands": _rows(command, context)}
    return {
        **described,
        "params": [
            _param_row(parameter)
            for parameter in command.params
            if not getattr(parameter, "hidden", False)
        ],
    }


def _param_row(parameter: click.Parameter) -> Row:
    offers = getattr(parameter, "_custom_shell_complete", None)
    row: dict[str, Any] = {"opts": parameter.opts, "nargs": parameter.nargs}
    if isinstance(parameter, click.Option):
        row |= {
            "also": parameter.secondary_opts,
            "help": parameter.help or "",
            "flag": parameter.is_flag,
        }
    if isinstance(parameter.type, click.Choice):
        row["choices"] = list(parameter.type.choices)
    if isinstance(parameter.type, click.Path):
        row["path"] = "any" if parameter.type.file_okay else "folder"
    if offers is not None:
        row["offers"] = next(
            name for name, completion in COMPLETIONS.items() if completion is offers
        )
    return row
