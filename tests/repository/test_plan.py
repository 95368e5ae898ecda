"""Writing to a game: all of it or nothing, whatever happens, and never outside of it."""

from __future__ import annotations

import errno
import json
import os
import resource
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from nomicgen.repository.errors import (
    Changed,
    ForeignJournal,
    Locked,
    Unfinished,
    Unreadable,
    UnsafePath,
    WriteFailed,
)
from nomicgen.repository.game_tree import read_tree
from nomicgen.repository.lock import lock
from nomicgen.repository.write_plan import WritePlan, execute, fingerprint
from tests.repository.crash import NEW, OLD, PLAN
from tests.repository.places import as_nobody, contents, fill
from tests.support import ROOT, GitRepo


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return fill(tmp_path / "game", OLD)


@pytest.fixture
def interrupted(game: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game whose write was decided, and got no further."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", refuse)
        with pytest.raises(Unfinished):
            execute(game, PLAN)
    assert contents(game) == OLD
    return game


def test_a_plan_writes_and_deletes_and_leaves_nothing_behind(game: Path) -> None:
    execute(game, PLAN)
    assert contents(game) == NEW
    assert not (game / ".nomicgen").exists()
    assert (game / "rules" / "203.md").stat().st_mode & 0o200


def test_a_plan_carried_out_twice_gives_the_same(game: Path) -> None:
    plan = WritePlan(writes=PLAN.writes, deletes=PLAN.deletes)
    execute(game, plan)
    execute(game, plan)
    assert contents(game) == NEW


def test_an_empty_plan_touches_nothing(game: Path) -> None:
    before = game.stat().st_mtime_ns
    execute(game, WritePlan())
    assert game.stat().st_mtime_ns == before


def test_a_path_is_not_both_written_and_deleted() -> None:
    with pytest.raises(ValueError, match=r"rules/1\.md"):
        WritePlan(writes={"rules/1.md": b""}, deletes=frozenset({"rules/1.md"}))


# --- killed ---------------------------------------------------------------------------------------


@pytest.mark.nightly
def test_killed_before_any_of_its_system_calls_a_write_has_happened_or_not(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.repository.crash", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert len(report) > 40
    outcomes = [one["after"] for one in report]
    decided = outcomes.index("new")
    assert outcomes == ["old"] * decided + ["new"] * (len(outcomes) - decided)
    assert 10 < decided < len(outcomes) - 10
    # Otherwise the test would not have met what it is for.
    assert {one["left"] for one in report} == {"old", "mixed", "new"}
    assert all(set(one["again"]) <= {one["after"]} for one in report)
    assert len(report[decided]["again"]) > 15
    assert all(one["settled"] == one["after"] and not one["journal"] for one in report)


def test_all_is_on_the_disk_before_the_write_is_decided(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: set[int] = set()
    missing: list[str] = []
    fsync, rename = os.fsync, os.rename

    def noted(handle: int) -> None:
        flushed.add(os.fstat(handle).st_ino)
        fsync(handle)

    def checked(source: Path, target: Path) -> None:
        if target.name == "commit":
            paths = (source, *source.iterdir(), source.parent, game)
            missing.extend(str(path) for path in paths if path.stat().st_ino not in flushed)
            flushed.clear()
        elif target.name.startswith("done-"):
            parents = {(game / path).parent for path in (*PLAN.writes, *PLAN.deletes)}
            missing.extend(str(path) for path in parents if path.stat().st_ino not in flushed)
            flushed.add(-1)
        rename(source, target)

    monkeypatch.setattr(os, "fsync", noted)
    monkeypatch.setattr(os, "rename", checked)
    execute(game, PLAN)
    assert missing == []
    assert -1 in flushed


def test_the_next_reader_completes_a_write_that_was_decided(interrupted: Path) -> None:
    assert read_tree(interrupted) == dict(sorted(NEW.items()))
    assert contents(interrupted) == NEW
    assert not (interrupted / ".nomicgen").exists()


def test_the_next_writer_completes_it_before_it_looks_at_its_own_expectations(
    interrupted: Path,
) -> None:
    with pytest.raises(Changed):
        execute(interrupted, PLAN)
    assert contents(interrupted) == NEW


def test_the_system_may_refuse_after_the_decision_and_the_error_says_so(
    game: Path, interrupted: Path
) -> None:
    (game / "rules" / "301.md").mkdir()
    with pytest.raises(UnsafePath, match=r"rules/301\.md is not an ordinary file"):
        read_tree(interrupted)
    (game / "rules" / "301.md").rmdir()
    read_tree(interrupted)
    assert contents(interrupted) == NEW


# --- refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/etc/motd", "it is not relative to the game"),
        ("", "it holds an empty part, `.` or `..`"),
        ("../outside.md", "it holds an empty part, `.` or `..`"),
        ("rules/../../outside.md", "it holds an empty part, `.` or `..`"),
        ("rules//1.md", "it holds an empty part, `.` or `..`"),
        ("./nomic.yml", "it holds an empty part, `.` or `..`"),
        ("rules/", "it holds an empty part, `.` or `..`"),
        ("rules\\1.md", "it holds a backslash or a character that does not print"),
        ("rules/1\n.md", "it holds a backslash or a character that does not print"),
        ("rules/1\0.md", "it holds a backslash or a character that does not print"),
        ("rules/\udcff.md", "it holds a backslash or a character that does not print"),
        (".git/hooks/pre-commit", "it leads into .git or .nomicgen"),
        ("rules/.GIT/config", "it leads into .git or .nomicgen"),
        (".nomicgen/commit/manifest.json", "it leads into .git or .nomicgen"),
        ("linked/1.md", "linked is a symbolic link"),
        ("rules/link.md", "rules/link.md is a symbolic link"),
        ("rules/dangling.md", "rules/dangling.md is a symbolic link"),
        ("rules", "rules is not an ordinary file"),
        ("nomic.yml/1.md", "nomic.yml is not a directory"),
    ],
)
@pytest.mark.parametrize("kind", ["writes", "deletes", "expects"])
def test_no_path_leads_out_of_the_game(
    game: Path, tmp_path: Path, kind: str, path: str, why: str
) -> None:
    outside = fill(tmp_path / "outside", {"1.md": "outside"})
    (game / "linked").symlink_to(outside)
    (game / "rules" / "link.md").symlink_to(outside / "1.md")
    (game / "rules" / "dangling.md").symlink_to(outside / "2.md")
    before = contents(tmp_path)
    plans = {
        "writes": WritePlan(writes={"rules/999.md": b"fine", path: b"x"}),
        "deletes": WritePlan(writes={"rules/999.md": b"fine"}, deletes=frozenset({path})),
        "expects": WritePlan(writes={"rules/999.md": b"fine"}, expects={path: None}),
    }
    with pytest.raises(UnsafePath) as caught:
        execute(game, plans[kind])
    assert str(caught.value) == f"{path!r} is not written: {why}"
    assert contents(tmp_path) == before


def test_a_file_is_not_written_below_another(game: Path) -> None:
    with pytest.raises(UnsafePath, match="acts/a is to be a file"):
        execute(game, WritePlan(writes={"acts/a": b"", "acts/a/b": b""}))
    assert contents(game) == OLD


def test_what_changed_meanwhile_is_not_written_over(game: Path) -> None:
    expects = {path: fingerprint(data) for path, data in OLD.items()}
    (game / "rules" / "203.md").write_bytes(b"edited by hand\n")
    (game / "rules" / "209.md").unlink()
    fill(game, {"rules/301.md": "somebody else's"})
    before = contents(game)
    with pytest.raises(Changed) as caught:
        execute(
            game,
            WritePlan(
                writes=PLAN.writes, deletes=PLAN.deletes, expects={**expects, "rules/301.md": None}
            ),
        )
    assert caught.value.paths == ("rules/203.md", "rules/209.md", "rules/301.md")
    assert (
        str(caught.value)
        == "changed while the command ran: rules/203.md, rules/209.md, rules/301.md"
    )
    assert contents(game) == before


def test_a_full_disk_changes_nothing(game: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with pytest.raises(WriteFailed, match="File too large"):
            execute(game, PLAN)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert contents(game) == OLD
    assert not (game / ".nomicgen").exists()
    execute(game, PLAN)
    assert contents(game) == NEW


@pytest.mark.parametrize("closed", [".", "rules", "proposals"])
def test_without_permission_nothing_is_changed(game: Path, closed: str) -> None:
    (game / "turns").mkdir()
    for folder in (game, *(one for one in game.iterdir() if one.is_dir())):
        folder.chmod(0o777)
    (game / closed).chmod(0o555)
    with as_nobody(game), pytest.raises((WriteFailed, Unreadable), match="Permission denied"):
        execute(game, PLAN)
    assert contents(game) == OLD
    (game / closed).chmod(0o777)
    with as_nobody(game):
        execute(game, PLAN)
    assert contents(game) == NEW


def test_a_game_that_is_gone_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        execute(tmp_path / "gone", PLAN)
    assert not (tmp_path / "gone").exists()


# --- at once --------------------------------------------------------------------------------------


def test_a_writer_waits_for_readers_and_then_gives_up(game: Path) -> None:
    with lock(game, shared=True):
        assert read_tree(game, wait=0) == dict(sorted(OLD.items()))
        with pytest.raises(Locked) as caught:
            execute(game, PLAN, wait=0.05)
    assert str(caught.value) == f"another command is at work on {game}"
    assert "run this one again" in caught.value.remedy
    assert contents(game) == OLD


def test_a_reader_waits_for_a_writer_in_another_process(game: Path) -> None:
    holder = (
        "import fcntl, os, sys; fcntl.flock(os.open(sys.argv[1], os.O_RDONLY), fcntl.LOCK_EX); "
        "print('locked', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holder, str(game)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        other.stdout.readline()
        with pytest.raises(Locked):
            read_tree(game, wait=0.05)
        releaser = threading.Timer(0.2, other.stdin.close)
        releaser.start()
        assert read_tree(game, wait=30) == dict(sorted(OLD.items()))
        releaser.join()


def test_writers_at_once_lose_none_of_their_work(game: Path) -> None:
    fill(game, {"turns/R1T1.yml": "0", "turns/R1T2.yml": "0"})
    lost: list[int] = []

    def add() -> None:
        for _ in range(5):
            while True:
                tree = read_tree(game, wait=60)
                one, two = tree["turns/R1T1.yml"], tree["turns/R1T2.yml"]
                assert isinstance(one, bytes)
                if one != two:
                    lost.append(1)
                data = b"%d" % (int(one) + 1)
                plan = WritePlan(
                    writes={"turns/R1T1.yml": data, "turns/R1T2.yml": data},
                    expects={"turns/R1T1.yml": fingerprint(one)},
                )
                try:
                    execute(game, plan, wait=60)
                except Changed:
                    continue
                break

    threads = [threading.Thread(target=add) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert lost == []
    assert contents(game)["turns/R1T2.yml"] == b"30"


# --- someone else's journal -----------------------------------------------------------------------


def test_a_journal_that_came_by_git_is_refused(
    interrupted: Path, git_repo: Callable[..., GitRepo]
) -> None:
    repo = git_repo("origin")
    shutil.copytree(interrupted, repo.path, dirs_exist_ok=True)
    repo.git("add", "--force", "--all")
    repo.commit("A pull request")
    repo.git("clone", "--quiet", ".", "../clone")
    clone = repo.path.parent / "clone"
    assert (clone / ".nomicgen" / "commit" / "manifest.json").exists()
    # Even an attacker who guessed both inodes has not got the mode.
    manifest = clone / ".nomicgen" / "commit" / "manifest.json"
    said = json.loads(manifest.read_text())
    manifest.write_text(
        json.dumps({**said, "inode": manifest.stat().st_ino, "root": clone.stat().st_ino})
    )
    for act in (lambda: read_tree(clone), lambda: execute(clone, PLAN)):
        with pytest.raises(ForeignJournal) as caught:
            act()
        assert "nomicgen did not write its manifest" in str(caught.value)
    assert contents(clone) == OLD


def test_a_journal_that_was_copied_with_its_modes_is_refused(
    interrupted: Path, tmp_path: Path
) -> None:
    shutil.copytree(interrupted, tmp_path / "copy")
    with pytest.raises(ForeignJournal) as caught:
        read_tree(tmp_path / "copy")
    assert "it was made for another directory" in str(caught.value)
    assert "delete .nomicgen" in caught.value.remedy
    assert contents(tmp_path / "copy") == OLD
    assert contents(interrupted) == OLD


def test_a_journal_may_not_lie_elsewhere(interrupted: Path, tmp_path: Path) -> None:
    (interrupted / ".nomicgen").rename(tmp_path / "journal")
    (interrupted / ".nomicgen").symlink_to(tmp_path / "journal")
    assert read_tree(interrupted) == dict(sorted(OLD.items()))
    with pytest.raises(ForeignJournal, match="it is no directory"):
        execute(interrupted, PLAN)
    assert contents(interrupted) == OLD


@pytest.mark.parametrize(
    ("manifest", "why"),
    [
        (b"", "its manifest is damaged"),
        (b"[]", "its manifest is damaged"),
        (b'{"writes": {}}', "its manifest is damaged"),
        (b"\xff", "its manifest is damaged"),
        (None, "it has no manifest"),
    ],
)
def test_a_damaged_manifest_is_refused(interrupted: Path, manifest: bytes | None, why: str) -> None:
    file = interrupted / ".nomicgen" / "commit" / "manifest.json"
    file.unlink()
    if manifest is not None:
        file.write_bytes(manifest)
        file.chmod(0o444)
    with pytest.raises(ForeignJournal, match=why):
        read_tree(interrupted)
    assert contents(interrupted) == OLD


def test_a_file_of_the_journal_that_changed_keeps_all_others_from_their_place(
    interrupted: Path,
) -> None:
    staged = next(
        one
        for one in sorted((interrupted / ".nomicgen" / "commit").iterdir())
        if one.name.isdecimal()
    )
    staged.write_bytes(b"changed")
    with pytest.raises(ForeignJournal, match="a file in it is not what its manifest says"):
        read_tree(interrupted)
    assert contents(interrupted) == OLD


def test_what_was_only_prepared_is_thrown_away(game: Path) -> None:
    fill(game, {".nomicgen/prepare-1/0": "half", ".nomicgen/done-2/manifest.json": "{}"})
    assert read_tree(game) == dict(sorted(OLD.items()))
    execute(game, PLAN)
    assert not (game / ".nomicgen").exists()
    assert contents(game) == NEW
