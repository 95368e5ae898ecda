"""`nomicgen show`."""

from __future__ import annotations

import click

from nomicgen.cli.command_options import (
    errors_as_messages,
    fail,
    format_option,
    moment,
    print_json,
    rule,
    say,
    show,
    show_heading,
    the_game,
)
from nomicgen.cli.completion import rules
from nomicgen.formats.styled_text import styled
from nomicgen.game.load import Game
from nomicgen.law.replay_state import Rule
from nomicgen.law.sentences import sentences
from nomicgen.law.unread_provisions import said_unread
from nomicgen.model import Moment, RuleRef


@click.command("show")
@click.argument("reference", metavar="N[/R]", type=rule, shell_complete=rules)
@click.option("--on", type=moment, metavar="DATE", help="As it stood at the end of this day.")
@format_option("json")
def command(reference: RuleRef, on: Moment | None, form: str) -> None:
    """Print a rule as it stands, or as it stood.

    \b
    nomicgen show 203
    nomicgen show 203 --on 2026-10-01
    """
    with errors_as_messages():
        game = the_game()
        found = find_revision(game, reference, on)
        if form == "json":
            from nomicgen.formats.command_json import RULE

            print_json(RULE.write(found))
            return
        show_heading(found, found.tier, reference.number)
        if found.void:
            say(f"(void{f' since {found.void}' if found.void is not True else ''}: it stands there, and has no force)")
        if found.note:
            say(*(f"note: {line}" for line in found.note.splitlines()))
        show("")
        say(found.text if found.text is not None else "(the text is lost)")
        lines = () if found.void else sentences(found.law)
        if lines:
            show("")
            show(styled("Machine-readable meaning:", "dim"))
            say(*(f"  {line}" for line in lines))
        unread, passages = said_unread(() if found.void else found.unread)
        if unread:
            show("")
            show(styled(unread, "dim"))
            say(*(f"  “{one}”" for one in passages))


def find_revision(game: Game, reference: RuleRef, on: Moment | None = None) -> Rule:
    """The rule that a reference names, by any number that it bore. Ends with an error where there is none."""
    number, revision = reference.number, reference.revision
    if on is not None:
        started = game.settings.started
        if on.precedes(started):
            fail(f"the game began on {started}", f"nomicgen show {number} --on {started}")
        standing = game.replay.on(on).named(number)
        if standing is None:
            fail(f"there was no Rule {number} on {on}", f"nomicgen rule history {number}")
        if revision is not None and standing.revision != revision:
            fail(f"on {on}, Rule {number} was {standing.ref}, not /{revision}", f"nomicgen show {standing.ref}")
        return standing
    standing = game.replay.current.named(number)
    if standing is not None and (revision is None or (standing.number, standing.revision) == (number, revision)):
        return standing
    from nomicgen.game.game_history import histories_of

    histories = histories_of(game)
    if revision is None:
        history = histories.of_number(number)
        if history is None:
            fail(f"there never was a Rule {number}", "`nomicgen status --rules` lists the rules")
        return history.last
    bearers = histories.bearers.get(number, ())
    entries = [entry.rule for identity in bearers for entry in histories.rules[identity].entries]
    found = [one for one in entries if (one.number, one.revision) == (number, revision)]
    if not found:
        shown = ", ".join(dict.fromkeys(one.ref for one in entries))
        fail(
            f"there never was a Rule {reference}",
            f"revisions: {shown}" if shown else "`nomicgen status --rules` lists the rules",
        )
    return found[-1]
