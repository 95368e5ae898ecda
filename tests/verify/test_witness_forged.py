"""A history that is another than the one that a player signed."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.cli.playing import TEA, passed, run
from tests.signing import needs_ssh
from tests.support import GitRepo
from tests.verify.witnessing import (
    document,
    faults,
    forgery,
    fresh,
    head,
    pose,
    seen_by,
    witness,
)

Repos = Callable[..., GitRepo]

pytestmark = [needs_ssh, pytest.mark.usefixtures("forgetful")]


@pytest.mark.parametrize(
    ("key", "told"), [("wren", ""), ("forger", " with a key that players/wren.yml has only there")]
)
def test_one_witness_alone_refuses_a_history_that_was_forged_throughout(
    keyed: GitRepo, tmp_path: Path, key: str, told: str
) -> None:
    witness(keyed)
    seen = head(keyed)
    other = forgery(tmp_path, key)
    subjects = [repo.git("log", "--format=%s").splitlines() for repo in (keyed, other)]
    assert subjects[0] == subjects[1]
    assert faults(fresh(other, tmp_path), code=0) == []
    shutil.rmtree(tmp_path / "fresh")
    clone = fresh(other, tmp_path, keyed)
    assert not clone.git("for-each-ref", "refs/heads/", "refs/remotes/", "--contains", seen)
    (found,) = faults(clone, SEEN=seen)
    assert found.startswith(
        f"verify-rewritten: commit SEEN, which wren saw and signed on DAY{told}, is not in the history of HEAD any "
        "more; HEAD is HEAD: "
    )
    (one,) = document(clone, code=1)["faults"]
    assert f"git log {seen[:12]}" in one["finding"]["help"]
    assert "`git update-ref -d refs/witness/wren`" in one["finding"]["help"]
    assert one["finding"]["detail"].endswith(f"- {seen[:12]} proposals/302.md")
    assert document(clone, code=1)["witnessed"]["seen"] == []
    assert "which wren saw and signed on " in run(clone.path, "verify --format github", code=1)


def test_what_is_lost_is_told(keyed: GitRepo) -> None:
    witness(keyed)
    seen, common = head(keyed), head(keyed, "HEAD~2")
    keyed.git("reset", "--quiet", "--hard", "HEAD~2")
    keyed.commit(
        "Another end", {"players/quill.yml": (keyed.path / "players/quill.yml").read_text("utf-8") + "note: x\n"}
    )
    assert faults(keyed, SEEN=seen, COMMON=common) == [
        "verify-rewritten: commit SEEN, which wren saw and signed on DAY, is not in the history of HEAD any more; "
        "HEAD is HEAD: 2 commits are gone, and the last that both have is COMMON"
    ]


@pytest.mark.deep
def test_a_history_that_is_only_merged_into_another_is_not_that_one(keyed: GitRepo) -> None:
    witness(keyed)
    seen = head(keyed)
    keyed.git("reset", "--quiet", "--hard", "HEAD~2")
    keyed.git("commit", "--quiet", "--allow-empty", "--message", "Aside")
    keyed.git("merge", "--quiet", "--strategy=ours", "--message", "Take it in", "refs/witness/wren")
    (found,) = [one for one in faults(keyed, SEEN=seen) if "wren saw" in one]
    assert "stands beside the first-parent line of HEAD" in found


@pytest.mark.deep
def test_a_newer_note_hides_no_older_one(keyed: GitRepo, tmp_path: Path) -> None:
    witness(keyed)
    seen, note = head(keyed), head(keyed, "refs/witness/wren")
    clone = fresh(forgery(tmp_path, "forger"), tmp_path, keyed)
    for parents in ((note,), (head(clone), note)):
        pose(clone, "wren", "forger", parents=parents)
        (found,) = faults(clone, SEEN=seen)
        assert found.startswith("verify-rewritten: commit SEEN, which wren saw and signed on DAY with a key that ")


@pytest.mark.deep
def test_a_signed_note_that_is_not_in_keeping_with_its_commit(keyed: GitRepo) -> None:
    for key in ("tree", "ledger"):
        pose(keyed, "wren", "wren", change=partial(re.sub, rf"(?m)^({key:<7}).{{8}}", r"\g<1>00000000"))
        (found,) = faults(keyed)
        assert re.fullmatch(
            rf"verify-rewritten: commit HEAD, which wren saw and signed on DAY, had the {key} 00000000\w{{4}}, and has "
            r"\w{12}",
            found,
        )
        assert seen_by(keyed, code=1) == []
        keyed.git("update-ref", "-d", "refs/witness/wren")


@pytest.mark.deep
def test_a_branch_of_ones_own_is_no_other_history(keyed: GitRepo) -> None:
    witness(keyed)
    seen = head(keyed)
    keyed.git("switch", "--quiet", "--create", "draft", "HEAD~1")
    keyed.git("commit", "--quiet", "--allow-empty", "--message", "My own")
    assert faults(keyed, code=0, SEEN=seen) == [
        "verify-unproven: commit SEEN, which wren saw and signed on DAY, is on the branch main, and HEAD is on "
        "another: it is not compared"
    ]
    keyed.git("branch", "--quiet", "--delete", "--force", "main")
    (found,) = faults(keyed, SEEN=seen)
    assert found.startswith(
        "verify-rewritten: commit SEEN, which wren saw and signed on DAY, is not in the history of HEAD"
    )


@pytest.mark.deep
def test_of_a_shallow_clone_nothing_is_guessed(keyed: GitRepo, tmp_path: Path) -> None:
    witness(keyed)
    seen = head(keyed)
    passed(keyed, 303, TEA, "2026-01-07")
    subprocess.run(
        ["git", "clone", "--quiet", "--depth=2", f"file://{keyed.path}", str(tmp_path / "fresh")],
        check=True,
        capture_output=True,
    )
    clone = GitRepo(tmp_path / "fresh")
    clone.git("fetch", "--quiet", "--depth=1", f"file://{keyed.path}", "refs/witness/*:refs/witness/*")
    assert "verify-unproven: commit SEEN, which wren saw and signed on DAY, is not in this shallow clone" in faults(
        clone, SEEN=seen
    )


@pytest.mark.deep
def test_a_newer_note_on_another_branch_hides_no_older_one(keyed: GitRepo, tmp_path: Path) -> None:
    witness(keyed)
    seen, note = head(keyed), head(keyed, "refs/witness/wren")
    clone = fresh(forgery(tmp_path), tmp_path, keyed)
    clone.git("branch", "trunk", "HEAD")
    clone.git("commit", "--quiet", "--allow-empty", "--message", "Aside")
    clone.git("switch", "--quiet", "trunk")
    clone.git("commit", "--quiet", "--allow-empty", "--message", "Another end")
    clone.git("switch", "--quiet", "main")
    pose(clone, "wren", "wren", parents=(note,), change=partial(re.sub, "branch main", "branch trunk"), at="trunk")
    found, other = sorted(faults(clone, SEEN=seen), reverse=True)
    assert "on the branch trunk, and HEAD is on another" in found
    assert other.startswith("verify-rewritten: commit SEEN, which wren saw and signed on DAY, is not in the history")


@pytest.mark.deep
def test_to_move_the_game_into_a_folder_is_no_way_out(keyed: GitRepo, git_repo: Repos, tmp_path: Path) -> None:
    witness(keyed)
    seen = head(keyed)
    inner = forgery(tmp_path, "forger")
    shutil.rmtree(inner.path / ".git")
    moved = git_repo("moved")
    shutil.copytree(inner.path, moved.path / "games" / "tea")
    moved.commit("Bring the game")
    moved.git("fetch", "--quiet", str(keyed.path), "refs/witness/*:refs/witness/*")
    place = GitRepo.__new__(GitRepo)
    place.path, place.commits = moved.path / "games" / "tea", 0
    assert faults(place, SEEN=seen) == [
        "verify-rewritten: commit SEEN, which wren saw and signed on DAY with a key that players/wren.yml has only "
        "there, is not in the history of HEAD any more; HEAD is HEAD"
    ]


@pytest.mark.deep
def test_of_a_long_history_every_commit_that_is_lost_is_counted(keyed: GitRepo) -> None:
    common = head(keyed)
    for _ in range(103):
        keyed.git("commit", "--quiet", "--allow-empty", "--message", "x")
    witness(keyed)
    keyed.git("reset", "--quiet", "--hard", common)
    keyed.git("commit", "--quiet", "--allow-empty", "--message", "Another end")
    (found,) = faults(keyed, COMMON=common)
    assert found.endswith(": 103 commits are gone, and the last that both have is COMMON")
    (one,) = document(keyed, code=1)["faults"]
    assert one["finding"]["detail"].startswith("- 83 older\n")
