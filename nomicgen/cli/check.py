"""`nomicgen check`."""

from __future__ import annotations

import click
from rich.text import Text

from nomicgen.cli.common import console, ending, moment, print_findings, print_json, the_game
from nomicgen.diagnostics import counted
from nomicgen.formats.findings import findings_github, findings_json
from nomicgen.game import check_game
from nomicgen.model import Moment

__all__ = ["command"]


@click.command("check")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    help="How to print it (default: text).",
)
@click.option("--strict", is_flag=True, help="Count warnings as errors.")
@click.option("--on", type=moment, metavar="DATE", help="Check as of the end of this day (default: today).")
def command(form: str, strict: bool, on: Moment | None) -> None:
    """Replay the whole ledger, and say what is wrong with the game.

    Exits with 0 without errors, 1 with errors, 2 if it cannot be checked at all.

    \b
    nomicgen check
    nomicgen check --strict --format github     in CI
    nomicgen explain rules-differ               what a finding means
    """
    with ending():
        game = the_game(on)
        findings = check_game(game)
        errors = sum(1 for one in findings if one.is_error)
        warnings = len(findings) - errors
        if form == "json":
            print_json(findings_json(findings))
        elif form == "github":
            click.echo(findings_github(findings), nl=False)
        else:
            print_findings(findings)
            out = console()
            if findings:
                out.print()
            style = "bold red" if errors else "yellow" if warnings else "green"
            out.print(Text(_summary(len(game.replay.current), len(game.replay.steps), errors, warnings), style))
        raise SystemExit(1 if errors or (strict and warnings) else 0)


def _summary(rules: int, steps: int, errors: int, warnings: int) -> str:
    found = f"{counted(errors, 'error')}, {counted(warnings, 'warning')}" if errors or warnings else "nothing is wrong"
    return f"{counted(rules, 'rule')} in force, {counted(steps, 'instrument')} replayed: {found}"
