"""Commits of exactly what was asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from git import Actor

from nomicgen.repository import commits
from nomicgen.repository.commits import commit, init, require_ready
from nomicgen.repository.errors import (
    Detached,
    GitBusy,
    GitFailed,
    NoIdentity,
    NothingToCommit,
    NotVersioned,
    UnsafePath,
)
from nomicgen.repository.git_state import inspect
from nomicgen.repository.write_plan import WritePlan, execute
from tests.repository.places import fill
from tests.support import GitRepo

GAME = {
    "nomic.yml": "format: 1\n",
    "rules/203.md": "unanimous\n",
    "rules/209.md": "at most 25\n",
    "README.md": "us\n",
}


@pytest.fixture
def repo(git_repo: Callable[..., GitRepo]) -> GitRepo:
    made = git_repo()
    made.commit("Begin", GAME)
    return made


def changes(repo: GitRepo, commit: str = "HEAD") -> list[str]:
    return repo.git("show", "--format=", "--name-status", "--no-renames", commit).splitlines()


def test_exactly_the_paths_are_committed_and_all_else_stays_as_it_was(repo: GitRepo) -> None:
    repo.write(
        {"README.md": "staged\n", "rules/301.md": "staged and new\n", "rules/302.md": "untracked\n"}
    )
    repo.git("add", "README.md", "rules/301.md")
    repo.write(
        {"README.md": "staged, then changed again\n", "nomic.yml": "format: 1\nname: changed\n"}
    )
    before = repo.git("status", "--porcelain")
    assert before == "MM README.md\n M nomic.yml\nA  rules/301.md\n?? rules/302.md"
    repo.write(
        {"rules/203.md": "a majority\n", "rules/209.md": None, "proposals/301.md": "adopted\n"}
    )
    old = repo.git("rev-parse", "HEAD")
    paths = ["rules/203.md", "rules/209.md", "proposals/301.md"]
    message = "Apply Proposal 301\n\nInstrument: proposals/301.md\n"
    made = commit(repo.path, paths, message)
    assert repo.git("rev-parse", "HEAD", "main") == f"{made}\n{made}"
    assert repo.git("rev-parse", "HEAD^") == old
    assert changes(repo) == ["A\tproposals/301.md", "M\trules/203.md", "D\trules/209.md"]
    assert repo.git("show", "--no-patch", "--format=%B") == message.rstrip("\n")
    assert repo.git("status", "--porcelain") == before
    assert repo.git("show", ":README.md") == "staged"
    assert repo.git("reflog", "show", "-1", "--format=%gs", "HEAD") == "commit: Apply Proposal 301"


def test_paths_that_were_staged_otherwise_are_committed_as_they_are_on_disk(repo: GitRepo) -> None:
    repo.write({"rules/203.md": "staged\n", "rules/301.md": "staged\n"})
    repo.git("add", ".")
    repo.write({"rules/203.md": "on disk\n", "rules/301.md": None})
    commit(repo.path, ["rules/203.md", "rules/301.md"], "x\n")
    assert changes(repo) == ["M\trules/203.md"]
    assert repo.git("show", "HEAD:rules/203.md") == "on disk"
    assert repo.git("status", "--porcelain") == ""


def test_the_first_commit_may_leave_things_out(git_repo: Callable[..., GitRepo]) -> None:
    repo = git_repo()
    fill(repo.path, GAME)
    repo.git("add", "README.md")
    made = commit(repo.path, ["nomic.yml", "rules/203.md"], "Begin\n")
    assert repo.git("rev-list", "HEAD") == made
    assert repo.git("ls-tree", "-r", "--name-only", "HEAD").splitlines() == [
        "nomic.yml",
        "rules/203.md",
    ]
    assert repo.git("status", "--porcelain") == "A  README.md\n?? rules/209.md"


def test_a_detached_head_moves_and_its_branch_does_not(repo: GitRepo) -> None:
    """Where HEAD is detached while a command runs; before it begins, `require_ready` refuses."""
    begun = repo.git("rev-parse", "main")
    repo.git("switch", "--quiet", "--detach")
    with pytest.raises(Detached):
        require_ready(repo.path)
    repo.write({"rules/203.md": "a majority\n"})
    made = commit(repo.path, ["rules/203.md"], "x\n")
    assert repo.git("rev-parse", "HEAD", "main") == f"{made}\n{begun}"


def test_a_branch_that_is_called_head_is_a_branch(repo: GitRepo) -> None:
    repo.git("update-ref", "refs/heads/HEAD", "HEAD")
    repo.git("symbolic-ref", "HEAD", "refs/heads/HEAD")
    require_ready(repo.path)


def test_a_game_below_the_top_is_committed_by_its_own_paths(repo: GitRepo) -> None:
    game = fill(
        repo.path / "games" / "ünser game", {"rules/203.md": "ours\n", "nomic.yml": "format: 1\n"}
    )
    repo.write({"rules/203.md": "the outer one\n"})
    commit(game, ["rules/203.md"], "x\n")
    assert (
        repo.git("-c", "core.quotePath=false", "show", "--format=", "--name-only")
        == "games/ünser game/rules/203.md"
    )
    assert inspect(game).dirty == ("nomic.yml",)
    assert inspect(repo.path).dirty == ("rules/203.md",)


def test_a_file_may_take_the_place_of_a_directory(repo: GitRepo) -> None:
    repo.write({"rules/203.md": None, "rules/209.md": None})
    (repo.path / "rules").rmdir()
    repo.write({"rules": "a file\n"})
    commit(repo.path, ["rules"], "x\n")
    assert repo.git("ls-tree", "-r", "--name-only", "HEAD").splitlines() == [
        "README.md",
        "nomic.yml",
        "rules",
    ]


def test_names_that_mean_something_to_git_are_only_names(repo: GitRepo) -> None:
    odd = [":(glob)**", "*.md", "-a", "rules/ü [1].md", '"quoted"']
    repo.write({**dict.fromkeys(odd, "x\n"), "rules/203.md": "not asked for\n"})
    commit(repo.path, odd, "x\n")
    names = repo.git("show", "--format=", "--name-only", "-z").rstrip("\0").split("\0")
    assert sorted(names) == sorted(odd)
    assert repo.git("status", "--porcelain") == " M rules/203.md"


def test_author_and_date_are_as_given(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2021-01-01T00:00:00Z")
    repo.git("config", "i18n.commitEncoding", "latin-1")
    repo.write({"rules/203.md": "a majority\n"})
    when = datetime(1994, 7, 27, 18, 30, tzinfo=timezone(timedelta(hours=-5, minutes=-30)))
    commit(
        repo.path,
        ["rules/203.md"],
        "Grüße 🎲\n",
        author=Actor("Käthe O'Neill", "k@example.org"),
        date=when,
    )
    shown = repo.git("log", "-1", "--encoding=UTF-8", "--format=%an|%ae|%aI|%cn|%cI|%s")
    assert shown == (
        "Käthe O'Neill|k@example.org|1994-07-27T18:30:00-05:30|Ada "
        "Player|2021-01-01T00:00:00+00:00|Grüße 🎲"
    )


def test_a_date_needs_a_time_zone(repo: GitRepo) -> None:
    with pytest.raises(ValueError, match="without a time zone"):
        commit(
            repo.path,
            ["rules/203.md"],
            "x\n",
            date=datetime(2020, 1, 1, tzinfo=UTC).replace(tzinfo=None),
        )


def test_nothing_new_is_no_commit(repo: GitRepo, git_repo: Callable[..., GitRepo]) -> None:
    before = repo.git("rev-parse", "HEAD")
    for paths in (["rules/203.md"], ["rules/none.md"], []):
        with pytest.raises(NothingToCommit):
            commit(repo.path, paths, "x\n")
    assert repo.git("rev-parse", "HEAD") == before
    empty = git_repo("empty")
    with pytest.raises(NothingToCommit):
        commit(empty.path, ["rules/none.md"], "x\n")


def test_without_an_identity_nothing_is_committed_and_the_way_on_is_named(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (
        "GIT_AUTHOR_NAME",
        "GIT_AUTHOR_EMAIL",
        "GIT_COMMITTER_NAME",
        "GIT_COMMITTER_EMAIL",
        "EMAIL",
    ):
        monkeypatch.delenv(name, raising=False)
    repo.git("config", "user.useConfigOnly", "true")
    repo.write({"rules/203.md": "a majority\n"})
    before = repo.git("rev-parse", "HEAD")
    with pytest.raises(NoIdentity):
        require_ready(repo.path)
    for author in (None, Actor("Ada", "a@b")):
        with pytest.raises(NoIdentity) as caught:
            commit(repo.path, ["rules/203.md"], "x\n", author=author)
        assert "git config --global user.name" in caught.value.remedy
        assert "git config --global user.email" in caught.value.remedy
    assert repo.git("rev-parse", "HEAD") == before
    assert repo.git("status", "--porcelain") == " M rules/203.md"
    repo.git("config", "user.name", "Kit")
    repo.git("config", "user.email", "kit@example.org")
    commit(repo.path, ["rules/203.md"], "x\n")
    assert (
        repo.git("log", "-1", "--format=%an <%ae> %cn <%ce>")
        == "Kit <kit@example.org> Kit <kit@example.org>"
    )


def test_hooks_do_not_run(repo: GitRepo) -> None:
    for name in (
        "pre-commit",
        "commit-msg",
        "post-commit",
        "post-index-change",
        "reference-transaction",
    ):
        hook = repo.path / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch '{repo.path.parent}/ran'\nexit 1\n")
        hook.chmod(0o755)
    repo.write({"rules/203.md": "a majority\n"})
    commit(repo.path, ["rules/203.md"], "x\n")
    assert not (repo.path.parent / "ran").exists()


def test_a_commit_is_signed_where_the_settings_say_so(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    signer = repo.path.parent / "signer"
    signer.write_text(
        "#!/bin/sh\ncat >/dev/null\necho '[GNUPG:] SIG_CREATED ' >&2\necho signature\n"
    )
    signer.chmod(0o755)
    own = repo.path.parent / "own"
    own.write_text(f"[gpg]\n\tprogram = {signer}\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(own))
    repo.git("config", "gpg.program", "false")
    repo.git("config", "commit.gpgSign", "yes")
    repo.write({"rules/203.md": "a majority\n"})
    commit(repo.path, ["rules/203.md"], "x\n")
    assert "gpgsig signature" in repo.git("cat-file", "commit", "HEAD")
    signer.write_text("#!/bin/sh\nexit 1\n")
    repo.write({"rules/203.md": "two thirds\n"})
    with pytest.raises(GitFailed, match="gpg failed to sign"):
        commit(repo.path, ["rules/203.md"], "x\n")
    repo.git("config", "commit.gpgSign", "no")
    commit(repo.path, ["rules/203.md"], "x\n")
    assert "gpgsig" not in repo.git("cat-file", "commit", "HEAD")


def test_line_ends_are_what_git_attributes_say(repo: GitRepo) -> None:
    repo.write({".gitattributes": "* text=auto eol=lf\n"})
    repo.commit("Attributes")
    repo.git("config", "core.autocrlf", "true")
    repo.write({"rules/203.md": "a majority\r\n"})
    commit(repo.path, ["rules/203.md"], "x\n")
    assert repo.git("cat-file", "blob", "HEAD:rules/203.md") == "a majority"


@pytest.mark.parametrize("link", ["rules/203.md", "rules"])
def test_no_link_is_committed(repo: GitRepo, link: str) -> None:
    (repo.path / link).rename(repo.path / "moved")
    (repo.path / link).symlink_to(repo.path / "moved")
    with pytest.raises(UnsafePath, match=f"{link} is a symbolic link"):
        commit(repo.path, ["rules/203.md"], "x\n")


def test_in_the_middle_of_a_merge_nothing_is_committed(repo: GitRepo) -> None:
    repo.git("switch", "--quiet", "-c", "other")
    repo.commit("Other", {"rules/203.md": "other\n"})
    repo.git("switch", "--quiet", "main")
    head = repo.commit("Main", {"rules/203.md": "main\n"})
    with pytest.raises(AssertionError):
        repo.git("merge", "other")
    repo.write({"rules/209.md": "at most 30\n"})
    with pytest.raises(GitBusy) as caught:
        commit(repo.path, ["rules/209.md"], "x\n")
    assert str(caught.value) == "git is in the middle of a merge"
    assert "git merge --abort" in caught.value.remedy
    repo.git("merge", "--abort")
    repo.git("restore", "rules/209.md")
    with pytest.raises(AssertionError):
        repo.git("rebase", "other")
    with pytest.raises(GitBusy, match="rebase"):
        commit(repo.path, ["rules/209.md"], "x\n")
    repo.git("rebase", "--abort")
    assert repo.git("rev-parse", "HEAD") == head


def test_with_the_index_locked_nothing_is_committed(repo: GitRepo) -> None:
    head = repo.git("rev-parse", "HEAD")
    repo.write({"rules/203.md": "a majority\n", ".git/index.lock": ""})
    with pytest.raises(GitBusy, match="another git command holds the index"):
        commit(repo.path, ["rules/203.md"], "x\n")
    assert repo.git("rev-parse", "HEAD") == head
    repo.write({".git/index.lock": None})
    commit(repo.path, ["rules/203.md"], "x\n")


@pytest.fixture
def quicker(repo: GitRepo, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], list[str]]:
    """Lets somebody else commit just before each of so many attempts to move the branch."""

    def make(times: int) -> list[str]:
        moved: list[str] = []
        stage = commits._stage

        def meddling(root: Path, paths: Collection[str], environment: Mapping[str, str]) -> None:
            stage(root, paths, environment)
            if environment["GIT_INDEX_FILE"].endswith("index") and len(moved) < times:
                moved.append(
                    repo.git(
                        "commit-tree", "-p", "HEAD", "-m", "Someone was quicker", "HEAD^{tree}"
                    )
                )
                repo.git("update-ref", "HEAD", moved[-1])

        monkeypatch.setattr(commits, "_stage", meddling)
        return moved

    return make


def test_a_commit_goes_on_top_of_one_that_was_quicker(
    repo: GitRepo, quicker: Callable[[int], list[str]]
) -> None:
    repo.write({"rules/203.md": "a majority\n"})
    moved = quicker(1)
    commit(repo.path, ["rules/203.md"], "x\n")
    assert repo.git("rev-parse", "HEAD^") == moved[0]
    assert changes(repo) == ["M\trules/203.md"]
    assert repo.git("status", "--porcelain") == ""


def test_a_branch_that_keeps_moving_is_not_moved_back(
    repo: GitRepo, quicker: Callable[[int], list[str]]
) -> None:
    repo.write({"rules/203.md": "a majority\n"})
    moved = quicker(1000)
    with pytest.raises(GitBusy, match="the branch moved"):
        commit(repo.path, ["rules/203.md"], "x\n")
    assert repo.git("rev-parse", "HEAD") == moved[-1]
    assert repo.git("status", "--porcelain").strip() == "M rules/203.md"


def test_a_branch_that_is_held_says_so_and_nothing_is_staged(repo: GitRepo) -> None:
    head = repo.git("rev-parse", "HEAD")
    branch = repo.git("symbolic-ref", "HEAD")
    repo.write({"rules/203.md": "a majority\n", f".git/{branch}.lock": ""})
    with pytest.raises(GitBusy, match="another git command holds the branch"):
        commit(repo.path, ["rules/203.md"], "x\n")
    assert repo.git("rev-parse", "HEAD") == head
    assert repo.git("diff", "--cached", "--name-only") == ""


def test_what_is_staged_stays_so_when_a_hook_names_the_index(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.write({"other.md": "staged\n", "rules/203.md": "a majority\n"})
    repo.git("add", "other.md")
    monkeypatch.setenv("GIT_INDEX_FILE", str(repo.path / ".git" / "index"))
    commit(repo.path, ["rules/203.md"], "x\n")
    assert changes(repo) == ["M\trules/203.md"]
    assert repo.git("diff", "--cached", "--name-only") == "other.md"


def test_with_the_index_locked_nothing_is_ready(repo: GitRepo) -> None:
    repo.write({".git/index.lock": ""})
    with pytest.raises(GitBusy, match="another git command holds the index") as caught:
        require_ready(repo.path)
    assert "remove `.git/index.lock`" in caught.value.remedy


def test_outside_of_a_repository_there_is_nothing_to_commit_to(tmp_path: Path) -> None:
    fill(tmp_path, GAME)
    with pytest.raises(NotVersioned):
        require_ready(tmp_path)
    with pytest.raises(NotVersioned) as caught:
        commit(tmp_path, ["nomic.yml"], "x\n")
    assert "`git init`" in caught.value.remedy
    init(tmp_path)
    require_ready(tmp_path)
    commit(tmp_path, ["nomic.yml"], "x\n")


def test_a_plan_and_its_commit_leave_a_clean_tree(repo: GitRepo) -> None:
    plan = WritePlan(
        writes={"rules/203.md": b"a majority\n", "turns/R1T1.yml": b"x\n"},
        deletes=frozenset({"README.md"}),
    )
    execute(repo.path, plan)
    commit(repo.path, [*plan.writes, *plan.deletes], "Apply\n")
    assert repo.git("status", "--porcelain", "--ignored") == ""
    assert repo.git("fsck", "--strict") == ""
