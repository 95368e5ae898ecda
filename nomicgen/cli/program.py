"""The command line: the lists of commands, and the group that imports one when it is called.

Commands only parse, call, print and exit.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Mapping
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import click

from nomicgen import __version__
from nomicgen.cli.command_table import light_command, read_table

__all__ = ["COMMANDS", "FIRST", "HEADINGS", "main"]

# A command's module is imported when the command is called, so that none waits for the libraries
# of another. `player:join` is `join` in the module `player`; the others are called `command`.
COMMANDS: dict[str, str | dict[str, str]] = {
    "init": "init",
    "next": "next",
    "propose": "propose",
    "register": "register",
    "vote": "vote",
    "status": "status",
    "show": "show",
    "check": "check",
    "proposal": {
        "preview": "preview",
        "rebase": "rebase",
        "resolve": "resolve",
        "resubmit": "resubmit",
        "withdraw": "withdraw",
    },
    "do": "do",
    "turn": "turn",
    "scores": "scores",
    "rule": {
        "history": "history",
        "diff": "diff",
        "blame": "blame",
        "cite": "cite",
        "confirm": "confirm",
    },
    "rulesets": {"show": "rulesets"},
    "explain": "explain",
    "apply": "apply",
    "verify": "verify",
    "correct": "correct",
    "player": {
        "join": "player:join",
        "leave": "player:leave",
        "rest": "player:rest",
        "return": "player:come_back",
        "claim": "player:claim",
        "role": "player:role",
    },
    "judgement": {"file": "judgement:file", "overrule": "judgement:overrule"},
    "import": "import_",
    "record": "record",
    "open": "open",
    "export": "export",
    "plumbing": {name: name for name in ("pulls", "tally", "pages", "workshop")},
    "help": "help",
}
GROUPS = {
    "proposal": "Preview, rebase, resolve, resubmit or withdraw a proposal.",
    "rule": "A rule's history, differences, authors and citations; confirm its provisions.",
    "rulesets": "What the program enforces of a ruleset that ships, or of this game.",
    "player": "Players join, leave, rest, return, take roles and seats.",
    "judgement": "File a judgement, or mark one as overruled.",
    "plumbing": "What workflows and programs call: pull requests, counts, pages without a plugin.",
}
"""The help of each group of commands."""
FIRST: tuple[str, ...] = ("init", "next", "propose", "register", "vote", "status", "show", "check")
"""The commands that `nomicgen --help` shows."""
HEADINGS: dict[str, tuple[str, ...]] = {
    "Play": ("next", "propose", "register", "vote", "proposal", "do", "turn"),
    "Read": ("status", "scores", "show", "rule", "rulesets", "explain"),
    "Keep a game": ("init", "check", "apply", "correct", "player", "judgement"),
    "Prove its history": ("verify",),
    "Archive": ("import", "record", "open", "export"),
    "Machinery": ("plumbing", "help"),
}
"""All commands by what one wants to do, as `nomicgen help` lists them."""

# Words that people type for a command, with the command to suggest; `{}` is the word itself.
_SYNONYMS = {
    **dict.fromkeys(("amend", "repeal", "transmute", "enact"), "propose --{}"),
    "draft": "propose",
    "log": "rule history",
    "annotate": "rule blame",
    "list": "status --rules",
    "rules": "status --rules",
    "judge": "judgement file",
    "advance": "next --do",
    "todo": "next",
    "inactive": "player rest",
    "active": "player return",
    "points": "scores",
    "sign": "vote",
    "witness": "verify",
}


class _Commands(click.Group):
    """A group that imports a command when it is called, and lists commands in its own order."""

    def __init__(self, modules: Mapping[str, str | dict[str, str]], **settings: Any) -> None:
        super().__init__(**settings)
        self.modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.modules)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        table = read_table()
        names = FIRST
        if ctx.parent is not None:
            table, names = table[ctx.info_name or ""]["commands"], tuple(self.modules)
        with formatter.section("Commands"):
            formatter.write_dl([(name, table[name]["help"]) for name in names if name in table])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = self.modules.get(cmd_name)
        if module is None:
            return None
        if ctx.resilient_parsing:  # a shell asks what can be typed
            rows = read_table()
            return light_command(cmd_name, rows[cmd_name]) if cmd_name in rows else None
        if not isinstance(module, str):
            return _Commands(module, name=cmd_name, help=GROUPS[cmd_name], no_args_is_help=True)
        module, _, attribute = module.partition(":")
        # Most of a command's objects live until it ends: to look for garbage among them would take
        # a tenth of its time.
        gc.set_threshold(1_000_000)
        command = getattr(import_module(f"nomicgen.cli.{module}"), attribute or "command")
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = _suggestion(args[0] if args else "", ctx)
            raise click.UsageError(
                error.message + (f" Did you mean `nomicgen {near}`?" if near else ""), ctx
            ) from None


def _suggestion(typed: str, context: click.Context) -> str | None:
    """Return the command that was probably meant by `typed`; None if no name is like it."""
    from difflib import get_close_matches  # only on this path

    if typed in _SYNONYMS:
        return _SYNONYMS[typed].format(typed)
    group = context.info_name if context.parent is not None else None
    meant: dict[str, str] = {}
    for name, below in COMMANDS.items():
        meant.setdefault(name, name)
        if not isinstance(below, str):
            meant |= {
                subcommand: f"{name} {subcommand}"
                for subcommand in below
                if subcommand not in meant or name == group
            }
    near = get_close_matches(typed, meant, 1)
    return meant[near[0]] if near else None


class _Program(_Commands):
    """The whole program."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().main(*args, **kwargs)
        except OSError:
            # Commands handle their own errors; this is for help and the version.
            from nomicgen.cli.command_options import errors_as_messages

            with errors_as_messages():
                raise


@click.command(
    cls=_Program,
    modules=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`nomicgen help` lists all commands. `nomicgen COMMAND --help` explains one.",
)
@click.option(
    "-C",
    "--game",
    "game",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="The game's directory, or a directory in it (default: here).",
)
@click.version_option(__version__, prog_name="nomicgen")
@click.pass_context
def main(context: click.Context, game: Path) -> None:
    """Keep a game of Nomic in git: play it, read it, publish it."""
    context.obj = game
    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a character gets its escape, and not a traceback.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
