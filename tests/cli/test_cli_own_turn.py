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
    told = "it cannot be registered yet: R1T1 is the turn of osprey, and wren proposes"
    typed = "propose --title tea --author wren --on 2026-01-03 --commit --body -"
    assert run(game.path, typed, feed=TEA).splitlines()[2] == told
    assert told not in run(game.path, "propose --title cake --author osprey --on 2026-01-03 --body -", feed=TEA)
    assert "turn R1T1: osprey, since 2026-01-02; only osprey proposes (Rule 201)\n" in run(game.path, "status")
    (game.path / "proposals/cake.md").unlink()
    said = refused(game.path, "register tea --on 2026-01-03", code=1)
    assert "error[turn-proposals]: R1T1 is the turn of osprey, and wren proposes\n  rule: Rule 201\n" in said
    run(game.path, "turn R1T1 --end --dice 4 --on 2026-01-03 --commit")
    assert "only osprey proposes" not in run(game.path, "status")
    assert "proposals/301.md" in run(game.path, "register tea --on 2026-01-04")
