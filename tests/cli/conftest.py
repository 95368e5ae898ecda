"""A game to play in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.playing import MAJORITY, begun, registered, run
from tests.support import GitRepo


@pytest.fixture
def game(git_repo: Callable[..., GitRepo]) -> GitRepo:
    """A game of three, committed."""
    repo = git_repo("game")
    line = "init --name Tea --player osprey --player quill --player wren --on 2026-01-01 --commit"
    run(repo.path, line, str(repo.path))
    return repo


@pytest.fixture
def silent(git_repo: Callable[..., GitRepo]) -> GitRepo:
    """A game where silence for three days is a vote for and costs three points, and a majority is enough."""
    game = begun(git_repo(), {204: MAJORITY}, ruleset="paranomic")
    run(game.path, "turn --on 2026-01-02 --commit")
    registered(game, 301, "2026-01-02")
    return game
