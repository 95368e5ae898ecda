"""`nomicgen rule blame`."""

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
from nomicgen.cli.show import find_revision
from nomicgen.formats.blame_text import blame_text
from nomicgen.formats.reading_json import BLAME, blame_fields
from nomicgen.history.citations import revision_periods
from nomicgen.history.passages import text_entries
from nomicgen.history.rule_history import RuleHistory
from nomicgen.law.replay.results import Rule
from nomicgen.model.values import RuleRef
from nomicgen.play.game_history import game_history_of


@click.command("blame")
@click.argument("reference", metavar="N[/R]", type=rule, shell_complete=rules)
@format_option("json")
def command(reference: RuleRef, form: str) -> None:
    """Print who wrote each sentence of a rule.

    For each sentence, it prints the revision, the commit, the proposal, its author, the date and
    the vote. Words that an amendment does not change stay with their author.

    \b
    nomicgen rule blame 203/1
    """
    with errors_as_messages():
        game = the_game()
        revision = find_revision(game, reference)
        game_history = game_history_of(game, rules_only=True)
        history = game_history.histories.rules[revision.identity]
        at = _line_of(history, revision)
        if revision.text is None:
            fail(
                f"the text of Rule {revision.ref} is lost",
                f"nomicgen rule history {revision.number}",
                1,
            )
        if form == "json":
            print_json(BLAME.write(**blame_fields(game_history, history, revision, at)))
            return
        show_heading(revision, revision.tier, reference.number)
        show("")
        for line in blame_text(game_history, history, at):
            show(line)
        if not game_history.git.present:
            show("")
            say("(no git repository: no commits)")


def _line_of(history: RuleHistory, revision: Rule) -> int:
    """Return the index of the last line of a history at which a revision got its text."""
    texts = [
        period.text_index for period in revision_periods(history) if period.rule.ref == revision.ref
    ]
    return texts[-1] if texts else text_entries(history)[-1]
