"""How long a rule's page may get; and lists whose filter looks into whole texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import urljoin

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page

from nomicgen.cli.program import main
from nomicgen.files.game_files import read_game
from nomicgen.law.checks.run import ruleset_files
from nomicgen.law.replay.run import replay
from nomicgen.model.values import Moment
from nomicgen.repository.game_tree import read_tree
from nomicgen.site.build import pages
from tests.cli.playing import run
from tests.site.conftest import Build
from tests.site.test_rule import (
    FRAME,
    PLAYERS,
    SETTINGS,
    adopted,
    game_history_of,
    made,
    rule,
    section,
)


def matter(index: int, turn: int) -> str:
    how = "show of hands" if (turn * 7 + index) % 5 == 0 else "lot"
    return (
        f"{index + 1}. Of matter {index + 1} the council decides by {how} in week "
        f"{turn - (turn - index) % 20}, and "
        "the clerk writes down on the great board who was there, who spoke and who kept silent, "
        "for all to read."
    )


def text_of(turn: int, size: int = 19) -> str:
    return "\n\n".join(matter(index, turn) for index in range(size))


def long_game(count: int, size: int = 19) -> dict[str, str]:
    files = {
        "rules/initial/101.md": rule(101, "A short one."),
        "rules/initial/203.md": rule(203, text_of(0, size)),
    }
    for turn in range(1, count):
        day = f"2020-{2 + turn // 28:02}-{turn % 28 + 1:02}"
        amend = f"## Amend Rule 203/{turn - 1}\n\n{text_of(turn, size)}"
        files[f"proposals/{300 + turn}.md"] = adopted(300 + turn, day, amend)
    return files


@pytest.mark.nightly
def test_a_page_stays_small_with_sixty_revisions() -> None:
    assert len(text_of(7)) > 3000
    # The forge's editor is opened with the whole text in the address.
    forge = {"nomic.yml": f"{SETTINGS}repository: https://github.com/example/house\n"}
    game_history = game_history_of({**long_game(60), **forge})
    site = pages(game_history, today=Moment.parse("2021-01-01"))
    page = site["rules/203.md"]
    assert len(page.encode()) <= 60_000 - FRAME
    assert all(page.count(f'id="r{revision}"') == 1 for revision in range(60))
    assert '<section class="n-revision" id="r59">' in page
    assert "What changed from 203/58" in page
    older = re.findall(r'<li id="r(\d+)"><a href="([^"]*)#r(\d+)">203/(\d+)</a></li>', page)
    assert [int(one[0]) for one in older] == list(range(58, -1, -1))
    assert all(one[0] == one[2] == one[3] for one in older)
    told = []
    for number, path in enumerate(
        sorted((one for one in site if "revisions-" in one), key=lambda one: (len(one), one)), 1
    ):
        assert path == f"rules/203/revisions-{number}.md"
        volume = site[path]
        assert len(volume.encode()) <= 60_000 - FRAME
        told += re.findall(r'<section class="n-revision" id="r(\d+)">', volume)
        for revision, href, _, _ in older:
            if (
                urljoin("http://site/rules/203/", href)
                == f"http://site/{path.removesuffix('.md')}/"
            ):
                assert f'id="r{revision}"' in volume
    assert told == [str(revision) for revision in range(60)]


@pytest.mark.nightly
def test_a_rule_that_many_cite_lists_the_first() -> None:
    files = {"rules/initial/101.md": rule(101, "The first.")}
    files |= {
        f"rules/initial/{number}.md": rule(number, "See Rule 101.") for number in range(201, 501)
    }
    page = made(files)["rules/101.md"]
    assert len(page.encode()) <= 60_000 - FRAME
    assert section(page, "Cited by").endswith("Rule 300and 200 more")


@pytest.mark.nightly
def test_the_built_page_is_small_and_whole(tmp_path: Path, build: Build) -> None:
    files = {"nomic.yml": SETTINGS, **PLAYERS, **long_game(60)}
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    (tmp_path / "rules").mkdir(exist_ok=True)
    records, _ = read_game(read_tree(tmp_path))
    for path, data in ruleset_files(replay(records).current).items():
        (tmp_path / path).write_bytes(data)
    site, _ = build(tmp_path, strict=False)
    sizes = {
        str(one.relative_to(site)): one.stat().st_size for one in site.glob("rules/*/**/index.html")
    }
    assert "rules/203/revisions-1/index.html" in sizes
    assert {path: size for path, size in sizes.items() if size > 60_000} == {}


# Nomic IV, imported and published: the second game that the site is made for.


@pytest.fixture(scope="module")
def nomic_4(shared: Path, build: Build, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site of the seed."""
    root = tmp_path_factory.mktemp("nomic-4") / "game"
    seed = shared / "seeds" / "nomic-4-long-format.md"
    result = CliRunner().invoke(
        main, ["import", "long", str(seed), "--into", str(root), "--commit"]
    )
    assert result.exit_code == 0, result.output
    return build(root)[0]


@pytest.mark.nightly
def test_every_rule_of_the_seed_has_a_page(nomic_4: Path) -> None:
    assert len([path for path in (nomic_4 / "rules").iterdir() if path.is_dir()]) == 57


@pytest.mark.nightly
@pytest.mark.browser
def test_an_imported_history_leads_to_its_own_repository(
    nomic_4: Path, page: Page, serve: Callable[[Path], str], axe: Callable[[Page], list[str]]
) -> None:
    page.goto(f"{serve(nomic_4)}rules/203/")
    line = page.locator(
        ".n-history .n-line", has_text="Amended (1) by Proposal 329 (Alekosen), Jul 27, 2020"
    )
    address = line.get_by_role("link", name="Amended (1)").get_attribute("href")
    assert address is not None
    assert address.startswith("https://github.com/dmouscher/nomic/blob/f743617b92")
    assert axe(page) == []


pytestmark = [pytest.mark.browser, pytest.mark.deep]

# What is asked of the set that ships, and the rule that comes first.
ASKED = {
    "208": "Rule 208",
    "rule 203": "Rule 203",
    "judge": "Rule 212",
    "die": "Rule 202",
    "winning": "Rule 112",
    "transmutation": "Rule 109",
    "precedence": "Rule 211",
    "debate": "Rule 111",
    "consolation": "Rule 204",
    "fine": "Rule 206",
    "eligible": "Rule 105",
}
OTHERS = {
    "inactive": "Rule 207",
    "rule 206": "Rule 206",
    "turn": "Rule 201",
    "precedence": "Rule 214",
    "winning": "Rule 216",
    "points": "Rule 213",
    "resubmission": "Rule 210",
    "immutable": "Rule 109",
    "judge": "Rule 215",
}
"""What is asked of Nomic IV's."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("whole"), "suber")


def built(folder: Path, ruleset: str) -> Path:
    """The site of a new game."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    root, game = folder / "club", f"--ruleset {ruleset} --player wren --player quill"
    run(folder, f"init {root} {game} --forge none --on 2026-01-01 --commit")
    (root / "docs" / "voting.md").write_text(
        "# Voting by hand\n\nHow voting is done: voting, voting, voting.\n", "utf-8"
    )
    config = load_config(str(root / "mkdocs.yml"), site_dir=str(root / "site"))
    build(config)
    return root / "site"


@pytest.mark.nightly
def test_a_filter_finds_every_rule_that_has_the_words(
    page: Page, site: Path, serve: Callable[[Path], str]
) -> None:
    page.goto(f"{serve(site)}rules/")
    page.get_by_role("searchbox").first.fill("voting")
    page.get_by_text("14 of 29 shown").wait_for()
    page.get_by_role("searchbox").first.fill("sympathy")
    page.get_by_text("1 of 29 shown").wait_for()
    page.get_by_role("searchbox").first.fill("nowhere to be found")
    page.get_by_text("No result among 29").wait_for()


def first_found(page: Page, asked: Iterable[str]) -> dict[str, str]:
    """The number of the first answer to each question, in the search that is open."""
    field, first = page.locator("dialog input"), page.locator("dialog li a").first
    found = {}
    for words in asked:
        field.fill("")
        page.locator("dialog li").first.wait_for(state="detached")
        field.fill(words)
        first.wait_for()
        found[words] = first.locator(".n-num").inner_text()
    return found


@pytest.mark.nightly
def test_the_search_of_another_game_has_its_law_first(
    page: Page, tmp_path: Path, serve: Callable[[Path], str]
) -> None:
    page.goto(f"{serve(built(tmp_path, 'nomic-iv'))}index.html")
    page.locator("#n-search").click()
    assert first_found(page, OTHERS) == OTHERS


@pytest.mark.nightly
def test_the_search_has_the_law_first_and_the_guide_apart(
    page: Page, site: Path, serve: Callable[[Path], str]
) -> None:
    page.goto(f"{serve(site)}index.html")
    page.locator("#n-search").click()
    assert first_found(page, ASKED) == ASKED
    field = page.locator("dialog input")
    field.fill("voting")
    page.get_by_role("button", name="In the guide: 1").click()
    page.get_by_role("button", name="Back to the game").wait_for()
    assert page.locator("dialog li").all_inner_texts()[0].startswith("Voting by hand")
