"""`nomicgen status`."""

from __future__ import annotations

import click

from nomicgen.cli.command_options import (
    errors_as_messages,
    format_option,
    game_on,
    moment,
    print_json,
    say,
    show,
)
from nomicgen.formats.styled_text import style_text
from nomicgen.formats.terminal import safe
from nomicgen.law.replay.results import Rule
from nomicgen.law.voting.tally import Tally
from nomicgen.model.findings import counted
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.records import Instrument
from nomicgen.model.values import Moment
from nomicgen.play.command_json import STATUS, status_fields
from nomicgen.play.game_status import Status, status_of, unguarded_words
from nomicgen.play.load import Game, as_of
from nomicgen.play.open_tasks import is_held_elsewhere
from nomicgen.play.possible_moves import whats_next
from nomicgen.play.scores_text import won
from nomicgen.play.tasks import task_lines
from nomicgen.play.voting.status import vote_lines

_SAID = ("vote", "change-vote", "begin", "propose", "end", "judge")
"""Kinds of tasks that are left out, since the lines on turns, votes and judgements show them."""


@click.command("status")
@click.option("--rules", "with_rules", is_flag=True, help="Also list the rules in force.")
@click.option(
    "--on", type=moment, metavar="DATE", help="As of the end of this day (default: today)."
)
@format_option("json")
def command(with_rules: bool, on: Moment | None, form: str) -> None:
    """Show where the game stands, and who has not voted.

    \b
    nomicgen status --rules
    """
    with errors_as_messages():
        now = game_on(on)
        game = as_of(now, on) if on is not None else now
        status = status_of(game.records, game.replay, game.until)
        if form == "json":
            print_json(
                STATUS.write(
                    status, **status_fields(game.records, game.replay, status, len(now.errors))
                )
            )
            return
        _print(game, status, past=game.until.day < now.until.day)
        if with_rules:
            say("", *(_rule_line(rule, game.until) for rule in game.replay.current))


def _print(game: Game, status: Status, *, past: bool) -> None:
    show(style_text(safe(_line(game.settings.name)), "bold"))
    rules = ", ".join(
        f"{count} {tier}{f' (of {cap} at most)' if cap is not None else ''}"
        for tier, (count, cap) in status.tiers.items()
    )
    void = sum(rule.void_on(game.until) for rule in game.replay.current)
    # A rule that is void has no force.
    counts = f"rules: {rules}; {void} of them void" if void else f"rules in force: {rules}"
    say(counts, *unguarded_words(status))
    for turn in status.running or filter(None, [status.turn]):
        matter = turn.matter
        when = (
            f"ended {matter.ended}"
            if matter.ended
            else f"since {matter.began}"
            if matter.began
            else "now"
        )
        alone = f"; only {matter.player} proposes (Rule {status.own_turn})" * (
            status.own_turn is not None and len(status.running) == 1
        )
        say(f"turn {turn.ident}: {matter.player}, {when}{alone}")
    following = game.replay.next_turn
    if following is not None:
        none_yet = not game.records.turns and not any(
            path.startswith("turns/") for path in game.records.withheld
        )
        begins = "; no turn has begun yet: nomicgen turn" if none_yet else ""
        say(f"next turn: {following.ident}, {following.player}{begins}")
    if game.replay.winner is not None:
        say(won(game.replay.winner))
    for instrument, tally in status.voting:
        _print_vote(game, instrument, tally)
    for label, group in (
        ("open: ", status.decided_since),  # on the past day that was asked about
        ("debated: ", status.debated),
        ("", status.drafts),
        ("pending: ", status.pending),
    ):
        for instrument in group:
            say(f"{label}{_name(instrument)}")
    for step in status.coming:
        when = f"on {step.effective}" if step.effective else "with the next turn"
        say(f"decided: {_name(step.instrument)}; takes effect {when}")
    if past:
        say("for what can be done now, and what is wrong, leave out --on")
        return
    for task in whats_next(game):
        if task.kind not in _SAID:
            say(*task_lines(task))
    say(f"the next proposal is {status.next_number}")
    if game.errors:
        show(style_text(f"{counted(len(game.errors), 'error')}: nomicgen check", "bold red"))


def _print_vote(game: Game, instrument: Instrument, tally: Tally) -> None:
    matter = instrument.matter
    assert isinstance(matter, ProposalMatter)
    assert instrument.number is not None
    named = f" (ballot {matter.ballot_name})" if matter.ballot_name else ""
    say(f"open: {_line(instrument.title)}{named}" if instrument.title else f"open:{named}")
    if is_held_elsewhere(matter):
        say(f"  the votes are on its pull request: {matter.discussion}")
    else:
        say(*(f"  {line}" for line in vote_lines(game, instrument.number, tally, commands=False)))


def _rule_line(rule: Rule, moment: Moment) -> str:
    void = "void: " * rule.void_on(moment)
    return f"  {rule.ref:>7}  {rule.tier:<10} {void}{_line(rule.title or '')}".rstrip()


def _name(instrument: Instrument) -> str:
    return f"{instrument.name}{f', {_line(instrument.title)}' if instrument.title else ''}"


def _line(text: str) -> str:
    return " ".join(text.split())
