"""`nomicgen plumbing pulls`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from nomicgen.cli.command_options import (
    carry_out,
    errors_as_messages,
    fail,
    game_on,
    move_options,
    print_error,
    print_findings,
    read_named_file,
    say,
)
from nomicgen.formats.terminal import safe
from nomicgen.model.values import Moment
from nomicgen.play.load import now
from nomicgen.pulls.answers import PullAnswer, answers
from nomicgen.pulls.choice import PullChoice, choose
from nomicgen.pulls.forge.github import read_recorded
from nomicgen.pulls.forge.json_documents import LIMIT
from nomicgen.pulls.forge.pull_list import PullRequest, read_pulls
from nomicgen.pulls.run import PullsRun, RecordedPull, play_pulls

_LISTS = ("reviews.json", "comments.json", "review-comments.json", "timeline.json")
_REACTIONS = r"[1-9][0-9]{0,18}\.json"
"""The files with reactions, each named after a comment; `_LISTS` are the others that are read."""
_REPLIES = r"[1-9][0-9]{0,9}\.(?:md|ballot\.md|close)|replies\.json|keeper\.txt"
"""The files that a run writes into --replies; those of an earlier run are deleted first."""
_KEEPER = "keeper.txt"
_MOST, _SHOWN = 100, 50
"""The most pull requests that --choose chooses besides those with a registered proposal, and the
most numbers of those left out that it names.
"""
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command("pulls")
@click.argument("folder", metavar="DIR", type=_FOLDER)
@click.option(
    "--replies",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the answers to the pull requests here.",
)
@click.option(
    "--by-hand",
    is_flag=True,
    help="Also write what follows from a deadline that passed long ago, and begin the next turn.",
)
@click.option(
    "--choose",
    "chooses",
    is_flag=True,
    help="Print which pull requests' JSON to fetch, and do nothing else.",
)
@move_options(help="As of this day (default: today).")
def command(
    folder: Path,
    replies: Path | None,
    by_hand: bool,
    chooses: bool,
    on: Moment | None,
    commits: bool,
    dry_run: bool,
) -> None:
    """Do what is due, and what open pull requests ask for.

    Registers and withdraws proposals, puts them to the vote again, counts votes, and ends each vote
    that is over.

    DIR has GitHub's own JSON: pulls.json, the list of pull requests, and for each of them
    N/reviews.json, N/comments.json, N/review-comments.json, N/timeline.json and
    N/reactions/COMMENT.json, if there are any. Their last commits must be in this repository; they
    are read as data, and nothing of them is checked out or run.

    You can run it again at any time: it does nothing twice. If something cannot be done, it does
    the rest and exits with 1. A lawful draft that only has to wait is no failure. If the author
    of a pull request asked for something that cannot be done, the comment on it says so.
    keeper.txt, beside the replies, lists what the keeper has to look at.

    If a deadline passed more than two days ago, what follows from it is only announced, so that
    players can read of it first. A run with --by-hand writes it for one file, such as a
    proposal, and leaves others to the next such run. It also begins the next turn if it can begin.

    With --choose, only pulls.json is needed. It prints the number and the last commit of each pull
    request whose JSON you have to put into DIR: those with a registered proposal, and up to 100
    others by players, each player's oldest first. What it leaves out goes to standard error.

    \b
    nomicgen plumbing pulls forge --choose
    nomicgen plumbing pulls forge --commit --replies replies
    """
    with errors_as_messages():
        game = game_on(on)
        moment = on or now(game.settings)
        listed, unread = _listed_pulls(folder)
        if chooses:
            _print_choice(choose(game, listed, _MOST))
            return
        cases = [
            RecordedPull(pull=pull, recorded=read_recorded(_files(folder, pull))) for pull in listed
        ]
        run = play_pulls(game, cases, moment, by_hand=by_hand)
        # Before anything is written: if an answer cannot be made, nothing is done.
        pull_answers = list(answers(run, cases, moment))
        carry_out(run.move, commits=commits, dry_run=dry_run)
        for_the_keeper = list(_for_the_keeper(run, cases, unread=unread))
        if replies is not None and not dry_run:
            _write(replies, pull_answers, for_the_keeper)
        _report(run, cases)
        if for_the_keeper or any(refused.waits is None for refused in run.wrong.values()):
            raise SystemExit(1)


def _listed_pulls(folder: Path) -> tuple[tuple[PullRequest, ...], bool]:
    """Return the pull requests that are listed, and whether one of them could not be read."""
    path = folder / "pulls.json"
    if not path.is_file():
        fail(
            f"there is no {path}",
            "record it: `gh api --paginate --slurp repos/OWNER/NAME/pulls > pulls.json`",
        )
    pulls, problems = read_pulls(path.as_posix(), _read(path))
    for problem in problems:
        if problem.fatal:
            fail(str(problem), problem.help)
        print_error(str(problem), problem.help)
    return pulls, bool(problems)


def _print_choice(choice: PullChoice) -> None:
    say(*(f"{pull.number} {pull.head}" for pull in choice.read))
    for why, numbers in (
        ("no player has the account of", choice.strangers),
        ("left for a later run:", choice.later),
    ):
        if numbers:
            shown = ", ".join(map(str, numbers[:_SHOWN]))
            more = f" and {len(numbers) - _SHOWN} more" if len(numbers) > _SHOWN else ""
            click.echo(
                f"not read, {why} pull request{'s' if len(numbers) > 1 else ''} {shown}{more}",
                err=True,
            )


def _files(folder: Path, pull: PullRequest) -> list[tuple[str, bytes]]:
    """Return the paths and bytes of what was recorded of a pull request."""
    place = folder / str(pull.number)
    reactions = place / "reactions"
    names = (
        [path for path in sorted(reactions.iterdir()) if re.fullmatch(_REACTIONS, path.name)]
        if reactions.is_dir()
        else []
    )
    paths = [*(place / name for name in _LISTS), *names]
    return [(path.as_posix(), _read(path)) for path in paths if path.is_file()]


def _read(path: Path) -> bytes:
    """Return the bytes of a file, but not more than `LIMIT` + 1."""
    return read_named_file(path, LIMIT)


def _write(folder: Path, pull_answers: Sequence[PullAnswer], for_the_keeper: Sequence[str]) -> None:
    """Write the replies anew; whatever else is in the folder stays."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.is_file() and re.fullmatch(_REPLIES, path.name):
            path.unlink()
    listed = []
    for answer in pull_answers:
        texts = {
            "comment": (f"{answer.pull}.md", answer.comment),
            "ballot": (f"{answer.pull}.ballot.md", answer.ballot),
            "close": (f"{answer.pull}.close", answer.close),
        }
        for name, text in texts.values():
            if text is not None:
                (folder / name).write_bytes(text.encode())
        names = {key: name if text is not None else None for key, (name, text) in texts.items()}
        listed.append({"pull": answer.pull, **names})
    if for_the_keeper:
        (folder / _KEEPER).write_text(
            "".join(f"{line}\n" for line in map(safe, for_the_keeper)), encoding="utf-8"
        )
    (folder / "replies.json").write_text(json.dumps(listed, indent=2) + "\n", encoding="utf-8")


def _report(run: PullsRun, cases: Sequence[RecordedPull]) -> None:
    """Print what was not done, and what to do."""
    for case in cases:
        number = case.pull.number
        for line in _notes(case):
            say(f"pull request {number}: {line}")
        wrong = run.wrong.get(number)
        if wrong is not None and wrong.waits is not None:
            say(f"pull request {number}: {wrong.waits.words}")
        elif wrong is not None:
            print_findings(wrong.findings, stderr=True)
            print_error(f"pull request {number}: {wrong.message}", wrong.remedy)
    say(*run.waiting.values(), *_throws(run), *filter(None, [run.unbegun]))
    for number, refused in sorted(run.stuck.items()):
        print_findings(refused.findings, stderr=True)
        print_error(f"proposal {number} stays open: {refused.message}", refused.remedy)
    if run.trouble is not None:
        print_findings(run.trouble.findings, stderr=True)
        print_error(run.trouble.message, run.trouble.remedy)


def _for_the_keeper(run: PullsRun, cases: Sequence[RecordedPull], *, unread: bool) -> Iterator[str]:
    """Yield what was not done and needs somebody other than the author of a pull request."""
    for number, refused in sorted(run.stuck.items()):
        yield f"proposal {number} stays open: {refused.message}"
    if run.trouble is not None:
        yield run.trouble.message
    yield from _throws(run)
    if unread:
        yield "pulls.json could not be read as a whole"
    known = run.pulls.keys() | run.strangers
    yield from (
        f"pull request {case.pull.number} was not read"
        for case in cases
        if case.pull.number not in known
    )


def _throws(run: PullsRun) -> Iterator[str]:
    """Yield who has to throw before a turn that is over can end, and how that is recorded."""
    yield from (f"{task.what}; {task.help}" for task in run.throws)


def _notes(case: RecordedPull) -> Iterator[str]:
    yield from case.recorded.notes
    yield from map(str, case.recorded.problems)
