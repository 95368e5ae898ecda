"""Words in `mkdocs.yml` that a game fills: by both engines every page shows them, and none of them
is a tag.
"""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner
from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader

from nomicgen.cli.program import main
from nomicgen.files.yaml_writing import write_yaml
from nomicgen.site.publishing.markdown_folder import THEME
from tests.links import html_pages
from tests.site.engines import Both
from tests.support import GitRepo, mkdocs_build

BREAKS = (
    "'\"> --> </title></a></span></label></textarea> <!-- x --> <![CDATA[ x ]]> &amp; "
    "&lt;i&gt; & &#60;"
)
TEMPLATES = "{{ 7 * 7 }} {% if x %} {# note #} ${x} %s {0}"


def hostile(place: str) -> str:
    """Words that would leave a mark, named after the place they came from, wherever they are not
    words.
    """
    return f'{BREAKS}<x-{place}><b x-{place}="1" onclick="x()">" x-{place}="1 {TEMPLATES}'


NAME = f"{hostile('name')} \u202eback\u202c \u200fright"
WORDS = {
    "site_name": f"{NAME}\n\n# below\t{'long' * 500}",
    "site_description": f"{hostile('description')}\n{'long' * 500}",
    "site_author": hostile("author"),
    "repo_name": hostile("repository"),
}
URLS = {
    "site_url": 'https://example.org/"\'><x-site><b x-site="1"/',
    "repo_url": 'https://example.org/"\'><x-source><b x-source="1"',
}


class Page(HTMLParser):
    """The tags of a page, with their attributes, and the texts within titles and by class."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self._within: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.tags.append((tag, attributes))
        self._within = [attributes.get("class") or tag]

    def handle_data(self, data: str) -> None:
        if self._within:
            self.texts.append((self._within[0], data))

    def shown(self, place: str) -> Iterator[str]:
        """The texts that begin right behind a tag with this class, or of this name, without the
        blanks around.
        """
        return (plain(text) for within, text in self.texts if within == place and text.strip())


def plain(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Both:
    """The site of a game with hostile words in every field that it has, by both engines."""
    folder = tmp_path_factory.mktemp("words")
    repo = GitRepo(folder / "game")
    theme = {
        "theme": {"name": "material", "font": False, "logo": "assets/mark.svg"},
        "plugins": ["nomicgen"],
    }
    repo.write(
        {
            "nomic.yml": write_yaml({"format": 1, "name": hostile("game")}).decode(),
            "docs/mine.md": "# Mine\n",
            "mkdocs.yml": write_yaml({**WORDS, **URLS, **theme}).decode(),
        }
    )
    repo.commit("It begins")
    return Both(game=repo.path, folder=folder, strict=False)


@pytest.fixture(params=["mkdocs", "zensical"])
def site(request: pytest.FixtureRequest, both: Both) -> Path:
    return both.mkdocs if request.param == "mkdocs" else both.zensical


def pages_of(site: Path) -> Iterator[tuple[str, Page]]:
    for path in html_pages(site):
        yield path, Page((site / path).read_text("utf-8"))


@pytest.mark.nightly
def test_no_tag_and_no_attribute_comes_from_a_word(site: Path) -> None:
    for path, page in pages_of(site):
        names = {tag for tag, _ in page.tags} | {
            name for _, attributes in page.tags for name in attributes
        }
        assert {name for name in names if name.startswith(("x-", "on"))} == set(), path


@pytest.mark.deep
def test_the_words_are_shown_as_they_are(site: Path) -> None:
    wanted = plain(WORDS["site_name"])
    for path, page in pages_of(site):
        titles = list(page.shown("title"))
        assert len(titles) == 1, path
        if path != "index.html":  # that bears the game's own name
            assert titles[0].endswith(wanted), path
        assert next(page.shown("md-ellipsis")) == wanted, path
        assert list(page.shown("md-source__repository")) == [plain(WORDS["repo_name"])] * 2, path


def test_attributes_hold_the_words(site: Path) -> None:
    wanted = plain(WORDS["site_name"])
    for path, page in pages_of(site):
        logos = [
            attributes
            for _, attributes in page.tags
            if "md-logo" in (attributes.get("class") or "")
        ]
        assert logos, path
        for one in logos:
            assert [plain(one[name] or "") for name in ("title", "aria-label")] == [wanted] * 2, (
                path
            )
        said = {
            one.get("property") or one.get("name"): one.get("content")
            for tag, one in page.tags
            if tag == "meta"
        }
        assert plain(said["og:site_name"] or "") == wanted, path
        assert said["author"] == WORDS["site_author"], path
        sources = {
            one["href"] for tag, one in page.tags if tag == "a" and one.get("class") == "md-source"
        }
        assert sources == {"https://example.org/%22%27%3E%3Cx-source%3E%3Cb%20x-source=%221%22"}, (
            path
        )
    described = Page((site / "mine" / "index.html").read_text("utf-8")).tags
    (found,) = (
        one["content"]
        for tag, one in described
        if tag == "meta" and one.get("name") == "description"
    )
    assert plain(found or "") == plain(WORDS["site_description"])


@pytest.mark.parametrize("name", ["Tea", "Tom & Jerry's"])
def test_the_first_page_bears_the_name_once(name: str) -> None:
    base = DictLoader({"base.html": "{% block htmltitle %}twice{% endblock %}"})
    templates = Environment(loader=ChoiceLoader([FileSystemLoader(THEME), base]), autoescape=False)
    templates.filters["url"] = str
    html = templates.get_template("main.html").render(
        config={"site_name": name}, page={"meta": {"title": name}}
    )
    assert list(Page(html).shown("title")) == [name]


@pytest.mark.nightly
@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs"])
def test_other_themes_show_words_too(both: Both, tmp_path: Path, theme: str) -> None:
    """By the plugin, and from what `pages` writes."""
    settings = {**WORDS, **URLS, "theme": theme, "plugins": ["nomicgen"]}
    (both.game / "mkdocs.yml").write_bytes(write_yaml(settings))
    written = CliRunner().invoke(
        main, ["-C", str(both.game), "plumbing", "pages", str(tmp_path / "project")]
    )
    assert written.exit_code == 0, written.output
    for place in (both.game, tmp_path / "project"):
        done = mkdocs_build(place, tmp_path / "site", "--quiet")
        assert done.returncode == 0, done.stderr
        for path, page in pages_of(tmp_path / "site"):
            names = {tag for tag, _ in page.tags} | {
                name for _, attributes in page.tags for name in attributes
            }
            assert {name for name in names if name.startswith("x-")} == set(), (place, path)
            assert any(plain(WORDS["site_name"]) in title for title in page.shown("title")), (
                place,
                path,
            )
