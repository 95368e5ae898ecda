"""`--format json`: every command that reads has it, and prints nothing else. The ruleset, printed
in other formats.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from jsonschema import Draft202012Validator

from nomicgen.cli.program import main
from tests.cli.playing import begun, run
from tests.ledger import UNANIMOUS, Ledger
from tests.reference.schemas import VIEWS, view_schema
from tests.support import GitRepo

OTHERWISE = {
    "export": "it prints a ruleset in a form that has a name of its own",
    "help": "it is about the commands",
    "init": "it writes a game",
    "plumbing pages": "it writes pages",
    "plumbing pulls": "it plays, and writes its answers and their list as JSON",
    "plumbing workshop": "what it puts into a site is for browsers",
    "verify": "it has the forms of findings",
    "check": "it has the forms of findings",
}
WRITES = ("commits", "into")
"""Parameters of commands that write."""


def commands(
    group: click.Group, context: click.Context, name: str = ""
) -> Iterator[tuple[str, click.Command]]:
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
        and not any(
            "json" in getattr(one.type, "choices", ())
            for one in command.params
            if one.name == "form"
        )
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
        VIEWS[view][0]
        == f"`nomicgen {line.partition(' 2')[0].partition(' R')[0].partition(' date')[0]} "
        "--format json`"
    )


def test_a_survey_is_json_too(tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text("1. Obey.\n\n2. A vote decides.\n", "utf-8")
    said = json.loads(run(tmp_path, f"import survey {tmp_path / 'rules.txt'} --format json"))
    Draft202012Validator(view_schema("survey")).validate(said)
    assert said["command"].startswith("nomicgen import text ")


def test_a_redline_and_who_wrote_what(game: GitRepo) -> None:
    told = json.loads(run(game.path, "rule diff 203/0 204/0 --format json"))
    assert (told["before"]["number"], told["after"]["number"]) == (203, 204)
    assert (
        "".join(one["text"] for one in told["segments"] if one["kind"] != "insert")
        == told["before"]["text"]
    )
    blamed = json.loads(run(game.path, "rule blame 203 --format json"))
    assert (
        "".join(one["text"] for one in blamed["sentences"]).strip()
        == blamed["rule"]["text"].strip()
    )
    assert {run["rule"] for one in blamed["sentences"] for run in one["runs"]} == {"203/0"}


PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def pictured(tmp_path: Path) -> Path:
    """A game whose rule shows a picture, imported from a text beside which it lies."""
    (tmp_path / "images").mkdir()
    (tmp_path / "images/lamp.png").write_bytes(PNG)
    (tmp_path / "rules.md").write_text(
        "## 1\n\nAs ![a lamp](images/lamp.png) shows, `../images/`.\n", "utf-8"
    )
    run(
        tmp_path,
        f"import text {tmp_path}/rules.md --map headings --into {tmp_path}/game --on 2026-01-10",
    )
    return tmp_path / "game"


def test_a_text_keeps_the_lines_of_its_source(tmp_path: Path) -> None:
    lines = [
        "All players must always abide by all the rules then in effect, in the",
        "form in which they are then in effect. The rules in the Initial Set are",
        "in effect whenever a game begins.",
    ]
    (tmp_path / "rules.txt").write_text("101. {}\n     {}\n     {}\n".format(*lines), "utf-8")
    run(
        tmp_path,
        f"import text {tmp_path}/rules.txt --map numbered --into {tmp_path}/game --on 2026-01-10",
    )
    said = run(tmp_path / "game", "export short --as txt").splitlines()
    assert [line.rstrip() for line in said[6:9]] == [f"      {line}" for line in lines]


@pytest.mark.parametrize("form", ["long", "short", "short --as txt"])
def test_a_picture_is_found_from_where_the_text_is_written(
    pictured: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place, link in (("", "images"), ("out", "../images"), ("..", "game/images")):
        (folder := pictured / place).mkdir(exist_ok=True)
        run(pictured, f"export {form} -o {folder}/out.md")
        text = (folder / "out.md").read_text("utf-8")
        assert f"![a lamp]({link}/lamp.png) shows" in " ".join(text.split())
        assert (folder / link / "lamp.png").is_file()
        monkeypatch.chdir(folder)
        assert run(pictured, f"export {form}") == text
        assert "`../images/`" in text


def test_the_text_of_an_import_is_printed_as_it_came(shared: Path, tmp_path: Path) -> None:
    """The picture of Nomic IV's Rule 319 lies beside the text."""
    seed = shared / "seeds/nomic-4-long-format.md"
    run(tmp_path, f"import long {seed} --into {tmp_path}/four --on 2026-01-10")
    run(tmp_path / "four", f"export long -o {tmp_path}/four/rules-l.md")
    link = "![319 graph](images/319.png)"
    assert link in seed.read_text("utf-8")
    assert link in (tmp_path / "four/rules-l.md").read_text("utf-8")


# A rule as it is printed: what a program reads of it, and what none reads.


def lines_of(repo: GitRepo, block: str) -> list[str]:
    game = Ledger.start({101: UNANIMOUS, 202: {"floor": {"mutable": "1"}}})
    game.proposal(
        301,
        "01-05",
        f"## Amend Rule 202/0\n\n```yaml rule\n{block}\n```\n\nTea is hot. It is late.",
    )
    repo.write(game.applied().tree)
    return run(repo.path, "show 202").splitlines()[3:]


def test_a_rule_that_no_program_reads(git_repo: Callable[..., GitRepo]) -> None:
    repo = git_repo()
    assert lines_of(repo, "provisions: {}\nunread: true") == ["", "No program reads this rule."]
    assert json.loads(run(repo.path, "show 202 --format json"))["unread"] is True


def test_sentences_that_no_program_reads(git_repo: Callable[..., GitRepo]) -> None:
    repo = git_repo()
    found = lines_of(repo, "provisions:\n  floor: {mutable: 1}\nunread: [Tea is hot., It is late.]")
    assert found[:2] == ["", "Machine-readable meaning:"]
    assert found[3:] == [
        "",
        "No program reads these sentences:",
        "  “Tea is hot.”",
        "  “It is late.”",
    ]
    assert json.loads(run(repo.path, "show 202 --format json"))["unread"] == [
        "Tea is hot.",
        "It is late.",
    ]


def test_a_rule_that_claims_nothing(git_repo: Callable[..., GitRepo]) -> None:
    assert lines_of(git_repo(), "provisions: {}") == []
