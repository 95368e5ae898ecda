"""A game in a repository, for whatever may befall that."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.playing import EVERYONE, TEA, run
from tests.support import GitRepo

RULES = "101. All players must always abide by all the rules.\n\n201. Players alternate.\n"


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> GitRepo:
    """A game in which there is something to do for each command, and a file beside it that two
    branches changed.
    """
    repo = GitRepo(tmp_path_factory.mktemp("played") / "game")
    run(repo.path, "init --name Tea --on 2026-01-01", *EVERYONE, str(repo.path))
    repo.commit("Begin", {"notes.txt": "one\n", "aside/a.txt": "a\n"})
    for title, on in (("tea", 2), ("coffee", 3)):
        line = f"propose --title {title} --author osprey --on 2026-01-0{on} --commit --body -"
        run(repo.path, line, feed=TEA.replace("Tea", title.title()))
    run(repo.path, "register tea --on 2026-01-03 --commit")
    run(repo.path, "vote 301 for --player osprey --player quill --on 2026-01-05 --commit")
    repo.git("switch", "--quiet", "-c", "other")
    repo.commit("Theirs", {"notes.txt": "theirs\n"})
    repo.commit("Theirs too", {"notes.txt": "theirs\ntoo\n"})
    repo.git("switch", "--quiet", "main")
    repo.commit("Ours", {"notes.txt": "ours\n"})
    return repo


@pytest.fixture
def game(played: GitRepo, tmp_path: Path) -> GitRepo:
    shutil.copytree(played.path, tmp_path / "game", symlinks=True)
    (tmp_path / "rules.txt").write_text(RULES)
    repo = GitRepo(tmp_path / "game")
    repo.git("status")  # the copies are as the index has them
    return repo
