"""What the commands share: their options, how they print, how they end."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import update_wrapper
from pathlib import Path
from typing import Any, NoReturn

import click
from rich.console import Console
from rich.text import Text

from nomicgen.cli.preview import preview
from nomicgen.diagnostics import Finding
from nomicgen.formats.findings import finding_text
from nomicgen.formats.terminal import safe
from nomicgen.game import Game, Move, Refused, load, perform
from nomicgen.model import Moment, RuleRef
from nomicgen.repository import RepositoryError

__all__ = [
    "console",
    "ending",
    "fail",
    "format_option",
    "ident",
    "moment",
    "moves",
    "print_findings",
    "print_json",
    "rule",
    "say",
    "the_game",
]


def moment(text: str) -> Moment:
    """A day, perhaps with a time, from the command line."""
    try:
        return Moment.parse(text)
    except ValueError as error:
        raise click.BadParameter(f"{text!r} {error}") from None


def rule(text: str) -> RuleRef:
    """A rule or a revision, from the command line; `Rule 203` does as well."""
    try:
        return RuleRef.parse(text.removeprefix("Rule ").removeprefix("rule "))
    except ValueError as error:
        raise click.BadParameter(f"{text!r} {error}") from None


def ident(text: str) -> str:
    """A player's id, from the command line."""
    if not re.fullmatch(r"[a-z][a-z0-9-]{0,63}", text):
        raise click.BadParameter(f"{text!r} is no id: small letters, digits and hyphens, beginning with a letter")
    return text


def console(*, stderr: bool = False) -> Console:
    """A console that leaves lines whole for pipes; NO_COLOR and TERM are rich's to heed."""
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=True)


def say(*lines: str) -> None:
    """Prints lines that may hold what players wrote."""
    out = console()
    for line in lines:
        out.print(Text(safe(line)))


def print_json(value: object) -> None:
    """Prints JSON, and nothing else, on stdout."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def print_findings(findings: Sequence[Finding], *, stderr: bool = False) -> None:
    """Prints each finding as text."""
    out = console(stderr=stderr)
    for finding in findings:
        out.print(finding_text(finding))


def fail(message: str, remedy: str = "", code: int = 2) -> NoReturn:
    """Ends with an error that says what to type next."""
    text = Text.assemble(("error: ", "bold red"), safe(message))
    if remedy:
        text.append("\nhelp: ", "bold cyan").append(safe(remedy))
    console(stderr=True).print(text)
    raise SystemExit(code)


@contextmanager
def ending() -> Iterator[None]:
    """Turns what can go wrong into an error that says what to do: no traceback reaches a user."""
    try:
        yield
    except Refused as refused:
        print_findings(refused.findings, stderr=True)
        fail(refused.message, refused.remedy, 1 if refused.findings else 2)
    except RepositoryError as error:
        fail(error.message, error.remedy)
    except BrokenPipeError:
        # The reader went away (`| head`): that is no error, and Python must not complain at its exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None


def the_game(until: Moment | None = None) -> Game:
    """The game that the command is called in."""
    return load(click.get_current_context().find_root().obj or Path(), until)


def format_option(function: Callable[..., None]) -> Callable[..., None]:
    """`--format text|json`."""
    return click.option(
        "--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to print it (default: text)."
    )(function)


def moves(function: Callable[..., Move]) -> Callable[..., None]:
    """Makes a command of a function from a game and a moment to a move: it is shown, or carried out."""

    def command(on: Moment | None, commits: bool, dry_run: bool, **options: Any) -> None:
        with ending():
            game = the_game()
            if on is not None and game.until < on:
                game = the_game(on)
            move = function(game, on or game.until, **options)
            finish(move, commits=commits, dry_run=dry_run)

    update_wrapper(command, function)
    wrapped: Callable[..., None] = command
    for option in (
        click.option("--dry-run", is_flag=True, help="Show what would change, and write nothing."),
        click.option("--commit", "commits", is_flag=True, help="Commit what changes, and nothing else."),
        click.option("--on", type=moment, metavar="DATE", help="The day it happened (default: today)."),
    ):
        wrapped = option(wrapped)
    return wrapped


def finish(move: Move, *, commits: bool, dry_run: bool) -> None:
    """Carries a move out, or with `dry_run` shows what it would change."""
    if dry_run:
        say(*move.said)
        out = console()
        for text in preview(move):
            out.print(text)
        say("nothing was written (--dry-run)")
        return
    made = perform(move, commits=commits)
    say(*move.said)
    for sha in made:
        say(f"commit {sha[:12]}")
