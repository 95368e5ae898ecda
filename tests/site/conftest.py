"""Sites, built once for a file of tests, as a person would build them: with `mkdocs build
--strict`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from nomicgen.files.file_editing import set_keys
from nomicgen.history.game_history import GameHistory
from nomicgen.play.load import Game, load
from nomicgen.play.refusal import Refused
from nomicgen.pulls.examine import supposed_pull
from nomicgen.pulls.report import preview_in, report_on
from nomicgen.site.build import pages
from nomicgen.site.workshop.runtime import install_checker
from tests.cli.playing import begun
from tests.site.engines import Both
from tests.site.example import TODAY, build_game, load_history
from tests.support import REQUIRE_BROWSER, ROOT, GitRepo, mkdocs_build

FRONT = "---\ntitle: T\nauthor: osprey\nstatus: draft\n---\n\n"
"""What a draft of osprey's begins with."""
LOGIN = "osprey-plays"

# The project's own settings, with the pages of a game alone: its guide is not in the folder of the
# example.
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
    """Builds the site of a game with the project's own mkdocs.yml; gives its folder, and what
    MkDocs said of it.
    """

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
def game_history(harbour: Built) -> GameHistory:
    """The history of the game with one of everything."""
    return load_history(harbour.game)


@pytest.fixture(scope="session")
def made(game_history: GameHistory) -> Mapping[str, str]:
    """Its pages, as the pure function gives them."""
    return pages(game_history, today=TODAY)


@dataclass(frozen=True, slots=True)
class Workshop:
    """A game by Suber's set, at osprey's second turn, and its site, with the checker if it could be
    fetched.
    """

    game: Path
    site: Path
    why: str

    def loaded(self) -> Game:
        return load(self.game)


@pytest.fixture(scope="session")
def tea(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """The game and its site."""
    folder = tmp_path_factory.mktemp("workshop")
    repo = begun(GitRepo(folder / "game"))
    for name in ("osprey", "quill"):
        path = f"players/{name}.yml"
        repo.write(
            {path: (repo.path / path).read_text("utf-8") + f"accounts: {{github: {name}-plays}}\n"}
        )
    settings = set_keys(
        (repo.path / "nomic.yml").read_bytes(), {"repository": "https://github.com/us/tea"}
    )
    repo.write(
        {
            "nomic.yml": settings,
            "mkdocs.yml": CONFIG,
            "docs/.keep": "",
            "proposals/no-cap.md": f"{FRONT}## Repeal Rule 209/0\n",
        }
    )
    repo.commit("Publish Tea")
    done = mkdocs_build(repo.path, folder / "site", "--strict")
    assert done.returncode == 0, done.stderr
    try:
        install_checker(folder / "site")
    except Refused as error:
        return Workshop(repo.path, folder / "site", f"{error.message}: {error.remedy}")
    return Workshop(repo.path, folder / "site", "")


@pytest.fixture
def workshop(tea: Workshop) -> Workshop:
    """The site with the checker."""
    if tea.why:
        if REQUIRE_BROWSER:
            pytest.fail(tea.why)
        pytest.skip(tea.why)
    return tea


class Writer:
    """A player at the workshop's page."""

    def __init__(self, page: Page, address: str, anchor: str = "") -> None:
        self.page = page
        page.goto(f"{address}propose/{anchor}")
        page.locator("#workshop").wait_for()

    def change(self, at: int = 0) -> Any:
        return self.page.locator(".n-ws-change").nth(at)

    def heard(self) -> str:
        """What the page says at last, after all that was typed."""
        wait = """() => { const said = document.querySelector(".n-ws-headline");
            return said && !/^(?:Loading|As soon)/.test(said.textContent)
                && document.querySelector(".n-ws-verdict[aria-busy=false]"); }"""
        self.page.wait_for_function(wait, timeout=60_000)
        return self.page.locator(".n-ws-verdict").inner_text()

    def file(self) -> str:
        return self.page.locator(".n-ws-raw").input_value()

    def path(self) -> str:
        return self.page.locator(".n-ws-path").text_content() or ""


def pulled(tea: Workshop, writer: Writer) -> tuple[list[str], Any]:
    """The errors of a pull request with the file of the page, and its instructions."""
    path = writer.path()
    pull = supposed_pull(tea.loaded(), {path: writer.file().encode()}, LOGIN)
    preview = preview_in(pull)
    errors = [
        one.message
        for one in (*pull.verdict.findings, *(preview.findings if preview else ()))
        if one.is_error
    ]
    assert report_on(pull, None, None).mended is None or errors
    return errors, pull.laid.records.instruments[path].instructions
