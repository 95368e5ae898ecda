"""The foot of a page: the last commit of its own files, and, by a script, what the whole site was
verified against.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from nomicgen.cli.program import main
from nomicgen.history.game_history import GameHistory
from nomicgen.model.commits import GitState
from nomicgen.site.build import pages
from tests.elsewhere import digests
from tests.site.conftest import CONFIG, Built
from tests.site.example import TODAY
from tests.site.small import words
from tests.support import GitRepo, mkdocs_build

pytestmark = pytest.mark.deep

_FOOT = re.compile(r'<div class="n-foot"[^>]*>(.*?)</div>', re.DOTALL)
_FORGE = "https://github.com/example/harbour/commit"


def foot(text: str) -> str:
    found = _FOOT.search(text)
    assert found is not None
    return words(found[1])


def test_a_page_names_the_last_commit_of_its_own_files(game_history: GameHistory) -> None:
    made = pages(game_history, today=TODAY)

    def last(*paths: str) -> str:
        origin = max((game_history.touched[path] for path in paths), key=lambda one: one.index)
        return f"Last changed in commit {(origin.sha or '')[:7]}."

    assert foot(made["proposals/302.md"]) == last("proposals/302.md")
    assert foot(made["rules/203.md"]) == last("rules/203.md", "proposals/301.md")
    assert foot(made["players/ada.md"]) == last("players/ada.yml")
    assert foot(made["players/index.md"]) == last(
        *(path for path in game_history.touched if path.startswith("players/"))
    )
    assert foot(made["history.md"]) == last(*game_history.touched)
    assert foot(made["time.md"]) == ""
    assert len({foot(text) for path, text in made.items() if path.endswith(".md")}) > 5


def test_head_stands_in_one_file(game_history: GameHistory) -> None:
    head = game_history.git.head or ""
    made = pages(game_history, today=TODAY)
    assert json.loads(made["assets/verified.json"]) == {
        "said": "Verified against the ledger at commit",
        "commit": head,
        "href": f"{_FORGE}/{head}",
        "but": "",
    }
    other = pages(replace(game_history, git=replace(game_history.git, head="ab" * 20)), today=TODAY)
    assert sorted(path for path in made if made[path] != other[path]) == [
        "api/v1/index.json",
        "assets/verified.json",
    ]


def test_what_is_not_committed_is_said_on_its_own_pages(game_history: GameHistory) -> None:
    git = replace(game_history.git, dirty=("proposals/302.md",), shallow=True)
    made = pages(replace(game_history, git=git), today=TODAY)
    assert json.loads(made["assets/verified.json"])["but"] == (
        "1 file is changed and not committed; and the clone is shallow, so older commits are not "
        "linked"
    )
    told = [
        path
        for path, text in made.items()
        if path.endswith(".md") and "; what has changed" in foot(text)
    ]
    assert told == ["proposals/302.md", "digest/2020-W25.md"]
    game_history = replace(game_history, git=git, touched={})
    assert foot(pages(game_history, today=TODAY)["proposals/302.md"]) == "Not committed yet."


def test_without_git_every_page_says_so(game_history: GameHistory) -> None:
    git = GitState(present=False, reason="there is no <git> here")
    for path, text in pages(replace(game_history, git=git), today=TODAY).items():
        if path.endswith(".md"):
            assert foot(text).startswith(
                "Verified against the files of the ledger; no commit can be named: there is no"
            )
            assert "data-nomic-verified" not in text


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game that was played, before the end of a vote."""
    root = tmp_path_factory.mktemp("foot") / "game"
    _run("init", str(root), "--ruleset", "pokey", "--played", "--commit")
    _run(
        "-C",
        str(root),
        "vote",
        "321",
        "for",
        "--player",
        "gannet",
        "--player",
        "tinder",
        "--on",
        "2025-03-24",
    )
    with (root / "mkdocs.yml").open("a") as settings:
        settings.write("site_url: https://game.example/lanterns/\n")
    with (root / "nomic.yml").open("a") as settings:
        settings.write("repository: https://github.com/example/harbour\n")
    _commit(root, "Begin")
    return root


def _run(*command: str) -> None:
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.output


def _commit(game: Path, subject: str) -> None:
    subprocess.run(["git", "add", "-A"], cwd=game, check=True)
    subprocess.run(["git", "commit", "-qm", subject], cwd=game, check=True)


def _built(game: Path, site: Path) -> dict[str, str]:
    done = mkdocs_build(game, site, "--quiet", "--strict")
    assert (done.returncode, done.stderr) == (0, "")
    return dict(digests(site))


def _differing(old: dict[str, str], new: dict[str, str]) -> list[str]:
    return sorted(path for path in old.keys() | new.keys() if old.get(path) != new.get(path))


@pytest.fixture(scope="module")
def built(played: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """The site of that game, and the digests of its files."""
    site = tmp_path_factory.mktemp("foot") / "before"
    return site, _built(played, site)


@pytest.mark.nightly
def test_a_sentence_of_an_argument_changes_few_files(
    played: Path, built: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    game = Path(shutil.copytree(played, tmp_path / "game"))
    _, before = built
    file = game / "proposals" / "321.md"
    file.write_text(
        file.read_text("utf-8").replace(
            "it is mine to spoil.", "it is mine to spoil. Nobody minds."
        ),
        "utf-8",
    )
    _commit(game, "A sentence of an argument")
    after = _built(game, tmp_path / "after")
    differing = _differing(before, after)
    assert "proposals/321/index.html" in differing
    assert len(differing) <= 15, differing
    assert len(after) > 200


@pytest.mark.nightly
def test_a_sentence_of_a_rule_that_is_proposed_changes_few_files(
    played: Path, tmp_path: Path
) -> None:
    game = Path(shutil.copytree(played, tmp_path / "game"))
    draft = "---\ntitle: Slower\nauthor: moss\nstatus: draft\n---\n\n## Amend Rule {}\n\n{}\n"
    ref = re.findall(
        r"^(?:number|revision): (\d+)", (game / "rules" / "309.md").read_text("utf-8"), re.MULTILINE
    )
    file = game / "proposals" / "slower.md"
    file.write_text(draft.format("/".join(ref), "A letter takes two days."), "utf-8")
    _commit(game, "A draft")
    before = _built(game, tmp_path / "before")
    file.write_text(
        draft.format("/".join(ref), "A letter takes two days. It may take three."), "utf-8"
    )
    _commit(game, "A sentence of it")
    assert len(_differing(before, _built(game, tmp_path / "after"))) <= 20


@pytest.mark.nightly
def test_an_adopted_change_is_on_the_pages_that_show_it_alone(
    played: Path, built: tuple[Path, dict[str, str]], tmp_path: Path
) -> None:
    game = Path(shutil.copytree(played, tmp_path / "game"))
    (before, old), after = built, tmp_path / "after"
    _run("-C", str(game), "proposal", "resolve", "321", "--on", "2025-03-25", "--commit")
    new = _built(game, after)
    # Five players get points for it, and the rule gets another number: what shows neither stays as
    # it is.
    by_foot = [
        path
        for path in _differing(old, new)
        if path.endswith(".html")
        and (before / path).is_file()
        and _FOOT.sub("", (before / path).read_text("utf-8"))
        == _FOOT.sub("", (after / path).read_text("utf-8"))
    ]
    assert by_foot == []
    assert len(_differing(old, new)) <= 69


@pytest.fixture(scope="module", params=["directories", "files"])
def told(
    request: pytest.FixtureRequest, harbour: Built, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, str]:
    """A site in a folder of another, and the end of its addresses."""
    if request.param == "directories":
        folder = tmp_path_factory.mktemp("foot")
        shutil.copytree(harbour.site, folder / "below" / "it")
        return folder, "/"
    folder = tmp_path_factory.mktemp("flat")
    game = Path(shutil.copytree(harbour.game, folder / "game"))
    (game / "mkdocs.yml").write_text(f"{CONFIG}use_directory_urls: false\n", "utf-8")
    assert mkdocs_build(game, folder / "site" / "below" / "it", "--quiet").returncode == 0
    return folder / "site", ".html"


@pytest.mark.nightly
@pytest.mark.browser
def test_a_script_says_what_the_site_was_verified_against(
    page: Page, serve: Callable[[Path], str], harbour: Built, told: tuple[Path, str]
) -> None:
    folder, end = told
    head = GitRepo(harbour.game).git("rev-parse", "HEAD").strip()
    address = f"{serve(folder)}below/it/"
    for path in ("index.html", f"rules/203{end}", f"proposals/301{end}", "rules/index.html"):
        page.goto(f"{address}{path}")
        place = page.locator("[data-nomic-verified]")
        place.wait_for()
        assert place.inner_text() == f"Verified against the ledger at commit {head[:7]}."
        assert place.get_by_role("link").get_attribute("href") == f"{_FORGE}/{head}"


@pytest.fixture
def silent(browser: Browser) -> Iterator[Page]:
    """A page without JavaScript."""
    context = browser.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()


@pytest.mark.browser
def test_without_scripts_a_page_says_its_own_commit(
    silent: Page, serve: Callable[[Path], str], harbour: Built
) -> None:
    silent.goto(f"{serve(harbour.site)}rules/203/")
    assert re.fullmatch(
        r"Last changed in commit [0-9a-f]{7}\.", silent.locator(".n-foot").inner_text().strip()
    )
