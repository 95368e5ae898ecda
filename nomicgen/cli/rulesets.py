"""`nomicgen rulesets`."""

from __future__ import annotations

from collections.abc import Iterable

import click

from nomicgen.cli.command_options import (
    errors_as_messages,
    format_option,
    print_json,
    say,
    show,
    the_game,
)
from nomicgen.formats.styled_text import style_text
from nomicgen.play.enforcement import (
    ENFORCED,
    RuleEnforced,
    SaidSentence,
    enforced_in_game,
    enforced_of_ruleset,
)
from nomicgen.play.rulesets import NAMES


@click.command("show")
@click.argument("name", required=False, type=click.Choice(NAMES), metavar="[NAME]")
@format_option("json")
def command(name: str | None, form: str) -> None:
    """Say of each rule what the program enforces.

    NAME is a ruleset that ships with nomicgen, such as suber: each of its sentences is shown.
    Without NAME, the command shows the rules of this game.

    \b
    nomicgen rulesets show suber
    nomicgen rulesets show
    """
    with errors_as_messages():
        rules = [*(enforced_of_ruleset(name) if name is not None else enforced_in_game(the_game()))]
        if form == "json":
            print_json(ENFORCED.write(rules=rules))
            return
        for rule in rules:
            show(style_text(f"Rule {rule.ref}{f': {rule.title}' if rule.title else ''}", "bold"))
            say(*_lines(rule))
        if name is not None:
            say("", _counts(rules))


def _lines(rule: RuleEnforced) -> Iterable[str]:
    if not rule.said:
        return (
            (f"  enforced: {line}" for line in rule.does)
            if rule.does
            else ("  nothing is enforced",)
        )
    return (
        line for said in rule.said for line in (f"  {said.text}", f"    {_enforcer(said, rule)}")
    )


def _enforcer(said: SaidSentence, rule: RuleEnforced) -> str:
    why = f": {said.why}" if said.why else ""
    if said.by == "players":
        return f"left to the players{why}"
    if said.by == "shown":
        return f"shown, and judged by people{why}"
    of = f" of Rule {said.rule}" if str(said.rule) != rule.ref.partition("/")[0] else ""
    finding = f", a breach is {said.finding}" if said.finding else ""
    return f"enforced by `{said.by}`{of}{finding}{why}"


def _counts(rules: list[RuleEnforced]) -> str:
    enforcers = [said.by for rule in rules for said in rule.said]
    total, people, shown = len(enforcers), enforcers.count("players"), enforcers.count("shown")
    enforced = total - people - shown
    return f"{total} sentences: {enforced} enforced, {shown} shown, {people} left to the players"
