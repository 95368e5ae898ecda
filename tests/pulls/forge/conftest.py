"""A game of three on a forge, with what `init` gives it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from nomicgen.cli.program import main
from nomicgen.files.file_editing import set_keys
from tests.pulls.forge.forge import ADDRESS, Forge
from tests.pulls.forge.runner import Runner
from tests.support import GitRepo

PLAYERS = {"osprey": "osprey-flies", "quill": "Quill-Writes", "wren": "wren-plays"}
"""The players, each with the account that they have on the forge."""

Playing = tuple[Forge, Runner]


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game that begins on 1 January 2026, in which a majority is enough; nobody changes it."""
    game = GitRepo(tmp_path_factory.mktemp("template") / "game")
    line = ["init", str(game.path), "--name", "Tea", "--on", "2026-01-01", "--keeper", "wren-plays"]
    line += ["--repository", ADDRESS]
    result = CliRunner().invoke(
        main, [*line, *(word for one in PLAYERS for word in ("--player", one))]
    )
    assert result.exit_code == 0, result.output
    for seat, (ident, login) in enumerate(PLAYERS.items(), 1):
        text = (
            f"name: {ident.title()}\naccounts:\n  github: {login}\njoined: 2026-01-01\n"
            f"order: {seat}\n"
        )
        (game.path / "players" / f"{ident}.yml").write_text(text)
    for number, law in {
        201: None,
        203: {"adoption": {"needs": "majority", "of": "eligible"}},
    }.items():
        rule = game.path / f"rules/initial/{number}.md"
        rule.write_bytes(set_keys(rule.read_bytes(), {"provisions": law}))
    applied = CliRunner().invoke(main, ["-C", str(game.path), "apply", "--on", "2026-01-01"])
    assert applied.exit_code == 0, applied.output
    game.commit("Begin Tea")
    return game.path


def pushed(template: Path, folder: Path, branch: str = "main") -> Forge:
    """The game on a forge, where it is 5 January at noon."""
    shutil.copytree(template, folder / "game")
    forge = Forge(folder / "forge", datetime(2026, 1, 5, 12, tzinfo=UTC), branch)
    forge.founded(GitRepo(folder / "game"))
    return forge


@pytest.fixture
def begin(tmp_path: Path, template: Path) -> Callable[..., Playing]:
    """Pushes the game to a forge of its own."""

    def make(name: str = "one", branch: str = "main") -> Playing:
        forge = pushed(template, tmp_path / name, branch)
        return forge, Runner(forge)

    return make


@pytest.fixture
def playing(begin: Callable[..., Playing]) -> Playing:
    return begin()


@pytest.fixture
def begin_other(begin: Callable[..., Playing]) -> Playing:
    return begin("other")


def draft(title: str = "Tea", author: str = "wren", body: str | None = None) -> str:
    """A draft as a player writes it in the web editor."""
    changes = (
        body
        if body is not None
        else f"{title} helps.\n\n## Enact Rule: {title}\n\nThere is {title.lower()}.\n"
    )
    return f"---\ntitle: {title}\nauthor: {author}\nstatus: draft\n---\n\n{changes}"
