"""`nomicgen plumbing reference`: the pages of the guide that are made from the code."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click

from nomicgen.cli.command_options import ending, fail, say
from nomicgen.cli.command_table import PATH, write_table
from nomicgen.cli.reference_pages import (
    MADE,
    cell,
    code_cell,
    file_pages,
    finding_pages,
    provision_page,
    schema_page,
    view_pages,
)

_EXITS = """\
Every command exits with 0 if it did its work, with 1 if findings stand against it, and with 2 if it cannot do its work
for another reason. Errors go to standard error. `NO_COLOR` turns colours off.
"""
_OWNED = ("*.md", "findings/*.md", "schema/*.json", "schema/api/*.json")


@click.command("reference", hidden=True)
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
@click.option("--check", "checks", is_flag=True, help="Write nothing; end with 1 if a page is out of date.")
def command(directory: Path, checks: bool) -> None:
    """Write the guide's reference into DIRECTORY: commands, files, provisions, findings, schemas.

    \b
    nomicgen plumbing reference docs/guide/reference
    nomicgen plumbing reference docs/guide/reference --check
    """
    with ending():
        wanted, table = pages(), _table()
        stale, old = _stale(directory, wanted), _read(PATH) != table
        if checks:
            names = [*(directory / name for name in stale), *([PATH] if old else [])]
            say(*(f"{name} is out of date: run `make reference`" for name in names))
            raise SystemExit(1 if names else 0)
        try:
            _write(directory, {name: wanted.get(name) for name in stale})
            _write(PATH.parent, {PATH.name: table} if old else {})
        except OSError as error:
            fail(f"{error.filename} cannot be written: {error.strerror}", "give permission, or name another directory")
        say(*(f"{directory / name} is {'written' if name in wanted else 'removed'}" for name in stale))


def _table() -> str:
    program = click.get_current_context().find_root().command
    assert isinstance(program, click.Group)
    with click.Context(program, info_name="nomicgen") as context:
        return write_table(program, context)


def pages() -> dict[str, str]:
    """Every page of the reference, by its path below the reference's directory."""
    return {
        "commands.md": commands_page(),
        "json.md": schema_page(),
        "provisions.md": provision_page(),
        **dict(file_pages()),
        **dict(view_pages()),
        **dict(finding_pages()),
    }


def _stale(directory: Path, wanted: dict[str, str]) -> list[str]:
    there = {path.relative_to(directory).as_posix() for form in _OWNED for path in directory.glob(form)}
    differing = {name for name, text in wanted.items() if name not in there or _read(directory / name) != text}
    return sorted(differing | (there - set(wanted)))


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


def _write(directory: Path, changed: dict[str, str | None]) -> None:
    for name, text in changed.items():
        path = directory / name
        if text is None:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def commands_page() -> str:
    """The page of every command: what it does, how it is called, its options, examples."""
    program = click.get_current_context().find_root().command
    with click.Context(program, info_name="nomicgen") as context:
        parts = [f"# Commands\n\n{MADE}\n{_command(context)}\n{_EXITS}"]
        parts += [f"## {one.command_path}\n\n{_command(one)}" for one in _below(context)]
    return "\n".join(parts)


def _below(context: click.Context) -> Iterator[click.Context]:
    group = context.command
    if not isinstance(group, click.Group):
        return
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        with click.Context(command, info_name=name, parent=context) as sub:
            yield sub
            yield from _below(sub)


def _command(context: click.Context) -> str:
    usage = " ".join((context.command_path, *context.command.collect_usage_pieces(context)))
    prose, examples = [], []
    for paragraph in cleandoc(context.command.help or "").split("\n\n"):
        if paragraph.startswith("\b"):
            examples.append(paragraph.removeprefix("\b").strip("\n"))
        else:
            prose.append(paragraph)
    parts = [*prose, f"```text\n{usage}\n```", *(f"```text\n{one}\n```" for one in examples)]
    if options := list(_options(context)):
        parts.append("\n".join(["| option | meaning |", "|---|---|", *options]))
    return "\n\n".join(parts) + "\n"


def _options(context: click.Context) -> Iterator[str]:
    for parameter in context.command.get_params(context):
        record = parameter.get_help_record(context) if isinstance(parameter, click.Option) else None
        if record is not None and "--help" not in parameter.opts:
            yield f"| {code_cell(record[0])} | {cell(record[1])} |"
