"""The game's own workflows on a real runner, with the real `gh`: `acting.py` says what that leaves untried."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.pulls.forge.acting import STAND_INS, TOKEN, acted
from tests.pulls.forge.conftest import draft, pushed
from tests.pulls.forge.runner import nowhere


def succeeded(log: str) -> list[str]:
    """The jobs that ran, each of which succeeded."""
    ended = dict(re.findall(r"^\[([^\]]+?) *\] 🏁  Job (\w+)$", log, re.MULTILINE))
    assert log.endswith("act ended with 0\n"), log
    assert set(ended.values()) == {"succeeded"}, log
    return sorted(ended)


@pytest.mark.deep
def test_a_pull_request_is_answered_then_put_to_the_vote_and_published(template: Path, tmp_path: Path) -> None:
    """The clock is this machine's, so the game's is too; a vote comes to its end in `test_play.py`."""
    forge = pushed(template, tmp_path)
    forge.now = datetime.now(UTC)
    number, event = forge.open("wren-plays", {"proposals/tea.md": draft()}, title="Tea, $(touch pwned)")
    ran = succeeded(acted(forge, event, tmp_path / "opened"))
    assert ran == ["Answer/Answer/Answer", "Pull request/Check"]
    (before,) = forge.bodies(number)
    assert before.startswith("<!-- nomicgen:comment -->\n")
    assert forge.subjects() == ["Begin Tea"]

    ran = succeeded(acted(forge, forge.comment(number, "wren-plays", "/open"), tmp_path / "asked"))
    publish = ["Publish/Publish/Build the site", "Publish/Publish/Publish the site"]
    assert ran == ["Answer/Answer/Answer", "Play/Play", *publish]
    assert forge.subjects() == ["Register proposal 301: Tea", "Begin Tea"]
    registered = forge.file("proposals/301.md")
    assert "status: debate\n" in registered
    assert f"discussion: https://github.com/us/game/pull/{number}\n" in registered
    (after,) = forge.bodies(number)
    assert after != before
    assert "There is tea." in (tmp_path / "asked/site/proposals/301/index.html").read_text("utf-8")
    for folder in ("opened", "asked"):
        nowhere(TOKEN, *(tmp_path / folder / kept for kept in ("artefacts", "site", "home")))
    assert {f"actions/{one.name}" for one in (tmp_path / "asked/actions/actions").iterdir()} == set(STAND_INS)
    assert not list(tmp_path.rglob("pwned"))
