"""The game whose history is verified."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support import GitRepo
from tests.verify.histories import lamplit


@pytest.fixture(scope="session")
def lamplit_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `game` is a copy of: to play that far takes longer than to verify."""
    return lamplit(GitRepo(tmp_path_factory.mktemp("lamplit") / "game")).path


@pytest.fixture
def game(lamplit_template: Path, tmp_path: Path) -> GitRepo:
    """A game of two adopted proposals."""
    shutil.copytree(lamplit_template, tmp_path / "game", symlinks=True)
    repo = GitRepo(tmp_path / "game")
    repo.commits = 1
    return repo


@pytest.fixture
def forgetful(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody remembers what they saw."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("CI", "true")
