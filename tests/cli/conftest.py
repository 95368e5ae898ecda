"""A game to play in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.playing import run
from tests.support import GitRepo


@pytest.fixture
def game(git_repo: Callable[..., GitRepo]) -> GitRepo:
    """A game of three, committed."""
    repo = git_repo("game")
    line = "init --name Tea --player osprey --player quill --player wren --on 2026-01-01 --commit"
    run(repo.path, line, str(repo.path))
    return repo
