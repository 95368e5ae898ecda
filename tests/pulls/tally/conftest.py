"""A game to vote in, on a forge."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.pulls.tally.tallying import put
from tests.support import GitRepo


@pytest.fixture(scope="session")
def poll_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `poll` is a copy of: to play that far takes longer than to count."""
    return put(lambda: GitRepo(tmp_path_factory.mktemp("poll") / "game")).path


@pytest.fixture
def poll(poll_template: Path, tmp_path: Path) -> GitRepo:
    """A game in which proposal 301 is open since 4 January, and closes on the 7th."""
    shutil.copytree(poll_template, tmp_path / "game", symlinks=True)
    return GitRepo(tmp_path / "game")
