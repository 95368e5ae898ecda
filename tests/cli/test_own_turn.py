"""Who may propose only in their own turn: told when they write a draft, and refused when they register it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.playing import TEA, begun, refused, run
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
