"""Sites, built once for a file of tests, as a person would build them: with `mkdocs build --strict`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from nomicgen.history.archive_view import Archive
from nomicgen.site.build import pages
from tests.site.engines import Both
from tests.site.example import TODAY, build_game, load_archive
from tests.support import ROOT, GitRepo, mkdocs_build

# The project's own settings, with the pages of a game alone: its guide is not in the folder of the example.
CONFIG = f"""\
INHERIT: {ROOT / "mkdocs.yml"}
hooks: []
site_name: Harbour Nomic
extra_css: [assets/nomic.css]
nav:
  - Home: index.md
  - Ruleset:
      - All rules: rules/index.md
      - Long: ruleset/long.md
      - Short: ruleset/short.md
      - Cards: cards.md
  - Time machine: time.md
  - Proposals: proposals/index.md
  - Judgements: judgements/index.md
  - Players:
      - players/index.md
      - Scores: scores.md
  - History: history.md
"""


@dataclass(frozen=True, slots=True)
class Built:
    """A game's folder, and the folder of its built site."""

    game: Path
    site: Path


Build = Callable[..., tuple[Path, str]]


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Builds the site of a game with the project's own mkdocs.yml; gives its folder, and what MkDocs said of it."""

    def run(game: Path, *, strict: bool = True, fails: bool = False) -> tuple[Path, str]:
        (game / "docs").mkdir(exist_ok=True)
        (game / "mkdocs.yml").write_text(CONFIG, "utf-8")
        site = tmp_path_factory.mktemp("site")
        strictly = ["--strict"] if strict else []
        done = mkdocs_build(game, site, *strictly)
        assert bool(done.returncode) == fails, done.stderr
        said = [line for line in done.stderr.splitlines() if line and not line.startswith("INFO ")]
        return site, "\n".join(said)

    return run


@pytest.fixture(scope="session")
def harbour(tmp_path_factory: pytest.TempPathFactory, build: Build) -> Built:
    """A game with one of everything, and its site."""
    game = build_game(GitRepo(tmp_path_factory.mktemp("harbour")))
    site, said = build(game)
    assert said == ""
    return Built(game, site)


@pytest.fixture(scope="session")
def harbour_by_both(harbour: Built, tmp_path_factory: pytest.TempPathFactory) -> Both:
    """The same site by both engines."""
    return Both(game=harbour.game, folder=tmp_path_factory.mktemp("both"), built=harbour.site)


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory, build: Build) -> Built:
    """The same with a rule that tries to act upon its readers."""
    game = build_game(GitRepo(tmp_path_factory.mktemp("hostile")), hostile=True)
    site, said = build(game, strict=False)
    assert "the game has 10 errors" in said
    return Built(game, site)


@pytest.fixture(scope="session")
def archive(harbour: Built) -> Archive:
    """The archive of the game with one of everything."""
    return load_archive(harbour.game)


@pytest.fixture(scope="session")
def made(archive: Archive) -> Mapping[str, str]:
    """Its pages, as the pure function gives them."""
    return pages(archive, today=TODAY)
