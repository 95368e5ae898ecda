"""`nomicgen import git`, typed: what it prints, what it writes, how it ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.cli.playing import run
from tests.importers.archives import FAIR, LAMPS, TURNS, Story, rule
from tests.support import GitRepo

Repos = Callable[..., GitRepo]


def told(repo: GitRepo) -> Story:
    story = Story(repo)
    story.commit("Begin", {"r/101.md": FAIR, "r/201.md": LAMPS, "r/202.md": TURNS})
    story.commit("Proposal 301: Dawn", {"r/201.md": rule("201/1", "Lamps are lit at dawn.")})
    story.commit("an update", {"r/202.md": rule("202/1", "A turn is two days long.")})
    return story


def typed(repo: GitRepo, root: Path, *more: str, code: int = 0) -> str:
    line = ("import git", str(repo.path), "--path", "r/*.md", "--into", str(root / "game"), "--on", "2026-01-10")
    return run(root, *line, *more, code=code).replace(str(root), "ROOT").replace(str(repo.path), "REPO")


def test_a_game_is_written_and_checked(git_repo: Repos, tmp_path: Path) -> None:
    story = told(git_repo())
    root = tmp_path / "new"
    root.mkdir()
    assert typed(story.repo, root, "--name", "Lantern", "--commit", "--report", str(root / "report.json")).splitlines()[
        :2
    ] == [
        "ROOT/report.json holds the report: 1 oddities, 5 events",
        "ROOT/game holds Lantern: 3 rules",
    ]
    assert (root / "game/acts/2021-03-03-correction.md").read_text("utf-8") == (
        "---\n"
        "cause: Correction\n"
        "by: wren-keeper\n"
        "date: 2021-03-03\n"
        f"commit: {story.shas[2]}\n"
        "note: an update\n"
        "---\n"
        "\n"
        "## Amend Rule 202/0\n"
        "\n"
        "A turn is two days long.\n"
    )
    assert "0 errors" in run(root / "game", "check")
    report = json.loads((root / "report.json").read_text("utf-8"))
    assert [one["slug"] for one in report["oddities"]] == ["unclassed"]


def test_a_dry_run_writes_the_report_and_nothing_else(git_repo: Repos, tmp_path: Path) -> None:
    story = told(git_repo())
    root = tmp_path / "new"
    root.mkdir()
    assert typed(story.repo, root, "--dry-run", "--report", str(root / "report.md")) == (
        "ROOT/report.md holds the report: 1 oddities, 5 events\n"
        "ROOT/game would hold Nomic, in 14 files; nothing was written (--dry-run)\n"
    )
    assert [path.name for path in root.iterdir()] == ["report.md"]
    assert (root / "report.md").read_text("utf-8").startswith("# Import of `")


def test_what_cannot_be_read_is_said(git_repo: Repos, tmp_path: Path) -> None:
    story = told(git_repo())
    root = tmp_path / "new"
    root.mkdir()
    assert typed(story.repo, root, "--branch", "nope", code=2) == (
        "error: git knows no commit called 'nope'\n"
        "help: fetch it first (`git fetch origin`), or name another: `git log --all`\n"
    )
    said = run(root, "import git", str(story.repo.path), "--path", "x/*.md", "--into", str(root / "game"), code=2)
    assert said == (
        "error: no commit of HEAD has a rule in x/*.md\n"
        "help: see which files the repository has: `git ls-files`; a pattern is a path from its top\n"
    )
    assert "a pattern of --subject should have a group" in typed(story.repo, root, "--subject", "Motion", code=2)
    assert not (root / "game").exists()
