"""Where the words of a rule came from, and what a citation leads to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from nomicgen.cli.program import main
from tests.cli.playing import EVERYONE, MAJORITY, begun, passed, refused, registered, run
from tests.support import GitRepo, once

Repo = Callable[..., GitRepo]
TEXT = "A ferry leaves at noon. Nobody waits."
LAW: dict[int, dict[str, Any]] = {201: {}, 203: MAJORITY}


@pytest.fixture
def amended(git_repo: Repo) -> GitRepo:
    """A game where Rule 301 of osprey was amended by wren against quill, and so became Rule 302;
    its site is known.
    """

    def play(repo: GitRepo) -> None:
        game = begun(repo, LAW)
        site = game.path / "mkdocs.yml"
        site.write_text("site_url: https://tea.example/game\n" + site.read_text())
        game.commit("Name the site")
        passed(
            game,
            301,
            f"A ferry.\n\n## Enact Rule: The ferry\n\n{TEXT}\n",
            "2026-01-05",
            title="ferry",
            author="osprey",
        )
        body = (
            "Later.\n\n## Amend Rule 301/0\n\n"
            "A *slow* ferry leaves at one. Nobody waits. Gulls may watch.\n"
        )
        registered(game, 302, "2026-01-06", body, author="wren")
        run(game.path, "vote 302 for --player osprey --player wren --on 2026-01-07 --commit")
        run(game.path, "vote 302 against --player quill --on 2026-01-07 --commit")
        run(game.path, "proposal resolve 302 --on 2026-01-07 --commit")

    return once("an amended rule", git_repo(), play)


def commits(game: GitRepo) -> list[str]:
    """The ids of the commits that wrote the rule, oldest first."""
    return game.git(
        "log", "--reverse", "--format=%H", "--", "rules/301.md", "rules/302.md"
    ).splitlines()


@pytest.mark.deep
def test_blame_tells_whose_words_each_sentence_is_made_of(amended: GitRepo) -> None:
    first, second = (sha[:10] for sha in commits(amended))
    old = f"  301/0  {first}  Enacted by Proposal 301 (osprey), Jan 5, 2026; 3 for, 0 against"
    new = f"  302/1  {second}  Amended (1) by Proposal 302 (wren), Jan 7, 2026; 2 for, 1 against"
    assert run(amended.path, "rule blame 301").splitlines() == [
        "Rule 302/1: The ferry  (mutable)",
        "(Rule 301 is Rule 302 now)",
        "",
        "A *slow* ferry leaves at one.",
        old,
        "      “A … ferry leaves at”",
        new,
        "      “*slow* … one.”",
        "",
        "Nobody waits.",
        old,
        "",
        "Gulls may watch.",
        new,
    ]
    assert run(amended.path, "rule blame 301/0").splitlines() == [
        "Rule 301/0: The ferry  (mutable)",
        "",
        "A ferry leaves at noon.",
        old,
        "",
        "Nobody waits.",
        old,
    ]


@pytest.mark.nightly
def test_blame_goes_across_numbers_and_says_what_it_does_not_know(git_repo: Repo) -> None:
    game = begun(git_repo(), {**LAW, 108: {"numbering": {"first": "301", "amended": "proposal"}}})
    passed(game, 301, "So.\n\n## Amend Rule 205/0\n\nOne bell rings.\n", "2026-01-05")
    passed(
        game,
        302,
        "So.\n\n## Amend Rule 301/1\n\nOne loud bell rings.\n",
        "2026-01-08",
        title="loud",
    )
    said = run(game.path, "rule blame 205").splitlines()
    assert said[0].startswith("Rule 302/2: ")
    assert said[1] == "(Rule 205 is Rule 302 now)"
    assert said[3] == "One loud bell rings."
    assert [line.split()[0] for line in said[4::2]] == ["301/1", "302/2"]
    assert said[5] == "      “One … bell rings.”"

    file = game.path / "proposals/301.md"
    lost = file.read_text().replace("One bell rings.\n", "```yaml rule\ntext: lost\n```\n")
    game.write({"proposals/301.md": lost})
    assert (
        "      (texts before it are lost, so some of these words may be older)"
        in run(game.path, "rule blame 302").splitlines()
    )
    assert refused(game.path, "rule blame 301/1", code=1) == (
        "error: the text of Rule 301/1 is lost\nhelp: nomicgen rule history 301\n"
    )
    assert "there never was a Rule 999" in refused(game.path, "rule blame 999")


def test_cite_gives_text_address_and_commit(amended: GitRepo) -> None:
    first, _ = commits(amended)
    assert run(amended.path, "rule cite R301/0@2026-01-06").splitlines() == [
        "Rule 301/0: The ferry  (mutable)",
        "in force from 2026-01-05 to 2026-01-07",
        "(Rule 301 is Rule 302 now)",
        "",
        TEXT,
        "",
        "cite     R301/0@2026-01-05",
        "in full  Rule 301/0 (The ferry), Tea, 2026-01-05 to 2026-01-07, "
        "https://tea.example/game/rules/301/#r0",
        "address  https://tea.example/game/rules/301/#r0",
        f"commit   {first}",
        "file     proposals/301.md",
    ]
    assert "in force since 2026-01-07\n" in run(amended.path, "rule cite", "Rule 301")


def test_files_of_another_project_are_checked(amended: GitRepo, tmp_path: Path) -> None:
    page = tmp_path / "house.md"
    page.write_text("By R301/0@2026-01-05 the ferry waits.\n")
    done = CliRunner().invoke(main, ["-C", str(amended.path), "rule", "cite", "--check", str(page)])
    assert done.exit_code == 1
    assert done.output == (
        f"{page}:1:4: R301/0@2026-01-05: its words were changed by Proposal 302 on 2026-01-07; "
        "Rule 302/1 is in force\n"
    )
    page.write_text("By R302/1@2026-01-07 the ferry waits.\n")
    done = CliRunner().invoke(main, ["-C", str(amended.path), "rule", "cite", "--check", str(page)])
    assert (done.exit_code, done.output) == (0, "")


def test_cite_without_an_address(git_repo: Repo) -> None:
    game = begun(git_repo(), LAW)
    commit = game.git("log", "--format=%H", "--", "rules/initial/203.md")
    assert run(game.path, "rule cite 203/0").splitlines()[-4:] == [
        "in full  Rule 203/0 (Adoption), Tea, since 2026-01-01, rules/203/#r0",
        "address  rules/203/#r0",
        f"commit   {commit}",
        "file     rules/initial/203.md",
    ]


def test_what_cannot_be_cited_says_what_can(amended: GitRepo) -> None:
    assert refused(amended.path, "rule cite 301/1@2026-01-06") == (
        "error: Rule 301/1 was not in force on 2026-01-06: it stood since 2026-01-07\n"
        "help: one of these:\n"
        "  nomicgen rule cite R302/1@2026-01-07   Rule 302/1: The ferry, since 2026-01-07\n"
        "  nomicgen rule cite R301/0@2026-01-05   Rule 301/0: The ferry, 2026-01-05 to 2026-01-07\n"
    )
    said = run(amended.path, "rule cite 301@tomorrow", code=2)
    assert "Invalid value for 'CITATION': '301@tomorrow': should be a date such as" in said
    (amended.path / "mkdocs.yml").write_text("site_name: [\n")
    assert "\nhelp: correct it\n" in refused(amended.path, "rule cite 301")
    settings = "site_url: https://other.example/\nuse_directory_urls: false\nplugins: [nomicgen]\n"
    (amended.path / "mkdocs.yml").write_text(settings)
    said = run(amended.path, "rule cite 301")
    assert "address  https://other.example/rules/302.html#r1\n" in said


def test_words_of_players_do_nothing_to_a_terminal(git_repo: Repo) -> None:
    game = begun(git_repo(), LAW)
    run(
        game.path,
        "propose --title bell --author wren --on 2026-01-04 --body -",
        feed="Ring.\n\n## Enact Rule\n\nDing.\n",
    )
    run(game.path, "register bell --on 2026-01-04")
    run(game.path, "vote 301 for --on 2026-01-05", *EVERYONE)
    run(game.path, "proposal resolve 301 --on 2026-01-05")
    path = game.path / "players/wren.yml"
    path.write_text(path.read_text().replace("name: wren", 'name: "w\\u202ere[bold]n"'))
    for line in ("rule blame 301", "rule cite 301"):
        said = run(game.path, line, code=0)
        assert "\u202e" not in said
    assert "w\\u202ere[bold]n" in run(game.path, "rule blame 301")
