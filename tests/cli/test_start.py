"""A start that one does not feel: `--help` and TAB load no command, and offer what a game has."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from nomicgen.cli.command_table import read_table
from nomicgen.cli.program import COMMANDS, FIRST, HEADINGS, main
from tests.ledger import Ledger

HEAVY = ("nomicgen.play", "nomicgen.law", "git", "rich", "yaml", "ruamel", "markdown_it")
WATCH = (
    "import atexit, sys;"
    "atexit.register(lambda: sys.stderr.write('loaded: ' + ' '.join(sorted(sys.modules))));"
    "from nomicgen.cli.program import main;"
    "main(prog_name='nomicgen')"
)


def run(*words: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WATCH, *words],
        cwd=folder,
        env={**os.environ, **more},
        capture_output=True,
        text=True,
        check=False,
    )


def heavy(done: subprocess.CompletedProcess[str]) -> set[str]:
    loaded = done.stderr.rpartition("loaded: ")[2].split()
    return set(HEAVY) & set(loaded)


@pytest.fixture(name="game", scope="module")
def _game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("start")
    made = Ledger.start({101: {}, 203: {"adoption": {"needs": "majority"}}})
    made.proposal(301, "02-01", "## Repeal Rule 101/0")
    made.proposal(302, "02-02", "## Repeal Rule 101/0", votes="....", status="open")
    made.file("proposals/a-quorum.md", "---\nauthor: wren\nstatus: draft\n---\n\nWhy.\n")
    made.turn("R1T1", "wren", "02-01").judgement(4, "02-03", "Yes.")
    for path, data in made.applied().tree.items():
        (where / path).parent.mkdir(parents=True, exist_ok=True)
        (where / path).write_bytes(data)
    return where


def offered(game: Path, line: str) -> list[str]:
    """What TAB offers at the end of a line."""
    words = line.split(" ")
    done = run(
        folder=game,
        _NOMICGEN_COMPLETE="bash_complete",
        COMP_WORDS=line,
        COMP_CWORD=str(len(words) - 1),
    )
    assert heavy(done) == set()
    return [one.partition(",")[2] for one in done.stdout.split()]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("nomicgen vo", ["vote"]),
        ("nomicgen show ", ["203"]),
        ("nomicgen show 2", ["203"]),
        ("nomicgen rule blame 9", []),
        ("nomicgen vote ", ["302"]),
        ("nomicgen vote 302 a", ["against", "abstain"]),
        ("nomicgen vote 302 for --player ", ["osprey", "quill", "tallow", "wren"]),
        ("nomicgen vote 302 for --player osprey --player q", ["quill"]),
        ("nomicgen register ", ["a-quorum"]),
        ("nomicgen proposal preview ", ["301", "302", "a-quorum"]),
        ("nomicgen judgement overrule ", ["4"]),
        ("nomicgen turn R", ["R1T1"]),
        ("nomicgen explain votes-", ["votes-enough", "votes-few", "votes-unrecorded"]),
        ("nomicgen propose --amend ", ["203"]),
        ("nomicgen import ag", ["agora"]),
    ],
)
def test_tab_offers_what_can_be_typed(game: Path, line: str, names: list[str]) -> None:
    assert offered(game, line) == names


def test_tab_offers_nothing_where_there_is_no_game(tmp_path: Path) -> None:
    assert offered(tmp_path, "nomicgen show ") == []
    assert "vote" in offered(tmp_path, "nomicgen ")


def test_tab_asks_the_game_that_is_named(game: Path, tmp_path: Path) -> None:
    assert offered(tmp_path, f"nomicgen -C {game} show ") == ["203"]


def test_help_loads_no_command(game: Path) -> None:
    done = run("--help", folder=game)
    assert heavy(done) == set()
    assert "Cast votes on a proposal." in done.stdout


def test_help_shows_eight_commands_on_one_screen() -> None:
    lines = CliRunner().invoke(main, ["--help"], terminal_width=80).output.splitlines()
    first = lines.index("Commands:") + 1
    assert [line.split()[0] for line in lines[first : first + 8]] == list(FIRST)
    assert lines[first + 8] == ""
    assert len(lines) <= 24


def test_help_of_all_lists_every_command_once_each_on_its_line() -> None:
    told = CliRunner().invoke(main, ["help"]).output
    listed = [line[2:21].strip() for line in told.splitlines() if line.startswith("  ")]
    below = {name: row.get("commands", {}) for name, row in read_table().items()}
    every = [f"{name} {one}".rstrip() for name in COMMANDS for one in (below[name] or [""])]
    assert sorted(listed) == sorted(every)
    assert max(map(len, told.splitlines())) < 80
    assert sorted(name for names in HEADINGS.values() for name in names) == sorted(COMMANDS)


def test_help_of_one_is_what_it_says_itself() -> None:
    for words in (["vote"], ["proposal", "preview"], ["player"], ["import", "git"]):
        said = CliRunner().invoke(main, ["help", *words], terminal_width=80).output
        assert said == CliRunner().invoke(main, [*words, "--help"], terminal_width=80).output


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("amend", "propose --amend"),
        ("history", "rule history"),
        ("judge", "judgement file"),
        ("resolv", "proposal resolve"),
        ("player joins", "player join"),
        ("proposal vote", "vote"),
        ("help propose it", None),
        ("frobnicate", None),
    ],
)
def test_what_somebody_types_who_knows_git_or_the_law(typed: str, meant: str | None) -> None:
    done = CliRunner().invoke(main, typed.split())
    assert done.exit_code == 2
    assert ("Did you mean" in done.output) == (meant is not None)
    assert meant is None or f"Did you mean `nomicgen {meant}`?" in done.output


def test_a_check_where_there_is_no_git_loads_nothing_that_starts_programs(game: Path) -> None:
    done = run("check", folder=game)
    loaded = set(done.stderr.rpartition("loaded: ")[2].split())
    assert "nomicgen.law.checks.run" in loaded
    assert not loaded & {"git", "subprocess", "nomicgen.repository.git"}
