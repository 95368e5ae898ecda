"""`nomicgen record` and a game that is played: what happened before is entered, and nothing of the
time since.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.archives import entered, faults, lamps
from tests.cli.playing import refused, run, snapshot
from tests.cli.test_record import table
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
        f"error[authority-missing]: this happened on {day}; the game has been played since "
        "2026-01-20, and from then on only its rules say what changes rules\n"
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
    adopted = (
        "---\nnumber: 301\nstatus: adopted\ndecided: 2026-01-21\nvotes: unrecorded\n---\n\n"
        "## Repeal Rule 4\n"
    )
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
    run(
        opened.path,
        "record 3 --on 2020-05-01 --lost --commit",
        "--by",
        "Proposal 305",
        "--author",
        "Wren",
    )
    said = run(opened.path, "check --base HEAD~1 --head HEAD --on 2026-01-22", code=1)
    assert (
        "error[machinery-unapproved]: this enters what happened before the game was played here,"
        " and cannot approve itself: players/wren.yml, proposals/305.md, rules/3.md\n"
    ) in said
    run(opened.path, "check --base HEAD~1 --head HEAD --machinery --on 2026-01-22")


def test_what_else_comes_with_it_is_judged_as_ever(opened: GitRepo) -> None:
    run(opened.path, "record 3 --on 2020-05-01 --lost --commit")
    opened.commit(
        "More", {"proposals/tea.md": "---\ntitle: Tea\nstatus: draft\n---\n\n## Repeal Rule 4/0\n"}
    )
    said = run(opened.path, "check --base HEAD~2 --head HEAD --machinery --on 2026-01-22", code=1)
    assert "error[kinds-mixed]" in said


def test_a_game_that_began_here_has_no_past(git_repo: Callable[..., GitRepo]) -> None:
    root = git_repo().path
    run(root.parent, f"init {root} --player ada --forge none --on 2026-01-01 --commit")
    said = refused(root, "record 203 --on 2020-06-01 --lost", code=1)
    assert (
        "error[authority-missing]: this happened on 2020-06-01; the game has been played since its "
        "first day, and from then on" in said
    )


def test_who_comes_back_is_the_same_player(archive: GitRepo) -> None:
    run(archive.path, "record 3 --on 2020-06-01 --lost --author Wren --commit")
    run(archive.path, OPEN)
    assert run(
        archive.path, "player join wren --account wren-plays --on 2026-01-21 --commit"
    ).startswith("wren plays from")
    assert (archive.path / "players/wren.yml").read_text("utf-8") == (
        "name: Wren\naccounts:\n  github: wren-plays\njoined: 2026-01-21\norder: 2\n"
    )
    assert faults(archive) == []
    run(archive.path, "check --base HEAD~1 --head HEAD --on 2026-01-22")


@pytest.mark.parametrize(
    ("more", "key"),
    [("kind: bot\n", "kind"), ("roles: [{role: judge, since: 2026-01-21}]\n", "roles")],
)
def test_who_comes_back_is_given_nothing_else(archive: GitRepo, more: str, key: str) -> None:
    run(archive.path, "record 3 --on 2020-06-01 --lost --author Wren --commit")
    run(archive.path, OPEN)
    archive.commit(
        "Wren", {"players/wren.yml": f"name: Wren\njoined: 2026-01-21\norder: 2\n{more}"}
    )
    said = run(archive.path, "check --base HEAD~1 --head HEAD --on 2026-01-22", code=1)
    assert (
        f"error[record-by-hand]: `{key}` of wren is written by the rulekeeper, not by a pull "
        "request\n" in said
    )


# `nomicgen record` of what has no day: it stands where its number puts it, and no day is made up.


TABLE = """\
- rule: 3
  on: 2020-09-09
  by: Proposal 303
  text: Few lamps.
- rule: 3
  on: unknown
  by: Proposal 302
  note: in August
  text: Many lamps.
- enact: Tea
  rule: 5
  by: Proposal 304
  text: Tea is free.
- rule: 3
  on: 2020-08-05
  by: Proposal 301
  text: One lamp.
"""


def test_a_day_that_nobody_knows_is_left_out(archive: GitRepo) -> None:
    entered(archive, "3 --on 2020-06-01 --lost --by P301")
    run(
        archive.path,
        "record 3 --on unknown --lost --commit",
        "--by",
        "Proposal 305",
        "--note",
        "in 2019",
    )
    assert (
        (archive.path / "proposals/305.md")
        .read_text("utf-8")
        .startswith("---\nnumber: 305\nstatus: adopted\nvotes: unrecorded\nnote: in 2019\n---\n")
    )
    assert "Amended (1) by Proposal 305\n" in run(archive.path, "rule history 3")
    assert "\nin force from a day that is not known to 2020-06-01\n" in run(
        archive.path, "rule cite 3/1"
    )
    run(archive.path, "check")
    assert faults(archive) == []


def test_what_is_known_of_a_day_is_said(archive: GitRepo) -> None:
    run(archive.path, "record 3 --on 2019-08 --lost --commit", "--by", "Proposal 305")
    rows = "- rule: 4\n  on: about 2020\n  text: lost\n"
    run(archive.path, "record --commit --from", table(archive, rows))
    assert "\ndecided: 2019-08\n" in (archive.path / "proposals/305.md").read_text("utf-8")
    assert run(archive.path, "rule history 3").endswith("  Amended (1) by Proposal 305, Aug 2019\n")
    assert run(archive.path, "rule history 4").endswith(
        "  Amended (1) by an unknown cause, about 2020\n"
    )
    run(archive.path, "check")
    assert faults(archive) == []


def test_a_table_puts_what_has_no_day_where_its_number_does(archive: GitRepo) -> None:
    said = run(archive.path, "record --commit --from", table(archive, TABLE)).splitlines()
    assert [line.partition(":")[0] for line in said[:4]] == [
        f"proposals/{number}.md" for number in (301, 302, 303, 304)
    ]
    assert [
        line.split("  ")[2] for line in run(archive.path, "rule history 3").splitlines()[2:]
    ] == [
        "Amended (1) by Proposal 301, Aug 5, 2020",
        "Amended (2) by Proposal 302",
        "Amended (3) by Proposal 303, Sep 9, 2020",
    ]
    assert archive.git("log", "-4", "--format=%s").splitlines() == [
        f"Record: Proposal {number}" for number in (304, 303, 302, 301)
    ]
    run(archive.path, "check")
    assert faults(archive) == []


def test_once_the_game_is_played_what_was_before_needs_a_day(archive: GitRepo) -> None:
    run(archive.path, "record --commit --from", table(archive, TABLE))
    run(
        archive.path,
        "open --adoption majority --adoption-rule 2 --player ada --on 2026-01-12 --commit",
    )
    assert faults(archive) == []
    said = refused(archive.path, "record 3 --on unknown --lost", "--by", "Proposal 305", code=1)
    assert (
        "error[value-wrong]: the game is played here, and nobody could tell whether this was "
        "before\n" in said
    )


def test_a_day_is_said_once_of_all_that_a_proposal_did(archive: GitRepo) -> None:
    run(
        archive.path,
        "open --adoption majority --adoption-rule 2 --player ada --on 2026-01-12 --commit",
    )
    rows = (
        "- rule: 3\n  by: Proposal 305\n  on: 2020-10-01\n  text: lost\n- rule: 4\n"
        "  by: Proposal 305\n  repeal: yes\n"
    )
    said = run(archive.path, "record --commit --from", table(archive, rows))
    assert said.startswith("proposals/305.md: Rule 3/0 becomes Rule 3/1; Rule 4/0 is repealed\n")
    assert faults(archive) == []


def test_what_has_neither_day_nor_number_is_refused(archive: GitRepo) -> None:
    before = snapshot(archive.path)
    said = run(
        archive.path,
        "record --from",
        table(archive, "- rule: 3\n  by: the mail\n  text: lost\n"),
        code=1,
    )
    assert (
        "changes.yml:1:3: error[value-wrong]: nobody knows the day of the mail, and no number "
        "says where" in said
    )
    assert snapshot(archive.path) == before


@pytest.mark.parametrize("typed", ["2019", "yesterday", "2019-02-30"])
def test_part_of_a_day_is_refused_with_what_can_be_said(archive: GitRepo, typed: str) -> None:
    said = run(archive.path, f"record 3 --lost --on {typed}", code=2)
    assert (
        "write the day, what is known of it (`2019-08`, `about 2019`, `between 2019-08 and "
        "2019-10`), or `unknown`" in " ".join(said.replace("│", "").split())
    )
    said = run(
        archive.path,
        "record --from",
        table(archive, f"- rule: 3\n  on: {typed}\n  text: lost\n"),
        code=1,
    )
    assert f"error[value-wrong]: `changes[0].on` cannot be `{typed}`\n" in said
    assert (
        "write the day, such as 2020-06-01, what is known of it, or `unknown`: `2019-08`, `about "
        "2019`" in said
    )


@pytest.mark.parametrize("word", ["Correction", "opening"])
def test_words_that_cannot_be_used_are_named_with_one_that_can(archive: GitRepo, word: str) -> None:
    text = f"- rule: 3\n  on: 2020-06-01\n  by: {word}\n  text: lost\n"
    said = run(archive.path, "record --from", table(archive, text), code=1)
    example = f"{word} by the judge"
    assert (
        f"help: neither `correction` nor `opening` alone: say whose it was, such as `{example}`\n"
        in said
    )
    run(archive.path, "record --commit --from", table(archive, text.replace(word, example)))
    run(archive.path, "check")
