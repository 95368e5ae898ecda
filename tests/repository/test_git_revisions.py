"""Other commits, read as objects: what they hold, what they changed, and that nothing of them is
checked out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from git import Actor
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nomicgen.files.text_encoding import SIZE_LIMIT, Oddity
from nomicgen.model.identifiers import CommitId
from nomicgen.repository.commits import commit
from nomicgen.repository.errors import NotVersioned, UnknownRevision
from nomicgen.repository.game_tree import read_tree
from nomicgen.repository.git_objects import TreeEntry, objects
from nomicgen.repository.git_revisions import (
    changed_on_disk,
    commit_id,
    files_at,
    game_of,
    has_commit,
    merge_base,
    touched_on_the_way,
)
from nomicgen.repository.git_state import folders
from tests.deep import examples
from tests.support import GitRepo

GAME = {
    "nomic.yml": "format: 1\n",
    "rules/203.md": "unanimous\n",
    "README.md": "us\n",
    "images/lamp.png": "png\n",
}


def game_at(root: Path, commit: str) -> dict[str, bytes | Oddity]:
    return game_of(root, files_at(root, CommitId(commit)))


@pytest.fixture
def repo(git_repo: Callable[..., GitRepo]) -> GitRepo:
    made = git_repo()
    made.commit("Begin", GAME)
    return made


def test_a_commit_is_known_by_its_id_its_branch_and_its_tag(repo: GitRepo) -> None:
    sha = repo.git("rev-parse", "HEAD")
    repo.git("tag", "--annotate", "--message", "first", "v1")
    assert [commit_id(repo.path, name) for name in (sha, sha[:9], "main", "HEAD", "v1")] == [
        sha
    ] * 5
    assert has_commit(repo.path, CommitId(sha))


@pytest.mark.parametrize(
    "name", ["", "nowhere", "--all", "-x", "HEAD:rules", "HEAD\n", "0" * 40, "main..main", "a b"]
)
def test_what_is_no_commit_is_an_error_with_a_remedy(repo: GitRepo, name: str) -> None:
    with pytest.raises(UnknownRevision, match="git knows no commit called") as caught:
        commit_id(repo.path, name)
    assert "git fetch" in caught.value.remedy
    assert not has_commit(repo.path, CommitId(name))


def test_outside_of_a_repository_no_commit_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(NotVersioned):
        commit_id(tmp_path, "HEAD")


def test_the_game_of_a_commit_is_what_was_on_disk(repo: GitRepo) -> None:
    before = read_tree(repo.path)
    sha = repo.git("rev-parse", "HEAD")
    repo.commit("Later", {"rules/203.md": "a majority\n", "players/wren.yml": "name: Wren\n"})
    assert game_at(repo.path, sha) == before
    assert game_at(repo.path, "HEAD") == read_tree(repo.path)
    assert before["images/lamp.png"] == b""
    assert "README.md" not in before


def test_a_game_below_the_top_has_its_own_paths_and_those_beside_it(
    git_repo: Callable[..., GitRepo],
) -> None:
    repo = git_repo()
    repo.commit(
        "Begin",
        {f"games/lamp/{path}": text for path, text in GAME.items()} | {"Makefile": "all:\n"},
    )
    root = repo.path / "games" / "lamp"
    found = files_at(root, CommitId("HEAD"))
    assert sorted(found) == sorted([*GAME, "../Makefile"])
    assert game_at(root, "HEAD") == read_tree(root)
    (root / "rules" / "204.md").write_text("new\n")
    (repo.path / "Makefile").write_text("none:\n")
    assert changed_on_disk(root, commit_id(root, "HEAD")) == {"rules/204.md", "../Makefile"}


def test_links_submodules_and_large_files_are_named_and_not_read(repo: GitRepo) -> None:
    (repo.path / "players").mkdir()
    (repo.path / "players" / "wren.yml").symlink_to("../../etc/passwd")
    (repo.path / "proposals").mkdir()
    (repo.path / "proposals" / "long.md").write_bytes(b"x" * (SIZE_LIMIT + 1))
    repo.git("add", "--all")
    module = "ab" * 20
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{module},proposals/house.md")
    repo.git("commit", "--quiet", "--message", "Odd")
    tree = game_at(repo.path, "HEAD")
    assert tree["players/wren.yml"] == Oddity("symlink", "../../etc/passwd")
    assert tree["proposals/long.md"] == Oddity("file-too-large", f"{SIZE_LIMIT + 1} bytes")
    assert tree["proposals/house.md"] == Oddity("submodule", module)
    assert files_at(repo.path, CommitId("HEAD"))["proposals/house.md"] == TreeEntry(
        mode="160000", oid=module, size=0
    )


def test_where_two_lines_parted_is_found_or_there_is_none(repo: GitRepo) -> None:
    parted = repo.git("rev-parse", "HEAD")
    repo.git("checkout", "--quiet", "-b", "theirs")
    theirs = repo.commit("Theirs", {"proposals/tea.md": "tea\n"})
    repo.git("checkout", "--quiet", "main")
    ours = repo.commit("Ours", {"rules/203.md": "a majority\n"})
    assert merge_base(repo.path, ours, theirs) == parted
    repo.git("checkout", "--quiet", "--orphan", "stray")
    stray = repo.commit("Stray", {"README.md": "alone\n"})
    assert merge_base(repo.path, ours, stray) is None


def test_what_changed_on_disk_has_untracked_and_removed_files_and_no_ignored_ones(
    repo: GitRepo,
) -> None:
    repo.commit("Ignore", {".gitignore": "/site/\n"})
    assert changed_on_disk(repo.path, CommitId(repo.git("rev-parse", "HEAD"))) == frozenset()
    repo.write(
        {
            "site/index.html": "x\n",
            "rules/203.md": None,
            "images/lamp.png": "other\n",
            "proposals/neu\u00e9.md": "x\n",
        }
    )
    repo.git("add", "images/lamp.png")
    changed = changed_on_disk(repo.path, CommitId(repo.git("rev-parse", "HEAD")))
    assert changed == {"rules/203.md", "images/lamp.png", "proposals/neu\u00e9.md"}


def test_nothing_of_a_commit_is_checked_out_and_no_setting_of_its_runs(
    repo: GitRepo, tmp_path: Path
) -> None:
    witness = tmp_path / "ran"
    repo.git("checkout", "--quiet", "-b", "theirs")
    repo.commit(
        "Theirs", {".gitattributes": "* filter=evil diff=evil\n", "proposals/tea.md": "tea\n"}
    )
    repo.git("checkout", "--quiet", "main")
    for key in ("filter.evil.smudge", "filter.evil.clean", "diff.evil.textconv", "diff.external"):
        repo.git("config", key, f"touch {witness}; cat")
    before = sorted(repo.path.iterdir())
    assert game_at(repo.path, "theirs")["proposals/tea.md"] == b"tea\n"
    assert changed_on_disk(repo.path, commit_id(repo.path, "theirs")) >= {"proposals/tea.md"}
    assert sorted(repo.path.iterdir()) == before
    assert not witness.exists()


@settings(
    max_examples=examples(0.2),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    files=st.dictionaries(
        st.sampled_from([f"proposals/a{n}.md" for n in range(9)]),
        st.binary(max_size=99),
        max_size=9,
    )
)
def test_every_byte_of_every_blob_comes_back(repo: GitRepo, files: Mapping[str, bytes]) -> None:
    repo.git("rm", "--quiet", "--cached", "-r", "--ignore-unmatch", "proposals")
    for path, data in files.items():
        (repo.path / path).parent.mkdir(exist_ok=True)
        (repo.path / path).write_bytes(data)
    if files:
        repo.git("add", "--", *files)
    repo.git("commit", "--quiet", "--allow-empty", "--message", "Bytes")
    found = {
        path: entry
        for path, entry in files_at(repo.path, CommitId("HEAD")).items()
        if path.startswith("proposals/")
    }
    blobs = objects(repo.path, [entry.oid for entry in found.values()])
    assert {path: blobs[entry.oid] for path, entry in found.items()} == files
    assert all(entry.size == len(files[path]) for path, entry in found.items())


def test_a_commit_that_merges_has_two_parents_and_nothing_of_the_second(repo: GitRepo) -> None:
    base = repo.git("rev-parse", "HEAD")
    repo.git("checkout", "--quiet", "-b", "theirs")
    theirs = repo.commit("Theirs", {"proposals/tea.md": "tea\n", "Makefile": "evil:\n"})
    repo.git("checkout", "--quiet", "main")
    repo.write({"rules/203.md": "a majority\n"})
    made = commit(
        repo.path,
        ["rules/203.md"],
        "Adopted\n",
        author=Actor("Wren", "wren@users.example"),
        merges=theirs,
    )
    assert repo.git("show", "--no-patch", "--format=%P%n%an <%ae>%n%cn", made).splitlines() == [
        f"{base} {theirs}",
        "Wren <wren@users.example>",
        "Ada Player",
    ]
    assert sorted(files_at(repo.path, CommitId(made))) == sorted(GAME)
    assert repo.git("merge-base", "--is-ancestor", theirs, "main") == ""
    assert repo.git("status", "--porcelain") == ""
    assert repo.git("fsck", "--strict") == ""


# What the commits on the way to a pull request's last one touched, even if it is undone in the end.


def test_what_is_undone_was_touched(git_repo: Callable[..., GitRepo]) -> None:
    repo = git_repo()
    base = repo.commit("one", {"a.md": "a\n", "b.md": "b\n"})
    repo.commit("two", {"c.md": "c\n", "a.md": None, "né\nw.md": "n\n"})
    head = repo.commit("three", {"c.md": None, "a.md": "a\n", "né\nw.md": None, "d.md": "d\n"})
    assert touched_on_the_way(repo.path, base, head) == {"a.md", "c.md", "d.md", "né\nw.md"}
    assert touched_on_the_way(repo.path, head, head) == frozenset()
    assert touched_on_the_way(repo.path, head, base) == frozenset()


def test_what_is_slipped_into_a_merge_was_touched_and_what_it_merges_was_not(
    git_repo: Callable[..., GitRepo],
) -> None:
    repo = git_repo()
    repo.commit("one", {"a.md": "a\n"})
    repo.git("checkout", "--quiet", "-b", "side")
    repo.commit("mine", {"b.md": "b\n"})
    repo.git("checkout", "--quiet", "main")
    base = repo.commit("theirs", {"a.md": "A\n"})
    repo.git("checkout", "--quiet", "side")
    repo.git("merge", "--quiet", "--no-edit", "main")
    assert touched_on_the_way(repo.path, base, "HEAD") == {"b.md"}
    repo.write({"evil.yml": "on: push\n"})
    repo.git("add", "evil.yml")
    repo.git("commit", "--quiet", "--amend", "--no-edit")
    assert touched_on_the_way(repo.path, base, "HEAD") == {"b.md", "evil.yml"}


def test_a_game_in_a_folder_has_its_own_paths(git_repo: Callable[..., GitRepo]) -> None:
    repo = git_repo()
    base = repo.commit("one", {"games/tea/nomic.yml": "a\n"})
    head = repo.commit("two", {"games/tea/proposals/x.md": "x\n", "README.md": "r\n"})
    assert touched_on_the_way(repo.path / "games" / "tea", base, head) == {
        "proposals/x.md",
        "../README.md",
    }


# Where git keeps what changes with a commit.


def test_a_repository_keeps_all_in_one_folder(git_repo: Callable[..., GitRepo]) -> None:
    repo = git_repo()
    repo.write({"game/nomic.yml": "name: Tea\n"})
    assert folders(repo.path / "game") == (repo.path.resolve() / ".git",)


def test_a_linked_work_tree_has_a_head_of_its_own(
    git_repo: Callable[..., GitRepo], tmp_path: Path
) -> None:
    repo = git_repo()
    repo.commit("Begin", {"nomic.yml": "name: Tea\n"})
    repo.git("worktree", "add", "--quiet", str(tmp_path / "other"))
    own, common = folders(tmp_path / "other")
    assert common == repo.path.resolve() / ".git"
    assert own == common / "worktrees" / "other"
    assert (own / "HEAD").is_file()


def test_outside_a_repository_there_are_none(tmp_path: Path) -> None:
    assert folders(tmp_path) == ()
