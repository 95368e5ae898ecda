"""The benchmarks measure legal games, and say what is above its limit. What they measure is no test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.books import bind, write_book
from benchmarks.games import generate
from benchmarks.plain import articles, write_plain
from benchmarks.replay import Measure, table
from nomicgen.files import read_game
from nomicgen.game import archive_of, check_game, load
from nomicgen.law.checks import check, ruleset_files
from nomicgen.law.replay import replay
from tests.support import ROOT

_PLAIN = """\
site_name: Plain
theme:
  name: material
  font: false
validation:
  nav:
    omitted_files: ignore
"""


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_generated_game_is_legal_and_has_every_kind_of_move(seed: int) -> None:
    tree = generate(240, 100, seed)
    records, unread = read_game(tree)
    played = replay(records)
    applied = tree | ruleset_files(played.current)
    assert (*unread, *check(read_game(applied)[0], played)) == ()
    assert {step.outcome for step in played.steps} == {"applied"}
    verbs = {change.verb for step in played.steps for change in step.changes}
    assert verbs == {"amend", "enact", "mark", "renumber", "repeal", "transmute"}
    assert {step.instrument.kind for step in played.steps} == {"act", "judgement", "proposal"}
    assert len(records.instruments) == 240
    assert 75 <= len(played.current) <= 125
    assert {rule.provisions is not None for rule in played.current} == {True, False}
    assert played.previews
    assert played.awards


def test_a_seed_always_makes_the_same_game() -> None:
    assert generate(30, 100) == generate(30, 100)
    assert generate(30, 100, seed=2) != generate(30, 100)


def test_the_table_says_what_is_above() -> None:
    found = [Measure("time", 4.414, 4.4), Measure("memory", 200.0, 200.0, "MiB"), Measure("  of it some", 31.4, None)]
    assert [one.holds for one in found] == [False, True, True]
    assert table(found) == (
        "what         | measured | at most\n"
        "time         | 4.41     | 4.40: above\n"
        "memory       | 200 MiB  | 200 MiB\n"
        "  of it some | 31.40    |"
    )


def test_the_script_measures_and_fails_where_something_is_above() -> None:
    command = [sys.executable, "-m", "benchmarks", "--only", "replay", "--instruments", "40", "--rules", "100"]
    command += ["--runs", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    head, *rows = [[cell.strip() for cell in line.split("|")] for line in done.stdout.splitlines()]
    assert head == ["what", "measured", "at most"]
    assert [row[0] for row in rows] == [
        "reading and replay: time of 40 over 10",
        "reading: time of 40 over 10",
        "replay: time of 40 over 10",
        "checks: time of 40 over 10",
        "reading and replay of 40: peak memory",
        "of it the program",
        "of it the files and their records",
        "of it the replay",
    ]
    assert done.returncode == ("above" in done.stdout)
    whole, *parts = (float(row[1].removesuffix(" MiB")) for row in rows[4:])
    assert abs(whole - sum(parts)) <= 2


def test_a_generated_book_is_legal_and_as_large_as_it_should_be(tmp_path: Path) -> None:
    book = bind(60)
    write_book(book, tmp_path)
    game = load(tmp_path)
    assert check_game(game) == ()
    assert len(game.replay.current) == pytest.approx(60, abs=6)
    assert len(game.records.of_kind("proposal")) == pytest.approx(90, abs=3)
    archive = archive_of(game)
    revisions = [one for history in archive.histories.rules.values() for one in history.revisions]
    assert len(revisions) == pytest.approx(180, abs=30)
    assert all(100 <= len((one.rule.text or "").split()) <= 400 for one in revisions)
    assert {origin.kind for origin in archive.origins.values()} == {"blob", "trailer"}
    assert bind(60).files == book.files


def test_a_plain_site_has_as_many_pages_of_the_same_size(tmp_path: Path) -> None:
    sizes = {"index.md": 9_000, "rules.md": 60_000, "rules/101.md": 20_000, "rules/102.md": 12_000}
    settings = f"{_PLAIN}plugins:\n  - nomicgen\nnav:\n  - rules/index.md\n"
    write_plain(tmp_path / "plain", settings, sizes)
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(tmp_path / "built")],
        cwd=tmp_path / "plain",
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "true"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    built = articles(tmp_path / "built")
    assert built == {path: pytest.approx(size, rel=0.1) for path, size in sizes.items()}


def test_the_script_measures_the_site_and_fails_where_something_is_above() -> None:
    command = [sys.executable, "-m", "benchmarks", "--only", "site", "--site-rules", "64", "--site-runs", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    rows = [[cell.strip() for cell in line.split("|")] for line in done.stdout.splitlines()]
    assert [row[0] for row in rows] == [
        "what",
        "site of 64 rules: time over that of a plain one",
        "by the clock",
        "over that of its own sources",
        "site: time of 64 over 16",
        "by the clock",
        "site of 64 rules: time",
        "site of 64 rules: peak memory",
        "that of a plain one",
        "its bytes of HTML over those of a plain one",
        "site of 64 rules: the largest page of a rule",
        "the home page: size with 64 rules over 16",
        "the time machine: size with 64 rules over 16",
        "a rule's page: size with 64 rules over 16",
        "a proposal's page: size with 64 rules over 16",
        "a judgement's page: size with 64 rules over 16",
        "an act's page: size with 64 rules over 16",
        "that of a rule that one in so many cites",
    ]
    assert done.returncode == ("above" in done.stdout)
    assert float(rows[9][1]) == pytest.approx(1, abs=0.15)
