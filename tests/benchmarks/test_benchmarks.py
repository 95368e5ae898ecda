"""The benchmarks measure legal games, and say what is above its limit. What they measure is no
test.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from nomicgen.files.game_files import read_game
from nomicgen.importers.git.history import read_past
from nomicgen.importers.git.importer import import_git
from nomicgen.law.checks.run import check, ruleset_files
from nomicgen.law.replay.run import replay
from nomicgen.play.game_history import game_history_of
from nomicgen.play.load import check_game, load
from tests.benchmarks import agora_site, serving
from tests.benchmarks.agora import agora_data, write_agora
from tests.benchmarks.archives import PATTERNS, Layout, make_archive
from tests.benchmarks.books import bind, write_book
from tests.benchmarks.games import generate
from tests.benchmarks.importing import measures
from tests.benchmarks.plain import articles, write_plain
from tests.benchmarks.replay import Measure, table
from tests.importers.archives import reader_for
from tests.rulesets import errors, history_of_tree
from tests.support import ROOT, GitRepo

pytestmark = pytest.mark.nightly

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
    # Its amendments say nothing of provisions, so nobody has confirmed them.
    found = (*unread, *check(read_game(applied)[0], played))
    assert {finding.slug for finding in found} <= {"provisions-unconfirmed"}
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
    found = [
        Measure("time", 4.414, 4.4),
        Measure("memory", 200.0, 200.0, "MiB"),
        Measure("  of it some", 31.4, None),
    ]
    assert [one.holds for one in found] == [False, True, True]
    fast = [Measure("quick", 50.0, None, least=50.0), Measure("slow", 49.99, None, "s", least=50.0)]
    assert [one.holds for one in fast] == [True, False]
    assert table(fast) == (
        "what  | measured | at most\nquick | 50.00    | at least 50.00\n"
        "slow  | 50 s     | at least 50 s: below"
    )
    assert table(found) == (
        "what         | measured | at most\n"
        "time         | 4.41     | 4.40: above\n"
        "memory       | 200 MiB  | 200 MiB\n"
        "  of it some | 31.40    |"
    )


def test_the_script_measures_and_fails_where_something_is_above() -> None:
    command = [
        sys.executable,
        "-m",
        "tests.benchmarks",
        "--only",
        "replay",
        "--instruments",
        "40",
        "--rules",
        "100",
    ]
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
    assert {finding.slug for finding in check_game(game)} <= {"provisions-unconfirmed"}
    assert len(game.replay.current) == pytest.approx(60, abs=6)
    assert len(game.records.of_kind("proposal")) == pytest.approx(90, abs=3)
    game_history = game_history_of(game)
    revisions = [
        one for history in game_history.histories.rules.values() for one in history.revisions
    ]
    assert len(revisions) == pytest.approx(180, abs=30)
    assert all(100 <= len((one.rule.text or "").split()) <= 400 for one in revisions)
    assert {origin.kind for origin in game_history.origins.values()} == {"blob", "trailer"}
    assert bind(60).files == book.files
    of_rules = game_history_of(game, rules_only=True)
    assert (of_rules.origins, of_rules.touched) == (game_history.origins, {})


def test_a_revision_that_was_never_written_is_found_by_its_instrument_when_rules_are_asked_for(
    git_repo: Callable[..., GitRepo],
) -> None:
    repo = git_repo()
    files = {path: data.decode() for path, data in bind(20, moves=30).files.items()}
    repo.commit("Begin, with everything", files)
    game = load(repo.path)
    whole = game_history_of(game)
    assert {origin.kind for origin in whole.origins.values()} == {"blob", "instrument"}
    assert game_history_of(game, rules_only=True).origins == whole.origins


def test_rules_data_in_agoras_form_make_a_legal_game_of_its_shape(tmp_path: Path) -> None:
    write_agora(tmp_path / "game", 0.2)
    game = load(tmp_path / "game")
    assert [one for one in check_game(game) if one.is_error] == []
    histories = game_history_of(game).histories.rules.values()
    assert len(histories) == 67
    assert sum(one.current is not None for one in histories) == pytest.approx(30, abs=6)
    assert sum(len(one.entries) for one in histories) == pytest.approx(620, rel=0.2)
    assert sum(one.rule.text is None for each in histories for one in each.revisions) > 400
    assert len(game.records.of_kind("proposal")) == pytest.approx(340, rel=0.1)
    assert len(game.records.of_kind("judgement")) == 44
    assert game.records.of_kind("act")
    assert agora_data(0.2) == agora_data(0.2)


def test_the_script_measures_the_history() -> None:
    command = [
        sys.executable,
        "-m",
        "tests.benchmarks",
        "--only",
        "history",
        "--commits",
        "30",
        "--commit-rules",
        "20",
    ]
    done = subprocess.run(
        [*command, "--runs", "1"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    rows = [[cell.strip() for cell in line.split("|")] for line in done.stdout.splitlines()]
    assert [re.sub(r"as [0-9]+ logs", "as N logs", row[0]) for row in rows] == [
        "what",
        "history of 30 commits: all rules, over git log --raw",
        "of every file as well, as for a site",
        "history of 30 commits: so many times as fast as N logs",
        "time of all rules",
        "time of git log --raw",
        "history: all rules, time of 300 commits over 30",
        "over git log --raw",
        "of every file as well, over git log --raw",
        "git log --raw by itself",
    ]
    assert done.returncode == ("above" in done.stdout or "below" in done.stdout)


def test_a_site_like_agoras_is_measured_over_a_plain_one_and_over_one_of_a_larger_game() -> None:
    found = list(agora_site.measures(1, 3, size=0.02))
    heads = [one.what for one in found if not one.what.startswith(" ")]
    pages = [re.findall(r", ([0-9]+) pages", what) for what in heads]
    assert [re.sub(r"[0-9]+ (pages|files)", r"N \1", what) for what in heads] == [
        "site like Agora's, N pages: time over that of a plain one",
        "site like Agora's, N pages: time",
        "site like Agora's, N pages: peak memory",
        "site like Agora's, N files: others after one sentence",
        "site like 3 Agoras, N pages: time over that of a plain one",
        "site like 3 Agoras, N pages: time",
        "site like 3 Agoras, N pages: peak memory",
        "site like Agora's: time of 3 times the game over once",
    ]
    assert [(one.what, one.most) for one in found[-4:]] == [
        ("site like Agora's: time of 3 times the game over once", pytest.approx(3.3)),
        ("  by the clock", None),
        ("  that of a plain one", None),
        ("  pages", None),
    ]
    assert found[-1].measured == pytest.approx(int(pages[4][0]) / int(pages[0][0]))
    assert [one.holds for one in found if "others after" in one.what] == [True]


def test_a_served_site_is_measured_over_a_plain_one() -> None:
    found = list(serving.measures(1, size=0.02))
    assert [(re.sub(r"[0-9]+ pages", "N pages", one.what), one.most) for one in found] == [
        ("served site like Agora's, N pages: a sentence of an argument, over a plain one", 1.2),
        ("served site like Agora's, N pages: a sentence of an argument", None),
    ]
    assert all(one.measured > 0 for one in found)


def test_a_plain_site_has_as_many_pages_of_the_same_size(tmp_path: Path) -> None:
    sizes = {"index.md": 9_000, "rules.md": 60_000, "rules/101.md": 20_000, "rules/102.md": 12_000}
    settings = f"{_PLAIN}plugins:\n  - nomicgen:\n      quiet: true\nnav:\n  - rules/index.md\n"
    write_plain(tmp_path / "plain", settings, sizes)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mkdocs",
            "build",
            "--quiet",
            "--strict",
            "--site-dir",
            str(tmp_path / "built"),
        ],
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
    command = [
        sys.executable,
        "-m",
        "tests.benchmarks",
        "--only",
        "site",
        "--site-rules",
        "64",
        "--site-runs",
        "1",
    ]
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


# The benchmark of imports: its archives are what it says, and it measures both layouts.


@pytest.mark.parametrize("layout", PATTERNS)
def test_a_generated_archive_is_one_of_proposals_alone(layout: Layout, tmp_path: Path) -> None:
    make_archive(tmp_path / "archive", 40, 12, layout)
    past = read_past(
        tmp_path / "archive", "main", [PATTERNS[layout]], reader_for([PATTERNS[layout]])
    )
    got = import_git(past)
    assert [one.slug for one in got.warnings] == ["author-unsaid"]
    found = history_of_tree(got.files)
    assert errors(found) == []
    assert (len(past.line), len(found.records.initial), len(found.replay.current)) == (40, 8, 12)
    assert [step.instrument.kind for step in found.replay.steps] == ["proposal"] * 39
    assert all(60 <= len((rule.text or "").split()) <= 500 for rule in found.replay.current)
    assert any((rule.text or "").count("\n\n") > 2 for rule in found.replay.current)


def test_a_seed_always_makes_the_same_archive(tmp_path: Path) -> None:
    heads = []
    for name, seed in (("one", 1), ("again", 1), ("other", 2)):
        make_archive(tmp_path / name, 10, 6, "files", seed)
        git = ["git", "-C", str(tmp_path / name), "rev-parse", "main"]
        heads.append(subprocess.run(git, check=True, capture_output=True, text=True).stdout)
    assert heads[0] == heads[1] != heads[2]


def test_both_layouts_are_measured_with_their_limits() -> None:
    found = list(measures(20, 6, 1))
    assert [(one.what, one.most) for one in found if one.most is not None] == [
        ("import of 20 commits, a file a rule: work over git log -p", 6.0),
        ("import of 20 commits, one file: work over git log -p", 5.0),
        ("import, a file a rule: work of 200/60 over 20/6", 11.0),
        ("import, one file: work of 200/6 over 20/6", 11.0),
    ]
    assert all(one.measured > 0 for one in found)
