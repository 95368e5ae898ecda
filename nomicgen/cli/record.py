"""`nomicgen record`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

import click

from nomicgen.cli.command_options import (
    TEXT_FILE,
    fail,
    move_command,
    read_limited,
    words,
    wrong_with_day,
)
from nomicgen.files.change_table import read_changes, row_from_options
from nomicgen.files.text_encoding import SIZE_LIMIT
from nomicgen.importers.entering import record
from nomicgen.model.record_table import FORMS, LOST, UNKNOWN
from nomicgen.model.values import Moment
from nomicgen.play.load import Game
from nomicgen.play.move import Move
from nomicgen.play.refusal import Refused
from nomicgen.repository.errors import Unreadable
from nomicgen.repository.game_tree import shown_path
from nomicgen.repository.named_files import read_given

_LIMIT = 8 << 20  # bytes of a table


def _day(text: str) -> Moment | str:
    """Return a day from the command line, or `unknown`."""
    if text == UNKNOWN:
        return text
    try:
        return Moment.parse_inexact(text)
    except ValueError as error:
        remedy = f"write the day, what is known of it ({FORMS}), or `unknown`"
        raise click.BadParameter(f"{wrong_with_day(text, error)}: {remedy}") from None


@click.command("record")
@click.argument("rule", type=int, required=False)
@click.option(
    "--text", type=TEXT_FILE, help="The file with the whole text that the rule got; - for stdin."
)
@click.option("--lost", is_flag=True, help="It got another text, which is lost.")
@click.option("--enact", type=words, metavar="TITLE", help="The rule is new, and has this title.")
@click.option("--repeal", is_flag=True, help="The rule was repealed.")
@click.option("--title", type=words, metavar="TEXT", help="The title that it got.")
@click.option("--renumber", type=int, metavar="N", help="The number that it got.")
@click.option(
    "--transmute", metavar="TIER", help="The tier that it got; with --enact, that of the new rule."
)
@click.option(
    "--by",
    type=words,
    metavar="TEXT",
    help="What did it: 'Proposal 305', 'Judgement 4', or the name of an act.",
)
@click.option(
    "--status", type=click.Choice(["defeated", "withdrawn"]), help="The proposal was not adopted."
)
@click.option("--author", type=words, metavar="PLAYER", help="Who proposed it, or did it.")
@click.option(
    "--source", type=words, metavar="TEXT", help="Where to see it: an address, or a description."
)
@click.option("--note", type=words, metavar="TEXT", help="A remark.")
@click.option(
    "--from",
    "table",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="TABLE",
    help="Several changes at once: a table in YAML or CSV.",
)
@partial(move_command, day=_day, help="The day when it happened, or unknown (default: today).")
def command(game: Game, on: Moment | str, table: Path | None, **options: Any) -> Move:
    """Enter what happened before the game was kept here.

    The options say what RULE became on the day of --on. Leave out what you do not know; for a day
    that nobody knows, type --on unknown. The number of a proposal or a judgement then says where it
    belongs. Numbers of proposals or judgements that are skipped are listed as lost in nomic.yml.

    A table has a row for each change, with the keys rule, on, by, author, status, source, note,
    text, file, title, enact, repeal, renumber and transmute. `text` has the rule's words, or says
    `lost`; `file` names a file with the words. Each proposal, judgement or act gets its own commit.

    \b
    nomicgen record 203 --on 2020-06-01 --text 203.md --by 'Proposal 305' --author wren --commit
    nomicgen record 310 --on 2020-06-08 --enact 'Tea on Sundays' --text 310.md
    nomicgen record --by 'Proposal 306' --on unknown --status defeated
    nomicgen record --from changes.yml --commit
    """
    typed = {
        key: value for key, value in options.items() if value is not None and value is not False
    }
    if table is not None:
        if typed or click.get_current_context().params.get("on") is not None:
            raise click.UsageError(
                "With --from, the table says everything about each change: leave out the other "
                "options."
            )
        return _record_table(game, table)
    _require_one_change(typed)
    if typed.pop("lost", False):
        typed["text"] = LOST
    elif "text" in typed:
        typed["text"] += "\n"  # so that a file with the word `lost` is not read as LOST
    texts = {key: "true" if value is True else str(value) for key, value in typed.items()}
    row, wrong = row_from_options({"on": str(on), **texts}, "what was typed")
    if row is None:
        first = wrong[0]
        fail(first.message, f"{first.help}; `nomicgen record --help` has examples")
    # Only rows of a table name files.
    return record(game, [row], lambda name: f"{name} is not read")


def _require_one_change(typed: Mapping[str, Any]) -> None:
    """Raise UsageError if the options contradict each other, or lack the rule or what it became."""
    texts, others = (
        {"text", "lost"} & typed.keys(),
        {"title", "renumber", "transmute"} & typed.keys(),
    )
    if (
        typed.keys() <= {"status", "by", "author", "source", "note"}
        and {"status", "by"} <= typed.keys()
    ):
        return
    if "enact" not in typed and "rule" not in typed:
        raise click.UsageError(
            "give the number that the rule had on that day: nomicgen record 203 --on …"
        )
    if not texts and not others and not {"enact", "repeal"} & typed.keys():
        raise click.UsageError(
            "say what became of the rule: --text FILE, --lost, --repeal, --title, --renumber or "
            "--transmute."
        )
    if len(texts) > 1:
        raise click.UsageError(
            "--lost says that the text did not survive: leave out --lost or --text."
        )
    if "enact" in typed and (not texts or {"repeal", "renumber", "title"} & typed.keys()):
        raise click.UsageError(
            "--enact TITLE needs --text FILE or --lost; of the others it takes only --transmute."
        )
    if "repeal" in typed and (texts or others):
        raise click.UsageError("A repealed rule has no other change: leave out the other options.")


def _record_table(game: Game, table: Path) -> Move:
    """Return the move that records all changes of a table."""
    remedy = "split it into several tables, the earlier changes first"
    name, data = shown_path(table.name), read_limited(table, _LIMIT, remedy)
    rows, wrong = read_changes(name, data)
    if wrong:
        raise Refused(
            f"nothing was recorded: {name} cannot be read", "correct it, then run it again", wrong
        )

    def read(asked: str) -> bytes | str:
        """Return the bytes of a file that a row names, or why they cannot be read."""
        path = PurePosixPath(asked)
        if path.is_absolute() or ".." in path.parts:
            return f"{asked} does not lie beside the table"
        try:
            data = read_given(table.parent / path, SIZE_LIMIT)
        except Unreadable as error:
            return error.message
        return data if len(data) <= SIZE_LIMIT else f"{asked} is larger than {SIZE_LIMIT >> 20} MiB"

    return record(game, rows, read)
