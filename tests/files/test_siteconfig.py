"""`mkdocs.yml`, read, and made into that of a project; and the keys of a file of which nothing else
is asked.
"""

from __future__ import annotations

import pytest

from nomicgen.files.documents import read_keys
from nomicgen.files.mkdocs_config import (
    SiteConfigError,
    inert_address,
    project_config,
    read_site_config,
)

OURS = """# Our own settings
site_name: Game # as it is called
site_url: ""
docs_dir: pages
repo_url: https://example.org/game
theme:
  name: material
  custom_dir: theme
plugins:
  - search
  - nomicgen:
      game: play
  - tags: {}
watch: [play, 3]
hooks: [hook.py]
nav:
  - Home: index.md
  - Rules:
      - rules/101.md
      - Old: rules/102.md
not_in_nav: |
  /drafts/
"""
THEIRS = """# Our own settings
site_name: Game # as it is called
docs_dir: docs
repo_url: https://example.org/game
theme:
  name: material
  custom_dir: overrides
  variant: classic
plugins:
  - search
  - tags: {}
watch:
  - ../play
  - 3
hooks:
  - ../hook.py
nav:
  - Home: index.md
  - Rules:
      - rules/0101.md
      - Old: rules/102.md
not_in_nav: |
  /drafts/
  /made/
site_dir: site
edit_uri: ''
"""


def alone(path: str) -> str:
    raise AssertionError(path)


def project(text: str, *, overrides: bool = False) -> str:
    return project_config(
        read_site_config(text, alone),
        moved=lambda path: f"../{path}",
        renamed={"rules/101.md": "rules/0101.md"},
        out_of_nav=("/made/",),
        overrides=overrides,
    ).decode()


def test_a_project_has_what_the_site_has() -> None:
    assert project(OURS, overrides=True) == THEIRS


def test_what_is_not_said_is_not_made_up() -> None:
    plain = "theme:\n  name: mkdocs\ndocs_dir: docs\nsite_dir: site\nnot_in_nav: |\n  /made/\n"
    assert sorted(project("").splitlines()) == sorted(plain.splitlines())
    assert "variant" not in project("theme: mkdocs\n")
    assert "  variant: classic\n" in project("theme: zensical\n")
    assert "  variant: modern\n" in project("theme:\n  name: material\n  variant: modern\n")
    assert "plugins:\n  search: {}\n" in project("plugins:\n  search: {}\n  nomicgen: {}\n")
    assert "plugins: [search]\n" in project("plugins: [nomicgen, search]\n")


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("", "."),
        ("plugins: [search]\n", "."),
        ("plugins: [nomicgen]\n", "."),
        ("plugins:\n  - nomicgen: {}\n", "."),
        ("plugins:\n  - search\n  - other: {game: no}\n  - nomicgen: {game: play}\n", "play"),
        ("plugins:\n  search: {}\n  nomicgen: {game: play}\n", "play"),
    ],
)
def test_the_game_is_where_the_plugin_is_told(text: str, game: str) -> None:
    assert read_site_config(text, alone).game == game


def test_settings_rest_on_others() -> None:
    files = {
        "a.yml": "INHERIT: b.yml\ntheme: {name: material}\nnav: [a.md]\n",
        "b.yml": "site_url: https://b.example/\n",
    }
    made = read_site_config(
        "INHERIT: a.yml\ntheme: {custom_dir: t}\nnav: [c.md]\n", files.__getitem__
    )
    assert (made.custom_dir, made.site_url, made.has_our_theme) == ("t", "https://b.example/", True)
    assert made.tree["nav"] == ["c.md"]
    assert (made.docs_dir, made.directory_urls) == ("docs", True)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: [\n", "line 2: expected the node content, but found '<stream end>'"),
        ("- a\n", "it should hold keys"),
        ("INHERIT: 3\n", "INHERIT: should be the path of another file, and lead to no circle"),
        ("INHERIT: me.yml\n", "INHERIT: should be the path of another file, and lead to no circle"),
    ],
)
def test_settings_that_cannot_be_read(text: str, told: str) -> None:
    with pytest.raises(SiteConfigError) as caught:
        read_site_config(text, lambda path: text)
    assert str(caught.value) == told


def test_paths_are_written_out() -> None:
    with pytest.raises(SiteConfigError, match=r"^docs_dir: should be a path, written out$"):
        _ = read_site_config("docs_dir: !ENV DOCS\n", alone).docs_dir
    with pytest.raises(SiteConfigError, match=r"^site_url: should be an address, written out$"):
        _ = read_site_config("site_url: 3\n", alone).site_url


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b"---\nnumber: 301\ntitle: 'A: b'\n---\nText.\n", {"number": "301", "title": "A: b"}),
        (b"---\nnumber: [\n---\n", {}),
        (b"number: 301\n", {}),
        (b"---\nnumber: \xff\n---\n", {}),
    ],
)
def test_the_keys_of_a_file(data: bytes, keys: dict[str, str]) -> None:
    assert {key: str(value) for key, value in read_keys(data).items()} == keys


def test_what_a_theme_prints_as_it_is_holds_no_tag() -> None:
    text = """site_name: <b>x</b>
site_url: https://example.org/"x/
repo_url: https://example.org/<b>?a=1&b=2
edit_uri_template: "edit/'{path}"
theme: readthedocs
"""
    config = read_site_config(text, str)
    assert config.site_url == "https://example.org/%22x/"
    made = project_config(config, moved=str, renamed={}, out_of_nav=(), overrides=False).decode()
    assert made.startswith(
        """site_name: '&lt;b&gt;x&lt;/b&gt;'
site_url: https://example.org/%22x/
repo_url: https://example.org/%3Cb%3E?a=1&b=2
edit_uri_template: "edit/%27{path}"
"""
    )
    ours = read_site_config("site_name: <b>x</b>\ntheme: material\n", str)
    made = project_config(ours, moved=str, renamed={}, out_of_nav=(), overrides=True).decode()
    # Our templates escape it, and would do so once more.
    assert made.startswith("site_name: <b>x</b>\n")


@pytest.mark.parametrize(
    "address", ["https://example.org/a/?b=1&c=%20#d", "../edit/main/", "edit/{path!q}", ""]
)
def test_an_address_without_such_a_sign_stays_as_it_is(address: str) -> None:
    assert inert_address(address) == address
