"""Who types: an option, the environment, git's settings; and whom a mistyped id was meant for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.playing import MAJORITY, begun, refused, registered, run
from tests.support import GitRepo

PROPOSE = "propose --title Tea --on 2026-01-02"


@pytest.fixture
def game(git_repo: Callable[..., GitRepo]) -> GitRepo:
    return begun(git_repo(), {105: {}, 111: {}, 203: MAJORITY})


def test_git_s_settings_say_who_proposes_and_votes(game: GitRepo) -> None:
    game.git("config", "nomic.player", "quill")
    run(game.path, PROPOSE)
    assert "author: quill\n" in (game.path / "proposals/tea.md").read_text()
    registered(game, 301, "2026-01-02")
    run(game.path, "vote 301 for --on 2026-01-03")
    assert "quill: for" in (game.path / "proposals/301.md").read_text()
    run(game.path, "vote 301 against --on 2026-01-03 --player wren")
    assert "wren: against" in (game.path / "proposals/301.md").read_text()


def test_the_environment_says_it_before_git(game: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    game.git("config", "nomic.player", "quill")
    monkeypatch.setenv("NOMIC_PLAYER", "wren")
    run(game.path, PROPOSE)
    assert "author: wren\n" in (game.path / "proposals/tea.md").read_text()


@pytest.mark.parametrize(("line", "option"), [(PROPOSE, "--author"), ("vote 301 for", "--player")])
def test_where_nobody_is_named_the_option_is_asked_for(game: GitRepo, line: str, option: str) -> None:
    said = run(game.path, line, code=2)
    assert f"Say who it is: {option} ID. `git config nomic.player ID` or the variable NOMIC_PLAYER says it" in said


def test_a_setting_that_is_no_id(game: GitRepo) -> None:
    game.git("config", "nomic.player", "Quill the First")
    assert "should name a player: 'Quill the First' is no id" in run(game.path, PROPOSE, code=2)


@pytest.mark.parametrize(("typed", "meant"), [("qill", "quill"), ("ospray", "osprey"), ("wrenn", "wren")])
def test_a_mistyped_player_is_answered_with_the_nearest_one(game: GitRepo, typed: str, meant: str) -> None:
    said = refused(game.path, f"{PROPOSE} --author {typed}")
    assert f"error: there is no player {typed}\nhelp: perhaps {meant} is meant; players: osprey, quill, wren; " in said


def test_a_player_whom_no_name_is_like(game: GitRepo) -> None:
    said = refused(game.path, f"{PROPOSE} --author zzz")
    assert "help: players: osprey, quill, wren; `nomicgen player join zzz` adds one" in said
