"""`python -m tests.reference`: the pages of the guide that are made from the code."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from nomicgen.cli.command_table import PATH
from nomicgen.cli.program import main
from tests.reference.pages import built_pages, reference_pages
from tests.reference.table import table_text

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
        table = table_text(main, context)
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


if __name__ == "__main__":
    command()
