"""Another repository's past, read in one pass."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from nomicgen.importers.commit_log import CommitLog, Touched, parse_commit_log
from nomicgen.importers.git.history import newest_files, read_past
from nomicgen.importers.git.past import side_commits
from nomicgen.model.identifiers import CommitId
from nomicgen.repository.errors import NotVersioned, UnknownRevision, WriteFailed
from nomicgen.repository.first_parents import whereabouts
from nomicgen.repository.git_log import blob_id
from nomicgen.repository.git_state import inspect, scan
from nomicgen.repository.write_plan import WritePlan, execute
from tests.repository.crash import OLD
from tests.repository.places import contents, fill
from tests.repository.traps import RULE_A_FILE
from tests.support import GitRepo

Repos = Callable[..., GitRepo]


def story(repo: GitRepo) -> list[str]:
    """A line of three commits, the last of them a merge of a fourth."""
    begun = repo.commit("Begin", {"r/1.md": "one\n", "r/deep/2.md": "two\n", "README.md": "x\n"})
    repo.git("checkout", "--quiet", "-b", "side")
    side = repo.commit(
        "Aside\n\nIn two\nlines.", {"r/3.md": "three\n"}, author="Finch <f@example.org>"
    )
    repo.git("checkout", "--quiet", "main")
    readme = repo.commit("Words only", {"README.md": "y\n"})
    when = "2020-01-04T12:00:00+02:00"
    env = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
    repo.git("merge", "--quiet", "--no-ff", "--message=Join", "side", env=env)
    return [begun, side, readme, repo.git("rev-parse", "HEAD")]


def test_the_line_has_each_commit_and_a_merge_what_it_brings(git_repo: Repos) -> None:
    repo = git_repo()
    begun, side, readme, merge = story(repo)
    past = read_past(repo.path, "HEAD", ["r/*.md"], RULE_A_FILE)
    assert [one.sha for one in past.line] == [begun, readme, merge]
    assert set(past.commits) == {begun, side, readme, merge}
    came = Touched(path="r/3.md", before=None, after=blob_id(b"three\n"))
    assert [one.touched for one in past.line] == [
        (Touched(path="r/1.md", before=None, after=blob_id(b"one\n")),),
        (),
        (came,),
    ]
    last, aside = past.line[-1], past.commits[side]
    assert (last.parents, last.authored, last.day and str(last.day)) == (
        (readme, side),
        "2020-01-04T12:00:00+02:00",
        "2020-01-04",
    )
    assert (aside.author, aside.subject, aside.body, aside.touched) == (
        "Finch",
        "Aside",
        "In two\nlines.\n",
        (came,),
    )
    assert past.texts == {
        (blob_id(b"one\n"), "r/1.md"): RULE_A_FILE.read(b"one\n", "r/1.md"),
        (blob_id(b"three\n"), "r/3.md"): RULE_A_FILE.read(b"three\n", "r/3.md"),
    }
    assert {sha: [one.sha for one in brought] for sha, brought in side_commits(past).items()} == {
        merge: [side]
    }


@pytest.mark.parametrize(
    ("pattern", "paths"),
    [
        ("r/*.md", ["r/1.md"]),
        ("r/", ["r/1.md", "r/deep/2.md"]),
        ("r/**/*.md", ["r/1.md", "r/deep/2.md"]),
        ("README.md", ["README.md"]),
        ("nothing", []),
    ],
)
def test_a_pattern_names_files_from_the_top(
    pattern: str, paths: list[str], git_repo: Repos
) -> None:
    repo = git_repo()
    repo.commit("Begin", {"r/1.md": "one\n", "r/deep/2.md": "two\n", "README.md": "x\n"})
    past = read_past(repo.path / "r", "main", [pattern], RULE_A_FILE)
    assert [one.path for one in past.line[0].touched] == paths


def test_a_bare_clone_says_the_same(git_repo: Repos, tmp_path: Path) -> None:
    repo = git_repo()
    story(repo)
    repo.git("clone", "--quiet", "--bare", str(repo.path), str(tmp_path / "bare"))
    assert read_past(tmp_path / "bare", "main", ["r/*.md"], RULE_A_FILE) == read_past(
        repo.path, "HEAD", ["r/*.md"], RULE_A_FILE
    )


def test_a_shallow_clone_says_where_it_ends(git_repo: Repos, tmp_path: Path) -> None:
    repo = git_repo()
    _, _, readme, merge = story(repo)
    repo.git("clone", "--quiet", "--depth=2", f"file://{repo.path}", str(tmp_path / "shallow"))
    past = read_past(tmp_path / "shallow", "HEAD", ["r/*.md"], RULE_A_FILE)
    assert [(one.sha, one.boundary) for one in past.line] == [(readme, True), (merge, False)]


def test_links_and_modules_are_no_files(git_repo: Repos) -> None:
    repo = git_repo()
    repo.commit("Begin", {"r/1.md": "one\n"})
    (repo.path / "r/2.md").symlink_to("1.md")
    repo.commit("A link")
    assert read_past(repo.path, "HEAD", ["r/*.md"], RULE_A_FILE).line[1].touched == (
        Touched(path="r/2.md", before=None, after=None),
    )


def test_whereabouts_of_commits(git_repo: Repos) -> None:
    repo = git_repo()
    begun = repo.commit("Begin", {"r/1.md": "one\n"})
    repo.git("checkout", "--quiet", "-b", "side")
    side = repo.commit("Aside", {"r/1.md": "two\n"})
    past = read_past(repo.path, "main", ["r/*.md"], RULE_A_FILE)
    blob = blob_id(b"one\n")
    assert whereabouts(
        repo.path,
        past.line[-1].sha,
        {CommitId(begun), CommitId(side), CommitId(blob), CommitId("0" * 40)},
    ) == {
        begun: "reachable",
        side: "unreachable",
        blob: "missing",
        "0" * 40: "missing",
    }


@pytest.mark.parametrize("branch", ["nope", "", "--all"])
def test_a_branch_that_is_not_there(branch: str, git_repo: Repos) -> None:
    repo = git_repo()
    repo.commit("Begin", {"r/1.md": "one\n"})
    with pytest.raises(UnknownRevision):
        read_past(repo.path, branch, ["r/*.md"], RULE_A_FILE)


def test_a_folder_that_is_no_repository(tmp_path: Path) -> None:
    with pytest.raises(NotVersioned):
        read_past(tmp_path, "HEAD", ["r/*.md"], RULE_A_FILE)


def test_what_git_does_not_print_is_refused() -> None:
    assert parse_commit_log(b"") == CommitLog()
    with pytest.raises(ValueError, match="git log printed 'fatal: no'"):
        parse_commit_log(b"fatal: no")
    circle = [b"a" * 40, b"a" * 40, *[b""] * 6]
    with pytest.raises(ValueError, match="its own ancestors"):
        parse_commit_log(b"\0".join(circle))
    for cut in (b"a" * 40, b"\0".join([b"a" * 40, b"", b"Wren"]), b":100644 100644 b c M"):
        with pytest.raises(ValueError, match=r"git log printed|values to unpack"):
            parse_commit_log(cut)


def test_a_file_whose_contents_are_not_here_is_not_listed(git_repo: Repos) -> None:
    """A partial clone lacks the contents of some files."""
    repo = git_repo()
    repo.commit("Begin", {"r/1.md": "one\n", "large.bin": "large\n"})
    oid = blob_id(b"large\n")
    (repo.path / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    assert [*newest_files(repo.path, "HEAD")] == ["r/1.md"]


# The history that the program tells is the one that git itself tells, asked by the test.


ROOT = Path(__file__).parents[2]


def told(path: Path) -> list[tuple[str, ...]]:
    """Id, author, day and subject of each commit of the first-parent line, oldest first."""
    line = ("git", "log", "--first-parent", "--reverse", "--format=%H%x1f%an%x1f%cI%x1f%s")
    printed = subprocess.run(
        line, cwd=path, capture_output=True, check=True, encoding="utf-8"
    ).stdout
    return [tuple(one.split("\x1f")) for one in printed.splitlines()]


def test_a_history_with_merges_and_odd_names_is_told_alike(
    git_repo: Callable[..., GitRepo],
) -> None:
    repo = git_repo()
    repo.commit("Begin\n\nWith a body.", {"nomic.yml": "format: 1\n"})
    repo.git("checkout", "-q", "-b", "other")
    repo.commit("On a branch", {"proposals/a.md": "one\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("Ä subject: 'quoted', with a tab\tand more", {"proposals/b.md": "two\n"})
    repo.git("merge", "-q", "--no-ff", "-m", "Merge the branch", "other")
    found = [(one.sha, one.author, one.date, one.subject) for one in scan(repo.path).commits]
    assert [one[3] for one in found if one[3].startswith("Merge")] == ["Merge the branch"]
    assert found == told(repo.path)
    assert inspect(repo.path).head == repo.git("rev-parse", "HEAD")


def test_the_history_of_this_repository_is_told_alike() -> None:
    state = inspect(ROOT)
    if not state.present or state.shallow:
        pytest.skip("the project is in no whole repository")
    found = [(one.sha, one.author, one.date, one.subject) for one in scan(ROOT).commits]
    assert found == told(ROOT)


# A write of hundreds of files, flushed by several threads, is carried out whole or not at all like
# any other.


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return fill(tmp_path / "game", OLD)


def test_many_files_are_all_on_the_disk_before_the_write_is_decided(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: set[int] = set()
    missing: list[str] = []
    fsync, rename = os.fsync, os.rename

    def noted(handle: int) -> None:
        fsync(handle)
        flushed.add(os.fstat(handle).st_ino)

    def checked(source: Path, target: Path) -> None:
        if target.name == "commit":
            missing.extend(
                str(path) for path in source.iterdir() if path.stat().st_ino not in flushed
            )
        rename(source, target)

    monkeypatch.setattr(os, "fsync", noted)
    monkeypatch.setattr(os, "rename", checked)
    writes = {f"acts/2020-01-01-{number}.md": b"%d\n" % number for number in range(300)}
    execute(game, WritePlan(writes=writes))
    assert missing == []
    assert contents(game) == OLD | writes


def test_a_disk_that_refuses_one_of_many_files_refuses_the_write(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsync, made = os.fsync, []

    def refuse(handle: int) -> None:
        made.append(handle)
        if len(made) == 150:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(handle)

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(WriteFailed):
        execute(game, WritePlan(writes={f"acts/{number}.md": b"x\n" for number in range(300)}))
    assert contents(game) == OLD
    assert not (game / ".nomicgen").exists()
