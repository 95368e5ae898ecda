"""A game to play in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.playing import LOOSE, MAJORITY, begun, registered, run
from tests.support import GitRepo, once


@pytest.fixture
def game(git_repo: Callable[..., GitRepo]) -> GitRepo:
    """A game of three, committed."""
    line = "init --name Tea --player osprey --player quill --player wren --on 2026-01-01 --commit"
    return once(
        "a game of three", git_repo("game"), lambda repo: run(repo.path, line, str(repo.path))
    )


@pytest.fixture
def loose(git_repo: Callable[..., GitRepo]) -> GitRepo:
    """The same, where a turn needs no proposal."""
    return begun(git_repo(), LOOSE)


@pytest.fixture
def silent(git_repo: Callable[..., GitRepo]) -> GitRepo:
    """A game where silence for three days is a vote for and costs three points, and a majority is
    enough.
    """

    def play(repo: GitRepo) -> None:
        game = begun(repo, {204: MAJORITY}, ruleset="paranomic")
        run(game.path, "turn --on 2026-01-02 --commit")
        registered(game, 301, "2026-01-02")

    return once("a silent game", git_repo(), play)
