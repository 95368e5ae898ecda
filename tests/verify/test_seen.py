"""A history against what its reader saw of it before: what is remembered, where, and what is
refused later.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.playing import TEA, begun, passed, run
from tests.deep import sampled
from tests.support import GitRepo
from tests.verify.histories import LAMP, LAW, OIL, SCHEMA, by_hand

pytestmark = pytest.mark.deep

Repos = Callable[..., GitRepo]
GONE = "verify-rewritten: commit SEEN, which was seen on DAY, "
ASK = (
    "ask the keeper what happened to the history; older clones still have it: `git log`; when "
    "you have "
)
FORGET = "`nomicgen verify --forget` takes the present history for the first that is seen"


BROKEN = [
    (b"", "it is not what was written there: Input data was truncated"),
    (b"{", "it is not what was written there: Input data was truncated"),
    (b"[]", "it is not what was written there: Expected `object`, got `array`"),
    (b"\xff\x1b[31m", "it is not what was written there: "),
    (b"[" * 100_000, "it is not what was written there: "),
    (b"x" * (2 << 20), "it has 2097152 bytes, and 1048576 are the most"),
]
CHANGED: list[dict[str, Any]] = [
    {"commit": "HEAD"},
    {"commit": "0" * 40},
    {"tree": "--all"},
    {"date": "2026-01-05\x1b[31m"},
    {"commits": 0},
    {"latest": []},
    {"format": 2},
    {"game": "https://example.org/another"},
]


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for states of programs, one for each test; none of them is a job of a forge."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("CI", raising=False)
    return tmp_path / "state"


def kept_files(state: Path) -> list[Path]:
    return sorted((state / "nomicgen/verified").iterdir())


def line_of(game: GitRepo, *options: str, code: int = 0) -> str:
    """The line that says what was seen before, with DAY in place of a day."""
    (line,) = re.findall(
        r"^(?:forgotten|seen).*$", run(game.path, "verify", *options, code=code), re.MULTILINE
    )
    return re.sub(r"\b\d{4}-\d{2}-\d{2}\b", "DAY", line)


def document(game: GitRepo, *options: str, code: int = 0) -> dict[str, Any]:
    """What is printed as JSON, which is of its schema."""
    printed: dict[str, Any] = json.loads(
        run(game.path, "verify --format json", *options, code=code)
    )
    assert list(SCHEMA.iter_errors(printed)) == []
    return printed


def faults(game: GitRepo, seen: str = "", *options: str, code: int = 1) -> list[str]:
    """The findings of the history, with SEEN in place of a commit, HEAD of the present one, and DAY
    of a day.
    """
    lines = [
        f"{fault['finding']['slug']}: {fault['finding']['message']}"
        for fault in document(game, *options, code=code)["faults"]
    ]
    names = {game.git("rev-parse", "HEAD")[:12]: "HEAD", seen[:12]: "SEEN"} if seen else {}
    for sha, name in names.items():
        lines = [line.replace(sha, name) for line in lines]
    return [re.sub(r"\b\d{4}-\d{2}-\d{2}\b", "DAY", line) for line in lines]


def head(game: GitRepo) -> str:
    return game.git("rev-parse", "HEAD")


def played(repo: GitRepo, lamp: str = LAMP) -> GitRepo:
    """The game of the other tests; with another `lamp` every commit from there on is another, and
    all is in order.
    """
    game = begun(repo, LAW)
    passed(game, 301, lamp, "2026-01-05", title="lamps")
    passed(game, 302, OIL, "2026-01-06", title="oil")
    return game


def forged(game: GitRepo, tmp_path: Path) -> GitRepo:
    """The same game with another text of Proposal 301 and its digest, each commit made anew, at the
    same place.
    """
    other = GitRepo(tmp_path / "forgery")
    other.commit("Before")
    played(other, LAMP.replace("hall", "yard"))
    subjects, forgeries = (repo.git("log", "--format=%s").splitlines() for repo in (game, other))
    assert forgeries == [*subjects, "Before"]
    assert not {*game.git("rev-list", "HEAD").split()} & {*other.git("rev-list", "HEAD").split()}
    shutil.rmtree(game.path)
    other.path.rename(game.path)
    return game


def test_a_first_use_is_remembered_for_nobody_else_to_read(game: GitRepo, state: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in game.path.rglob("*") if path.is_file()}
    assert line_of(game) == "seen for the first time: remembered"
    assert {
        path: path.stat().st_mtime_ns for path in game.path.rglob("*") if path.is_file()
    } == before
    (file,) = kept_files(state)
    memory = json.loads(file.read_text("utf-8"))
    assert memory["game"] == str(game.path)
    assert (memory["branch"], memory["commit"]) == ("main", head(game))
    assert memory["tree"] == game.git("rev-parse", "HEAD^{tree}")
    assert memory["commits"] == len(memory["latest"])
    assert memory["latest"][-1]["instruments"] == ["proposals/302.md"]
    assert (file.parent.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)


def test_a_history_that_goes_on_is_remembered_anew(game: GitRepo) -> None:
    run(game.path, "verify")
    old = head(game)
    passed(game, 303, TEA, "2026-01-07")
    assert line_of(game) == f"seen before: {old[:12]} on DAY, contained"
    assert line_of(game) == f"seen before: {head(game)[:12]} on DAY, contained"


def test_the_document_says_it_too(game: GitRepo) -> None:
    first = document(game)["seen"]
    assert first == {
        "state": "first",
        "game": str(game.path),
        "branch": "main",
        "remembered": True,
        "forgotten": False,
        **dict.fromkeys(("commit", "tree", "ledger", "date", "gone", "why")),
    }
    printed = document(game)
    assert printed["seen"] == {
        **{key: printed[key] for key in ("commit", "tree", "ledger")},
        "state": "contained",
        "game": str(game.path),
        "branch": "main",
        "date": printed["seen"]["date"],
        "remembered": True,
        "forgotten": False,
        "gone": None,
        "why": None,
    }


@pytest.mark.nightly
def test_a_history_that_was_forged_throughout_is_refused_by_the_second_visit(
    game: GitRepo, tmp_path: Path
) -> None:
    run(game.path, "verify")
    old, count = head(game), game.git("rev-list", "--count", "HEAD")
    forged(game, tmp_path)
    assert document(game, "--no-memory")["errors"] == 0
    printed = document(game, code=1)
    (fault,) = printed["faults"]
    assert (fault["finding"]["slug"], printed["seen"]["state"]) == ("verify-rewritten", "apart")
    assert f"commit {old[:12]}, which was seen on" in fault["finding"]["message"]
    assert f"is not in this repository; HEAD is {head(game)[:12]}" in fault["finding"]["message"]
    assert fault["finding"]["message"].endswith(f": all {count} commits are gone")
    assert printed["seen"]["gone"] == int(count)
    assert f"- {old[:12]} proposals/302.md" in run(game.path, "verify", code=1)
    assert line_of(game, code=1) == f"seen before: {old[:12]} on DAY, not contained"
    assert document(game, code=1)["seen"]["commit"] == old


@pytest.mark.deep
def test_a_forgery_behind_the_same_address_is_refused_in_a_fresh_clone(
    game: GitRepo, tmp_path: Path
) -> None:
    def cloned(name: str) -> GitRepo:
        game.git("clone", "--quiet", "--no-local", str(game.path), str(tmp_path / name))
        return GitRepo(tmp_path / name)

    assert line_of(cloned("first")) == "seen for the first time: remembered"
    old = head(game)
    assert line_of(cloned("second")) == f"seen before: {old[:12]} on DAY, contained"
    forged(game, tmp_path)
    (fault,) = faults(cloned("third"), old)
    assert fault.startswith(f"{GONE}is not in this repository; HEAD is HEAD: ")


def test_a_password_in_an_address_is_neither_kept_nor_part_of_it(
    game: GitRepo, state: Path
) -> None:
    game.git("remote", "add", "origin", "https://wren:secret@example.org/lantern.git")
    assert document(game)["seen"]["game"] == "https://example.org/lantern"
    assert "secret" not in kept_files(state)[0].read_text("utf-8")
    game.git("remote", "set-url", "origin", "https://example.org/lantern/")
    assert document(game)["seen"]["state"] == "contained"


def test_a_last_commit_that_is_amended(game: GitRepo) -> None:
    run(game.path, "verify")
    old, parent = head(game), game.git("rev-parse", "HEAD~1")
    game.git("commit", "--quiet", "--amend", "--no-edit", "--date", "2020-02-02T12:00:00")
    assert faults(game, old) == [
        f"{GONE}is not in the history of HEAD any more; HEAD is HEAD: 1 commit is gone, and the "
        "last that both have is "
        f"{parent[:12]}"
    ]
    assert f"\n  help: {ASK}been told why, {FORGET}\n    - {old[:12]} proposals/302.md\n" in run(
        game.path, "verify", code=1
    )


def test_a_history_that_was_cut_off(game: GitRepo) -> None:
    run(game.path, "verify")
    old = head(game)
    game.git("reset", "--quiet", "--hard", "HEAD~2")
    assert faults(game, old) == [
        f"{GONE}comes after the end of this history; HEAD is HEAD: 2 commits are gone, and the "
        "last that both have is "
        "HEAD"
    ]
    assert "help: an older clone only needs what is new: `git pull`; if it has all, ask" in run(
        game.path, "verify", code=1
    )


def test_a_history_that_is_only_merged_into_another(game: GitRepo) -> None:
    """What was seen is reached by way of the second parent; what is judged is the line of the first
    ones.
    """
    run(game.path, "verify")
    old = head(game)
    aside = game.git("commit-tree", "HEAD^{tree}", "-p", "HEAD~2", "-m", "Aside")
    game.git(
        "reset",
        "--quiet",
        "--hard",
        game.git("commit-tree", f"{aside}^{{tree}}", "-p", aside, "-p", old, "-m", "x"),
    )
    assert any(
        fault.startswith(f"{GONE}stands beside the first-parent line of HEAD")
        for fault in faults(game, old)
    )


def test_what_was_seen_may_be_forgotten(game: GitRepo) -> None:
    run(game.path, "verify")
    old = head(game)
    game.git("commit", "--quiet", "--amend", "--no-edit", "--date", "2020-02-02T12:00:00")
    assert (
        line_of(game, "--forget")
        == f"forgotten: {old[:12]} on DAY; seen for the first time: remembered"
    )
    assert line_of(game) == f"seen before: {head(game)[:12]} on DAY, contained"


@pytest.mark.deep
def test_to_forget_with_errors_remembers_nothing(game: GitRepo, state: Path) -> None:
    run(game.path, "verify")
    old = head(game)
    by_hand(game, "rules/301.md", "hall", "yard")
    assert (
        line_of(game, code=1)
        == f"seen before: {old[:12]} on DAY, contained (not remembered: there are errors)"
    )
    assert line_of(game, "--forget", code=1) == (
        f"forgotten: {old[:12]} on DAY; seen for the first time: not remembered: there are errors"
    )
    assert kept_files(state) == []


def test_without_memory_nothing_is_asked_or_kept(
    game: GitRepo, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert line_of(game, "--no-memory") == "seen before: not asked (--no-memory)"
    monkeypatch.setenv("CI", "true")
    assert line_of(game) == "seen before: not asked (CI is set)"
    assert document(game)["seen"]["state"] == "ignored"
    assert not state.exists()
    assert "exclude each other" in run(game.path, "verify --forget --no-memory", code=2)
    assert line_of(game, "--forget") == "seen for the first time: remembered"


def test_each_branch_has_a_memory_of_its_own(game: GitRepo) -> None:
    run(game.path, "verify")
    game.git("switch", "--quiet", "--create", "topic", "HEAD~2")
    assert (
        line_of(game)
        == "seen for the first time on the branch topic, after others of this game: remembered"
    )
    game.git("switch", "--quiet", "main")
    assert line_of(game) == f"seen before: {head(game)[:12]} on DAY, contained"
    game.git("checkout", "--quiet", "--detach", "HEAD~1")
    assert line_of(game) == "seen before: not asked (HEAD is on no branch)"


@pytest.mark.deep
def test_a_game_in_a_folder_is_known_by_its_own_commits(git_repo: Repos, tmp_path: Path) -> None:
    repo = git_repo("shelf")
    run(tmp_path, "init --name Tea --on 2026-01-05 --player wren", str(repo.path / "games/tea"))
    mine = repo.commit("A game")
    repo.commit("Another matter", {"README.md": "x\n"})
    tea = repo.path / "games/tea"
    assert json.loads(run(tea, "verify --format json"))["seen"]["state"] == "first"
    repo.git("commit", "--quiet", "--amend", "--message=Other words")
    again = json.loads(run(tea, "verify --format json"))["seen"]
    assert (again["state"], again["commit"]) == ("contained", mine)


@pytest.mark.deep
def test_a_shallow_clone_is_said_and_not_guessed(game: GitRepo, tmp_path: Path) -> None:
    game.git("clone", "--quiet", "--no-local", str(game.path), str(tmp_path / "whole"))
    run(tmp_path / "whole", "verify")
    old = head(game)
    passed(game, 303, TEA, "2026-01-07")
    game.git(
        "clone", "--quiet", "--no-local", "--depth=2", str(game.path), str(tmp_path / "shallow")
    )
    shallow = GitRepo(tmp_path / "shallow")
    # Both clones are of one address.
    (_, fault) = faults(shallow, old)
    assert (
        fault == "verify-unproven: commit SEEN, which was seen on DAY, is not in this shallow clone"
    )
    assert line_of(shallow, code=1) == f"seen before: {old[:12]} on DAY, not to be compared here"


@pytest.mark.parametrize(
    ("data", "why"),
    sampled(BROKEN, every=4),
)
def test_what_is_broken_is_said_and_never_taken_for_nothing(
    game: GitRepo, state: Path, data: bytes, why: str
) -> None:
    run(game.path, "verify")
    (file,) = kept_files(state)
    file.write_bytes(data)
    printed = run(game.path, "verify")
    assert (
        f"what was seen of this game before is not known: {file} cannot be read: {why}" in printed
    )
    assert f"help: look at it; {FORGET}" in printed
    assert "\nseen before: not known\n" in printed
    assert "\x1b" not in printed
    assert file.read_bytes() == data
    assert faults(game, code=0)[0].startswith("verify-unproven: ")
    run(game.path, "verify --strict", code=1)
    assert line_of(game, "--forget") == "forgotten: not known; seen for the first time: remembered"
    assert document(game)["seen"]["state"] == "contained"


@pytest.mark.parametrize("change", sampled(CHANGED, every=4))
def test_a_value_that_was_never_written_is_broken(
    game: GitRepo, state: Path, change: dict[str, Any]
) -> None:
    run(game.path, "verify")
    (file,) = kept_files(state)
    file.write_text(json.dumps({**json.loads(file.read_text("utf-8")), **change}), "utf-8")
    assert "what was seen of this game before is not known: " in run(
        game.path, "verify --strict", code=1
    )


def test_another_tree_or_ledger_of_the_same_commit(game: GitRepo, state: Path) -> None:
    run(game.path, "verify")
    (file,) = kept_files(state)
    other = {"tree": "1" * 40, "ledger": "2" * 64}
    file.write_text(json.dumps({**json.loads(file.read_text("utf-8")), **other}), "utf-8")
    old = head(game)
    passed(game, 303, TEA, "2026-01-07")
    assert [fault.rpartition(" ")[0] for fault in faults(game, old)] == [
        f"{GONE}had the tree 111111111111, and has",
        f"{GONE}had the ledger 222222222222, and has",
    ]


def test_a_folder_that_cannot_be_written_to_is_a_note(game: GitRepo, state: Path) -> None:
    state.write_text("a file")
    assert line_of(game, "--strict").startswith("seen for the first time: not remembered: ")
    printed = document(game)
    assert (printed["seen"]["remembered"], printed["seen"]["why"]) == (
        False,
        f"{state} cannot be written: File exists",
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="whoever may do anything may write there as well")
def test_a_folder_without_permission_is_a_note(game: GitRepo, state: Path) -> None:
    state.mkdir(mode=0o500)
    assert line_of(game, "--strict").endswith("cannot be written: Permission denied")


def test_nothing_is_kept_in_the_game_itself(game: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(game.path / ".state"))
    assert line_of(game).endswith("lies in the game itself")
    assert not (game.path / ".state").exists()


@pytest.mark.deep
def test_a_folder_that_is_not_named_is_that_of_the_person(
    game: GitRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    assert line_of(game) == "seen for the first time: remembered"
    assert len(list((tmp_path / "person/.local/state/nomicgen/verified").iterdir())) == 1


@pytest.mark.deep
def test_of_a_long_history_the_last_commits_are_known(game: GitRepo) -> None:
    for number in range(105):
        tree, parent = game.git("rev-parse", "HEAD^{tree}", "HEAD").splitlines()
        game.git(
            "reset",
            "--quiet",
            "--soft",
            game.git("commit-tree", tree, "-p", parent, "-m", f"Nothing {number}"),
        )
    run(game.path, "verify")
    old, count = head(game), int(game.git("rev-list", "--count", "HEAD"))
    game.git("reset", "--quiet", "--hard", "HEAD~103")
    assert faults(game, old) == [
        f"{GONE}is not in the history of HEAD any more; HEAD is HEAD: of {count} commits at "
        "least the last 100 are gone"
    ]
