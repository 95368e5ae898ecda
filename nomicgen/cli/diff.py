"""`nomicgen rule diff`."""

from __future__ import annotations

import click

from nomicgen.cli.command_options import (
    errors_as_messages,
    fail,
    format_option,
    print_json,
    rule,
    show,
    the_game,
)
from nomicgen.cli.completion import rules
from nomicgen.cli.show import find_revision
from nomicgen.formats.reading_json import REDLINE, redline_fields
from nomicgen.formats.redline_text import redline_text
from nomicgen.formats.styled_text import style_text
from nomicgen.formats.terminal import safe
from nomicgen.law.sentences import sentences
from nomicgen.model.values import RuleRef


@click.command("diff")
@click.argument("old", metavar="N/R", type=rule, shell_complete=rules)
@click.argument("new", metavar="N/R", type=rule, shell_complete=rules)
@format_option("json")
def command(old: RuleRef, new: RuleRef, form: str) -> None:
    """Print a redline between two revisions or two rules.

    \b
    nomicgen rule diff 203/0 305/1
    """
    with errors_as_messages():
        game = the_game()
        before, after = find_revision(game, old), find_revision(game, new)
        for revision in (before, after):
            if revision.text is None:
                fail(
                    f"the text of Rule {revision.ref} is lost",
                    f"nomicgen rule history {revision.number}",
                    1,
                )
        if form == "json":
            print_json(REDLINE.write(**redline_fields(before, after)))
            return
        show(style_text(safe(f"Rule {before.ref} -> Rule {after.ref}"), "bold"))
        show(redline_text(before.text or "", after.text or ""))
        gone, come = sentences(before.law), sentences(after.law)
        if gone != come:
            show("")
            for line in gone:
                if line not in come:
                    show(style_text(f"- {safe(line)}", "red"))
            for line in come:
                if line not in gone:
                    show(style_text(f"+ {safe(line)}", "green"))
