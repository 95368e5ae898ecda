"""Correcting what was recorded wrongly, by the command: the file, the act, and what the history
says of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.cli.archives import entered, faults, lamps
from tests.cli.playing import LOOSE, MAJORITY, begun, passed, refused, run
from tests.deep import sampled
from tests.support import GitRepo, once

pytestmark = pytest.mark.deep

LAMP = "Light.\n\n## Enact Rule: Lamps\n\nA lamp burns in the hall.\n"
SEEN = ("--evidence", "https://example.org/minutes/7")


@pytest.fixture
def lit(git_repo: object) -> GitRepo:
    assert callable(git_repo)

    def play(repo: GitRepo) -> None:
        passed(
            begun(repo, {111: {}, 201: {}, 202: {}, 203: MAJORITY}),
            301,
            LAMP,
            "2026-01-05",
            title="lamps",
        )

    return once("a lamp", git_repo(), play)


@pytest.mark.nightly
def test_a_vote_is_corrected_in_one_commit(lit: GitRepo) -> None:
    before = (lit.path / "proposals/301.md").read_text()
    said = run(
        lit.path, "correct proposals/301.md votes.wren against --on 2026-01-08 --commit", *SEEN
    )
    assert said.splitlines()[:2] == [
        "proposals/301.md: the vote of wren was recorded as for, but was against",
        "acts/2026-01-08-correction.md says so",
    ]
    assert (lit.path / "proposals/301.md").read_text() == before.replace(
        "wren:\n    vote: for", "wren:\n    vote: against"
    )
    assert (lit.path / "acts/2026-01-08-correction.md").read_text() == (
        "---\ncause: correction\ndate: 2026-01-08\nrestates:\n  - file: proposals/301.md\n"
        "    key: votes.wren\n"
        "    was: for\n    now: against\n    evidence: https://example.org/minutes/7\n---\n"
    )
    assert run(lit.path, "check --strict --on 2026-01-08").endswith("nothing is wrong\n")
    assert json.loads(run(lit.path, "verify --strict --format json"))["faults"] == []
    run(lit.path, "check --strict --base HEAD~1 --head HEAD --on 2026-01-09")


def test_an_edit_without_its_act_stays_a_fault(lit: GitRepo) -> None:
    text = (lit.path / "proposals/301.md").read_text()
    lit.commit(
        "A slip",
        {"proposals/301.md": text.replace("wren:\n    vote: for", "wren:\n    vote: against")},
    )
    said = json.loads(run(lit.path, "verify --format json", code=1))
    assert [one["finding"]["slug"] for one in said["faults"]] == ["verify-past"]


def test_an_act_that_says_another_thing_is_no_excuse(lit: GitRepo) -> None:
    run(lit.path, "correct proposals/301.md votes.wren against --on 2026-01-08", *SEEN)
    act = (lit.path / "acts/2026-01-08-correction.md").read_text()
    lit.commit("A slip", {"acts/2026-01-08-correction.md": act.replace("was: for", "was: abstain")})
    said = json.loads(run(lit.path, "verify --format json", code=1))
    assert [one["finding"]["slug"] for one in said["faults"]] == ["verify-past"]


@pytest.mark.deep
def test_corrections_of_one_day_follow_each_other(lit: GitRepo) -> None:
    run(lit.path, "correct proposals/301.md votes.wren against --on 2026-01-08 --commit", *SEEN)
    run(lit.path, "correct proposals/301.md votes.wren.at --on 2026-01-08 --commit", *SEEN)
    run(lit.path, "correct proposals/301.md votes.wren for --on 2026-01-08 --commit", *SEEN)
    run(
        lit.path,
        "correct proposals/301.md votes.wren.at 2026-01-05 --on 2026-01-08 --commit",
        *SEEN,
    )
    assert (
        "  wren:\n    vote: for\n    at: 2026-01-05\n"
        in (lit.path / "proposals/301.md").read_text()
    )
    assert run(lit.path, "check --strict --on 2026-01-08").endswith("nothing is wrong\n")
    assert json.loads(run(lit.path, "verify --strict --format json"))["faults"] == []
    assert len(list((lit.path / "acts").iterdir())) == 4


def test_a_die_and_a_player_are_corrected(lit: GitRepo) -> None:
    path = lit.path / "turns/R1T1.yml"
    path.parent.mkdir(exist_ok=True)
    path.write_text("player: wren\nbegan: 2026-01-01\nended: 2026-01-05 # late\ndice: 4\n")
    said = run(lit.path, "correct turns/R1T1.yml dice.0 6 --on 2026-01-08", *SEEN)
    assert said.startswith("turns/R1T1.yml: die 1 was recorded as 4, but was 6\n")
    assert refused(lit.path, "correct turns/R1T1.yml dice 6 --on 2026-01-08", *SEEN).startswith(
        "error: `dice` of turns/R1T1.yml is 6 already\n"
    )
    run(lit.path, "correct turns/R1T1.yml ended 2026-01-06 --on 2026-01-08", *SEEN)
    assert (
        path.read_text() == "player: wren\nbegan: 2026-01-01\nended: 2026-01-06 # late\ndice: [6]\n"
    )


def test_a_dry_run_writes_nothing(lit: GitRepo) -> None:
    said = run(
        lit.path, "correct proposals/301.md votes.wren against --on 2026-01-08 --dry-run", *SEEN
    )
    assert "nothing was written" in said
    assert lit.git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (
            "proposals/301.md status defeated",
            "error: `status` cannot be corrected\nhelp: the key should be what was recorded",
        ),
        (
            "proposals/309.md votes.wren for",
            "error: there is no proposals/309.md that can be read\n",
        ),
        ("../x votes.wren for", "error: there is no ../x that can be read\n"),
        (
            "proposals/301.md votes.wren for",
            "error: `votes.wren` of proposals/301.md is for already\n",
        ),
        ("proposals/301.md points.3.amount 4", "error: proposals/301.md: there is no place 3"),
    ],
)
def test_what_cannot_be_corrected(lit: GitRepo, line: str, wrong: str) -> None:
    assert refused(lit.path, f"correct {line} --on 2026-01-08", *SEEN).startswith(wrong)


def test_a_correction_that_leaves_errors_is_refused(lit: GitRepo) -> None:
    run(lit.path, "correct proposals/301.md votes.wren against --on 2026-01-08", *SEEN)
    line = "correct proposals/301.md votes.quill against --on 2026-01-08"
    said = refused(lit.path, line, *SEEN, code=1)
    assert "votes-few" in said
    assert "  help: no correction changes the outcome of a vote: leave the vote as it is" in said
    assert "value-wrong" in refused(
        lit.path, "correct proposals/301.md votes.osprey maybe --on 2026-01-08", *SEEN, code=1
    )


def test_what_a_terminal_obeys_is_no_evidence(lit: GitRepo) -> None:
    line = "correct proposals/301.md votes.wren against --on 2026-01-08"
    assert "\u202e" not in run(lit.path, line, "--evidence", "\u202eleft", code=2)


# Throws of a turn that goes on


@pytest.fixture
def thrown(git_repo: Callable[..., GitRepo]) -> GitRepo:
    """Suber's game, in the first turn: whoever could write the file wrote down a throw that no die
    shows.
    """
    game = begun(git_repo(), LOOSE)
    run(game.path, "turn --on 2026-01-02 --commit")
    return game


def with_dice(game: GitRepo, dice: str) -> GitRepo:
    text = (game.path / "turns/R1T1.yml").read_text()
    game.commit("A throw", {"turns/R1T1.yml": f"{text}dice: {dice}\n"})
    return game


@pytest.mark.parametrize("dice", ["60", "[6, 6, 6]", "[1, 2, 3, 4, 5, 6, 7, 8]"])
def test_a_throw_that_the_rules_refuse_is_corrected_and_stays_in_the_record(
    thrown: GitRepo, dice: str
) -> None:
    game = with_dice(thrown, dice)
    assert "dice-wrong" in run(game.path, "check --on 2026-01-03", code=1)
    assert "nomicgen correct turns/R1T1.yml dice FACE" in run(
        game.path, "turn --dice 4 --on 2026-01-03", code=2
    )
    run(game.path, "correct turns/R1T1.yml dice 4 --on 2026-01-03 --commit", *SEEN)
    assert "dice: [4]\n" in (game.path / "turns/R1T1.yml").read_text()
    assert "was: " in (game.path / "acts/2026-01-03-correction.md").read_text()
    assert "dice-wrong" not in run(game.path, "check --on 2026-01-03")
    assert "verify-past" not in run(game.path, "verify")


def test_it_can_be_taken_out_and_thrown_again(thrown: GitRepo) -> None:
    game = with_dice(thrown, "60")
    run(game.path, "correct turns/R1T1.yml dice --on 2026-01-03 --commit", *SEEN)
    assert "R1T1 of osprey has its throw" in run(
        game.path, "turn --dice 5 --on 2026-01-03 --commit"
    )


def test_a_correction_says_that_nobody_has_won_now(git_repo: Callable[..., GitRepo]) -> None:
    game = begun(git_repo(), {**LOOSE, 208: {"victory": {"points": "5"}}})
    run(game.path, "turn --on 2026-01-02 --commit")
    assert "osprey won on 2026-01-03" in run(
        game.path, "turn --dice 6 --end --on 2026-01-03 --commit"
    )
    said = run(game.path, "correct turns/R1T1.yml dice.0 1 --on 2026-01-04", *SEEN)
    assert said.splitlines()[2:] == [
        "  osprey +1: turn R1T1, a throw of 1 (Rule 202)",
        "  nobody has won now; before, osprey won on 2026-01-03, with 5 points or more (Rule 208)",
    ]


def test_the_first_throw_is_no_correction(thrown: GitRepo) -> None:
    line = "correct turns/R1T1.yml dice 6 --on 2026-01-03"
    assert refused(thrown.path, line, *SEEN) == (
        "error: turn R1T1 goes on and has no throw yet, so none is corrected\n"
        "help: `nomicgen turn R1T1 --dice FACE` records one; in a browser, add `dice: [FACE]` to "
        "turns/R1T1.yml\n"
    )


def test_what_the_rules_let_be_is_not_thrown_again(thrown: GitRepo) -> None:
    run(thrown.path, "turn --dice 2 --on 2026-01-03 --commit")
    assert run(thrown.path, "correct turns/R1T1.yml dice.0 6 --on 2026-01-03", *SEEN, code=2) == (
        "error: turn R1T1 goes on, and the rules allow the dice that it has, so nothing in them is "
        "corrected\n"
        "help: correct it when the turn is over; till then, only a throw that the rules refuse "
        "is corrected\n"
    )


def test_no_command_records_a_throw_that_the_rules_refuse(thrown: GitRepo) -> None:
    assert "a die of 6 sides does not show 60" in run(
        thrown.path, "turn --dice 60 --on 2026-01-03", code=1
    )
    assert "2 throws, but the rules ask for 1" in run(
        thrown.path, "turn --dice 6 --dice 6 --on 2026-01-03", code=1
    )


# A keeper mends what was recorded: an archive may be mended until it is opened, and is no proof of
# its past.


OPEN = "open --adoption majority --adoption-rule 2 --player ada --on 2026-01-20 --commit"


@pytest.fixture
def archive(git_repo: Callable[..., GitRepo]) -> GitRepo:
    repo = git_repo()
    text = repo.path.parent / "3.md"
    text.write_text("There is one lmap.\n", "utf-8")

    def play(new: GitRepo) -> None:
        made = lamps(new)
        for number, day in ((301, "2020-06-01"), (305, "2020-07-01")):
            run(
                made.path,
                f"record 3 --on {day} --text {text} --commit",
                "--by",
                f"Proposal {number}",
            )

    return once("one lmap", repo, play)


def mended(archive: GitRepo, path: str, old: str, new: str) -> None:
    """A commit by hand that changes a file, and what follows of it."""
    file = archive.path / path
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
    run(archive.path, "apply --on 2026-01-22")
    archive.git("add", "-A")
    archive.git("commit", "-qm", f"Mend {path}")


MENDED = [
    ("proposals/301.md", "decided: 2020-06-01", "decided: 2020-05-30"),
    ("proposals/301.md", "one lmap", "one lamp"),
    ("proposals/305.md", "one lmap", "one lamp"),
    ("nomic.yml", "tiers:", "started: 2020-01-01\ntiers:"),
    ("rules/initial/4.md", "oil", "oil enough"),
]


@pytest.mark.parametrize(("path", "old", "new"), sampled(MENDED, every=3))
def test_what_is_mended_in_an_archive_is_no_error(
    archive: GitRepo, path: str, old: str, new: str
) -> None:
    mended(archive, path, old, new)
    assert faults(archive) == []
    head = archive.git("rev-parse", "HEAD").strip()
    said = run(archive.path, "verify")
    assert f"\nup to {head[:12]} this is an archive, which is no proof of its past\n" in said
    run(archive.path, OPEN)
    assert faults(archive) == []
    assert f"\nup to {head[:12]} this is an archive, which is no proof of its past\n" in run(
        archive.path, "verify"
    )
    entered(archive, "4 --on 2020-06-10 --lost")
    assert faults(archive) == []


@pytest.mark.parametrize(("path", "old", "new"), MENDED)
def test_once_it_is_played_it_is_one(archive: GitRepo, path: str, old: str, new: str) -> None:
    run(archive.path, OPEN)
    mended(archive, path, old, new)
    assert "error[verify-past]" in run(archive.path, "verify", code=1)


def test_taking_the_provisions_out_makes_no_archive_of_a_game(archive: GitRepo) -> None:
    run(archive.path, OPEN)
    opening = archive.path / "acts/2026-01-20-opening.md"
    opening.unlink()
    run(archive.path, "apply --on 2026-01-22")
    archive.git("add", "-A")
    archive.git("commit", "-qm", "Not opened")
    assert "error[verify-past]" in run(archive.path, "verify", code=1)
