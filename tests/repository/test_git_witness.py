"""The history that the program tells is the one that git itself tells, asked by the test."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from nomicgen.repository.git_state import inspect, scan
from tests.support import GitRepo

ROOT = Path(__file__).parents[2]


def told(path: Path) -> list[tuple[str, ...]]:
    """Id, author, day and subject of each commit of the first-parent line, oldest first."""
    line = ("git", "log", "--first-parent", "--reverse", "--format=%H%x1f%an%x1f%cI%x1f%s")
    printed = subprocess.run(line, cwd=path, capture_output=True, check=True, encoding="utf-8").stdout
    return [tuple(one.split("\x1f")) for one in printed.splitlines()]


def test_a_history_with_merges_and_odd_names_is_told_alike(git_repo: Callable[..., GitRepo]) -> None:
    repo = git_repo()
    repo.commit("Begin\n\nWith a body.", {"nomic.yml": "format: 1\n"})
    repo.git("checkout", "-q", "-b", "other")
    repo.commit("On a branch", {"proposals/a.md": "one\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("Ä subject: 'quoted', with a tab\tand more", {"proposals/b.md": "two\n"})
    repo.git("merge", "-q", "--no-ff", "-m", "Merge the branch", "other")
    found = [(one.sha, one.author, one.date, one.subject) for one in scan(repo.path).commits]
    assert [one[3] for one in found if one[3].startswith("Merge")] == ["Merge the branch"]
    assert found == told(repo.path)
    assert inspect(repo.path).head == repo.git("rev-parse", "HEAD")


def test_the_history_of_this_repository_is_told_alike() -> None:
    state = inspect(ROOT)
    if not state.present or state.shallow:
        pytest.skip("the project is in no whole repository")
    found = [(one.sha, one.author, one.date, one.subject) for one in scan(ROOT).commits]
    assert found == told(ROOT)
