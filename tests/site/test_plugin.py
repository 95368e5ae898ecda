"""The MkDocs plugin: what it adds, what it leaves to people, and what it says when a game is
broken.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from nomicgen.site.build import pages
from nomicgen.site.mkdocs.html_block import EXTENSIONS, render
from nomicgen.site.mkdocs.plugin import NomicPlugin
from tests.site.conftest import Build, Built
from tests.site.example import TODAY, build_game, load_history
from tests.support import GitRepo, mkdocs_build

pytestmark = pytest.mark.deep


@pytest.fixture
def copy(harbour: Built, tmp_path: Path) -> Path:
    """A game's folder without its git repository."""
    return Path(
        shutil.copytree(harbour.game, tmp_path / "copy", ignore=shutil.ignore_patterns(".git"))
    )


def test_a_page_of_the_game_is_a_folder_with_an_index(harbour: Built) -> None:
    found = {
        file.relative_to(harbour.site).as_posix()
        for file in harbour.site.rglob("*")
        if file.is_file()
    }
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


@pytest.mark.nightly
def test_without_git_the_site_is_built_and_says_so(build: Build, copy: Path) -> None:
    site, said = build(copy)
    assert said == ""
    html = (site / "rules/203/index.html").read_text("utf-8")
    assert "no commit can be named: " in html
    assert "no commit found" in html


@pytest.mark.nightly
def test_a_page_that_a_person_wrote_takes_the_place_of_ours(build: Build, copy: Path) -> None:
    (copy / "docs" / "index.md").write_text("# By hand\n", "utf-8")
    site, said = build(copy)
    assert said == ""
    assert "By hand" in (site / "index.html").read_text("utf-8")
    assert (site / "rules/203/index.html").is_file()


@pytest.mark.nightly
def test_a_game_on_a_forge_is_told_that_its_site_has_no_address(copy: Path, tmp_path: Path) -> None:
    (copy / "docs").mkdir(exist_ok=True)
    (copy / "mkdocs.yml").write_text(
        "site_name: Harbour Nomic\ntheme: material\nplugins: [nomicgen]\n", "utf-8"
    )
    done = mkdocs_build(copy, tmp_path / "site", "--strict")
    assert done.returncode == 1
    assert "mkdocs.yml has no site_url" in done.stderr
    assert "`site_url: https://example.github.io/harbour/`" in done.stderr


@pytest.mark.nightly
def test_a_broken_game_fails_a_strict_build_by_name(build: Build, copy: Path) -> None:
    file = copy / "rules" / "203.md"
    file.write_text(file.read_text("utf-8").replace("simple", "complex"), "utf-8")
    _, said = build(copy, fails=True)
    assert said.endswith(
        "nomicgen: the game has an error, first rules/203.md:9:1: the file of Rule 203/1 differs "
        "from what the ledger gives. Run `nomicgen check`"
    )


@pytest.mark.nightly
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


@pytest.mark.nightly
def test_a_readme_that_a_person_wrote_takes_the_place_of_our_index(
    build: Build, copy: Path
) -> None:
    (copy / "docs" / "judgements").mkdir()
    (copy / "docs" / "judgements" / "README.md").write_text("# Judged by hand\n", "utf-8")
    site, said = build(copy, strict=False)
    assert "judgements/index.md" in said  # the navigation names it, and it is no more
    assert "Judged by hand" in (site / "judgements" / "index.html").read_text("utf-8")


@pytest.mark.nightly
def test_a_picture_of_a_person_takes_the_place_of_the_games(build: Build, copy: Path) -> None:
    (copy / "docs" / "images").mkdir()
    (copy / "docs" / "images" / "boat.png").write_bytes(b"another boat")
    site, said = build(copy)
    assert said == ""
    assert (site / "images" / "boat.png").read_bytes() == b"another boat"


@pytest.mark.parametrize(("custom", "place"), [("", 0), ("looks", 1)])
def test_our_templates_stand_between_a_persons_and_the_themes(
    copy: Path, custom: str, place: int
) -> None:
    (copy / "looks").mkdir()
    chosen = f"theme: {{name: material, custom_dir: {custom}}}\n" if custom else "theme: material\n"
    (copy / "mkdocs.yml").write_text(f"site_name: Harbour\n{chosen}plugins: [nomicgen]\n", "utf-8")
    (copy / "docs").mkdir(exist_ok=True)
    config = load_config(str(copy / "mkdocs.yml"))
    plugin = config.plugins["nomicgen"]
    assert isinstance(plugin, NomicPlugin)
    for _ in range(2):
        plugin.on_config(config)
    assert [Path(folder).name for folder in config.theme.dirs].index("theme") == place
    assert len(config.theme.dirs) == place + 3


def test_a_fork_of_the_theme_gets_our_templates_whatever_it_is_called(copy: Path) -> None:
    (copy / "mkdocs.yml").write_text(
        "site_name: Harbour\ntheme: material\nplugins: [nomicgen]\n", "utf-8"
    )
    (copy / "docs").mkdir(exist_ok=True)
    config = load_config(str(copy / "mkdocs.yml"))
    config.theme.name = "another"
    plugin = config.plugins["nomicgen"]
    assert isinstance(plugin, NomicPlugin)
    plugin.on_config(config)
    assert Path(config.theme.dirs[0]).name == "theme"


def test_another_theme_is_left_alone_and_said_to_lack_our_head(
    copy: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (copy / "mkdocs.yml").write_text(
        "site_name: Harbour\ntheme: readthedocs\nplugins: [nomicgen]\n", "utf-8"
    )
    (copy / "docs").mkdir(exist_ok=True)
    config = load_config(str(copy / "mkdocs.yml"))
    plugin = config.plugins["nomicgen"]
    assert isinstance(plugin, NomicPlugin)
    before = list(config.theme.dirs)
    plugin.on_config(config)
    assert config.theme.dirs == before
    assert "pages have no Content-Security-Policy" in caplog.text


# Pages of ours go past Python-Markdown, and come out as they would from it.


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The pages of a game with one of everything, and a text that looks like syntax of all
    kinds.
    """
    game = build_game(GitRepo(tmp_path_factory.mktemp("game")), hostile=True)
    found = pages(load_history(game), today=TODAY)
    return {path: content for path, content in found.items() if path.endswith(".md")}


def _config(folder: Path, extensions: list[str]) -> MkDocsConfig:
    (folder / "docs").mkdir(exist_ok=True)
    (folder / "mkdocs.yml").write_text("site_name: Here\n", "utf-8")
    found: Any = load_config(str(folder / "mkdocs.yml"), markdown_extensions=extensions, plugins=[])
    assert isinstance(found, MkDocsConfig)
    return found


def _page(config: MkDocsConfig, path: str, content: str, by: str = "nomicgen") -> Page:
    file = File(path, None, config.site_dir, config.use_directory_urls)
    file.content_string, file.generated_by = content, by
    page = Page(None, file, config)
    page.read_source(config)
    return page


def _outcome(page: Page) -> tuple[object, ...]:
    return page.content, [*page.toc], page.title, page.present_anchor_ids


def test_every_page_comes_out_as_from_markdown(sources: dict[str, str], tmp_path: Path) -> None:
    config = _config(tmp_path, sorted(EXTENSIONS))
    for path, content in sources.items():
        ours, theirs = _page(config, path, content), _page(config, path, content)
        render(ours, config, Files([]))
        theirs.render(config, Files([]))
        assert _outcome(ours) == _outcome(theirs), path


class _Asked(Exception):
    pass


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has Markdown say that it was asked."""

    def refuse(page: Page, config: MkDocsConfig, files: Files) -> None:
        raise _Asked(page.file.src_uri)

    monkeypatch.setattr(Page, "render", refuse)


@pytest.mark.usefixtures("asked")
def test_markdown_is_not_asked(sources: dict[str, str], tmp_path: Path) -> None:
    config = _config(tmp_path, ["toc", "tables"])
    page = _page(config, "rules/203.md", sources["rules/203.md"])
    render(page, config, Files([]))
    assert page.content is not None
    assert page.content.startswith("<")


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(
    ("extensions", "by", "more"),
    [
        (["pymdownx.b64"], "nomicgen", ""),
        (["toc"], "another plugin", ""),
        (["toc"], "nomicgen", "\nWhat another plugin put below it.\n"),
    ],
)
def test_markdown_is_asked(
    extensions: list[str], by: str, more: str, sources: dict[str, str], tmp_path: Path
) -> None:
    config = _config(tmp_path, extensions)
    page = _page(config, "rules/203.md", sources["rules/203.md"], by)
    page.markdown = f"{page.markdown}{more}"
    with pytest.raises(_Asked, match=r"rules/203\.md"):
        render(page, config, Files([]))
