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
from nomicgen.formats.styled_text import style_text
from nomicgen.law.checks.provisions import is_doubtful
from nomicgen.law.replay.results import Rule
from nomicgen.law.sentences import sentences
from nomicgen.law.unread_passages import said_unread
from nomicgen.model.values import Moment, RuleRef
from nomicgen.play.command_json import RULE
from nomicgen.play.game_history import histories_of
from nomicgen.play.load import Game


@click.command("show")
@click.argument("reference", metavar="N[/R]", type=rule, shell_complete=rules)
@click.option("--on", type=moment, metavar="DATE", help="As it was at the end of this day.")
@format_option("json")
def command(reference: RuleRef, on: Moment | None, form: str) -> None:
    """Print a rule as it is, or as it was.

    \b
    nomicgen show 203
    nomicgen show 203 --on 2026-10-01
    """
    with errors_as_messages():
        game = the_game()
        shown = find_revision(game, reference, on)
        if form == "json":
            print_json(RULE.write(shown))
            return
        show_heading(shown, shown.tier, reference.number)
        is_void = shown.void_on(on or game.until)
        if shown.void:
            say(
                f"(void{f' from {shown.void} on' if shown.void is not True else ''}: it stays "
                "listed, without force)"
            )
        if shown.note:
            say(*(f"note: {line}" for line in shown.note.splitlines()))
        show("")
        say(shown.text if shown.text is not None else "(the text is lost)")
        lines = () if is_void else sentences(shown.law)
        if lines:
            show("")
            show(style_text("Machine-readable meaning:", "dim"))
            say(*(f"  {line}" for line in lines))
            if is_doubtful(shown, game.settings):
                say(
                    "  The text is newer. If both mean the same: nomicgen rule confirm "
                    f"{shown.number}"
                )
        unread, passages = said_unread(() if is_void else shown.unread)
        if unread:
            show("")
            show(style_text(unread, "dim"))
            say(*(f"  “{passage}”" for passage in passages))


def find_revision(game: Game, reference: RuleRef, on: Moment | None = None) -> Rule:
    """Return the rule that a reference names, by any number that it ever had.

    It is returned as it was at the end of the day `on`; without a day, as it is, or last was. A
    reference with a revision gets that revision. Ends the command with an error if there is none.
    """
    number, revision = reference.number, reference.revision
    if on is not None:
        started = game.settings.started
        if on.precedes(started):
            fail(f"the game began on {started}", f"nomicgen show {number} --on {started}")
        standing = game.replay.on(on).once_numbered(number)
        if standing is None:
            fail(f"there was no Rule {number} on {on}", f"nomicgen rule history {number}")
        if revision is not None and standing.revision != revision:
            fail(
                f"on {on}, Rule {number} was {standing.ref}, not /{revision}",
                f"nomicgen show {standing.ref}",
            )
        return standing
    standing = game.replay.current.once_numbered(number)
    if standing is not None and (
        revision is None or (standing.number, standing.revision) == (number, revision)
    ):
        return standing
    # The rule is repealed or never was, or the reference names an earlier number or revision.
    histories = histories_of(game)
    if revision is None:
        history = histories.of_number(number)
        if history is None:
            path = f"proposals/{number}.md"
            remedy = (
                f"Proposal {number} is in {path}"
                if path in game.records.instruments
                else "`nomicgen status --rules` lists the rules"
            )
            fail(f"there never was a Rule {number}", remedy)
        return history.last
    bearers = histories.bearers.get(number, ())
    entries = [entry.rule for identity in bearers for entry in histories.rules[identity].entries]
    revisions = [
        bearer for bearer in entries if (bearer.number, bearer.revision) == (number, revision)
    ]
    if not revisions:
        shown = ", ".join(dict.fromkeys(bearer.ref for bearer in entries))
        fail(
            f"there never was a Rule {reference}",
            f"revisions: {shown}" if shown else "`nomicgen status --rules` lists the rules",
        )
    return revisions[-1]
