"""A site that is served is built again and again. After any edit it is what a clean build makes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import MkDocsException

from tests.elsewhere import digests
from tests.site.conftest import CONFIG, Built

pytestmark = pytest.mark.deep

_ADDRESS = "http://127.0.0.1:8000/lanterns/"
_MORE = """\
theme:
  custom_dir: looks
extra_css: [assets/nomic.css, mine.css]
extra:
  mine: A word
"""
_NAV = "  - Mine:\n      - mine/index.md\n      - mine/other.md\n"
_MINE = (
    "# Mine\n\n"
    "[A rule](../rules/203.md), [its text](../rules/203.md#text), [the "
    "other](other.md#there).\n"
)
_OTHER = "# Other\n\n## There\n\nWords.\n"
_LOOKS = """\
{% extends "base.html" %}
{% block footer %}<p>{{ config.extra.mine }}, {{ pages | length }} pages.</p>{% endblock %}
"""
_DRAFT = (
    "---\ntitle: Tea\nauthor: ada\nstatus: draft\n---\n\nTea.\n\n## Enact Rule: Tea\n\n"
    "There is tea.\n"
)


@contextmanager
def _process() -> Iterator[None]:
    """MkDocs keeps plugins from build to build: here it begins without any, as another process
    does.
    """
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
        config = load_config(
            config_file=str(self.game / "mkdocs.yml"), site_dir=str(site or self.site)
        )
        config.site_url = _ADDRESS
        if site or not self.started:
            config.plugins.on_startup(command="serve", dirty=False)
            self.started = True
        build(config, serve_url=_ADDRESS)
        return config

    def check(self) -> None:
        """Build it again, and anew: both are the same."""
        self.build()
        clean = self.site.with_name("clean")
        shutil.rmtree(clean, ignore_errors=True)
        with _process():
            self.build(clean)
        # What serves the copy may not be written in the pages: both have one address.
        assert digests(self.site) == digests(clean)

    def put(self, path: str, text: str) -> None:
        (self.game / path).parent.mkdir(parents=True, exist_ok=True)
        (self.game / path).write_text(text, "utf-8")
        self.check()


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


@pytest.mark.nightly
def test_texts_that_get_longer_and_shorter_are_those_of_a_clean_build(served: Served) -> None:
    """What an earlier build wrote for a longer text must go."""
    for length in (40, 1):
        words = "".join(f"Word {at} of many.\n\n" for at in range(length * 60))
        (served.game / "docs/mine/third.md").write_text(f"# Third\n\n{words}", "utf-8")
        served.put(
            "proposals/tea.md",
            _DRAFT.replace("There is tea.", f"There is tea.\n\n{words[: length * 500]}"),
        )


@pytest.mark.nightly
def test_a_build_in_which_files_go_is_a_clean_one(served: Served) -> None:
    (served.game / "docs/rules").mkdir()
    (served.game / "docs/rules/203.md").write_text("# Mine instead\n", "utf-8")
    served.put("proposals/tea.md", _DRAFT)
    assert (served.site / "proposals/draft-tea").exists()
    assert "Mine instead" in (served.site / "rules/203/index.html").read_text("utf-8")
    for path in ("docs/mine/picture.svg", "docs/rules/203.md", "proposals/tea.md"):
        (served.game / path).unlink()
    served.check()
    assert not (served.site / "proposals/draft-tea").exists()
    assert "Mine instead" not in (served.site / "rules/203/index.html").read_text("utf-8")
    (served.game / "looks").mkdir()
    (served.game / "looks" / "main.html").write_text(_LOOKS, "utf-8")
    served.put(
        "mkdocs.yml",
        CONFIG.replace("Judgements:", "Rulings:").replace("extra_css: [assets/nomic.css]\n", _MORE)
        + _NAV,
    )
    assert "A word, " in (served.site / "rules/101/index.html").read_text("utf-8")


@pytest.mark.nightly
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
