"""`nomicgen proposal preview`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

import click

from nomicgen.cli.command_options import (
    errors_as_messages,
    fail,
    format_option,
    moment,
    print_json,
    pull_options,
    read_named_file,
    show,
    the_game,
    working_folder,
)
from nomicgen.cli.completion import proposals
from nomicgen.files.text_encoding import SIZE_LIMIT
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Moment
from nomicgen.play.load import Game
from nomicgen.play.preview.as_json import PREVIEW
from nomicgen.play.preview.as_markdown import preview_markdown
from nomicgen.play.preview.as_text import preview_text
from nomicgen.play.preview.previewing import preview_file, preview_of
from nomicgen.play.preview.proposal import Preview
from nomicgen.pulls.as_json import pull_json
from nomicgen.pulls.as_markdown import comment_markdown
from nomicgen.pulls.as_text import verdict_text
from nomicgen.pulls.examine import Pull, examine
from nomicgen.pulls.report import report_on
from nomicgen.repository.paths import real


@click.command("preview")
@click.argument("proposal", metavar="[FILE|NUMBER|DRAFT]", required=False, shell_complete=proposals)
@pull_options
@click.option("--discussion", metavar="URL", help="The pull request's address.")
@click.option(
    "--branch", metavar="URL", help="Its branch, such as https://github.com/wren/tea/tree/patch-1."
)
@format_option("markdown", "json")
@click.option(
    "--on",
    type=moment,
    metavar="DATE",
    help="Judge by the rules at the end of this day (default: today).",
)
def command(
    proposal: str | None,
    base: str | None,
    head: str | None,
    actor: PlayerId | None,
    machinery: bool,
    discussion: str | None,
    branch: str | None,
    form: str,
    on: Moment | None,
) -> None:
    """Show what a proposal would do.

    FILE is a proposal from anywhere (- for stdin). NUMBER and DRAFT name a proposal of the game,
    such as 305 or a-quorum. The command shows what would change, which votes that needs, what would
    become possible and impossible, and what it and other undecided proposals do to each other. It
    writes nothing. It exits with 1 if the proposal would be refused.

    With --base it shows a pull request instead, judged by the law of that commit; in Markdown, this
    is the comment on it. --head is read as data; nothing of it is checked out or run.

    \b
    nomicgen proposal preview 305
    nomicgen proposal preview ~/ideas/quorum.md --format markdown
    nomicgen proposal preview --base main --format markdown
    """
    if (proposal is None) == (base is None):
        raise click.UsageError("Name one thing: a proposal, or a pull request with --base REF.")
    if base is None and (machinery or any((head, actor, discussion, branch))):
        raise click.UsageError(
            "--head, --actor, --machinery, --discussion and --branch are about a pull request: "
            "give --base REF, too."
        )
    with errors_as_messages():
        if base is not None:
            _show_pull(
                examine(working_folder(), base, head, actor=actor, machinery=machinery, until=on),
                discussion,
                branch,
                form,
            )
        assert proposal is not None
        preview = _preview(the_game(on), proposal)
        if form == "json":
            print_json(PREVIEW.write(preview))
        elif form == "markdown":
            click.echo(preview_markdown(preview), nl=False)
        else:
            _print(preview_text(preview))
        raise SystemExit(0 if preview.legal else 1)


def _show_pull(pull: Pull, discussion: str | None, branch: str | None, form: str) -> NoReturn:
    report = report_on(pull, discussion, branch)
    if form == "json":
        print_json(pull_json(pull.verdict, report))
    elif form == "markdown":
        comment = comment_markdown(
            pull.verdict,
            report,
            head=pull.head,
            zone=pull.base.settings.timezone,
        )
        click.echo(comment, nl=False)
    else:
        _print(verdict_text(pull.verdict, report.preview))
        if report.preview is not None:
            _print(("", *preview_text(report.preview)))
    ended = report.standing is not None and not report.standing.is_undecided
    legal = (report.preview is None or report.preview.legal) and not pull.verdict.refused
    raise SystemExit(0 if legal or ended else 1)


def _print(texts: Iterable[str]) -> None:
    for text in texts:
        show(text)


def _preview(game: Game, named: str) -> Preview:
    """Return the preview of a proposal of the game; if none has that name, of a file."""
    if named == "-":
        return preview_file(game, read_named_file(Path(named), SIZE_LIMIT), "stdin")
    path = f"proposals/{named}.md"
    if path in game.tree:
        return preview_of(game, path)
    file = Path(named)
    if not file.is_file():
        fail(
            f"there is no proposal {named}, and no such file",
            "`nomicgen status` lists the proposals and drafts",
        )
    inside = _inside(game, file)
    if inside is not None:
        return preview_of(game, inside)
    return preview_file(game, read_named_file(file, SIZE_LIMIT), named)


def _inside(game: Game, file: Path) -> str | None:
    """Return the path of a file in the game, None if the game has no such file."""
    whole = real(file)
    path = whole.relative_to(game.root).as_posix() if whole.is_relative_to(game.root) else ""
    return path if path in game.tree else None
