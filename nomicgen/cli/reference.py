"""`nomicgen plumbing reference`: the pages of the guide that are made from the code."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from nomicgen.cli.command_options import errors_as_messages, say
from nomicgen.cli.command_table import PATH, table_text
from nomicgen.cli.reference_pages import built_pages, reference_pages

_KEPT = ("*.md",)
_BUILT = ("findings/*.md", "rulesets/*.md", "schema/*.json", "schema/api/*.json")
"""The files of the reference that are kept in git, and those that are made while the site is built.
A file that fits a pattern but is not made any more is removed.
"""


@click.command("reference", hidden=True)
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
    """Write the guide's reference into DIRECTORY: commands, files, provisions, the list of
    findings. Without --built, also write commands.json beside the code.

    \b
    nomicgen plumbing reference docs/guide/reference
    nomicgen plumbing reference build/reference --built
    nomicgen plumbing reference docs/guide/reference --check
    """
    with errors_as_messages():
        program = click.get_current_context().find_root().command
        assert isinstance(program, click.Group)
        with click.Context(program, info_name="nomicgen") as context:
            wanted = dict(built_pages() if built else reference_pages(context))
            table = table_text(program, context)
        stale = _stale(directory, wanted, _BUILT if built else _KEPT)
        table_is_old = not built and _read(PATH) != table
        if checks:
            names = [*(directory / name for name in stale), *([PATH] if table_is_old else [])]
            say(*(f"{name} is out of date: run `make reference`" for name in names))
            raise SystemExit(1 if names else 0)
        _write(directory, {name: wanted.get(name) for name in stale})
        _write(PATH.parent, {PATH.name: table} if table_is_old else {})
        if built:
            say(f"{directory} has {len(wanted)} files that the site makes")
            return
        say(
            *(
                f"{directory / name} is {'written' if name in wanted else 'removed'}"
                for name in stale
            )
        )


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
