"""A vote ends although one change of its proposal is impossible: typed in a real repository."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nomicgen.files import set_keys
from tests.cli.playing import EVERYONE, MAJORITY, TEA, begun, refused, run
from tests.support import GitRepo

Repo = Callable[..., GitRepo]
TWO = f"{TEA}\n## Repeal Rule 213/0\n"


def voted(repo: GitRepo, impossible: str) -> None:
    """Rule 213 is there when the vote opens, and repealed by another proposal before it ends."""
    begun(repo, {107: {}, 108: {}, 205: {"effect": {"impossible": impossible}}, 203: MAJORITY})
    for title, body in (("tea", TWO), ("less", "Less.\n\n## Repeal Rule 213/0\n")):
        run(repo.path, f"propose --title {title} --author osprey --on 2026-01-02 --commit --body -", feed=body)
        run(repo.path, f"register {title} --on 2026-01-02 --commit")
    run(repo.path, "vote 301 for --on 2026-01-03 --commit --player osprey --player quill")
    run(repo.path, "vote 302 for --on 2026-01-03 --commit", *EVERYONE)
    run(repo.path, "proposal resolve 302 --on 2026-01-03 --commit")


@pytest.mark.deep
def test_one_change_falls_and_the_vote_goes_on(git_repo: Repo) -> None:
    repo = git_repo()
    voted(repo, "that")
    assert "error[rule-unknown]" in run(repo.path, "check --on 2026-01-04", code=1)
    run(repo.path, "vote 301 for --player wren --on 2026-01-04 --commit")
    told = run(repo.path, "proposal resolve 301 --on 2026-01-04 --dry-run")
    assert "Repeal Rule 213/0" in told
    run(repo.path, "proposal resolve 301 --on 2026-01-04 --commit")
    assert (repo.path / "rules/301.md").exists()
    said = run(repo.path, "check --on 2026-01-04")
    assert "warning[change-overtaken]: this change is dropped, and the others are carried out: " in said
    assert "error" not in said.replace("0 errors", "")


@pytest.mark.deep
def test_unsaid_the_vote_cannot_end(git_repo: Repo) -> None:
    repo = git_repo()
    voted(repo, "all")
    assert "error[rule-unknown]" in refused(repo.path, "vote 301 for --player wren --on 2026-01-04", code=1)


def test_a_draft_with_an_impossible_change_is_not_registered(git_repo: Repo) -> None:
    repo = begun(git_repo(), {107: {}, 108: {}, 205: {"effect": {"impossible": "that"}}, 203: MAJORITY})
    run(repo.path, "propose --title tea --author osprey --on 2026-01-02 --body -", feed=TEA)
    path = repo.path / "proposals/tea.md"
    path.write_bytes(set_keys(path.read_bytes(), {}) + b"\n## Repeal Rule 999/0\n")
    assert "error[rule-unknown]" in refused(repo.path, "register tea --on 2026-01-02", code=1)
