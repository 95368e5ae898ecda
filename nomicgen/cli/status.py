"""`nomicgen status`."""

from __future__ import annotations

import click
from rich.text import Text

from nomicgen.archive.status import Status, status_of
from nomicgen.cli.common import console, ending, format_option, print_json, say, the_game
from nomicgen.diagnostics import counted
from nomicgen.formats.jsonview import status_json
from nomicgen.formats.terminal import safe
from nomicgen.game import Game
from nomicgen.model import Instrument

__all__ = ["command"]


@click.command("status")
@click.option("--rules", "with_rules", is_flag=True, help="List the rules in force as well.")
@format_option
def command(with_rules: bool, form: str) -> None:
    """Say where the game stands: rules, turn, open votes and who has yet to vote, drafts, judgements.

    \b
    nomicgen status
    nomicgen status --rules
    """
    with ending():
        game = the_game()
        status = status_of(game.records, game.replay, game.until)
        if form == "json":
            print_json(status_json(game.records, game.replay, status, len(game.errors)))
            return
        _print(game, status)
        if with_rules:
            say(
                "",
                *(
                    f"  {rule.ref:>7}  {rule.tier:<10} {_line(rule.title or '')}".rstrip()
                    for rule in game.replay.current
                ),
            )


def _print(game: Game, status: Status) -> None:
    out = console()
    out.print(Text(safe(_line(game.settings.name)), "bold"))
    rules = ", ".join(
        f"{count} {tier}{f' (of {cap} at most)' if cap is not None else ''}"
        for tier, (count, cap) in status.tiers.items()
    )
    say(f"rules in force: {rules}")
    if status.turn is not None:
        matter = status.turn.matter
        when = f"ended {matter.ended}" if matter.ended else f"since {matter.began}" if matter.began else "now"
        say(f"turn {status.turn.ident}: {matter.player}, {when}")
    for instrument, tally in status.voting:
        say(f"open: {_name(instrument)}: {len(tally.for_)} for, {len(tally.against)} against")
        if tally.missing:
            say(f"  yet to vote: {', '.join(tally.missing)}")
        else:
            say(f"  everyone voted: nomicgen resolve {instrument.number}")
    for word, group in (("debated", status.debated), ("draft", status.drafts), ("pending", status.pending)):
        for instrument in group:
            say(f"{word}: {_name(instrument)}")
    say(f"the next proposal is {status.next_number}")
    if game.errors:
        out.print(Text(f"{counted(len(game.errors), 'error')}: nomicgen check", "bold red"))


def _name(instrument: Instrument) -> str:
    return f"{instrument.name}{f', {_line(instrument.title)}' if instrument.title else ''}"


def _line(text: str) -> str:
    return " ".join(text.split())
