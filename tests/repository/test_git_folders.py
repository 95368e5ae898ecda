"""Where git keeps what changes with a commit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from nomicgen.repository.git_state import folders
from tests.support import GitRepo


def test_a_repository_keeps_all_in_one_folder(git_repo: Callable[..., GitRepo]) -> None:
    repo = git_repo()
    repo.write({"game/nomic.yml": "name: Tea\n"})
    assert folders(repo.path / "game") == (repo.path.resolve() / ".git",)


def test_a_linked_work_tree_has_a_head_of_its_own(git_repo: Callable[..., GitRepo], tmp_path: Path) -> None:
    repo = git_repo()
    repo.commit("Begin", {"nomic.yml": "name: Tea\n"})
    repo.git("worktree", "add", "--quiet", str(tmp_path / "other"))
    own, common = folders(tmp_path / "other")
    assert common == repo.path.resolve() / ".git"
    assert own == common / "worktrees" / "other"
    assert (own / "HEAD").is_file()


def test_outside_a_repository_there_are_none(tmp_path: Path) -> None:
    assert folders(tmp_path) == ()
