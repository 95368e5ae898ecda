"""Changes that take effect days after their decision, or on a day of their own: typed in a real repository."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from nomicgen.files.file_editing import set_keys
from tests.cli.playing import EVERYONE, LOOSE, MAJORITY, TEA, begun, proposal, refused, run
from tests.support import GitRepo

Repo = Callable[..., GitRepo]
Provisions = Mapping[str, Any]


def game(
    repo: GitRepo, effect: Any, commences: str | None = None, more: Mapping[int, Provisions] | None = None
) -> None:
    begun(repo, {107: {}, 201: {}, 205: {"effect": effect}, 203: MAJORITY, **(more or {})})
    own = f" --commences {commences}" if commences else ""
    run(repo.path, f"propose --title tea --author osprey --on 2026-01-02{own} --commit --body -", feed=TEA)
    run(repo.path, "register tea --on 2026-01-02 --commit")
    run(repo.path, "vote 301 for --on 2026-01-03 --commit", *EVERYONE)


@pytest.mark.deep
def test_a_change_waits_for_its_days_and_is_applied_then(git_repo: Repo) -> None:
    repo = git_repo()
    game(repo, {"after": "7 days"})
    told = run(repo.path, "proposal preview 301 --on 2026-01-03")
    assert "It takes effect 7 days after the decision (Rule 205).\n" in told
    assert "  it takes effect on 2026-01-10: nomicgen apply\n" in run(
        repo.path, "proposal resolve 301 --on 2026-01-03 --commit"
    )
    assert "decided: 2026-01-03\neffective: 2026-01-10\n" in proposal(repo)
    assert not (repo.path / "rules/301.md").exists()
    run(repo.path, "apply --on 2026-01-10 --commit")
    assert (repo.path / "rules/301.md").exists()
    assert run(repo.path, "check --on 2026-01-10").endswith(" nothing is wrong\n")


@pytest.mark.deep
def test_the_later_of_two_days_is_written(git_repo: Repo) -> None:
    repo = git_repo()
    game(repo, {"after": "7 days", "own_day": True}, "2026-02-01")
    assert "It takes effect on 2026-02-01, by its own words.\n" in run(
        repo.path, "proposal preview 301 --on 2026-01-03"
    )
    run(repo.path, "proposal resolve 301 --on 2026-01-03 --commit")
    assert "effective: 2026-02-01\n" in proposal(repo)
    assert run(repo.path, "check --on 2026-01-10").endswith(" nothing is wrong\n")


def test_a_day_that_may_not_be_named_is_refused(git_repo: Repo) -> None:
    repo = begun(git_repo(), {107: {}, 201: {}, 205: {"effect": {"own_day": False}}, 203: MAJORITY})
    line = "propose --title tea --author osprey --on 2026-01-02 --commit --body -"
    told = run(repo.path, f"{line} --commences 2026-02-01", feed=TEA, code=1)
    assert "Rule 205 lets no proposal name its day\n" in told
    run(repo.path, line, feed=TEA)
    path = repo.path / "proposals/tea.md"
    path.write_bytes(set_keys(path.read_bytes(), {"commences": "2026-02-01"}))
    told = refused(repo.path, "register tea --on 2026-01-02", code=1)
    assert (
        "error[effect-wrong]: says that it takes effect on 2026-02-01; Rule 205 lets no proposal name its day" in told
    )
    assert "delete `commences`" in told
    said = run(repo.path, "proposal preview tea --on 2026-01-02", code=1)
    assert "It says that it takes effect on 2026-02-01, but Rule 205 says when it does.\n" in said


@pytest.mark.deep
def test_a_turn_writes_the_later_day(git_repo: Repo) -> None:
    repo = git_repo()
    game(repo, {"when": "next-turn", "own_day": True}, "2026-02-01", LOOSE)
    told = run(repo.path, "proposal preview 301 --on 2026-01-03")
    assert "on 2026-02-01 or at the start of the next turn, whichever is later (Rule 205).\n" in told
    run(repo.path, "proposal resolve 301 --on 2026-01-03 --commit")
    assert "\neffective:" not in proposal(repo)
    assert "Proposal 301 takes effect on 2026-02-01: nomicgen apply\n" in run(
        repo.path, "turn R1T1 --player osprey --on 2026-01-05 --commit"
    )
    assert "effective: 2026-02-01\n" in proposal(repo)
    assert run(repo.path, "check --on 2026-01-06").endswith(" nothing is wrong\n")
