"""Each kind of finding has a page, and each page's example gives exactly the findings that it
shows.
"""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from nomicgen.cli.program import main
from nomicgen.law.checks.run import ruleset_files
from nomicgen.model.findings import CODES, Need
from nomicgen.model.values import Moment
from nomicgen.play.load import load_tree
from nomicgen.repository.game_tree import read_tree
from tests.explain_pages import (
    BASE,
    EXPLAIN,
    ON,
    import_example,
    printed,
    pull_example,
    read_page,
    replay_example,
    source_example,
    verify_example,
    without_ids,
    write_example,
)

OF_GIT = tuple(slug for slug in CODES if slug.startswith("git-"))
OF_IMPORT = tuple(slug for slug in CODES if slug.startswith("import-"))
OF_PULL = (
    "actor-other",
    "base-moved",
    "kinds-mixed",
    "machinery-unapproved",
    "name-taken",
    "number-by-hand",
    "past-rewritten",
    "record-by-hand",
    "rules-by-hand",
    "submodule",
)
OF_HISTORY = tuple(slug for slug in CODES if slug.startswith("verify-"))
OF_SOURCE = ("source-differs",)
OF_GAME = tuple(
    slug for slug in CODES if slug not in OF_GIT + OF_HISTORY + OF_IMPORT + OF_PULL + OF_SOURCE
)


def test_every_code_has_its_page_and_every_page_its_code() -> None:
    assert {file.stem for file in EXPLAIN.glob("*.md")} == set(CODES)


def test_the_base_game_is_valid_and_applied() -> None:
    tree = read_tree(BASE)
    game = load_tree(BASE, tree, Moment.parse(ON))
    assert printed(game.findings) == ""
    derived = {path: data for path, data in tree.items() if re.fullmatch(r"rules/\d+\.md", path)}
    assert derived == ruleset_files(game.replay.current)
    assert list(game.replay.current.rules) == [101, 102, 103, 201, 202, 203, 302]


@pytest.mark.parametrize("slug", CODES)
def test_a_page_says_what_perhaps_why_and_what_to_do(slug: str) -> None:
    page = read_page(slug)
    what, *why, remedy = page.paragraphs
    assert what.endswith(".")
    assert not what.startswith("**")
    assert [paragraph.partition(" ")[0] for paragraph in why] in ([], ["**Why.**"])
    assert remedy.startswith("**What to do.** ")
    shown = set(re.findall(r"^\S+: (?:error|warning)\[([a-z-]+)\]: ", page.findings, re.MULTILINE))
    assert slug in shown
    assert f": {CODES[slug].severity}[{slug}]: " in page.findings


@pytest.mark.parametrize("slug", OF_GAME)
def test_the_example_gives_what_its_page_shows(slug: str, tmp_path: Path) -> None:
    page = read_page(slug)
    findings = replay_example(page, tmp_path / "game")
    assert printed(findings) == page.findings
    # What breaks a rule may be lawful by a file that cannot be read, such as an amendment of it.
    judged = {finding.slug for finding in findings if finding.rule is not None}
    assert {slug for slug in judged if Need.LEDGER not in CODES[slug].needs} == set()


@pytest.mark.parametrize("slug", OF_GIT)
def test_the_example_of_git_gives_what_its_page_shows(slug: str, tmp_path: Path) -> None:
    page = read_page(slug)
    root = write_example(page, tmp_path / "game").resolve()
    done = CliRunner().invoke(main, ["-C", str(root), "check", "--on", ON])
    findings, _, summary = done.stdout.rpartition("\n\n")
    assert findings + "\n" == page.findings
    assert summary == "7 rules in force, 2 instruments replayed: 0 errors, 1 warning\n"
    assert done.exit_code == 0


@pytest.mark.parametrize("slug", OF_PULL)
def test_the_example_of_a_pull_request_gives_what_its_page_shows(slug: str, tmp_path: Path) -> None:
    page = read_page(slug)
    assert printed(pull_example(page, tmp_path / "game")) == page.findings


@pytest.mark.parametrize("slug", OF_HISTORY)
def test_the_example_of_a_history_gives_what_its_page_shows(
    slug: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
        monkeypatch.setenv(name, "2026-02-01T12:00:00+00:00")
    page = read_page(slug)
    assert verify_example(page, tmp_path / "game") == without_ids(page.findings)


@pytest.mark.parametrize("slug", OF_IMPORT)
def test_the_example_of_an_import_gives_what_its_page_shows(slug: str) -> None:
    page = read_page(slug)
    (fence,) = page.fences
    assert printed(import_example(fence)) == page.findings


@pytest.mark.parametrize("slug", OF_SOURCE)
def test_the_example_of_a_source_gives_what_its_page_shows(slug: str, tmp_path: Path) -> None:
    page = read_page(slug)
    assert printed(source_example(page, tmp_path / "game")) == page.findings


@pytest.mark.parametrize("slug", CODES)
def test_the_commands_that_a_page_names_are_there(slug: str) -> None:
    text = (EXPLAIN / f"{slug}.md").read_text("utf-8")
    for said in re.findall(r"`nomicgen ([^`]*)`", text):
        words = re.sub(r"^-C \S+ ", "", said).split()
        command: click.Command | None = main
        context = click.Context(main, info_name="nomicgen")
        while isinstance(command, click.Group):
            command = command.get_command(context, words.pop(0))
        assert command is not None, f"`nomicgen {said}`"
        options = {option for one in command.params for option in one.opts}
        assert {word for word in words if word.startswith("--")} <= options, f"`nomicgen {said}`"


def test_explain_prints_the_page() -> None:
    done = CliRunner().invoke(main, ["explain", "revision-stale"])
    assert done.exit_code == 0
    assert done.stdout.rstrip("\n") == (EXPLAIN / "revision-stale.md").read_text("utf-8").rstrip(
        "\n"
    )
