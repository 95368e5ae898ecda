"""Every state that a repository can be in, and every kind of command: it works, or is refused with
the reason.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from nomicgen.repository.git_state import inspect
from tests.case_files import case_folder
from tests.cli.playing import refused, run
from tests.deep import sampled
from tests.support import ROOT, GitRepo, mkdocs_build

pytestmark = pytest.mark.deep

READERS = ("check", "status", "rule history 101", "verify")
WRITERS = (
    "register coffee --on 2026-01-06",
    "vote 301 for --player wren --on 2026-01-06",
    "proposal resolve 301 --on 2026-01-06",
    "init --name Second --on 2026-01-06 {root}/second",
    "import text {aside}/rules.txt --map numbered --into {root}/third --on 2026-01-06",
)
FEW = (WRITERS[0], WRITERS[3])
"""One that changes files and one that adds a game: enough where nothing but the index, or a hook,
is odd.
"""
NAMES = (
    "GIT_AUTHOR_NAME",
    "GIT_AUTHOR_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_COMMITTER_EMAIL",
    "EMAIL",
)


def clashing(repo: GitRepo, *command: str) -> None:
    """A git command that stops at a conflict."""
    with pytest.raises(AssertionError):
        repo.git(*command)


def rebasing(repo: GitRepo) -> None:
    clashing(repo, "rebase", "other")


def mailing(repo: GitRepo) -> None:
    (repo.path.parent / "patch").write_text(
        repo.git("format-patch", "-1", "--stdout", "other") + "\n"
    )
    clashing(repo, "am", str(repo.path.parent / "patch"))


def merging(repo: GitRepo) -> None:
    clashing(repo, "merge", "other")


def picking(repo: GitRepo) -> None:
    clashing(repo, "cherry-pick", "other")


def picking_several(repo: GitRepo) -> None:
    """The first is settled by hand, and the second waits."""
    clashing(repo, "cherry-pick", "other~1", "other")
    repo.write({"notes.txt": "both\n"})
    repo.git("commit", "--quiet", "--all", "--message=both")


def reverting(repo: GitRepo) -> None:
    clashing(repo, "revert", "--no-edit", "other")


def bisecting(repo: GitRepo) -> None:
    repo.git("bisect", "start")
    repo.git("bisect", "bad")


def detached(repo: GitRepo) -> None:
    repo.git("switch", "--quiet", "--detach")


def dirty(repo: GitRepo) -> None:
    repo.write({"notes.txt": "staged\n", "aside/a.txt": "changed\n", "new.txt": "new\n"})
    repo.git("add", "notes.txt")


def unmerged(repo: GitRepo) -> None:
    """Entries that a stash left in conflict: git is in the middle of nothing."""
    repo.write({"notes.txt": "stashed\n"})
    repo.git("stash", "--quiet")
    repo.write({"notes.txt": "otherwise\n"})
    repo.git("commit", "--quiet", "--all", "--message=otherwise")
    clashing(repo, "stash", "pop")


def sparse(repo: GitRepo) -> None:
    repo.git("sparse-checkout", "set", "--no-cone", "/*", "!/aside/", "!/rules/initial/1*.md")


def sparse_beside(repo: GitRepo) -> None:
    """The game is whole, and some of it stands where the patterns do not reach."""
    repo.git("sparse-checkout", "set", "--no-cone", "/*", "!/aside/")


def sparse_index(repo: GitRepo) -> None:
    folders = [
        path.name
        for path in repo.path.iterdir()
        if path.is_dir() and path.name not in (".git", "aside")
    ]
    repo.git("sparse-checkout", "set", "--cone", "--sparse-index", *folders)


def cloned(repo: GitRepo, *options: str) -> None:
    """A clone takes the repository's place, and that is gone."""
    aside = repo.path.with_name("origin")
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.path.rename(aside)
    GitRepo(repo.path.with_name("workshop")).git(
        "clone", "--quiet", *options, f"file://{aside}", str(repo.path)
    )


def partial(repo: GitRepo) -> None:
    cloned(repo, "--filter=blob:none")


def treeless(repo: GitRepo) -> None:
    cloned(repo, "--filter=tree:0")


def shallow(repo: GitRepo) -> None:
    cloned(repo, "--depth=1")


def linked(repo: GitRepo) -> None:
    """A linked work tree takes the repository's place."""
    origin = repo.path.rename(repo.path.with_name("origin"))
    GitRepo(origin).git("worktree", "add", "--quiet", str(repo.path), "-b", "linked")


def submodule(repo: GitRepo) -> None:
    """The game is a submodule of another repository."""
    origin = repo.path.rename(repo.path.with_name("origin"))
    outer = GitRepo(repo.path.with_name("outer"))
    outer.git(
        "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(origin), "inner"
    )
    outer.commit("Outer")
    repo.path = outer.path / "inner"


def holding_a_submodule(repo: GitRepo) -> None:
    other = GitRepo(repo.path.with_name("other"))
    other.commit("Other", {"a.txt": "a\n"})
    repo.git(
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        str(other.path),
        "aside/module",
    )
    repo.commit("A submodule")
    (repo.path / "aside" / "module" / "a.txt").write_text("changed\n")


def in_another_format(*options: str) -> Callable[[GitRepo], None]:
    def make(repo: GitRepo) -> None:
        shutil.rmtree(repo.path / ".git")
        repo.git("init", "--quiet", "--initial-branch=main", *options)
        repo.commit("All of it")

    return make


def of_the_future(repo: GitRepo) -> None:
    """What git is to refuse, for it does not know how to read it: so does an older one with
    reftables.
    """
    repo.git("config", "core.repositoryFormatVersion", "1")
    repo.git("config", "extensions.refStorage", "cuneiform")


def hooks_fail(repo: GitRepo) -> None:
    for name in (
        "pre-commit",
        "commit-msg",
        "post-commit",
        "post-index-change",
        "reference-transaction",
    ):
        hook = repo.path / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\nexit 1\n")
        hook.chmod(0o755)


def no_key(repo: GitRepo) -> None:
    repo.git("config", "commit.gpgSign", "true")
    repo.git("config", "user.signingKey", "no such key")


def nameless(repo: GitRepo) -> None:
    repo.git("config", "user.useConfigOnly", "true")


def index_of(*settings: str) -> Callable[[GitRepo], None]:
    def make(repo: GitRepo) -> None:
        repo.git("update-index", *settings)

    return make


def work_tree_elsewhere(repo: GitRepo) -> None:
    (repo.path.parent / "elsewhere").mkdir()
    repo.git("config", "core.worktree", str(repo.path.parent / "elsewhere"))


def called_bare(repo: GitRepo) -> None:
    repo.git("config", "core.bare", "true")


@dataclass(frozen=True, kw_only=True)
class State:
    """How it comes about; a reader's exit code and what it says, if not 0; why every writer is
    refused, if it is.

    `founders` is whether that holds for a new game in a folder of its own too. `left` is what `git
    status` says after the writers that are `tried` have committed: what was there before, and
    nothing of theirs.
    """

    make: Callable[[GitRepo], None]
    readers: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    writers: str = ""
    founders: bool = True
    left: tuple[str, ...] = ()
    tried: tuple[str, ...] = WRITERS


def under_way(make: Callable[[GitRepo], None], what: str, ending: str) -> State:
    return State(
        make=make,
        writers=f"git is in the middle of a {what}\n"
        f"help: end it, e.g. with `{ending}`, then try again",
    )


_LACKING = "this is a partial clone, and what is needed is not in it"
_DETACHED = (
    "no branch is checked out (HEAD is detached), so a commit would be on none\n"
    "help: type `git switch BRANCH` to go to one, or `git switch -c NAME` to begin one here; "
    "then try again"
)
_LEFT_OUT = (
    "a sparse checkout leaves files of the game out: rules/initial/101.md and 15 more\n"
    "help: bring them back"
)
_SAID = "say that it is elsewhere, or that there is none\nhelp: look at core.worktree and core.bare"

STATES = {
    "as usual": State(make=lambda repo: None),
    "detached": State(make=detached, writers=_DETACHED),
    "rebase": under_way(rebasing, "rebase", "git rebase --abort"),
    "am": under_way(mailing, "git am", "git am --abort"),
    "merge": under_way(merging, "merge", "git merge --abort"),
    "cherry-pick": under_way(picking, "cherry-pick", "git cherry-pick --abort"),
    "several picks": under_way(
        picking_several, "cherry-pick or a revert", "git cherry-pick --quit"
    ),
    "revert": under_way(reverting, "revert", "git revert --abort"),
    "bisect": under_way(bisecting, "bisect", "git bisect reset"),
    "dirty": State(make=dirty, left=(" M aside/a.txt", "?? new.txt", "M  notes.txt")),
    "unmerged": State(make=unmerged, left=("UU notes.txt",), tried=FEW),
    "sparse": State(
        make=sparse,
        readers=dict.fromkeys(READERS, (2, _LEFT_OUT)),
        writers=_LEFT_OUT,
        founders=False,
    ),
    "sparse beside": State(make=sparse_beside, tried=FEW),
    "sparse index": State(make=sparse_index, tried=FEW),
    "partial clone": State(make=partial, readers={"verify": (2, _LACKING)}),
    "treeless clone": State(
        make=treeless, readers={"rule history 101": (2, _LACKING), "verify": (2, _LACKING)}
    ),
    "shallow clone": State(
        make=shallow, readers={"check": (0, "git-shallow"), "verify": (1, "--unshallow")}
    ),
    "linked work tree": State(make=linked),
    "submodule": State(make=submodule),
    "holding a submodule": State(make=holding_a_submodule, left=(" M aside/module",)),
    "SHA-256": State(make=in_another_format("--object-format=sha256")),
    "of the future": State(
        make=of_the_future,
        readers=dict.fromkeys(
            ("check", "rule history 101", "verify"), (2, "unknown repository extension found")
        ),
        writers="unknown repository extension found",
    ),
    "failing hooks": State(make=hooks_fail, tried=FEW),
    "no key": State(make=no_key, writers="gpg failed to sign"),
    "no name": State(make=nameless, writers="git does not know in whose name to commit"),
    "split index": State(make=index_of("--split-index"), tried=FEW),
    "index of version 4": State(make=index_of("--index-version", "4"), tried=FEW),
    "untracked cache": State(make=index_of("--force-untracked-cache"), tried=FEW),
    "work tree elsewhere": State(
        make=work_tree_elsewhere,
        readers=dict.fromkeys(("check", "rule history 101", "verify"), (2, _SAID)),
        writers=_SAID,
    ),
    "bare": State(
        make=called_bare,
        readers=dict.fromkeys(("check", "rule history 101", "verify"), (2, _SAID)),
        writers=_SAID,
    ),
}
if (
    "--ref-format"
    in subprocess.run(["git", "init", "-h"], capture_output=True, text=True, check=False).stdout
):
    STATES["reftable"] = State(make=in_another_format("--ref-format=reftable"))


@pytest.mark.parametrize("name", sampled(STATES, every=6))
def test_a_command_works_or_says_why_not(
    game: GitRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("GNUPGHOME", str(tmp_path))
    for variable in NAMES if name == "no name" else ():
        monkeypatch.delenv(variable, raising=False)
    state = STATES[name]
    state.make(game)
    for reader in READERS:
        code, reason = state.readers.get(reader, (0, ""))
        assert reason in run(game.path, reader, code=code), reader
    if state.writers:
        assert_refused(game.path, tmp_path, state)
    else:
        assert_committed(game, tmp_path, state)


def assert_refused(root: Path, aside: Path, state: State) -> None:
    for writer in WRITERS if state.founders else WRITERS[:3]:
        if writer.startswith("proposal resolve") and "status" not in state.readers:
            # What commits nothing is not git's business; and now it could be resolved.
            run(root, "vote 301 for --player wren --on 2026-01-06")
        assert state.writers in refused(
            root, f"{writer} --commit".format(root=root, aside=aside)
        ), writer


def assert_committed(game: GitRepo, aside: Path, state: State) -> None:
    before = int(game.git("rev-list", "--count", "HEAD"))
    for writer in state.tried:
        assert "\ncommit " in run(
            game.path, f"{writer} --commit".format(root=game.path, aside=aside)
        ), writer
    if state.tried is WRITERS:
        assert "nothing to do" in run(game.path, "apply --on 2026-01-06 --commit")
    assert inspect(game.path).dirty == ()
    assert (
        tuple(
            sorted(game.git("-c", "core.hooksPath=/dev/null", "status", "--porcelain").splitlines())
        )
        == state.left
    )
    assert int(game.git("rev-list", "--count", "HEAD")) == before + len(state.tried)
    game.git("fsck", "--strict", "--connectivity-only")


PAGES, IMPORT = (
    "plumbing pages {aside}/pages",
    "import git {game} --map file-a-rule --path rules/*.md --accept 90 --into {aside}/imported "
    "--on 2026-01-06",
)
# What is under way, and what the index is like, is nothing to those who only look.
LOOKED_AT: Mapping[str, Mapping[str, tuple[int, str]]] = {
    "detached": {},
    "merge": {},
    "dirty": {},
    "sparse": {PAGES: (2, _LEFT_OUT)},
    "partial clone": {},
    "treeless clone": {PAGES: (2, _LACKING), IMPORT: (2, _LACKING)},
    "shallow clone": {},
    "linked work tree": {},
    "submodule": {},
    "SHA-256": {},
    "of the future": dict.fromkeys((PAGES, IMPORT), (2, "unknown repository extension found")),
    "work tree elsewhere": {PAGES: (2, _SAID)},
    "bare": {PAGES: (2, _SAID)},
}


@pytest.mark.parametrize("name", sampled(LOOKED_AT, every=6))
def test_pages_and_an_import_of_it_work_or_say_why_not(
    game: GitRepo, tmp_path: Path, name: str
) -> None:
    STATES[name].make(game)
    before = game.path.stat().st_mtime_ns
    for line in (IMPORT, PAGES):
        code, reason = LOOKED_AT[name].get(line, (0, ""))
        typed = line.format(aside=tmp_path, game=game.path)
        assert reason in run(tmp_path if line is IMPORT else game.path, typed, code=code), line
        assert (
            tmp_path / ("imported/nomic.yml" if line is IMPORT else "pages/mkdocs.yml")
        ).exists() == (code == 0)
    assert game.path.stat().st_mtime_ns == before


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("name", "reason"),
    sampled([("shallow clone", ""), ("sparse", _LEFT_OUT), ("bare", _SAID)], every=3),
)
def test_a_site_is_built_or_says_why_not(
    game: GitRepo, tmp_path: Path, name: str, reason: str
) -> None:
    STATES[name].make(game)
    done = mkdocs_build(game.path, tmp_path / "site")
    assert (done.returncode == 0) == (not reason), done.stderr
    assert reason.replace("\nhelp: ", ". ").strip() in done.stderr
    assert "Traceback" not in done.stderr


def test_an_import_that_asks_no_git_heeds_none(game: GitRepo, tmp_path: Path) -> None:
    """The data of Agora are files; a repository around them may be as it likes."""
    shutil.copytree(case_folder(ROOT / "tests" / "importers" / "agora", "data"), game.path / "data")
    (game.path / ".git" / "HEAD").unlink()
    os.mkfifo(game.path / ".git" / "HEAD")
    run(
        tmp_path,
        f"import agora {game.path / 'data'} --into {tmp_path / 'imported'} --on 2026-01-06",
    )
    assert (tmp_path / "imported" / "nomic.yml").is_file()


def test_on_no_branch_nothing_is_written_to_be_committed(game: GitRepo) -> None:
    detached(game)
    before = game.git("rev-parse", "HEAD"), game.git("status", "--porcelain")
    said = refused(game.path, "player join marl --on 2026-01-06 --commit")
    assert said == f"error: {_DETACHED}\n"
    assert not (game.path / "players" / "marl.yml").exists()
    assert (game.git("rev-parse", "HEAD"), game.git("status", "--porcelain")) == before
    # To look, and to write without a commit, no branch is needed.
    run(game.path, "player join marl --on 2026-01-06 --commit --dry-run")
    game.git("switch", "--quiet", "-c", "mine")
    assert "\ncommit " in run(game.path, "player join marl --on 2026-01-06 --commit")
    detached(game)
    run(game.path, "player join crake --on 2026-01-06")


@pytest.mark.parametrize("mark", ["--assume-unchanged", "--skip-worktree"])
def test_a_mark_of_the_index_hides_no_change(game: GitRepo, mark: str) -> None:
    game.git("update-index", mark, "nomic.yml", "players/wren.yml")
    assert inspect(game.path).dirty == ()
    with (game.path / "nomic.yml").open("a") as stream:
        stream.write("tagline: Changed\n")
    assert game.git("status", "--porcelain") == ""
    assert inspect(game.path).dirty == ("nomic.yml",)


def test_a_folder_that_poses_as_a_repository_is_refused(game: GitRepo, tmp_path: Path) -> None:
    """Any clone may bring one along, with settings and a history of its own."""
    inner = game.path / "games" / "second"
    run(game.path, f"init --name Second --on 2026-01-01 {inner}")
    GitRepo(tmp_path / "posing").commit("Another history", {"nomic.yml": "format: 1\n"})
    shutil.copytree(tmp_path / "posing" / ".git", inner, dirs_exist_ok=True)
    shutil.rmtree(inner / "hooks", ignore_errors=True)
    GitRepo.git(
        GitRepo(tmp_path / "posing"),
        "config",
        "--file",
        str(inner / "config"),
        "core.worktree",
        str(inner),
    )
    game.commit("A second game")
    cloned(game)
    for line in (
        "check",
        "rule history 101",
        "verify",
        "player join marl --on 2026-01-06 --commit",
    ):
        assert f"{inner} poses as a git repository of its own" in refused(inner, line), line
