"""What the commands share: their options, how they print, how they end."""

from __future__ import annotations

import gc
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import update_wrapper
from pathlib import Path
from shlex import quote
from typing import IO, TYPE_CHECKING, Any, NoReturn

import click

from nomicgen.files.text_encoding import SIZE_LIMIT
from nomicgen.formats.findings_text import findings_text
from nomicgen.formats.styled_text import style_text, without_style
from nomicgen.formats.terminal import safe
from nomicgen.law.replay.results import Rule
from nomicgen.model.findings import Finding, listed
from nomicgen.model.values import Moment, RuleRef
from nomicgen.play.consequences import new_consequences
from nomicgen.play.load import Game, load, load_tree, today
from nomicgen.play.refusal import Refused
from nomicgen.repository.errors import Changed, RepositoryError
from nomicgen.repository.game_tree import shown_path
from nomicgen.repository.named_files import read_given

if TYPE_CHECKING:
    from nomicgen.play.move import Move

Decorator = Callable[[Callable[..., None]], Callable[..., None]]

_ATTEMPTS = 5
"""How often a move is tried when other commands change the files meanwhile."""
_DAY = "The day it happened (default: today)."
_LONGEST = 2000
"""The most characters of an error that are printed. A longer one loses its middle."""
_SHOWN = 5
"""How many files are named, where more are not committed."""


def moment(text: str) -> Moment:
    """Return a day, perhaps with a time, from the command line."""
    try:
        return Moment.parse(text)
    except ValueError as error:
        raise click.BadParameter(wrong_with_day(text, error)) from None


def wrong_with_day(text: str, error: ValueError) -> str:
    """Return what is wrong with a typed day: some of the errors name the day themselves."""
    return str(error) if str(error).startswith(text) else f"{text!r} {error}"


def rule(text: str) -> RuleRef:
    """Return a rule or a revision, from the command line; `Rule 203` does as well."""
    try:
        return RuleRef.parse(text.removeprefix("Rule ").removeprefix("rule "))
    except ValueError as error:
        raise click.BadParameter(f"{text!r} {error}") from None


def proposal_number(text: str) -> int:
    """Return a proposal's number, from the command line; `proposals/305.md` does as well."""
    match = re.fullmatch(r"(?:proposals/)?([1-9][0-9]{0,8})(?:\.md)?", text, re.ASCII)
    if match is None:
        name = text.removeprefix("proposals/").removesuffix(".md")
        draft = (
            f"; if it is a draft, it gets one by `nomicgen register {name}`"
            if re.fullmatch(r"[a-z0-9][a-z0-9-]*", name)
            else ""
        )
        raise click.BadParameter(f"{text!r} is no proposal's number, such as 305{draft}")
    return int(match[1])


def ballot(text: str) -> tuple[int, str | None]:
    """Return a proposal's number, perhaps with the token of its ballot: `305`, `305-k7q2m4x9ta`."""
    match = re.fullmatch(r"([1-9][0-9]{0,8})-([0-9a-z]{10})", text.lower(), re.ASCII)
    return (int(match[1]), match[2]) if match else (proposal_number(text), None)


_ID = r"[a-z][a-z0-9-]{0,63}"


def ident(text: str) -> str:
    """Return a player's id, from the command line."""
    if not re.fullmatch(_ID, text):
        form = "small letters, digits and hyphens, 64 at most, beginning with a letter"
        meant = text.strip().lower().replace(" ", "-")
        perhaps = f"; perhaps {meant} is meant" if re.fullmatch(_ID, meant) else ""
        raise click.BadParameter(f"{text!r} is no id: {form}{perhaps}")
    return text


def turn_id(text: str) -> str:
    """Return a turn, from the command line."""
    if not re.fullmatch(r"R[1-9][0-9]{0,5}T[1-9][0-9]{0,5}", text):
        raise click.BadParameter(f"{text!r} should be a turn such as R4T3")
    return text


def words(text: str) -> str:
    """Return a line of text from the command line, such as a title."""
    if not text.strip() or "\n" in text or safe(text) != text:
        raise click.BadParameter(f"{text!r} should be one line of text, without control characters")
    return text


def read_named_file(file: Path, limit: int) -> bytes:
    """Return the bytes of a file that was named (`-` is stdin), but not more than `limit` + 1.

    So the caller can tell that it is too large. Raises Unreadable.
    """
    if str(file) != "-":
        return read_given(file, limit)
    if sys.stdin is None:
        fail("stdin is closed", "name a file, or pipe one into this command")
    return sys.stdin.buffer.read(limit + 1)


def read_limited(file: Path, limit: int, remedy: str) -> bytes:
    """Return the bytes of a file that was named. Ends the command if it has more than `limit`."""
    data = read_named_file(file, limit)
    if len(data) > limit:
        fail(f"{shown_path(str(file))} is larger than {limit >> 20} MiB", remedy)
    return data


class _TextFile(click.ParamType[str]):
    """The type of an option that names a file (`-` is stdin): the command gets the text in it."""

    name = "file"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return "FILENAME"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        with errors_as_messages():
            data = read_limited(Path(value), SIZE_LIMIT, "name a smaller file")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            fail(f"{shown_path(value)} is not UTF-8", "save it as UTF-8, and run the command again")
        if not text.strip():
            fail(f"{value} is empty", "write it first, or leave out the option")
        return text


TEXT_FILE = _TextFile()


def show(*texts: str, stderr: bool = False) -> None:
    """Print texts, each on lines of its own; in colours at a terminal, unless NO_COLOR is set or
    TERM is `dumb`.

    If their reader goes away (`| head`), the command goes on all the same.
    """
    stream = sys.stderr if stderr else sys.stdout
    if stream is None:  # closed by the shell, as by `>&-`
        return
    plain = (
        bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb" or not stream.isatty()
    )
    try:
        for text in texts:
            stream.write(f"{without_style(text) if plain else text}\n")
        stream.flush()
    except BrokenPipeError:
        _discard_output(stream)


def say(*lines: str) -> None:
    """Print lines that may hold what players wrote."""
    show(*(safe(line) for line in lines))


def show_heading(rule: Rule, note: str, asked: int | None = None) -> None:
    """Print which rule is shown. `asked` is the number the user typed, perhaps an earlier one."""
    title = f": {rule.title}" if rule.title else ""
    show(style_text(safe(f"Rule {rule.ref}{title}"), "bold") + style_text(f"  ({note})", "dim"))
    if asked not in (None, rule.number):
        say(f"(Rule {asked} is Rule {rule.number} now)")


def print_json(value: object) -> None:
    """Print JSON on stdout. Characters that a terminal would obey are escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    click.echo(text if safe(text) == text else json.dumps(value, indent=2))


def print_findings(findings: Sequence[Finding], *, stderr: bool = False) -> None:
    """Print each finding as text."""
    show(*findings_text(findings), stderr=stderr)


def end_with(findings: Sequence[Finding], *, strict: bool) -> NoReturn:
    """Exit with 1 if there are errors, or with `strict` any finding; else with 0."""
    raise SystemExit(
        1 if any(finding.is_error for finding in findings) or (strict and findings) else 0
    )


def print_error(message: str, remedy: str = "") -> None:
    """Print an error that says what to type next."""
    lines = [style_text("error: ", "bold red") + _shortened(safe(message))]
    if remedy:
        lines.append(style_text("help: ", "bold cyan") + _shortened(safe(remedy)))
    show(*lines, stderr=True)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 500]}…{text[-499:]}"


def fail(message: str, remedy: str = "", code: int = 2) -> NoReturn:
    """End with an error that says what to type next."""
    print_error(message, remedy)
    raise SystemExit(code)


@contextmanager
def errors_as_messages() -> Iterator[None]:
    """Turn exceptions that a user can cause into messages that say what to do, and exit."""
    try:
        yield
    except Refused as refused:
        print_findings(refused.findings, stderr=True)
        fail(refused.message, refused.remedy, 1 if refused.findings else 2)
    except RepositoryError as error:
        fail(error.message, error.remedy)
    except BrokenPipeError:
        # The reader of JSON went away (`| head`). JSON is printed last, so nothing is left to do.
        _discard_output(sys.stdout)
        raise SystemExit(0) from None
    except OSError as error:
        if error.filename is None:  # only writing the output names no file
            _discard_output(sys.stdout)
            fail(f"the output cannot be written: {error.strerror}", "send it somewhere else")
        fail(
            f"{shown_path(error.filename)}: {error.strerror}",
            "give permission, or name another place",
        )


def _discard_output(stream: IO[str]) -> None:
    """Discard the output that is not yet written, so that Python does not complain at its exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def working_folder() -> Path:
    """Return the folder that -C names, else the current one. A game may be there, or further up."""
    folder: Path = click.get_current_context().find_root().obj or Path()
    return folder


def the_game(until: Moment | None = None) -> Game:
    """Return the game that the command is called in, as of `until` (default: today).

    It lives until the process ends, so the garbage collector is told not to look through it.
    """
    game = load(working_folder(), until)
    gc.freeze()
    return game


def game_on(on: Moment | None) -> Game:
    """Return the game that the command is called in, as of today, or of `on` if that is later."""
    game = the_game()
    return load_tree(game.root, game.tree, on, game) if on is not None and game.until < on else game


def account(text: str) -> str:
    """Return the login of `github:LOGIN`, from the command line."""
    forge, _, login = text.partition(":")
    if forge != "github" or not re.fullmatch(
        r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,99})(?:\[bot\])?", login
    ):
        raise click.BadParameter(f"{text!r} should be an account such as github:wren")
    return login


def forge_account(text: str) -> tuple[str, str]:
    """Return an account's forge and login: `wren-plays` is on GitHub, `gitlab:wren` is not."""
    forge, colon, login = text.rpartition(":")
    forge = forge if colon else "github"
    form = (
        r"[A-Za-z0-9][A-Za-z0-9_-]{0,38}"
        if forge == "github"
        else r"[A-Za-z0-9_][A-Za-z0-9_.@-]{0,99}"
    )
    if not re.fullmatch(r"[a-z][a-z0-9-]{0,63}", forge) or not re.fullmatch(form, login):
        raise click.BadParameter(
            f"{text!r} should be an account such as wren-plays, or gitlab:wren, without the @"
        )
    return forge, login


def player_with_account(text: str) -> tuple[str, dict[str, str]]:
    """Return a player's id, and an account: `wren`, `wren=wren-plays`, `wren=gitlab:wren`."""
    who, equals, login = text.partition("=")
    return ident(who), dict([forge_account(login)]) if equals else {}


def options(*many: Decorator) -> Decorator:
    """Return several options as one decorator."""

    def add(function: Callable[..., None]) -> Callable[..., None]:
        for option in reversed(many):
            function = option(function)
        return function

    return add


def format_option(*forms: str) -> Decorator:
    """Return the option `--format`: text, or one of these forms."""
    kind = click.Choice(["text", *forms])
    return click.option(
        "--format", "form", type=kind, default="text", help="The output format (default: text)."
    )


pull_options = options(
    click.option("--base", metavar="REF", help="The base of the pull request; its rules apply."),
    click.option("--head", metavar="REF", help="Its last commit (default: the files on disk)."),
    click.option("--actor", type=account, metavar="github:LOGIN", help="Whose pull request it is."),
    click.option(
        "--machinery",
        is_flag=True,
        help="A keeper has allowed its changes of workflows and settings.",
    ),
)
"""The options that describe a pull request."""
findings_options = options(
    format_option("json", "github", "sarif"),
    click.option("--strict", is_flag=True, help="Count warnings as errors."),
)
"""The options for how findings are printed and counted."""


def print_for_forge(
    form: str, findings: Sequence[Finding], old: Sequence[Finding] | None = None, folder: str = ""
) -> None:
    """Print findings in the form `github` or `sarif`.

    `old` are those that the base of a pull request has already. `folder` is the game's folder in
    its repository, '' for the repository's own.
    """
    if form == "sarif":
        from nomicgen.formats.sarif import findings_sarif

        print_json(findings_sarif(findings, old, folder))
    else:
        from nomicgen.formats.findings import findings_github

        click.echo(findings_github(findings, old or (), folder), nl=False)


def move_command(
    function: Callable[..., Move], day: Callable[[str], Moment | str] = moment, help: str = _DAY
) -> Callable[..., None]:
    """Make a command of a function that takes a game and a moment, and returns a move. The command
    carries the move out, or shows it.

    `day` reads the value of --on; if it returns a text and no moment, the function gets that text.
    """

    def command(on: Moment | str | None, commits: bool, dry_run: bool, **options: Any) -> None:
        def attempt() -> None:
            game = game_on(on if isinstance(on, Moment) else None)
            move = function(game, on or game.until, **options)
            carry_out(move, commits=commits, dry_run=dry_run)

        with errors_as_messages():
            for _ in range(_ATTEMPTS - 1):
                # If another command changed the files meanwhile, begin again with the new ones.
                with suppress(Changed):
                    attempt()
                    return
            attempt()

    update_wrapper(command, function)
    return move_options(day, help)(command)


def move_options(day: Callable[[str], Moment | str] = moment, help: str = _DAY) -> Decorator:
    """Return the options `--on`, `--commit` and `--dry-run`."""
    return options(
        click.option("--on", type=day, metavar="DATE", help=help),
        click.option(
            "--commit", "commits", is_flag=True, help="Commit what changes, and nothing else."
        ),
        click.option("--dry-run", is_flag=True, help="Show what would change, and write nothing."),
    )


def _require_past(move: Move) -> None:
    """Fail if a move says that something has happened on a day that is still to come."""
    after = move.after
    now = today(after.settings)
    if move.on is None or not now.day < move.on.day:
        return
    seen = load_tree(after.root, after.tree, now, after, now)
    if any(finding.slug == "date-future" for finding in seen.errors):
        fail(
            f"{move.on} is in the future: today is {now} in {after.settings.timezone}",
            f"type this again on {move.on}; with --dry-run you can see it today",
        )


def carry_out(move: Move, *, commits: bool, dry_run: bool) -> None:
    """Carry a move out, or with `dry_run` show what it would change."""
    if dry_run:
        from nomicgen.cli.move_redlines import changes

        say(*move.said)
        show(*changes(move))
        say("nothing was written (--dry-run)")
        return
    from nomicgen.play.move import perform
    from nomicgen.repository.git_state import inspect

    _require_past(move)
    shas = perform(move, commits=commits)
    say(*move.said, *new_consequences(move.before, move.after, move.on))
    for sha in shas:
        say(f"commit {sha[:12]}")
    if shas and (dirty := inspect(move.before.root).dirty):
        # Earlier commands without --commit left these: whoever clones the game would miss them.
        say(
            f"not committed yet: {listed(dirty, _SHOWN)}",
            f"  git add {' '.join(map(quote, dirty))} && git commit"
            if len(dirty) <= _SHOWN
            else "  `git status` lists them: `git add` and `git commit` what is right",
        )
