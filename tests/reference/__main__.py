"""`python -m tests.reference`: the pages of the guide that are made from the code."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from nomicgen.cli.command_table import PATH, Row
from nomicgen.cli.completion import COMPLETIONS
from nomicgen.cli.program import main
from tests.reference.pages import built_pages, reference_pages

_KEPT = ("*.md",)
_BUILT = ("findings/*.md", "rulesets/*.md", "schema/*.json", "schema/api/*.json")
"""The files of the reference that are kept in git, and those that are made while the site is built.
A file that fits a pattern but is not made any more is removed.
"""


@click.command()
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--check",
    "checks",
    is_flag=True,
    help="Write nothing; exit with status 1 if a page is out of date.",
)
@click.option(
    "--built",
    is_flag=True,
    help="Write only what the site makes: findings, rulesets, schemas.",
)
def command(directory: Path, checks: bool, built: bool) -> None:
    """Write the guide's reference into DIRECTORY: commands, files, schemas, provisions, the list of
    findings; and commands.json beside the code. With --built, write what the site makes instead.

    \b
    python -m tests.reference docs/guide/reference
    python -m tests.reference build/reference --built
    python -m tests.reference docs/guide/reference --check
    """
    with click.Context(main, info_name="nomicgen") as context:
        wanted = dict(built_pages() if built else reference_pages(context))
        table = _table_text(main, context)
    stale = _stale(directory, wanted, _BUILT if built else _KEPT)
    table_is_old = not built and _read(PATH) != table
    if checks:
        names = [*(directory / name for name in stale), *([PATH] if table_is_old else [])]
        for old in names:
            click.echo(f"{old} is out of date: run `make reference`")
        raise SystemExit(1 if names else 0)
    _write(directory, {name: wanted.get(name) for name in stale})
    _write(PATH.parent, {PATH.name: table} if table_is_old else {})
    if built:
        click.echo(f"{directory} has {len(wanted)} files that the site makes")
        return
    for name in stale:
        click.echo(f"{directory / name} is {'written' if name in wanted else 'removed'}")


def _stale(directory: Path, wanted: dict[str, str], patterns: Sequence[str]) -> list[str]:
    """Return the files that are missing or differ, and those that are not wanted any more."""
    there = {
        path.relative_to(directory).as_posix() for form in patterns for path in directory.glob(form)
    }
    differing = {
        name
        for name, text in wanted.items()
        if name not in there or _read(directory / name) != text
    }
    return sorted(differing | (there - set(wanted)))


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


def _write(directory: Path, changed: dict[str, str | None]) -> None:
    """Write files by name; None removes a file."""
    for name, text in changed.items():
        path = directory / name
        if text is None:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def _table_text(group: click.Group, context: click.Context) -> str:
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


if __name__ == "__main__":
    command()
