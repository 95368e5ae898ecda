"""`nomicgen record` of what has no day: it stands where its number puts it, and no day is made up."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.archives import entered, faults, lamps
from tests.cli.playing import refused, run, snapshot
from tests.cli.test_record import table
from tests.support import GitRepo

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


@pytest.fixture
def archive(git_repo: Callable[..., GitRepo]) -> GitRepo:
    return lamps(git_repo())


def test_a_day_that_nobody_knows_is_left_out(archive: GitRepo) -> None:
    entered(archive, "3 --on 2020-06-01 --lost --by P301")
    run(archive.path, "record 3 --on unknown --lost --commit", "--by", "Proposal 305", "--note", "in 2019")
    assert (
        (archive.path / "proposals/305.md")
        .read_text("utf-8")
        .startswith("---\nnumber: 305\nstatus: adopted\nvotes: unrecorded\nnote: in 2019\n---\n")
    )
    assert "Amended (1) by Proposal 305\n" in run(archive.path, "rule history 3")
    assert "\nin force from a day that is not known to 2020-06-01\n" in run(archive.path, "rule cite 3/1")
    run(archive.path, "check")
    assert faults(archive) == []


def test_what_is_known_of_a_day_is_said(archive: GitRepo) -> None:
    run(archive.path, "record 3 --on 2019-08 --lost --commit", "--by", "Proposal 305")
    rows = "- rule: 4\n  on: about 2020\n  text: lost\n"
    run(archive.path, "record --commit --from", table(archive, rows))
    assert "\ndecided: 2019-08\n" in (archive.path / "proposals/305.md").read_text("utf-8")
    assert run(archive.path, "rule history 3").endswith("  Amended (1) by Proposal 305, Aug 2019\n")
    assert run(archive.path, "rule history 4").endswith("  Amended (1) by an unknown cause, about 2020\n")
    run(archive.path, "check")
    assert faults(archive) == []


def test_a_table_puts_what_has_no_day_where_its_number_does(archive: GitRepo) -> None:
    said = run(archive.path, "record --commit --from", table(archive, TABLE)).splitlines()
    assert [line.partition(":")[0] for line in said[:4]] == [
        f"proposals/{number}.md" for number in (301, 302, 303, 304)
    ]
    assert [line.split("  ")[2] for line in run(archive.path, "rule history 3").splitlines()[2:]] == [
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
    run(archive.path, "open --adoption majority --adoption-rule 2 --player ada --on 2026-01-12 --commit")
    assert faults(archive) == []
    said = refused(archive.path, "record 3 --on unknown --lost", "--by", "Proposal 305", code=1)
    assert "error[value-wrong]: the game is played here, and nobody could tell whether this was before\n" in said


def test_a_day_is_said_once_of_all_that_a_proposal_did(archive: GitRepo) -> None:
    run(archive.path, "open --adoption majority --adoption-rule 2 --player ada --on 2026-01-12 --commit")
    rows = (
        "- rule: 3\n  by: Proposal 305\n  on: 2020-10-01\n  text: lost\n- rule: 4\n  by: Proposal 305\n  repeal: yes\n"
    )
    said = run(archive.path, "record --commit --from", table(archive, rows))
    assert said.startswith("proposals/305.md: Rule 3/0 becomes Rule 3/1; Rule 4/0 is repealed\n")
    assert faults(archive) == []


def test_what_has_neither_day_nor_number_is_refused(archive: GitRepo) -> None:
    before = snapshot(archive.path)
    said = run(archive.path, "record --from", table(archive, "- rule: 3\n  by: the mail\n  text: lost\n"), code=1)
    assert "changes.yml:1:3: error[value-wrong]: nobody knows the day of the mail, and no number says where" in said
    assert snapshot(archive.path) == before


@pytest.mark.parametrize("typed", ["2019", "yesterday", "2019-02-30"])
def test_part_of_a_day_is_refused_with_what_can_be_said(archive: GitRepo, typed: str) -> None:
    said = run(archive.path, f"record 3 --lost --on {typed}", code=2)
    assert (
        "write the day, what is known of it (`2019-08`, `about 2019`, `between 2019-08 and 2019-10`), or `unknown`"
        in " ".join(said.replace("│", "").split())
    )
    said = run(archive.path, "record --from", table(archive, f"- rule: 3\n  on: {typed}\n  text: lost\n"), code=1)
    assert f"error[value-wrong]: `changes[0].on` cannot be `{typed}`\n" in said
    assert "write the day, such as 2020-06-01, what is known of it, or `unknown`: `2019-08`, `about 2019`" in said


@pytest.mark.parametrize("word", ["Correction", "opening"])
def test_words_that_cannot_be_used_are_named_with_one_that_can(archive: GitRepo, word: str) -> None:
    text = f"- rule: 3\n  on: 2020-06-01\n  by: {word}\n  text: lost\n"
    said = run(archive.path, "record --from", table(archive, text), code=1)
    example = f"{word} by the judge"
    assert f"help: neither `correction` nor `opening` alone: say whose it was, such as `{example}`\n" in said
    run(archive.path, "record --commit --from", table(archive, text.replace(word, example)))
    run(archive.path, "check")
