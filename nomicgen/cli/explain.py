"""`nomicgen explain`."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from importlib.resources import files

import click

from nomicgen.cli.command_options import errors_as_messages, fail, format_option, print_json, say
from nomicgen.cli.completion import slugs
from nomicgen.model.findings import CODES


@click.command("explain")
@click.argument("slug", required=False, shell_complete=slugs)
@format_option("json")
def command(slug: str | None, form: str) -> None:
    """Say what a finding means and what to do, with an example.

    SLUG is the name that `nomicgen check` prints in brackets, such as revision-stale. Without it,
    the command lists every finding.

    \b
    nomicgen explain revision-stale
    """
    with errors_as_messages():
        if slug is None and form == "json":
            _print_json(None, None)
            return
        if slug is None:
            width = max(map(len, CODES))
            say(
                *(
                    f"{code.slug:<{width}}  {code.severity:<7}  {code.summary}"
                    for code in CODES.values()
                )
            )
            return
        if slug not in CODES:
            near = get_close_matches(slug, CODES, 3)
            fail(
                f"there is no finding {slug}",
                f"did you mean {', '.join(near)}?" if near else "nomicgen explain",
            )
        page = files("nomicgen").joinpath("explain", f"{slug}.md").read_text("utf-8")
        if form == "json":
            _print_json(slug, page)
        elif sys.stdout.isatty():
            from rich.console import Console
            from rich.markdown import Markdown

            Console().print(Markdown(page))
        else:
            click.echo(page)


def _print_json(slug: str | None, page: str | None) -> None:
    from nomicgen.formats.reading_json import EXPLANATIONS, explanations

    print_json(EXPLANATIONS.write(findings=explanations(slug, page)))
