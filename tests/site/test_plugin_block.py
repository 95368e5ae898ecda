"""Pages of ours go past Python-Markdown, and come out as they would from it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from nomicgen.site.build import pages
from nomicgen.site.mkdocs.html_block import EXTENSIONS, render
from tests.site.example import TODAY, build_game, load_archive
from tests.support import GitRepo


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The pages of a game with one of everything, and a text that looks like syntax of all kinds."""
    game = build_game(GitRepo(tmp_path_factory.mktemp("game")), hostile=True)
    found = pages(load_archive(game), today=TODAY)
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
def test_markdown_is_asked(extensions: list[str], by: str, more: str, sources: dict[str, str], tmp_path: Path) -> None:
    config = _config(tmp_path, extensions)
    page = _page(config, "rules/203.md", sources["rules/203.md"], by)
    page.markdown = f"{page.markdown}{more}"
    with pytest.raises(_Asked, match=r"rules/203\.md"):
        render(page, config, Files([]))
