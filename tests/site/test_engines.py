"""Both engines make one site: the same addresses, the same files, and no link that leads
nowhere.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, expect

from nomicgen.cli.program import main
from nomicgen.play.rulesets import NAMES
from tests.deep import sampled
from tests.links import html_pages
from tests.site.conftest import Built
from tests.site.engines import Both, differences, link_faults
from tests.support import ROOT, mkdocs_build

pytestmark = pytest.mark.deep


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Both:
    """The site of this repository, as `make site` and `make pages` build it."""
    return Both(game=ROOT, folder=tmp_path_factory.mktemp("house"), guide=True)


@pytest.fixture(scope="module")
def example(harbour_by_both: Both) -> Both:
    """The site of the game with one of everything, whose settings inherit those of this
    repository.
    """
    return harbour_by_both


@pytest.fixture(scope="module")
def flat(harbour: Built, tmp_path_factory: pytest.TempPathFactory) -> Both:
    """The same with addresses such as `rules/203.html`, of a site that knows no address of its
    own.
    """
    folder = tmp_path_factory.mktemp("flat")
    game = Path(shutil.copytree(harbour.game, folder / "game"))
    with (game / "mkdocs.yml").open("a") as stream:
        stream.write("use_directory_urls: false\nsite_url: ''\n")
    return Both(game=game, folder=folder)


@pytest.fixture(scope="module")
def seed(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Both:
    """Nomic IV, imported from the long format."""
    folder = tmp_path_factory.mktemp("seed")
    source = shared / "seeds" / "nomic-4-long-format.md"
    result = CliRunner().invoke(
        main, ["import", "long", str(source), "--into", str(folder / "game"), "--commit"]
    )
    assert result.exit_code == 0, result.output
    return Both(game=folder / "game", folder=folder)


@pytest.fixture(params=sampled(["example", "flat", "house", "seed"], every=4))
def both(request: pytest.FixtureRequest) -> Both:
    """Each of them in turn."""
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Both)
    return found


@pytest.mark.nightly
def test_both_engines_give_the_same_addresses(both: Both) -> None:
    assert differences(both) == []
    assert len(html_pages(both.mkdocs)) > 30


@pytest.mark.nightly
def test_no_link_of_mkdocs_leads_nowhere(both: Both) -> None:
    assert link_faults(both.game, both.mkdocs, both.url) == []


@pytest.mark.nightly
def test_no_link_of_zensical_leads_nowhere(both: Both) -> None:
    assert link_faults(both.game, both.zensical, both.url) == []


@pytest.mark.nightly
def test_addresses_are_what_the_settings_say(example: Both, flat: Both) -> None:
    assert example.url == "https://nomicgen.github.io/nomicgen/"
    assert (example.zensical / "rules" / "203" / "index.html").is_file()
    assert flat.url == ""
    assert (flat.zensical / "rules" / "203.html").is_file()
    assert not (flat.zensical / "rules" / "203" / "index.html").exists()


@pytest.mark.nightly
def test_mkdocs_makes_of_a_project_what_it_makes_with_the_plugin(
    example: Both, tmp_path: Path
) -> None:
    done = mkdocs_build(example.project, tmp_path / "site", "--quiet", "--strict")
    assert (done.returncode, done.stderr) == (0, "")
    differing = [
        path
        for path in sorted(html_pages(example.mkdocs))
        if (tmp_path / "site" / path).read_text("utf-8")
        != (example.mkdocs / path).read_text("utf-8")
    ]
    assert differing == []
    assert html_pages(tmp_path / "site") == html_pages(example.mkdocs)


@pytest.mark.deep
def test_the_fork_of_mkdocs_makes_the_same_files(example: Both, tmp_path: Path) -> None:
    """Unmodified, from the same settings; only the line differs that names the engine."""
    command = [
        sys.executable,
        "-m",
        "properdocs",
        "build",
        "--strict",
        "--quiet",
        "--site-dir",
        str(tmp_path / "site"),
    ]
    done = subprocess.run(
        [*command, "-f", "mkdocs.yml"],
        cwd=example.game,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    sites = [
        {
            path.relative_to(root).as_posix(): path.read_bytes()
            for path in sorted(root.rglob("*"))
            if path.is_file()
        }
        for root in (example.mkdocs, tmp_path / "site")
    ]
    assert [*sites[0]] == [*sites[1]]
    named = re.compile(rb'<meta name="generator" content="[^"]*">')
    differing = [
        path
        for path in sites[0]
        if named.sub(b"", sites[0][path]) != named.sub(b"", sites[1][path])
    ]
    assert [path for path in differing if not path.endswith(".gz")] == []
    assert b"ProperDocs" in sites[1]["index.html"]


@pytest.mark.nightly
@pytest.mark.browser
@pytest.mark.parametrize("engine", sampled(["mkdocs", "zensical"], every=1))
def test_a_rules_life_is_told_below_a_folder_with_pages_for_addresses(
    flat: Both, page: Page, serve: Callable[[Path], str], engine: str
) -> None:
    site = flat.mkdocs if engine == "mkdocs" else flat.zensical
    address = f"{serve(site.parent)}{site.name}/rules/203.html"
    page.goto(f"{address}?at=203/0")
    law = page.locator(".n-main > .n-law")
    expect(law).to_have_text("A rule-change is adopted if every eligible voter votes for it.")
    page.get_by_role("button", name="One change later").click()
    expect(law).to_contain_text("a simple majority of eligible voters")
    page.goto(f"{address}?quote=203/0:every eligible voter")
    expect(page.locator(".n-quote")).to_contain_text("These words stood until Proposal 301")
    assert page.evaluate(
        "document.fonts.check('16px Literata') && [...document.fonts].some(one => one.status === "
        "'loaded')"
    )


@pytest.mark.nightly
@pytest.mark.browser
@pytest.mark.parametrize("scheme", sampled(["light", "dark"], every=2))
def test_what_zensical_makes_is_accessible_fits_and_asks_for_nothing_elsewhere(
    example: Both,
    page: Page,
    serve: Callable[[Path], str],
    axe: Callable[[Page], list[str]],
    scheme: str,
) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    for path in ("", "rules/", "rules/203/", "proposals/301/", "time/"):
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(f"{serve(example.zensical)}{path}")
        assert axe(page) == [], path
        page.set_viewport_size({"width": 360, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path


# The rulesets that ship, with the game that was played under each: one site, whichever engine
# builds it.


@pytest.mark.nightly
@pytest.mark.parametrize("ruleset", NAMES)
def test_a_played_game_is_one_site_without_a_fault(ruleset: str, tmp_path: Path) -> None:
    game = tmp_path / "game"
    result = CliRunner().invoke(
        main, ["init", str(game), "--ruleset", ruleset, "--played", "--commit"]
    )
    assert result.exit_code == 0, result.output
    both = Both(game=game, folder=tmp_path)
    assert differences(both) == []
    assert link_faults(game, both.mkdocs) == []
    assert link_faults(game, both.zensical) == []
