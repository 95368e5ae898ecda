"""How tests play: commands typed in a real repository, what they print, and what they leave on the
disk.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from nomicgen.cli.program import main
from nomicgen.files.file_editing import set_keys
from tests.support import GitRepo, once

TEA = "Tea helps.\n\n## Enact Rule: Tea\n\nThere is tea.\n"
EVERYONE = ("--player", "osprey", "--player", "quill", "--player", "wren")
START = "2026-01-01"
MAJORITY = {"adoption": {"needs": "majority", "of": "eligible"}}
LOOSE = {201: {"turns": {"order": "seat", "proposals": 1, "passing": False}}}
"""Suber's turns, except that one needs no proposal, and may begin before the last has ended."""


def run(root: Path, line: str, *more: str, code: int = 0, feed: str | None = None) -> str:
    """Types a command in a game; gives what it printed on both streams."""
    result = CliRunner().invoke(main, ["-C", str(root), *line.split(), *more], input=feed)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == code, result.output
    return result.output


def refused(root: Path, line: str, *more: str, code: int = 2, feed: str | None = None) -> str:
    """Types a command that is refused; gives what it printed, when it has written nothing and says
    what to do.
    """
    before = snapshot(root)
    said = run(root, line, *more, code=code, feed=feed)
    assert snapshot(root) == before
    assert "help: " in said, said
    return said


def snapshot(root: Path) -> dict[str, bytes]:
    files = (path for path in root.rglob("*") if path.is_file() and ".git/" not in path.as_posix())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def begun(
    repo: GitRepo,
    law: Mapping[int, Mapping[str, Any]] | None = None,
    *,
    ruleset: str = "suber",
    files: Mapping[str, str] | None = None,
) -> GitRepo:
    """A game of three, committed; `law` has other provisions for some rules of a ruleset that
    ships, `files` more.
    """
    key = json.dumps(["begun", law, ruleset, files], sort_keys=True)
    return once(key, repo, lambda new: _begin(new, law or {}, ruleset, files or {}))


def _begin(
    repo: GitRepo, law: Mapping[int, Mapping[str, Any]], ruleset: str, files: Mapping[str, str]
) -> None:
    run(repo.path, f"init --ruleset {ruleset} --name Tea --on {START}", *EVERYONE, str(repo.path))
    for number, provisions in law.items():
        path = repo.path / f"rules/initial/{number}.md"
        path.write_bytes(set_keys(path.read_bytes(), {"provisions": provisions or None}))
    repo.write(files)
    run(repo.path, f"apply --on {START}")
    repo.commit("Begin Tea")
    assert run(repo.path, f"check --strict --on {START}").endswith("nothing is wrong\n")


def registered(
    game: GitRepo, number: int, on: str, body: str = TEA, *, author: str = "osprey"
) -> None:
    """Writes and registers a proposal, each in a commit."""
    title = f"t{number}"
    run(
        game.path,
        f"propose --title {title} --author {author} --on {on} --commit --body -",
        feed=body,
    )
    assert f"proposals/{number}.md" in run(game.path, f"register {title} --on {on} --commit")


def passed(
    game: GitRepo,
    number: int,
    body: str,
    on: str,
    votes: str = "for",
    title: str = "tea",
    author: str = "osprey",
) -> str:
    """Plays a proposal from draft to decision, each step in a commit: the vote is on a day, the
    debate before it.
    """
    before = date.fromisoformat(on) - timedelta(days=1)
    run(
        game.path,
        f"propose --title {title} --author {author} --on {before} --commit --body -",
        feed=body,
    )
    run(game.path, f"register {title} --on {before} --commit")
    run(game.path, f"vote {number} {votes} --on {on} --commit", *EVERYONE)
    return run(game.path, f"proposal resolve {number} --on {on} --commit")


def proposal(game: GitRepo, number: int = 301) -> str:
    return (game.path / f"proposals/{number}.md").read_text()


def votes(game: GitRepo, number: int = 301) -> str:
    """The votes as the file has them."""
    return proposal(game, number).partition("votes:")[2].partition("digest:")[0]


def vote(game: GitRepo, typed: str, day: int, number: int = 301) -> str:
    return run(game.path, f"vote {number} {typed} --on 2026-01-{day:02}")
