"""Notes of witnesses: how they are made, and who is said to have seen a history."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nomicgen.play.load import load
from nomicgen.repository.git import run as run_git
from nomicgen.site.publishing.publication import publication_of
from nomicgen.verify import witness_refs as kept_notes
from nomicgen.verify.witness_notes import read_note
from tests.cli.playing import TEA, begun, passed, refused, run, snapshot
from tests.signing import needs_ssh, private_key, public_key
from tests.support import GitRepo
from tests.verify.histories import LAW, by_hand
from tests.verify.witnessing import (
    document,
    faults,
    head,
    line_of,
    played,
    pose,
    registers,
    seen_by,
    witness,
)

Repos = Callable[..., GitRepo]

pytestmark = [needs_ssh, pytest.mark.usefixtures("forgetful")]


def test_a_note_says_what_was_seen(keyed: GitRepo) -> None:
    before, status = snapshot(keyed.path), keyed.git("status", "--porcelain=v2", "--branch")
    said = witness(keyed)
    assert (snapshot(keyed.path), keyed.git("status", "--porcelain=v2", "--branch")) == (before, status)
    text = keyed.git("show", "refs/witness/wren:note")
    assert said.startswith(f"{text}\nsigned, and kept in refs/witness/wren (commit ")
    assert said.endswith("  git push origin refs/witness/wren\n  git fetch origin 'refs/witness/*:refs/witness/*'\n")
    note = read_note(f"{text}\n".encode())
    first = keyed.git("rev-list", "--max-parents=0", "HEAD")
    assert (note.game, note.folder, note.branch, note.player) == ("Tea", ".", "main", "wren")
    assert (note.began, note.commit, note.tree) == (first, head(keyed), head(keyed, "HEAD^{tree}"))
    assert note.ledger == document(keyed)["ledger"]


def test_a_note_is_kept_with_the_history_and_the_note_before(keyed: GitRepo) -> None:
    witness(keyed)
    one = head(keyed, "refs/witness/wren")
    assert keyed.git("ls-tree", "--format=%(objectmode) %(path)", one).split("\n") == ["100644 note", "100644 note.sig"]
    assert keyed.git("show", "--no-patch", "--format=%P", one) == head(keyed)
    passed(keyed, 303, TEA, "2026-01-07")
    witness(keyed)
    assert keyed.git("show", "--no-patch", "--format=%P", "refs/witness/wren") == f"{one} {head(keyed)}"


def test_the_key_is_the_one_of_the_persons_own_settings(
    keyed: GitRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyed.git("config", "gpg.format", "ssh")
    keyed.git("config", "user.signingKey", str(private_key("wren")))
    assert "your own git settings name no SSH key to sign with" in refused(keyed.path, "witness wren")
    own = tmp_path / "own.gitconfig"
    own.write_text(f"[gpg]\n  format = ssh\n[user]\n  signingKey = {private_key('wren')}.pub\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(own))
    run(keyed.path, "witness wren")
    assert seen_by(keyed) == [("wren", 0)]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("witness osprey --key {wren}", "is not a key in players/osprey.yml on "),
        ("witness nobody --key {wren}", "HEAD has no players/nobody.yml"),
        ("witness wren --key {odo}", " is not a key in players/wren.yml on "),
        ("witness wren --key {wren}.none", "does not exist"),
    ],
)
def test_who_may_not_sign(keyed: GitRepo, line: str, why: str) -> None:
    typed = line.format(wren=private_key("wren"), odo=private_key("odo"))
    assert why in " ".join(run(keyed.path, typed, code=2).split())
    assert keyed.git("for-each-ref", "refs/witness/") == ""


@pytest.mark.deep
def test_a_key_that_is_not_committed_does_not_count(keyed: GitRepo) -> None:
    text = (keyed.path / "players/quill.yml").read_text("utf-8")
    keyed.write({"players/quill.yml": f"{text}keys:\n  - {{key: {public_key('quill')}, since: 2026-01-01}}\n"})
    assert "is not a key in players/quill.yml on " in witness(keyed, "quill", code=2)


@pytest.mark.deep
def test_nobody_signs_a_history_with_errors(keyed: GitRepo) -> None:
    by_hand(keyed, "rules/301.md", "hall", "yard")
    said = refused(keyed.path, f"witness wren --key {private_key('wren')}")
    assert "in this history, so it is not signed" in said
    assert keyed.git("for-each-ref", "refs/witness/") == ""


@pytest.mark.deep
def test_nobody_signs_without_a_branch(keyed: GitRepo) -> None:
    keyed.git("checkout", "--quiet", "--detach")
    assert "no branch is checked out" in refused(keyed.path, f"witness wren --key {private_key('wren')}")


@pytest.mark.deep
def test_a_ref_that_moved_meanwhile_is_left_alone(keyed: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    witness(keyed)
    there = head(keyed, "refs/witness/wren")
    monkeypatch.setattr(kept_notes, "tip_of", lambda *_: None)
    assert "the note is not kept: " in witness(keyed, code=2)
    assert head(keyed, "refs/witness/wren") == there


@pytest.mark.deep
def test_a_program_that_is_missing_is_named(keyed: GitRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    witness(keyed)
    own = tmp_path / "own.gitconfig"
    own.write_text('[gpg "ssh"]\n  program = no-such-keygen\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(own))
    assert faults(keyed, code=0) == [
        "verify-unproven: no note of a witness was judged: no-such-keygen does not run: there is no such program"
    ]
    assert "no-such-keygen does not run" in refused(keyed.path, f"witness wren --key {private_key('wren')}")


@pytest.mark.deep
def test_a_game_without_keys_and_notes_says_nothing_of_them(git_repo: Repos, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = begun(git_repo("plain"), LAW)
    asked: list[str] = []

    def spy(root: Path, command: str, *arguments: str, **options: Any) -> bytes:
        asked.append(command)
        return run_git(root, command, *arguments, **options)

    monkeypatch.setattr("nomicgen.verify.witness_refs.run", spy)
    assert "seen by" not in run(plain.path, "verify")
    assert document(plain)["witnessed"] is None
    assert asked == ["for-each-ref"] * 2
    found = publication_of(load(plain.path)).witnessed
    assert found is not None
    assert not found.asked
    assert asked == ["for-each-ref"] * 3


@pytest.mark.deep
def test_who_saw_how_much_is_told(keyed: GitRepo) -> None:
    assert line_of(keyed) == "seen by 0 of 3 players"
    witness(keyed)
    assert line_of(keyed) == "seen by 1 of 3 players: wren (DAY)"
    registers(keyed, "quill")
    witness(keyed, "quill")
    assert line_of(keyed) == "seen by 2 of 3 players: quill (DAY), wren (DAY, 1 commit ago)"
    assert seen_by(keyed) == [("quill", 0), ("wren", 1)]
    found = publication_of(load(keyed.path)).witnessed
    assert found is not None
    assert [(one.player, one.behind) for one in found.seen] == [("quill", 0), ("wren", 1)]


@pytest.mark.deep
def test_who_has_left_is_not_counted(keyed: GitRepo) -> None:
    witness(keyed)
    text = (keyed.path / "players/wren.yml").read_text("utf-8")
    keyed.commit("wren leaves", {"players/wren.yml": f"{text}left: 2026-02-01\n"})
    assert document(keyed)["witnessed"] is None
    registers(keyed, "quill")
    assert line_of(keyed) == "seen by 0 of 2 players"


@pytest.mark.deep
def test_an_older_clone_is_no_fork(keyed: GitRepo) -> None:
    witness(keyed)
    passed(keyed, 303, TEA, "2026-01-07")
    witness(keyed)
    witness(keyed)
    keyed.git("reset", "--quiet", "--hard", "HEAD~1")
    assert line_of(keyed) == "seen by 1 of 3 players: wren (DAY, 3 commits ago); a later commit than HEAD by wren (DAY)"


@pytest.mark.deep
def test_a_key_counts_on_its_days_alone(keyed: GitRepo) -> None:
    registers(keyed, "quill")
    witness(keyed, "quill")
    text = (keyed.path / "players/quill.yml").read_text("utf-8")
    keyed.commit("It ended", {"players/quill.yml": text.replace("06}", "06, until: 2026-02-01}")})
    assert "is not a key in players/quill.yml on " in witness(keyed, "quill", code=2)
    # The history that was seen still has it.
    assert seen_by(keyed) == [("quill", 1)]


@pytest.mark.deep
def test_a_file_of_signers_says_whose_key_counts(keyed: GitRepo, tmp_path: Path) -> None:
    pose(keyed, "osprey", "osprey")
    assert faults(keyed, code=0, NOTE=head(keyed, "refs/witness/osprey")) == [
        "verify-unproven: refs/witness/osprey at NOTE does not count as a witness: its signature holds with no key "
        "that osprey had on DAY"
    ]
    file = tmp_path / "signers"
    file.write_text(f"osprey {public_key('osprey')}\n")
    assert seen_by(keyed, "--signers", str(file)) == [("osprey", 0)]
    file.write_text(f"quill {public_key('osprey')}\n")
    assert seen_by(keyed, "--signers", str(file)) == []


@pytest.mark.deep
def test_a_game_in_a_folder(git_repo: Repos, tmp_path: Path) -> None:
    whole = git_repo("whole")
    inner = played(GitRepo(tmp_path / "inner"))
    shutil.rmtree(inner.path / ".git")
    shutil.copytree(inner.path, whole.path / "games" / "tea")
    whole.commit("Bring the game")
    whole.commit("Something else", {"README": "x\n"})
    place = GitRepo.__new__(GitRepo)
    place.path, place.commits = whole.path / "games" / "tea", 0
    witness(place)
    assert seen_by(place) == [("wren", 0)]
    assert "folder games/tea\n" in whole.git("show", "refs/witness/wren:note")
    shutil.copytree(place.path, whole.path / "games" / "chess")
    whole.commit("Bring another")
    place.path = whole.path / "games" / "chess"
    assert seen_by(place) == []
    assert faults(place, code=0) == []
