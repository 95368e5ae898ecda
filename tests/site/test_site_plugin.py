"""The MkDocs plugin: what it adds, what it leaves to people, and what it says when a game is broken."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from mkdocs.config import load_config
from mkdocs.livereload import LiveReloadServer

from nomicgen.plugin import NomicPlugin
from tests.site.conftest import Build, Built


@pytest.fixture
def copy(harbour: Built, tmp_path: Path) -> Path:
    """A game's folder without its git repository."""
    return Path(shutil.copytree(harbour.game, tmp_path / "copy", ignore=shutil.ignore_patterns(".git")))


def test_a_page_of_the_game_is_a_folder_with_an_index(harbour: Built) -> None:
    found = {file.relative_to(harbour.site).as_posix() for file in harbour.site.rglob("*") if file.is_file()}
    assert {
        "index.html",
        "rules/index.html",
        "rules/203/index.html",
        "ruleset/long/index.html",
        "ruleset/rules-l.md.txt",
        "ruleset/rules-s.txt",
        "proposals/draft-turnout/index.html",
        "judgements/1/index.html",
        "images/boat.png",
        "assets/nomic.css",
    } <= found


def test_rules_stay_out_of_the_navigation(harbour: Built) -> None:
    html = (harbour.site / "rules/index.html").read_text("utf-8")
    navigation = html.split('<nav class="md-nav md-nav--primary', 1)[1].split("</nav>", 1)[0]
    assert "Ruleset" in navigation
    assert "203" not in navigation


def test_without_git_the_site_is_built_and_says_so(build: Build, copy: Path) -> None:
    site, said = build(copy)
    assert said == ""
    html = (site / "rules/203/index.html").read_text("utf-8")
    assert "no commit can be named: " in html
    assert "no commit found" in html


def test_a_page_that_a_person_wrote_takes_the_place_of_ours(build: Build, copy: Path) -> None:
    (copy / "docs" / "index.md").write_text("# By hand\n", "utf-8")
    site, said = build(copy)
    assert said == ""
    assert "By hand" in (site / "index.html").read_text("utf-8")
    assert (site / "rules/203/index.html").is_file()


def test_a_broken_game_fails_a_strict_build_by_name(build: Build, copy: Path) -> None:
    file = copy / "rules" / "203.md"
    file.write_text(file.read_text("utf-8").replace("simple", "complex"), "utf-8")
    _, said = build(copy, fails=True)
    assert said.endswith(
        "nomicgen: the game has an error, first rules/203.md:9:1: the text of Rule 203/1 is not what the ledger gives. "
        "Run `nomicgen check`"
    )


def test_a_broken_game_is_shown_with_its_errors_otherwise(build: Build, copy: Path) -> None:
    file = copy / "rules" / "203.md"
    file.write_text(file.read_text("utf-8").replace("simple", "complex"), "utf-8")
    site, said = build(copy, strict=False)
    assert "the game has an error" in said
    assert "1 error in this game’s files." in (site / "index.html").read_text("utf-8")


def test_a_folder_without_a_game_fails_with_advice(build: Build, tmp_path: Path) -> None:
    _, said = build(tmp_path, fails=True)
    assert "nomicgen: " in said
    assert "nomicgen init" in said
    assert "Traceback" not in said


def test_the_games_files_are_watched_while_a_site_is_served(build: Build, copy: Path) -> None:
    build(copy)
    config = load_config(str(copy / "mkdocs.yml"))
    plugin = config.plugins["nomicgen"]
    assert isinstance(plugin, NomicPlugin)
    server = LiveReloadServer(lambda: None, "127.0.0.1", 0, str(copy))
    plugin.on_serve(server, config=config, builder=None)
    watched = sorted(Path(path).relative_to(copy.resolve()).as_posix() for path in server._watched_paths)
    server.server_close()
    assert watched == ["images", "judgements", "nomic.yml", "players", "proposals", "rules", "turns"]
