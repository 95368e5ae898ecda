"""`--format json`: every command that reads has it, and prints nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from jsonschema import Draft202012Validator

from nomicgen.cli.program import main
from nomicgen.cli.reference_schemas import VIEWS, view_schema
from tests.cli.playing import begun, run
from tests.support import GitRepo

OTHERWISE = {
    "export": "it prints a ruleset in a form that has a name of its own",
    "help": "it is about the commands",
    "init": "it writes a game",
    "plumbing pages": "it writes pages",
    "plumbing pulls": "it plays, and writes its answers and their list as JSON",
    "plumbing workshop": "what it puts into a site is for browsers",
    "plumbing reference": "it writes pages",
    "verify": "it has the forms of findings",
    "check": "it has the forms of findings",
}
WRITES = ("commits", "into")
"""Parameters of commands that write."""


def commands(group: click.Group, context: click.Context, name: str = "") -> Iterator[tuple[str, click.Command]]:
    for word in group.list_commands(context):
        command = group.get_command(context, word)
        assert command is not None
        path = f"{name} {word}".strip()
        if isinstance(command, click.Group):
            yield from commands(command, click.Context(command, parent=context), path)
        else:
            yield path, command


def test_every_command_that_reads_prints_json() -> None:
    lacking = [
        path
        for path, command in commands(main, click.Context(main))
        if not any(one.name in WRITES for one in command.params)
        and not any("json" in getattr(one.type, "choices", ()) for one in command.params if one.name == "form")
    ]
    assert set(lacking) <= OTHERWISE.keys(), "give it `@format_option`, or say here why not"


@pytest.fixture
def game(git_repo: Callable[..., GitRepo]) -> GitRepo:
    return begun(git_repo())


@pytest.mark.parametrize(
    ("view", "line"),
    [
        ("diff", "rule diff 203/0 204/0"),
        ("blame", "rule blame 203"),
        ("cite", "rule cite R203/0"),
        ("explain", "explain"),
        ("explain", "explain date-future"),
        ("status", "status"),
        ("next", "next"),
        ("scores", "scores"),
        ("show", "show 203"),
        ("check", "check"),
    ],
)
def test_what_is_printed_is_json_and_of_its_schema(game: GitRepo, view: str, line: str) -> None:
    said = json.loads(run(game.path, f"{line} --format json"))
    Draft202012Validator(view_schema(view)).validate(said)
    assert (
        VIEWS[view][0] == f"`nomicgen {line.partition(' 2')[0].partition(' R')[0].partition(' date')[0]} --format json`"
    )


def test_a_survey_is_json_too(tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text("1. Obey.\n\n2. A vote decides.\n", "utf-8")
    said = json.loads(run(tmp_path, f"import survey {tmp_path / 'rules.txt'} --format json"))
    Draft202012Validator(view_schema("survey")).validate(said)
    assert said["command"].startswith("nomicgen import text ")


def test_a_redline_and_who_wrote_what(game: GitRepo) -> None:
    told = json.loads(run(game.path, "rule diff 203/0 204/0 --format json"))
    assert (told["before"]["number"], told["after"]["number"]) == (203, 204)
    assert "".join(one["text"] for one in told["segments"] if one["kind"] != "insert") == told["before"]["text"]
    blamed = json.loads(run(game.path, "rule blame 203 --format json"))
    assert "".join(one["text"] for one in blamed["sentences"]).strip() == blamed["rule"]["text"].strip()
    assert {run["rule"] for one in blamed["sentences"] for run in one["runs"]} == {"203/0"}
