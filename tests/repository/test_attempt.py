"""A write that is to be committed: with its commit, or not at all. What a killed command leaves is
in tests/faults.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from nomicgen.repository.commits import commit
from nomicgen.repository.durable_files import replace_file
from nomicgen.repository.errors import Edited
from nomicgen.repository.game_tree import read_tree
from nomicgen.repository.write_plan import WritePlan, attempt, execute
from tests.repository.places import contents, fill
from tests.support import GitRepo

OLD = {
    "nomic.yml": b"format: 1\n",
    "rules/203.md": b"unanimous\n",
    "proposals/tea.md": b"a draft\n",
}
NEW = {
    "nomic.yml": b"format: 1\n",
    "rules/203.md": b"a majority\n",
    "turns/R1T1.yml": b"player: wren\n",
}
PLAN = WritePlan(
    writes={path: data for path, data in NEW.items() if OLD.get(path) != data},
    deletes=frozenset({"proposals/tea.md"}),
)
PATHS = (*PLAN.writes, *PLAN.deletes)


@pytest.fixture
def repo(git_repo: Callable[..., GitRepo]) -> GitRepo:
    repo = git_repo()
    fill(repo.path, OLD)
    repo.commit("Begin")
    return repo


def killed(action: Callable[[], None]) -> None:
    """Does something in a child that dies there."""
    child = os.fork()
    if child == 0:
        try:
            action()
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def interrupted(root: Path, *, commits: bool) -> None:
    def action() -> None:
        with attempt(root, PLAN):
            if commits:
                commit(root, PATHS, "x\n")
            die()

    killed(action)
    assert contents(root) == NEW
    assert (root / ".nomicgen").is_dir()


def test_a_commit_that_is_made_keeps_what_was_written(repo: GitRepo) -> None:
    with attempt(repo.path, PLAN):
        assert contents(repo.path) == NEW
        sha = commit(repo.path, PATHS, "x\n")
    assert contents(repo.path) == NEW
    assert repo.git("rev-parse", "HEAD") == sha
    assert repo.git("status", "--porcelain", "--ignored") == ""


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_what_is_not_committed_is_taken_back(repo: GitRepo, error: type[BaseException]) -> None:
    def fail() -> None:
        assert contents(repo.path) == NEW
        raise error

    with pytest.raises(error), attempt(repo.path, PLAN):
        fail()
    assert contents(repo.path) == OLD
    assert not (repo.path / "turns").exists()
    assert repo.git("status", "--porcelain", "--ignored") == ""


def test_the_next_reader_takes_back_what_was_not_committed(
    repo: GitRepo, caplog: pytest.LogCaptureFixture
) -> None:
    interrupted(repo.path, commits=False)
    assert read_tree(repo.path) == dict(sorted(OLD.items()))
    assert contents(repo.path) == OLD
    assert caplog.messages == [
        "a command was interrupted before its commit: what it had written is taken back"
    ]
    assert repo.git("status", "--porcelain", "--ignored") == ""


def test_the_next_reader_leaves_what_was_committed(
    repo: GitRepo, caplog: pytest.LogCaptureFixture
) -> None:
    interrupted(repo.path, commits=True)
    assert read_tree(repo.path) == dict(sorted(NEW.items()))
    assert caplog.messages == [
        "a command was interrupted after its commit: what it had written stands"
    ]
    assert repo.git("status", "--porcelain", "--ignored") == ""


@pytest.mark.parametrize("path", ["rules/203.md", "turns/R1T1.yml"])
def test_what_a_person_wrote_since_is_not_overwritten(repo: GitRepo, path: str) -> None:
    interrupted(repo.path, commits=False)
    (repo.path / path).write_bytes(b"mine\n")
    for act in (lambda: read_tree(repo.path), lambda: execute(repo.path, WritePlan())):
        with pytest.raises(Edited) as caught:
            act()
        assert caught.value.paths == (path,)
    assert (repo.path / path).read_bytes() == b"mine\n"
    (repo.path / path).rename(repo.path / "mine.md")
    read_tree(repo.path)
    assert contents(repo.path) == {**OLD, "mine.md": b"mine\n"}


def test_in_a_repository_that_was_taken_away_what_was_written_stands(repo: GitRepo) -> None:
    interrupted(repo.path, commits=False)
    (repo.path / ".git").rename(repo.path.parent / "elsewhere")
    assert read_tree(repo.path) == dict(sorted(NEW.items()))


@pytest.mark.deep
def test_a_lock_of_the_branch_that_a_killed_git_left_is_removed(repo: GitRepo) -> None:
    interrupted(repo.path, commits=False)
    for name in ("HEAD.lock", f"{repo.git('symbolic-ref', 'HEAD')}.lock"):
        (repo.path / ".git" / name).touch()
    (repo.path / ".git" / "index.lock").touch()
    read_tree(repo.path)
    # The index may be held by someone whose editor is open.
    assert [lock.name for lock in (repo.path / ".git").rglob("*.lock")] == ["index.lock"]


def test_a_file_is_replaced_whole_and_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "rules.md"
    replace_file(file, b"first\n")
    file.chmod(0o600)
    (tmp_path / "link").symlink_to("rules.md")
    replace_file(tmp_path / "link", b"second\n")
    assert file.read_bytes() == b"second\n"
    assert file.stat().st_mode & 0o777 == 0o600
    assert sorted(one.name for one in tmp_path.iterdir()) == ["link", "rules.md"]


def test_a_device_is_written_to() -> None:
    replace_file(Path(os.devnull), b"x")
    assert Path(os.devnull).is_char_device()
