"""`nomicgen status`."""

from __future__ import annotations

import click

from nomicgen.archive.status import Status, status_of
from nomicgen.cli.common import ending, format_option, print_json, say, show, the_game
from nomicgen.diagnostics import counted
from nomicgen.formats.next_text import task_lines
from nomicgen.formats.scores import won
from nomicgen.formats.styled import Text
from nomicgen.formats.terminal import safe
from nomicgen.game import Game, vote_line, whats_next
from nomicgen.model import Instrument, ProposalMatter

__all__ = ["command"]

_SAID = ("vote", "change-vote", "begin", "propose", "end", "judge")
"""What can be done that the lines on turns, votes and judgements say already."""


@click.command("status")
@click.option("--rules", "with_rules", is_flag=True, help="List the rules in force as well.")
@format_option
def command(with_rules: bool, form: str) -> None:
    """Say where the game stands: rules, turns, open votes, who has yet to vote and how few votes would pass, drafts.

    \b
    nomicgen status
    nomicgen status --rules
    """
    with ending():
        game = the_game()
        status = status_of(game.records, game.replay, game.until)
        if form == "json":
            from nomicgen.formats.jsonview import status_json

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
    show(Text(safe(_line(game.settings.name)), "bold"))
    rules = ", ".join(
        f"{count} {tier}{f' (of {cap} at most)' if cap is not None else ''}"
        for tier, (count, cap) in status.tiers.items()
    )
    say(f"rules in force: {rules}")
    if status.turn is not None:
        matter = status.turn.matter
        when = f"ended {matter.ended}" if matter.ended else f"since {matter.began}" if matter.began else "now"
        alone = f"; only {matter.player} proposes (Rule {status.own_turn})" * (status.own_turn is not None)
        say(f"turn {status.turn.ident}: {matter.player}, {when}{alone}")
    following = game.replay.next_turn
    if following is not None:
        begins = "" if game.records.turns else "; no turn has begun yet: nomicgen turn"
        say(f"next turn: {following.ident}, {following.player}{begins}")
    if game.replay.winner is not None:
        say(won(game.replay.winner))
    for instrument, tally in status.voting:
        assert isinstance(instrument.matter, ProposalMatter)
        assert instrument.number is not None
        named = f" (ballot {instrument.matter.ballot_name})" if instrument.matter.ballot_name else ""
        say(f"open: {_line(instrument.title)}{named}" if instrument.title else f"open:{named}")
        say(*(f"  {line}" for line in vote_line(game, instrument.number, tally, commands=False)))
    for word, group in (("debated", status.debated), ("draft", status.drafts), ("pending", status.pending)):
        for instrument in group:
            say(f"{word}: {_name(instrument)}")
    for task in whats_next(game):
        if task.kind not in _SAID:
            say(*task_lines(task))
    say(f"the next proposal is {status.next_number}")
    if game.errors:
        show(Text(f"{counted(len(game.errors), 'error')}: nomicgen check", "bold red"))


def _name(instrument: Instrument) -> str:
    return f"{instrument.name}{f', {_line(instrument.title)}' if instrument.title else ''}"


def _line(text: str) -> str:
    return " ".join(text.split())
