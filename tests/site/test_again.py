"""While a site is served, what a build made is kept for the next. It comes out as a clean build would make it."""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import MkDocsException

from tests.elsewhere import digests
from tests.site.conftest import CONFIG, Built
from tests.support import GitRepo

_ADDRESS = "http://127.0.0.1:8000/lanterns/"
_MORE = """\
theme:
  custom_dir: looks
extra_css: [assets/nomic.css, mine.css]
extra:
  mine: A word
"""
_NAV = "  - Mine:\n      - mine/index.md\n      - mine/other.md\n"
_MINE = "# Mine\n\n[A rule](../rules/203.md), [its text](../rules/203.md#text), [the other](other.md#there).\n"
_OTHER = "# Other\n\n## There\n\nWords.\n"
_LOOKS = """\
{% extends "base.html" %}
{% block footer %}<p>{{ config.extra.mine }}, {{ pages | length }} pages.</p>{% endblock %}
"""
_DRAFT = "---\ntitle: Tea\nauthor: ada\nstatus: draft\n---\n\nTea.\n\n## Enact\n\nThere is tea.\n"


@contextmanager
def _process() -> Iterator[None]:
    """MkDocs keeps plugins from build to build: here it begins without any, as another process does."""
    option = vars(MkDocsConfig.plugins)
    kept = option["plugin_cache"]
    option["plugin_cache"] = {}
    try:
        yield
    finally:
        option["plugin_cache"] = kept


class Served:
    """A game whose site is built again and again, as `mkdocs serve` does it."""

    def __init__(self, game: Path, site: Path) -> None:
        self.game, self.site = game, site
        self.started = False

    def build(self, site: Path | None = None) -> MkDocsConfig:
        config = load_config(config_file=str(self.game / "mkdocs.yml"), site_dir=str(site or self.site))
        config.site_url = _ADDRESS
        if site or not self.started:
            config.plugins.on_startup(command="serve", dirty=False)
            self.started = True
        build(config, serve_url=_ADDRESS)
        return config

    def check(self) -> set[str]:
        """Builds it again, and anew: both are the same. Gives the pages that were written."""
        before = {path: path.stat().st_mtime_ns for path in self.site.rglob("*.html")}
        self.build()
        clean = self.site.with_name("clean")
        shutil.rmtree(clean, ignore_errors=True)
        with _process():
            self.build(clean)
        # What serves the copy may not be written in the pages: both have one address.
        assert digests(self.site) == digests(clean)
        assert not self.site.with_name(f"{self.site.name}.kept").exists()
        files = {path: path.stat().st_mtime_ns for path in self.site.rglob("*.html")}
        return {path.relative_to(self.site).as_posix() for path, time in files.items() if before.get(path) != time}

    def edit(self, path: str, change: Callable[[str], str]) -> set[str]:
        file = self.game / path
        file.write_text(change(file.read_text("utf-8")), "utf-8")
        return self.check()

    def put(self, path: str, text: str) -> set[str]:
        (self.game / path).parent.mkdir(parents=True, exist_ok=True)
        (self.game / path).write_text(text, "utf-8")
        return self.check()

    def drop(self, path: str) -> set[str]:
        (self.game / path).unlink()
        return self.check()


@pytest.fixture
def served(harbour: Built, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "true")
    game = Path(shutil.copytree(harbour.game, tmp_path / "game"))
    for path, text in {
        "mkdocs.yml": CONFIG + _NAV,
        "docs/mine/index.md": _MINE,
        "docs/mine/other.md": _OTHER,
        "docs/mine.css": "p {}\n",
        "docs/mine/picture.svg": "<svg/>\n",
    }.items():
        (game / path).parent.mkdir(parents=True, exist_ok=True)
        (game / path).write_text(text, "utf-8")
    with _process():
        one = Served(game, tmp_path / "site")
        one.build()
        yield one
        assert not (tmp_path / "site.kept").exists()


def _with(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new)

    return change


def test_what_a_game_s_files_say_is_shown_as_a_clean_build_shows_it(served: Served) -> None:
    assert served.check() == {"404.html"}
    written = served.edit("proposals/turnout.md", _with("A thought.", "An afterthought."))
    assert "proposals/draft-turnout/index.html" in written
    assert len(written) <= 12
    served.put("proposals/tea.md", _DRAFT)
    served.edit("proposals/tea.md", _with("There is tea.", "There is green tea."))
    served.drop("proposals/tea.md")
    assert not (served.site / "proposals/draft-tea").exists()
    served.edit("players/ada.yml", _with("name: Ada", "name: Adah"))
    served.edit("nomic.yml", _with("A game of changing", "A new game of changing"))
    served.edit("rules/203.md", lambda text: f"{text}\nA word too many.\n")
    served.edit("rules/203.md", _with("\nA word too many.\n", ""))
    boat = served.game / "images" / "boat.png"
    boat.write_bytes(boat.read_bytes() + b"\0")
    served.check()
    repo = GitRepo(served.game)
    repo.commits = 100
    repo.commit("All of that")
    assert "rules/101/index.html" not in served.check()


def test_what_a_person_s_files_say_is_shown_as_a_clean_build_shows_it(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    assert "mine/other/index.html" not in served.edit("docs/mine/index.md", lambda text: f"{text}\nMore.\n")
    assert "rules/101/index.html" in served.edit("docs/mine/other.md", _with("# Other", "# Another"))
    served.put("docs/mine.css", "p { margin: 0 }\n")
    served.put("docs/mine/picture.svg", "<svg></svg>\n")
    served.drop("docs/mine/picture.svg")
    served.put("docs/mine/third.md", "# Third\n")
    served.drop("docs/mine/third.md")
    served.put("docs/rules/203.md", "# Mine instead\n")
    served.edit("docs/rules/203.md", lambda text: f"{text}\nMore.\n")
    served.drop("docs/rules/203.md")
    assert "Mine instead" not in (served.site / "rules/203/index.html").read_text("utf-8")
    # The page with the link is not written again, and is warned of all the same.
    with caplog.at_level(logging.WARNING, "mkdocs"):
        served.edit("docs/mine/other.md", _with("## There", "## Elsewhere"))
    assert sum("other.md#there" in one for one in caplog.messages) == 2


def test_other_settings_and_templates_are_on_every_page(served: Served) -> None:
    assert "rules/101/index.html" in served.edit("mkdocs.yml", _with("Harbour Nomic", "The Harbour"))
    served.edit("mkdocs.yml", _with("Judgements:", "Rulings:"))
    (served.game / "looks").mkdir()
    (served.game / "looks" / "main.html").write_text(_LOOKS, "utf-8")
    settings = CONFIG.replace("extra_css: [assets/nomic.css]\n", _MORE)
    served.put("mkdocs.yml", settings + _NAV)
    served.edit("looks/main.html", _with("pages.", "of them."))
    served.put("docs/mine/third.md", "# Third\n")
    assert "A word, " in (served.site / "rules/101/index.html").read_text("utf-8")
    served.put("mkdocs.yml", f"{settings}{_NAV}use_directory_urls: false\n")
    served.put("mkdocs.yml", CONFIG)


def test_a_build_that_fails_leaves_nothing_behind(served: Served) -> None:
    template = served.game / "looks" / "main.html"
    template.parent.mkdir()
    template.write_text(_LOOKS, "utf-8")
    served.put("mkdocs.yml", CONFIG.replace("extra_css: [assets/nomic.css]\n", _MORE) + _NAV)
    template.write_text("{% if %}", "utf-8")
    with pytest.raises(Exception, match="Expected an expression"):
        served.build()
    template.write_text(_LOOKS, "utf-8")
    served.check()
    os.environ["SOURCE_DATE_EPOCH"] = "soon"
    try:
        with pytest.raises(MkDocsException):
            served.build()
    finally:
        del os.environ["SOURCE_DATE_EPOCH"]
    served.check()


def test_what_serves_no_more_leaves_nothing_behind(served: Served) -> None:
    plugins = served.build().plugins
    config = load_config(config_file=str(served.game / "mkdocs.yml"), site_dir=str(served.site))
    plugins.on_pre_build(config=config)
    plugins.on_shutdown()
    assert not served.site.exists()
