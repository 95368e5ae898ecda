"""What `--dry-run` says that a move brings about, with the rules that permit it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nomicgen.formats.terminal import safe
from tests.cli.playing import EVERYONE, MAJORITY, TEA, begun, run, snapshot
from tests.support import GitRepo

LAW: dict[int, dict[str, Any]] = {
    105: {"ballot": {"everyone_votes": True}},
    111: {"turns": {"order": "alphabetical"}},
    202: {"points": {"on": "adopted", "to": "author", "amount": 10}},
    203: MAJORITY,
    208: {"victory": {"points": 10}},
    212: {"authority": {"by": "judgement", "to": ["repeal"]}, "judgements": {"judge": "anyone"}},
}


def brings(game: GitRepo, line: str, feed: str | None = None) -> list[str]:
    """The lines of the section that a dry run has."""
    before = snapshot(game.path)
    shown = run(game.path, f"{line} --dry-run", feed=feed)
    assert snapshot(game.path) == before
    assert "\nnothing was written (--dry-run)\n" in shown
    assert safe(shown) == shown
    section = shown.partition("What it brings about\n")[2].partition("\n\n")[0]
    return section.splitlines()


@pytest.mark.deep
def test_a_dry_run_says_what_comes_about_and_what_permits_it(git_repo: Callable[..., GitRepo]) -> None:
    game = begun(git_repo(), LAW)
    assert brings(game, "turn --on 2026-01-02") == [
        "  osprey begins R1T1 \N{EM DASH} Rule 111/0",
        "  next turn: R1T1 of osprey -> R1T2 of quill",
    ]
    assert brings(game, "player join marl --on 2026-01-02") == [
        "  marl joins \N{EM DASH} no rule speaks of it",
        "  next turn: R1T1 of osprey -> R1T1 of marl",
        "  may vote: 3 -> 4, with marl",
    ]
    run(game.path, "turn --on 2026-01-02 --commit")
    run(game.path, "propose --title tea --author osprey --on 2026-01-02 --commit --body -", feed=TEA)
    assert brings(game, "register tea --on 2026-01-02") == []
    run(game.path, "register tea --on 2026-01-02 --commit")
    run(game.path, "vote 301 for --on 2026-01-03 --commit", *EVERYONE)
    resolved = [
        "  osprey: 0 → 10 points (proposal 301 adopted, as its author) \N{EM DASH} Rule 202/0",
        "  Rule 301/0 is enacted, mutable \N{EM DASH} Rule 203/0, 3 for; "
        "more than half of eligible voters (3): more than 1.5 needed",
        "  points of osprey: 0 -> 10",
        "  won by: none -> osprey",
    ]
    assert brings(game, "proposal resolve 301 --on 2026-01-03") == resolved
    assert brings(game, "next --do --on 2026-01-03") == resolved
    ruling, changes = put(game, "So."), put(game, "## Repeal Rule 213/0")
    given = f"judgement file --judge quill --under 212 --ruling {ruling} --changes {changes}"
    assert brings(game, f"{given} --on 2026-01-03") == [
        "  Judgement 1 is given \N{EM DASH} Rule 212/0",
        "  Rule 213/0 is repealed \N{EM DASH} Rule 212/0",
    ]
    # What is refused has no dry run, but what is wrong with it.
    assert "authority-missing" in run(game.path, f"{given.replace('212', '213')} --on 2026-01-03 --dry-run", code=1)


def put(game: GitRepo, text: str) -> Path:
    """A file beside the game."""
    path = game.path.parent / f"{len(text)}.md"
    path.write_text(text)
    return path
