"""The benchmark of imports: its archives are what it says, and it measures both layouts."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from nomicgen.importers.git.history import read_past
from nomicgen.importers.git.importer import import_git
from tests.benchmarks.archives import PATTERNS, Layout, make_archive
from tests.benchmarks.importing import measures
from tests.importers.archives import reader_for
from tests.rulesets import archive, errors


@pytest.mark.parametrize("layout", PATTERNS)
def test_a_generated_archive_is_one_of_proposals_alone(layout: Layout, tmp_path: Path) -> None:
    make_archive(tmp_path / "archive", 40, 12, layout)
    past = read_past(tmp_path / "archive", "main", [PATTERNS[layout]], reader_for([PATTERNS[layout]]))
    got = import_git(past)
    assert [one.slug for one in got.warnings] == ["author-unsaid"]
    found = archive(got.files)
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
