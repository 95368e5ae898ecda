"""`nomicgen rule history`."""

from __future__ import annotations

import click

from nomicgen.cli.command_options import (
    errors_as_messages,
    fail,
    format_option,
    print_json,
    rule,
    say,
    show,
    show_heading,
    the_game,
)
from nomicgen.cli.completion import rules
from nomicgen.formats.styled_text import style_text
from nomicgen.formats.terminal import safe
from nomicgen.history.game_history import GameHistory
from nomicgen.history.history_lines import history_line
from nomicgen.model.values import RuleRef
from nomicgen.play.command_json import history_json
from nomicgen.play.game_history import game_history_of


@click.command("history")
@click.argument("reference", metavar="N", type=rule, shell_complete=rules)
@format_option("json")
def command(reference: RuleRef, form: str) -> None:
    """Print a rule's history, each line with its commit.

    You can use any number that the rule ever had.

    \b
    nomicgen rule history 203
    """
    with errors_as_messages():
        game_history = game_history_of(the_game(), rules_only=True)
        bearers = game_history.histories.bearers.get(reference.number, ())
        if not bearers:
            fail(
                f"there never was a Rule {reference.number}",
                "`nomicgen status --rules` lists the rules",
            )
        if form == "json":
            print_json(
                [
                    history_json(game_history, game_history.histories.rules[bearer])
                    for bearer in bearers
                ]
            )
            return
        for identity in bearers:
            _print(game_history, identity)


def _print(game_history: GameHistory, identity: int) -> None:
    history = game_history.histories.rules[identity]
    show_heading(history.last, history.last.tier if history.current else "repealed")
    names = game_history.records.names
    for index, entry in enumerate(history.entries):
        origin = game_history.origins.get((identity, index))
        sha = origin.sha[:10] if origin and origin.sha else "-" * 10
        show(style_text(f"  {sha}  ", "yellow") + safe(history_line(entry, names)))
    if not game_history.git.present:
        say("  (no git repository: no commits)")
