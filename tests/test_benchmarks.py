"""The benchmarks measure legal games, and say what is above its limit. What they measure is no test."""

from __future__ import annotations

import subprocess
import sys

import pytest

from benchmarks.games import generate
from benchmarks.replay import Measure, table
from nomicgen.files import read_game
from nomicgen.law.checks import check, ruleset_files
from nomicgen.law.replay import replay
from tests.support import ROOT


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
    command = [sys.executable, "-m", "benchmarks", "--instruments", "40", "--rules", "100", "--runs", "1"]
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
