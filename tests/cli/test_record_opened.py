"""`nomicgen record` and a game that is played: what happened before is entered, and nothing of the time since."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.archives import entered, faults, lamps
from tests.cli.playing import refused, run
from tests.support import GitRepo, once

OPEN = "open --adoption majority --adoption-rule 2 --player ada --on 2026-01-20 --commit"


@pytest.fixture
def archive(git_repo: Callable[..., GitRepo]) -> GitRepo:
    return lamps(git_repo())


@pytest.fixture
def opened(git_repo: Callable[..., GitRepo]) -> GitRepo:
    """A game that is played since 20 January 2026."""

    def play(repo: GitRepo) -> None:
        entered(lamps(repo), "3 --on 2020-06-01 --lost")
        run(repo.path, OPEN)

    return once("opened", git_repo(), play)


def test_what_happened_before_is_entered(opened: GitRepo) -> None:
    entered(opened, "3 --on 2020-05-01 --lost", "2 --on 2026-01-19 --lost")
    assert "adoption: {needs: majority}\n" in (opened.path / "rules/2.md").read_text("utf-8")
    run(opened.path, "check --on 2026-01-20")
    assert faults(opened) == []


@pytest.mark.parametrize("day", ["2026-01-20", "2026-01-21"])
def test_what_happened_since_is_refused(opened: GitRepo, day: str) -> None:
    said = refused(opened.path, f"record 3 --on {day} --lost", code=1)
    assert (
        f"error[authority-missing]: this is of {day}, and the game was played from 2026-01-20 on:"
        " since then only its rules say what changes them\n"
    ) in said


def test_what_happened_since_is_refused_by_hand(opened: GitRepo) -> None:
    act = "---\ncause: record\ndate: 2026-01-21\n---\n\n## Repeal Rule 4/0\n"
    opened.commit("By hand", {"acts/2026-01-21-record.md": act})
    assert "error[authority-missing]" in run(opened.path, "check --on 2026-01-22", code=1)
    said = run(opened.path, "check --base HEAD~1 --head HEAD --machinery --on 2026-01-22", code=1)
    assert "error[authority-missing]" in said
    named = act.replace("4/0", "4").replace("cause: record", "cause: record\nunder: 2")
    opened.commit("By hand", {"acts/2026-01-21-record.md": named})
    said = run(opened.path, "check --on 2026-01-22", code=1)
    assert "error[authority-missing]" in said


def test_a_revision_is_named_since(opened: GitRepo) -> None:
    """What may be left out of an archive may not be left out of what is played."""
    adopted = "---\nnumber: 301\nstatus: adopted\ndecided: 2026-01-21\nvotes: unrecorded\n---\n\n## Repeal Rule 4\n"
    opened.commit("By hand", {"proposals/301.md": adopted})
    said = run(opened.path, "check --on 2026-01-22", code=1)
    assert "error[revision-stale]: `Repeal Rule 4` does not say which revision of Rule 4\n" in said
    assert "  help: write Rule 4/0 in its place\n" in said


def test_the_law_of_the_opening_stays(opened: GitRepo) -> None:
    said = refused(opened.path, "record 2 --repeal --on 2020-05-01", code=1)
    assert "error[rule-unknown]: there is no Rule 2 any more: it was repealed\n" in said


def test_what_was_decided_since_stays(opened: GitRepo) -> None:
    run(opened.path, "propose --title Oil --author ada --amend 4 --on 2026-01-21")
    draft = opened.path / "proposals/oil.md"
    text = draft.read_text("utf-8").replace("There is oil.", "There is more oil.")
    draft.write_text(text.replace(text.split("\n\n")[1], "More."), "utf-8")
    run(opened.path, "register oil --on 2026-01-21 --commit")
    run(opened.path, "vote 301 for --player ada --on 2026-01-21 --commit")
    run(opened.path, "proposal resolve 301 --on 2026-01-21 --commit")
    said = refused(opened.path, "record 4 --lost --on 2020-05-01", code=1)
    assert "error[revision-stale]" in said
    entered(opened, "3 --on 2020-05-01 --lost")
    run(opened.path, "check --on 2026-01-22")
    assert faults(opened) == []


def test_a_keeper_says_so_of_a_pull_request(opened: GitRepo) -> None:
    run(opened.path, "record 3 --on 2020-05-01 --lost --commit", "--by", "Proposal 305", "--author", "Wren")
    said = run(opened.path, "check --base HEAD~1 --head HEAD --on 2026-01-22", code=1)
    assert (
        "error[machinery-unapproved]: this enters what happened before the game was played here,"
        " and cannot approve itself: players/wren.yml, proposals/305.md, rules/3.md\n"
    ) in said
    run(opened.path, "check --base HEAD~1 --head HEAD --machinery --on 2026-01-22")


def test_what_else_comes_with_it_is_judged_as_ever(opened: GitRepo) -> None:
    run(opened.path, "record 3 --on 2020-05-01 --lost --commit")
    opened.commit("More", {"proposals/tea.md": "---\ntitle: Tea\nstatus: draft\n---\n\n## Repeal Rule 4/0\n"})
    said = run(opened.path, "check --base HEAD~2 --head HEAD --machinery --on 2026-01-22", code=1)
    assert "error[kinds-mixed]" in said


def test_a_game_that_began_here_has_no_past(git_repo: Callable[..., GitRepo]) -> None:
    root = git_repo().path
    run(root.parent, f"init {root} --player ada --forge none --on 2026-01-01 --commit")
    said = refused(root, "record 203 --on 2020-06-01 --lost", code=1)
    assert (
        "error[authority-missing]: this is of 2020-06-01, and the game was played from its first day: since then"
        in said
    )


def test_who_comes_back_is_the_same_player(archive: GitRepo) -> None:
    run(archive.path, "record 3 --on 2020-06-01 --lost --author Wren --commit")
    run(archive.path, OPEN)
    assert run(archive.path, "player join wren --account wren-plays --on 2026-01-21 --commit").startswith(
        "wren plays from"
    )
    assert (archive.path / "players/wren.yml").read_text("utf-8") == (
        "name: Wren\naccounts:\n  github: wren-plays\njoined: 2026-01-21\norder: 2\n"
    )
    assert faults(archive) == []
    run(archive.path, "check --base HEAD~1 --head HEAD --on 2026-01-22")


@pytest.mark.parametrize(
    ("more", "key"), [("kind: bot\n", "kind"), ("roles: [{role: judge, since: 2026-01-21}]\n", "roles")]
)
def test_who_comes_back_is_given_nothing_else(archive: GitRepo, more: str, key: str) -> None:
    run(archive.path, "record 3 --on 2020-06-01 --lost --author Wren --commit")
    run(archive.path, OPEN)
    archive.commit("Wren", {"players/wren.yml": f"name: Wren\njoined: 2026-01-21\norder: 2\n{more}"})
    said = run(archive.path, "check --base HEAD~1 --head HEAD --on 2026-01-22", code=1)
    assert f"error[record-by-hand]: `{key}` of wren is written by the rulekeeper, not by a pull request\n" in said
