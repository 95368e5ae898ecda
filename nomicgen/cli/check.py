"""`nomicgen check`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from nomicgen.cli.command_options import (
    end_with,
    errors_as_messages,
    findings_options,
    moment,
    print_findings,
    print_for_forge,
    print_json,
    pull_options,
    say,
    show,
    the_game,
    working_folder,
)
from nomicgen.formats.findings_text import summary_text
from nomicgen.model.findings import Finding, counted
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, check_game

if TYPE_CHECKING:
    from nomicgen.play.next_step import NextStep
    from nomicgen.pulls.request import PullVerdict


@click.command("check")
@pull_options
@click.option("--discussion", metavar="URL", help="The pull request's address.")
@findings_options
@click.option(
    "--on", type=moment, metavar="DATE", help="Check as of the end of this day (default: today)."
)
def command(
    base: str | None,
    head: str | None,
    actor: PlayerId | None,
    machinery: bool,
    discussion: str | None,
    form: str,
    strict: bool,
    on: Moment | None,
) -> None:
    """Replay the whole ledger, and list what is wrong.

    With --base it judges a pull request by the law of that commit: what kind it is, what it may
    touch, which errors are its own, and whether its draft can get a number. --head is read as data;
    nothing of it is checked out or run.

    Exits with 0 without errors, 1 with errors or a draft that is refused a number, 2 if it cannot
    be checked at all.

    \b
    nomicgen check
    nomicgen check --strict --format github     in CI
    nomicgen check --base main                  before you open a pull request
    nomicgen explain rules-differ               what a finding means
    """
    if base is None and (machinery or any((head, actor, discussion))):
        raise click.UsageError(
            "--head, --actor, --machinery and --discussion are about a pull request: give --base "
            "REF, too."
        )
    with errors_as_messages():
        if base is None:
            game = the_game(on)
            if findings := check_game(game):
                from nomicgen.play.mending.shown import as_shown

                findings = as_shown(game, findings)
            _print(game, findings, form)
        else:
            from nomicgen.pulls.examine import examine
            from nomicgen.pulls.report import judge_pull

            pull = examine(working_folder(), base, head, actor=actor, machinery=machinery, until=on)
            verdict, step = judge_pull(pull, discussion)
            findings = verdict.findings
            _print_verdict(pull.base, verdict, step, form)
            if step is not None and not step.is_lawful:
                raise SystemExit(1)
        end_with(findings, strict=strict)


def _print(game: Game, findings: Sequence[Finding], form: str) -> None:
    if form == "json":
        from nomicgen.formats.findings import findings_json

        print_json(findings_json(findings))
    elif form != "text":
        print_for_forge(form, findings, folder=_folder(game))
    else:
        print_findings(findings)
        if findings:
            show("")
        undecided = any(
            proposal.matter.is_undecided for proposal in game.records.of_kind("proposal")
        )
        if undecided and not any(finding.is_error for finding in findings):
            from nomicgen.play.next_step import hindered_steps

            say(*(f"{path}: {why}" for path, why in hindered_steps(game)))
        rules = sum(not rule.void_on(game.until) for rule in game.replay.current)
        steps = len(game.replay.steps)
        show(
            summary_text(
                findings,
                f"{counted(rules, 'rule')} in force, {counted(steps, 'instrument')} replayed",
            )
        )


def _print_verdict(base: Game, verdict: PullVerdict, step: NextStep | None, form: str) -> None:
    if form == "json":
        from nomicgen.pulls.as_json import VERDICT

        print_json(VERDICT.write(verdict))
    elif form != "text":
        print_for_forge(form, verdict.findings, verdict.old, _folder(base))
    else:
        from nomicgen.pulls.as_text import verdict_text

        for text in verdict_text(verdict):
            show(text)
        if step is not None:
            say(step.words)


def _folder(game: Game) -> str:
    """Return the game's folder in its repository, '' for the repository's own."""
    from nomicgen.repository.git_state import inspect

    return inspect(game.root).prefix.rstrip("/")
