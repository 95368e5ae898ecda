"""`nomicgen proposal rebase`, typed in a real game whose rules change under its drafts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from nomicgen.cli.program import main
from nomicgen.files.file_editing import set_keys
from tests.support import GitRepo

BASE = "Boats tie up at the quay before dusk.  \nWhoever comes later pays one coin."
DRAFT = "proposals/boats.md"


def run(root: Path, line: str, *more: str, code: int = 0, feed: str | None = None) -> str:
    """Types a command in a game; gives what it printed on both streams."""
    result = CliRunner().invoke(main, ["-C", str(root), *line.split(), *more], input=feed)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture
def game(git_repo: Callable[..., GitRepo]) -> GitRepo:
    """A game of two, without turns, that have enacted Rule 301, about boats."""
    repo = git_repo("game")
    run(repo.path, "init --name Quay --player quill --player wren --on 2026-01-01", str(repo.path))
    rule = repo.path / "rules/initial/201.md"
    rule.write_bytes(set_keys(rule.read_bytes(), {"provisions": None}))
    run(repo.path, "apply --on 2026-01-01")
    repo.commit("Begin Quay")
    adopted(repo, 301, f"## Enact Rule: Boats\n\n{BASE}\n", "2026-01-02")
    return repo


def adopted(game: GitRepo, number: int, body: str, on: str) -> None:
    """Plays a proposal from draft to decision."""
    name = f"change-{number}"
    run(
        game.path,
        f"propose --title {name} --author wren --on {on} --body -",
        feed=f"Because.\n\n{body}",
    )
    run(game.path, f"register {name} --on {on}")
    later = f"{on[:8]}{int(on[8:]) + 1:02}"
    run(game.path, f"vote {number} for --player quill --player wren --on {later}")
    assert f"proposal {number} is adopted" in run(
        game.path, f"proposal resolve {number} --on {later}"
    )
    game.git("add", "--all")
    game.git("commit", "-qm", name)


def drafted(game: GitRepo, old: str, new: str) -> None:
    """A draft that amends Rule 301, committed."""
    body = f"Because.\n\n## Amend Rule 301/0\n\n{BASE.replace(old, new)}\n"
    run(
        game.path,
        "propose --title boats --author quill --on 2026-01-04 --commit --body -",
        feed=body,
    )


def text(game: GitRepo, path: str = DRAFT) -> str:
    return (game.path / path).read_bytes().decode().partition("Because.\n\n")[2]


def change(game: GitRepo) -> None:
    """The others change Rule 301, which becomes 302/1."""
    adopted(
        game, 302, f"## Amend Rule 301/0\n\n{BASE.replace('one coin', 'two coins')}\n", "2026-01-05"
    )


@pytest.mark.nightly
def test_an_adoption_may_make_a_draft_stale_and_rebase_mends_it(game: GitRepo) -> None:
    drafted(game, "before dusk", "before the bell")
    change(game)
    assert run(game.path, "check --on 2026-01-07", code=1) == (
        "proposals/boats.md:10:1: error[revision-stale]: Rule 301/0 is no longer in force: it is "
        "Rule 302/1 now\n"
        "  help: `nomicgen proposal rebase boats` merges this change with the rule in force\n"
        "\n30 rules in force, 2 instruments replayed: 1 error, 0 warnings\n"
    )
    said = run(game.path, "proposal rebase boats --on 2026-01-07 --commit").splitlines()
    assert said[:-1] == [
        "Rule 302/1, in force -> this proposal",
        "Boats tie up at the quay before [-dusk-]{+the bell+}.  ",
        "Whoever comes later pays two coins.",
        "",
        "Amend Rule 301/0: it is Rule 302/1 now; merged",
        "proposals/boats.md changes the rules in force: read it again, then",
        "  nomicgen register boats",
    ]
    assert said[-1].startswith("commit ")
    assert game.git("log", "-1", "--format=%s") == "Rebase: boats"
    assert game.git("status", "--porcelain") == ""
    assert text(game) == (
        "## Amend Rule 302/1\n\nBoats tie up at the quay before the bell.  \n"
        "Whoever comes later pays two coins.\n"
    )
    assert run(game.path, "check --strict --on 2026-01-07").endswith("nothing is wrong\n")
    assert run(game.path, "proposal rebase boats --on 2026-01-07") == (
        "proposals/boats.md names revisions in force: nothing to merge\n"
    )
    run(game.path, "register boats --on 2026-01-07 --commit")
    run(game.path, "vote 303 for --player quill --player wren --on 2026-01-08 --commit")
    run(game.path, "proposal resolve 303 --on 2026-01-08 --commit")
    assert "before the bell.  \nWhoever comes later pays two coins.\n" in run(game.path, "show 301")


@pytest.mark.nightly
def test_a_conflict_stands_in_the_file_until_it_is_settled(game: GitRepo) -> None:
    drafted(game, "one coin", "nothing")
    change(game)
    assert run(game.path, "proposal rebase boats --on 2026-01-07 --commit").splitlines()[:-1] == [
        "Amend Rule 301/0: it is Rule 302/1 now; in conflict on line 13",
        "proposals/boats.md has 1 conflict: write what is meant, delete the lines that mark "
        "them, then",
        "  nomicgen check",
    ]
    conflict = (
        "<<<<<<< Rule 302/1, in force\nWhoever comes later pays two coins.\n"
        "=======\nWhoever comes later pays nothing.\n>>>>>>> this proposal\n"
    )
    assert (
        text(game) == f"## Amend Rule 302/1\n\nBoats tie up at the quay before dusk.  \n{conflict}"
    )
    finding = (
        "proposals/boats.md:13:1: error[merge-conflict]: a merge left two texts here: one above "
        "line 15, one below it, up to line 17\n"
        "  help: write what is meant, and delete the three lines that mark the conflict\n"
    )
    assert run(game.path, "check --on 2026-01-07", code=1).startswith(finding)
    refused = run(game.path, "register boats --on 2026-01-07", code=1)
    assert "proposals/boats.md:13:1: error[merge-conflict]" in refused
    assert (game.path / DRAFT).exists()
    # What is wrong with a draft is no hindrance to the others.
    adopted(game, 303, "## Enact Rule: Tea\n\nThere is tea.\n", "2026-01-07")
    settled = (
        (game.path / DRAFT).read_text().replace(conflict, "Whoever comes later pays half a coin.\n")
    )
    (game.path / DRAFT).write_text(settled)
    game.git("commit", "-qam", "Settle")
    assert run(game.path, "check --strict --on 2026-01-09").endswith("nothing is wrong\n")
    run(game.path, "register boats --on 2026-01-09")


@pytest.mark.deep
def test_a_conflict_in_a_debate_is_not_voted_on(game: GitRepo) -> None:
    drafted(game, "one coin", "nothing")
    run(game.path, "register boats --on 2026-01-04 --commit")
    adopted(
        game, 303, f"## Amend Rule 301/0\n\n{BASE.replace('one coin', 'two coins')}\n", "2026-01-05"
    )
    assert "`nomicgen proposal rebase 302` merges this change" in run(
        game.path, "check --on 2026-01-07", code=1
    )
    assert "in conflict on line 14" in run(
        game.path, "proposal rebase 302 --on 2026-01-07 --commit"
    )
    assert "error[merge-conflict]" in run(
        game.path, "vote 302 for --player wren --on 2026-01-07", code=1
    )
    assert "status: debate\n" in (game.path / "proposals/302.md").read_text()


@pytest.mark.nightly
def test_an_open_vote_binds_the_words(game: GitRepo) -> None:
    drafted(game, "one coin", "nothing")
    run(game.path, "register boats --on 2026-01-04 --commit")
    run(game.path, "vote 302 for --player wren --on 2026-01-05 --commit")
    adopted(
        game, 303, f"## Amend Rule 301/0\n\n{BASE.replace('one coin', 'two coins')}\n", "2026-01-05"
    )
    assert run(game.path, "check --on 2026-01-07") == (
        "proposals/302.md:18:1: warning[change-overtaken]: if this is adopted, none of its changes "
        "is carried out: Rule 301/0 is no longer in force: it is Rule 303/1 now\n"
        "  help: `nomicgen proposal resolve 302` ends the vote when it is over; if you still want "
        "the change, propose it again: `nomicgen propose --title TITLE --author quill --amend "
        "303`\n"
        "\n"
        "30 rules in force, 2 instruments replayed: 0 errors, 1 warning\n"
    )
    assert run(game.path, "proposal rebase 302 --on 2026-01-07", code=2) == (
        "error: the vote on proposal 302 is open, so `rebase` does not change its text\n"
        "help: change it by hand, then `nomicgen proposal resubmit 302`; or, if the rules let its "
        "author, `nomicgen proposal withdraw 302`\n"
    )


def test_a_dry_run_writes_nothing(game: GitRepo) -> None:
    drafted(game, "before dusk", "before the bell")
    change(game)
    before = text(game)
    shown = run(game.path, "proposal rebase proposals/boats.md --on 2026-01-07 --dry-run")
    assert "-## Amend Rule 301/0\n+## Amend Rule 302/1\n" in shown
    assert shown.endswith("nothing was written (--dry-run)\n")
    assert text(game) == before


def test_nothing_is_written_where_one_instruction_cannot_be_merged(game: GitRepo) -> None:
    drafted(game, "one coin", "two coins")
    change(game)
    before = text(game)
    assert run(game.path, "proposal rebase boats --on 2026-01-07", code=1) == (
        "proposals/boats.md:10:1: error[revision-stale]: Amend Rule 301/0: Rule 302/1 already "
        "says so, and nothing is left to change\n"
        "  help: delete this instruction from the proposal; if it is the only one, there is "
        "nothing to propose\n"
        "error: proposals/boats.md cannot be merged, so nothing was written\n"
        "help: correct them by hand, then `nomicgen proposal rebase boats`\n"
    )
    assert text(game) == before


def test_what_is_not_there(game: GitRepo) -> None:
    assert run(game.path, "proposal rebase nowhere", code=2) == (
        "error: there is no proposal nowhere\n"
        "help: `nomicgen status` lists the proposals and drafts\n"
    )
