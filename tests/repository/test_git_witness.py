"""The history that git tells is the one that another reader of it tells: GitPython."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import git
import pytest

from nomicgen.repository.git_state import inspect, scan
from tests.support import GitRepo

ROOT = Path(__file__).parents[2]


def told(path: Path) -> list[tuple[str, str, str, str | bytes]]:
    """Id, author, day and subject of each commit of the first-parent line, oldest first."""
    commits = git.Repo(path).iter_commits("HEAD", first_parent=True, reverse=True)
    return [
        (one.hexsha, str(one.author.name), one.committed_datetime.isoformat(), one.message.splitlines()[0])
        for one in commits
    ]


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
    assert inspect(repo.path).head == git.Repo(repo.path).head.commit.hexsha


def test_the_history_of_this_repository_is_told_alike() -> None:
    state = inspect(ROOT)
    if not state.present or state.shallow:
        pytest.skip("the project is in no whole repository")
    found = [(one.sha, one.author, one.date, one.subject) for one in scan(ROOT).commits]
    assert found == told(ROOT)
