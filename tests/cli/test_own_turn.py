"""Who may propose only in their own turn: told when they write a draft, and refused when they register it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.playing import MAJORITY, TEA, begun, refused, registered, run
from tests.support import GitRepo

LAW = {201: {"turns": {"order": "seat", "own_turn": True}}}


@pytest.mark.deep
def test_a_draft_waits_for_the_turn_of_its_author(git_repo: Callable[..., GitRepo]) -> None:
    game = begun(git_repo(), LAW)
    run(game.path, "turn --on 2026-01-02 --commit")
    told = "Legal. It waits for wren's turn (R1T3), and then gets its number."
    typed = "propose --title tea --author wren --on 2026-01-03 --commit --body -"
    assert run(game.path, typed, feed=TEA).splitlines()[2] == told
    assert told not in run(game.path, "propose --title cake --author osprey --on 2026-01-03 --body -", feed=TEA)
    assert "turn R1T1: osprey, since 2026-01-02; only osprey proposes (Rule 201)\n" in run(game.path, "status")
    (game.path / "proposals/cake.md").unlink()
    said = refused(game.path, "register tea --on 2026-01-03")
    assert (
        f"error: proposals/tea.md: {told[:-1]}\nhelp: R1T1 is the turn of osprey, and wren proposes (Rule 201)\n"
        in said
    )
    run(game.path, "turn R1T1 --end --dice 4 --on 2026-01-03 --commit")
    assert "only osprey proposes" not in run(game.path, "status")
    assert "proposals/301.md" in run(game.path, "register tea --on 2026-01-04")


@pytest.mark.parametrize("turns", [{"proposals": 1}, {"own_turn": True}])
def test_before_the_first_turn_only_its_player_proposes(
    turns: dict[str, object], git_repo: Callable[..., GitRepo]
) -> None:
    game = begun(git_repo(), {201: {"turns": {"order": "seat", **turns}}})
    on = "--on 2026-01-02"
    assert "next turn: R1T1, osprey; no turn has begun yet: nomicgen turn\n" in run(game.path, "status")
    for title, author in (("tea", "wren"), ("cake", "osprey")):
        run(game.path, f"propose --title {title} --author {author} {on} --commit --body -", feed=TEA)
    said = refused(game.path, f"register tea {on}")
    assert "error: proposals/tea.md: Legal. It waits for wren's turn (R1T3), and then gets its number\n" in said
    assert "help: the first turn, R1T1 of osprey, has not begun, and wren proposes (Rule 201); begin it with" in said
    assert "proposals/301.md" in run(game.path, f"register cake {on} --commit")
    warned = run(game.path, f"check {on}")
    assert "warning[turn-unbegun]: no turn has begun: the first is R1T1 of osprey\n  rule: Rule 201\n" in warned
    run(game.path, f"turn {on} --commit")
    assert run(game.path, f"check --strict {on}").endswith("nothing is wrong\n")
    assert "no turn has begun" not in run(game.path, "status")


@pytest.mark.parametrize("turns", [None, {"order": "seat"}, {"order": "seat", "proposals": 1, "own_turn": False}])
def test_where_no_rule_gives_proposals_to_turns_anybody_begins(
    turns: dict[str, object] | None, git_repo: Callable[..., GitRepo]
) -> None:
    game = begun(git_repo(), {201: {"turns": turns} if turns else {}})
    run(game.path, "propose --title tea --author wren --on 2026-01-02 --commit --body -", feed=TEA)
    run(game.path, "register tea --on 2026-01-02 --commit")
    assert run(game.path, "check --strict --on 2026-01-02").endswith("nothing is wrong\n")


def test_an_archive_may_have_recorded_no_turns(git_repo: Callable[..., GitRepo]) -> None:
    game = begun(git_repo())
    settings = game.path / "nomic.yml"
    game.commit("An archive", {"nomic.yml": settings.read_text("utf-8").replace("started: 2026-01-01\n", "")})
    run(game.path, "propose --title tea --author wren --on 2026-01-02 --commit --body -", feed=TEA)
    run(game.path, "register tea --on 2026-01-02 --commit")
    assert run(game.path, "check --strict --on 2026-01-02").endswith("nothing is wrong\n")


# Who types: an option, the environment, git's settings; and whom a mistyped id was meant for.


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
