"""`nomicgen explain`."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from importlib.resources import files

import click

from nomicgen.cli.command_options import errors_as_messages, fail, say
from nomicgen.cli.completion import slugs
from nomicgen.model.findings import CODES


@click.command("explain")
@click.argument("slug", required=False, shell_complete=slugs)
def command(slug: str | None) -> None:
    """Say what a finding means and what to do, with an example.

    Without SLUG, lists every finding.

    \b
    nomicgen explain revision-stale
    """
    with errors_as_messages():
        if slug is None:
            width = max(map(len, CODES))
            say(*(f"{code.slug:<{width}}  {code.severity:<7}  {code.summary}" for code in CODES.values()))
            return
        if slug not in CODES:
            near = get_close_matches(slug, CODES, 3)
            fail(f"there is no finding {slug}", f"did you mean {', '.join(near)}?" if near else "nomicgen explain")
        page = files("nomicgen").joinpath("explain", f"{slug}.md").read_text("utf-8")
        if sys.stdout.isatty():
            from rich.console import Console
            from rich.markdown import Markdown

            Console().print(Markdown(page))
        else:
            click.echo(page)
