"""`nomicgen plumbing pages`: what it writes, what it leaves alone, and what it will not do."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.cli.playing import run, snapshot
from tests.support import GitRepo

pytestmark = pytest.mark.deep

SETTINGS = """\
# Ours.
site_name: Tea
site_url: https://tea.example/game/ # where it stands
docs_dir: words
repo_url: https://forge.example/tea
theme:
  name: material
  custom_dir: looks
plugins:
  - search
  - nomicgen:
      game: .
hooks: [tools/hook.py]
watch: [tools]
extra_css: [assets/nomic.css]
markdown_extensions:
  - pymdownx.emoji:
      emoji_index: !!python/name:material.extensions.emoji.twemoji
not_in_nav: |
  /secret.md
nav:
  - Home: index.md
  - Rules:
      - rules/index.md
      - One rule: rules/203.md
      - Elsewhere: https://tea.example/
"""


@pytest.fixture
def site(game: GitRepo, tmp_path: Path) -> Path:
    """The folder that pages are written to: it is not there yet."""
    return tmp_path / "out" / "pages"


def read(site: Path, path: str) -> str:
    return (site / path).read_text("utf-8")


@pytest.mark.deep
def test_a_project_is_written_that_needs_no_plugin(game: GitRepo, site: Path) -> None:
    before = snapshot(game.path)
    count = len(run(game.path, f"plumbing pages {site} --dry-run").splitlines())
    assert not site.exists()
    said = run(game.path, f"plumbing pages {site}").splitlines()
    assert said[0].startswith(f"{site}: ")
    assert said[0].endswith(" written")
    assert said[1:] == [
        "build it with one of these:",
        f"  mkdocs build --strict -f {site}/mkdocs.yml",
        f"  zensical build --strict -f {site}/mkdocs.yml",
    ]
    assert count == 22  # twenty files, the number of the others, and that nothing was written
    made = snapshot(site)
    assert {
        "mkdocs.yml",
        ".nomicgen-pages.json",
        "docs/index.md",
        "docs/rules/index.md",
        "docs/rules/203/index.md",
        "docs/ruleset/rules-l.md.txt",
        "docs/assets/nomic.css",
        "overrides/main.html",
    } <= set(made)
    assert not [path for path in made if path.startswith((".nomicgen/", "site/"))]
    assert snapshot(game.path) == before
    assert "- nomicgen" not in read(site, "mkdocs.yml")


def test_the_settings_are_those_of_the_game(game: GitRepo, site: Path) -> None:
    game.write({"mkdocs.yml": SETTINGS, "words/mine.md": "# Mine\n", "looks/main.html": "theirs"})
    game.write({"looks/partials/copyright.html": "", "tools/hook.py": "raise SystemExit\n"})
    run(game.path, f"plumbing pages {site}")
    text = read(site, "mkdocs.yml")
    for line in (
        "# Ours.\n",
        "site_url: https://tea.example/game/ # where it stands\n",
        "extra_css: [assets/nomic.css]\n",
    ):
        assert line in text
    assert "emoji_index: !!python/name:material.extensions.emoji.twemoji" in text
    yaml = YAML(typ="rt").load(text)
    assert (yaml["docs_dir"], yaml["site_dir"], yaml["edit_uri"]) == ("docs", "site", "")
    assert dict(yaml["theme"]) == {
        "name": "material",
        "custom_dir": "overrides",
        "variant": "classic",
    }
    assert yaml["plugins"] == ["search"]
    assert yaml["hooks"] == ["../../game/tools/hook.py"]
    assert yaml["watch"] == ["../../game/tools"]
    patterns = yaml["not_in_nav"].splitlines()
    assert patterns[0] == "/secret.md"
    assert {"/index.md", "/rules/", "/proposals/"} <= set(patterns)
    assert yaml["nav"][1]["Rules"] == [
        "rules/index.md",
        {"One rule": "rules/203/index.md"},
        {"Elsewhere": "https://tea.example/"},
    ]
    assert read(site, "overrides/main.html") == "theirs"
    assert read(site, "docs/mine.md") == "# Mine\n"


def test_settings_inherit(game: GitRepo, site: Path, tmp_path: Path) -> None:
    base = (
        "site_name: Base\nplugins: {search: {}, nomicgen: {}}\n"
        "theme: {name: material, language: de}\nnav: [a.md]\n"
    )
    (tmp_path / "common").mkdir()
    (tmp_path / "common" / "base.yml").write_text(base, "utf-8")
    (tmp_path / "common" / "more.yml").write_text("INHERIT: base.yml\nsite_author: us\n", "utf-8")
    config = tmp_path / "game.yml"
    config.write_text(
        "INHERIT: common/more.yml\nsite_name: Tea\ntheme: {font: false}\nnav: [index.md]\n", "utf-8"
    )
    run(game.path, f"plumbing pages {site} --config {config}")
    yaml = YAML(typ="rt").load(read(site, "mkdocs.yml"))
    assert (yaml["site_name"], yaml["site_author"], yaml["nav"]) == ("Tea", "us", ["index.md"])
    assert dict(yaml["plugins"]) == {"search": {}}
    assert dict(yaml["theme"]) == {
        "name": "material",
        "language": "de",
        "font": False,
        "custom_dir": "overrides",
        "variant": "classic",
    }
    assert "INHERIT" not in yaml


def test_a_game_without_settings_gets_those_that_ship(game: GitRepo, site: Path) -> None:
    game.write({"mkdocs.yml": None})
    run(game.path, f"plumbing pages {site}")
    assert read(site, "mkdocs.yml").startswith("site_name: Tea\n")


def test_what_a_person_wrote_comes_before_what_is_made(game: GitRepo, site: Path) -> None:
    game.write(
        {
            "docs/rules/203.md": "# By hand\n",
            "docs/rules/204/index.md": "# So too\n",
            "docs/.draft.md": "x",
        }
    )
    game.write(
        {
            "docs/mine.md": "[a](rules/205.md#r0) [b](./rules/203.md) [c]: no\n\n"
            "[d]: <rules/206.md>\n"
        }
    )
    run(game.path, f"plumbing pages {site}")
    assert read(site, "docs/rules/203.md") == "# By hand\n"
    assert not (site / "docs/rules/203/index.md").exists()
    assert read(site, "docs/rules/204/index.md") == "# So too\n"
    assert not (site / "docs/.draft.md").exists()
    assert read(site, "docs/mine.md") == (
        "[a](rules/205/index.md#r0) [b](./rules/203.md) [c]: no\n\n[d]: <rules/206/index.md>\n"
    )
    patterns = YAML(typ="rt").load(read(site, "mkdocs.yml"))["not_in_nav"].splitlines()
    assert "/rules/" not in patterns
    assert "/rules/205/index.md" in patterns
    assert "/rules/203.md" not in patterns


@pytest.mark.nightly
def test_a_second_run_writes_what_differs(game: GitRepo, site: Path) -> None:
    game.write({"docs/old/mine.md": "# Mine\n", "images/boat.png": b"boat"})
    run(game.path, f"plumbing pages {site}")
    assert (site / "docs/images/boat.png").read_bytes() == b"boat"
    before = snapshot(site)
    times = {path: (site / path).stat().st_mtime_ns for path in before}
    assert ": 0 written, " in run(game.path, f"plumbing pages {site}")
    assert snapshot(site) == before
    assert {path: (site / path).stat().st_mtime_ns for path in before} == times

    game.write({"docs/old/mine.md": None, "docs/new.md": "# New\n"})
    (site / "site").mkdir()
    (site / "site/index.html").write_text("built", "utf-8")
    said = run(game.path, f"plumbing pages {site} --dry-run").splitlines()
    # The search knows the words of pages that were written by hand.
    searched = [line for line in said if line.startswith(f"would write {site}/docs/assets/search/")]
    assert searched
    assert [line for line in said if line not in searched] == [
        f"would write {site}/docs/new.md",
        f"would remove {site}/docs/old/mine.md",
        "nothing was written (--dry-run)",
    ]
    assert (
        run(game.path, f"plumbing pages {site}").splitlines()[0].endswith(" unchanged, 1 removed")
    )
    assert not (site / "docs/old").exists()
    assert read(site, "docs/new.md") == "# New\n"
    assert read(site, "site/index.html") == "built"


@pytest.mark.nightly
def test_what_was_changed_there_is_not_written_over(game: GitRepo, site: Path) -> None:
    run(game.path, f"plumbing pages {site}")
    (site / "docs/index.md").write_text("mine", "utf-8")
    (site / "docs/new.md").write_text("mine too", "utf-8")
    game.write({"docs/new.md": "# New\n"})
    before = snapshot(site)
    said = run(game.path, f"plumbing pages {site}", code=2)
    assert (
        f"{site} holds what was not written there by this command: docs/index.md, docs/new.md"
        in said
    )
    assert "help: " in said
    assert snapshot(site) == before
    (site / "docs/index.md").unlink()
    (site / "docs/new.md").write_text("# New\n", "utf-8")
    # The page, and three files of the search, which tell of the new page as well.
    assert ": 4 written, " in run(game.path, f"plumbing pages {site}")


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (".", "holds the game itself"),
        ("..", "holds the game itself"),
        ("docs/pages", "which is read"),
        ("rules/pages", "which is read"),
        ("turns/pages", "which is read"),
        ("notes", "holds other things"),
        ("nomic.yml", "is a file"),
    ],
)
def test_a_folder_that_is_for_other_things_is_refused(game: GitRepo, place: str, said: str) -> None:
    game.write({"notes/deep/a.txt": "a"})
    before = snapshot(game.path)
    found = run(game.path, f"plumbing pages {game.path / place}", code=2)
    assert said in found
    assert snapshot(game.path) == before


def test_an_empty_folder_may_be_a_repository(
    game: GitRepo, git_repo: Callable[..., GitRepo]
) -> None:
    site = git_repo("pages").path
    (site / "empty").mkdir()
    run(game.path, f"plumbing pages {site}")
    assert (site / "docs/index.md").is_file()


def test_a_folder_within_the_game_is_not_read_back(game: GitRepo) -> None:
    game.write(
        {
            "mkdocs.yml": "site_name: Tea\ndocs_dir: .\ntheme: {name: material}\n"
            "plugins: [nomicgen]\n"
        }
    )
    said = run(game.path, f"plumbing pages {game.path / 'build'}", code=2)
    assert "which is read" in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [", "mkdocs.yml: line 1: "),
        ("- a\n", "mkdocs.yml: it should hold keys"),
        (
            "INHERIT: mkdocs.yml\n",
            "mkdocs.yml: INHERIT: should be the path of another file, and lead to no circle",
        ),
        ("docs_dir: [a]\n", "mkdocs.yml: docs_dir: should be a path, written out"),
        ("theme: {custom_dir: 3}\n", "mkdocs.yml: custom_dir: should be a path, written out"),
        ("site_url: !ENV URL\n", "mkdocs.yml: site_url: should be an address, written out"),
        ("INHERIT: nowhere.yml\n", "nowhere.yml cannot be read: "),
        ("site_name: \udcff\n", "mkdocs.yml: mkdocs.yml is not UTF-8"),
    ],
)
def test_settings_that_cannot_be_used_are_named(
    game: GitRepo, site: Path, text: str, said: str
) -> None:
    game.write({"mkdocs.yml": text.encode("utf-8", "surrogateescape")})
    found = run(game.path, f"plumbing pages {site}", code=2)
    assert said in found
    assert "help: " in found
    assert not site.exists()


def test_settings_of_another_game_are_refused(game: GitRepo, site: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    config = tmp_path / "mkdocs.yml"
    config.write_text("site_name: a\nplugins:\n  - nomicgen: {game: other}\n", "utf-8")
    assert "is the site of the game in" in run(
        game.path, f"plumbing pages {site} --config {config}", code=2
    )
    config.write_text("site_name: a\nplugins:\n  - nomicgen: {game: game}\n", "utf-8")
    run(game.path, f"plumbing pages {site} --config {config}")


def test_a_broken_game_is_written_with_a_warning_or_not_at_all(game: GitRepo, site: Path) -> None:
    file = game.path / "rules/203.md"
    file.write_text(file.read_text("utf-8").replace("rule-change", "change"), "utf-8")
    said = run(game.path, f"plumbing pages {site} --strict", code=1)
    assert "error[rules-differ]" in said
    assert "the game has an error, so nothing was written" in said
    assert not site.exists()
    said = run(game.path, f"plumbing pages {site}")
    assert said.startswith("warning: the game has an error, first rules/203.md:")
    assert "1 error in this game" in read(site, "docs/index.md")


@pytest.mark.deep
@pytest.mark.parametrize(
    "text", ["{", "[]", '{"format": 2, "files": {}}', '{"format": 1, "files": []}']
)
def test_a_damaged_manifest_is_named(game: GitRepo, site: Path, text: str) -> None:
    run(game.path, f"plumbing pages {site}")
    (site / ".nomicgen-pages.json").write_text(text, "utf-8")
    assert ".nomicgen-pages.json is damaged" in run(game.path, f"plumbing pages {site}", code=2)


def test_a_manifest_cannot_have_files_elsewhere_removed(
    game: GitRepo, site: Path, tmp_path: Path
) -> None:
    run(game.path, f"plumbing pages {site}")
    target = tmp_path / "precious.txt"
    target.write_text("precious", "utf-8")
    manifest = site / ".nomicgen-pages.json"
    digest = hashlib.sha256(b"precious").hexdigest()
    manifest.write_text(
        manifest.read_text("utf-8").replace(
            '"files": {', f'"files": {{"../../precious.txt": "{digest}",'
        ),
        "utf-8",
    )
    assert "'../../precious.txt' is not written: " in run(
        game.path, f"plumbing pages {site}", code=2
    )
    assert target.read_text("utf-8") == "precious"


def test_without_what_builds_it_one_line_says_what_brings_it(
    game: GitRepo, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nomicgen.cli.pages.find_spec", lambda _: None)
    said = run(game.path, f"plumbing pages {site}").splitlines()
    assert said[-1] == "neither is installed here: `pip install 'nomicgen[site]'` brings MkDocs"
    monkeypatch.setattr("nomicgen.cli.pages.find_spec", lambda name: name)
    assert (
        run(game.path, f"plumbing pages {site}")
        .splitlines()[-1]
        .startswith("  zensical build --strict -f ")
    )


@pytest.mark.nightly
def test_a_site_without_an_address_is_told_of(game: GitRepo, site: Path) -> None:
    settings = game.path / "mkdocs.yml"
    quiet = run(game.path, f"plumbing pages {site} --dry-run")
    assert "site_url" not in quiet
    with (game.path / "nomic.yml").open("a") as stream:
        stream.write("repository: https://codeberg.org/Us/tea.git\n")
    said = run(game.path, f"plumbing pages {site} --dry-run")
    assert "warning: mkdocs.yml has no site_url" in said
    assert "`site_url: https://us.codeberg.page/tea/`" in said
    text = settings.read_text()
    for named in ("site_url: https://us.codeberg.page/tea/", "site_url: ''"):
        settings.write_text(f"{text}{named}\n")
        assert "warning" not in run(game.path, f"plumbing pages {site} --dry-run")
