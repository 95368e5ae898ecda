"""What git says about a game, and how it says that it cannot."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from nomicgen.model.commits import CommitInfo, GitState, Log
from nomicgen.model.identifiers import CommitId
from nomicgen.repository.commits import commit
from nomicgen.repository.errors import DubiousOwner, GitFailed, NotVersioned
from nomicgen.repository.git_state import inspect, scan
from tests.repository.places import fill
from tests.support import ROOT, GitRepo

Repos = Callable[..., GitRepo]
GAME = {
    "nomic.yml": "format: 1\n",
    "rules/203.md": "unanimous\n",
    "players/wren.yml": "name: Wren\n",
}


def paths(one: CommitInfo) -> list[str]:
    return [path for path, _ in one.blobs]


def test_outside_of_a_work_tree_there_is_no_git_and_a_reason(tmp_path: Path) -> None:
    assert inspect(tmp_path) == GitState(present=False, reason="the game is in no git repository")
    with pytest.raises(NotVersioned):
        scan(tmp_path)


def test_inside_of_gits_own_directory_there_is_no_work_tree(git_repo: Repos) -> None:
    repo = git_repo()
    assert not inspect(repo.path / ".git").present


def test_before_the_first_commit_everything_is_uncommitted(git_repo: Repos) -> None:
    repo = git_repo()
    fill(repo.path, GAME)
    state = inspect(repo.path)
    assert state == GitState(
        present=True, head=None, dirty=("nomic.yml", "players/wren.yml", "rules/203.md")
    )
    assert scan(repo.path) == Log()


def test_the_state_names_head_and_what_is_not_committed(git_repo: Repos) -> None:
    repo = git_repo()
    head = repo.commit("Begin", {**GAME, "README.md": "about\n", "turns/R1T1.yml": "x\n"})
    assert inspect(repo.path) == GitState(present=True, head=CommitId(head))
    repo.write(
        {
            "README.md": "changed\n",
            "rules/203.md": "a majority\n",
            "rules/204.md": "untracked\n",
            "proposals/ünï\n.md": "odd\n",
            "proposals/staged.md": "staged\n",
            "turns/R1T1.yml": None,
            ".gitignore": "/acts/\n",
            "acts/hidden.md": "ignored, and read all the same\n",
            "rules/.203.md.swp": "an editor has the rule open\n",
            "[r]ules/1.md": "a pathspec would take it\n",
        }
    )
    repo.git("add", "proposals/staged.md")
    repo.git("mv", "players/wren.yml", "players/kit.yml")
    assert inspect(repo.path).dirty == (
        "acts/hidden.md",
        "players/kit.yml",
        "players/wren.yml",
        "proposals/staged.md",
        "proposals/ünï\\n.md",
        "rules/203.md",
        "rules/204.md",
        "turns/R1T1.yml",
    )


@pytest.mark.parametrize("ignored", ["", "/games/\n", "nomic.yml\n*.md\n*.yml\n"])
def test_a_game_that_an_outer_repository_does_not_know_is_wholly_uncommitted(
    git_repo: Repos, ignored: str
) -> None:
    repo = git_repo("outer")
    repo.commit("Something else", {"README.md": "x\n", ".gitignore": ignored or "nothing\n"})
    game = fill(repo.path / "games" / "our game", GAME)
    state = inspect(game)
    assert state.present
    assert state.prefix == "games/our game/"
    assert state.dirty == ("nomic.yml", "players/wren.yml", "rules/203.md")
    assert scan(game) == Log()


def test_a_symbolic_link_to_the_game_does_not_confuse_its_prefix(
    git_repo: Repos, tmp_path: Path
) -> None:
    repo = git_repo()
    head = repo.commit("Begin", {f"deep/{path}": text for path, text in GAME.items()})
    (tmp_path / "link").symlink_to(repo.path / "deep")
    assert inspect(tmp_path / "link") == GitState(present=True, head=CommitId(head), prefix="deep/")


def test_a_relative_path_to_the_game_will_do(
    git_repo: Repos, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = git_repo()
    repo.commit("Begin", {f"deep/{path}": text for path, text in GAME.items()})
    monkeypatch.chdir(repo.path)
    (repo.path / "deep" / "rules" / "203.md").write_text("a majority\n")
    assert inspect(Path("deep")).dirty == ("rules/203.md",)
    made = commit(Path("deep"), ["rules/203.md"], "Change\n")
    assert inspect(Path("deep")) == GitState(present=True, head=CommitId(made), prefix="deep/")
    assert scan(Path("deep")).commits[-1].sha == made


def test_an_odd_directory_keeps_its_name(git_repo: Repos) -> None:
    repo = git_repo()
    odd = "a\nb ü:*/"
    head = repo.commit("Begin", {f"{odd}{path}": text for path, text in GAME.items()})
    (repo.path / odd / "nomic.yml").write_text("format: 1\nname: x\n")
    assert inspect(repo.path / odd) == GitState(
        present=True, head=CommitId(head), prefix=odd, dirty=("nomic.yml",)
    )
    assert [paths(one) for one in scan(repo.path / odd).commits] == [sorted(GAME)]


def test_the_variables_that_git_sets_for_a_hook_do_not_lead_elsewhere(
    git_repo: Repos, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = git_repo("other")
    other.commit("Elsewhere", {"a": "b"})
    repo = git_repo("game")
    head = repo.commit("Here", {f"deep/{path}": text for path, text in GAME.items()})
    monkeypatch.setenv("GIT_DIR", str(other.path / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.path))
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    monkeypatch.setenv("GIT_PREFIX", "x/")
    assert inspect(repo.path / "deep") == GitState(
        present=True, head=CommitId(head), prefix="deep/"
    )
    assert [one.sha for one in scan(repo.path / "deep").commits] == [head]


def test_reading_runs_nothing_that_the_repository_names(git_repo: Repos, tmp_path: Path) -> None:
    repo = git_repo()
    program = tmp_path / "program"
    program.write_text(
        "#!/bin/sh\ncat >/dev/null\necho '[GNUPG:] SIG_CREATED ' >&2\necho signature\n"
    )
    program.chmod(0o755)
    repo.git("config", "gpg.program", str(program))
    repo.git("config", "commit.gpgSign", "true")
    repo.commit("Grüße\n\nInstrument: acts/a.md", {**GAME, ".gitattributes": "*.md diff=own\n"})
    program.write_text(f"#!/bin/sh\ntouch {tmp_path / 'ran'}\n")
    for key in (
        "core.fsmonitor",
        "diff.external",
        "diff.own.command",
        "diff.own.textconv",
        "core.pager",
        "gpg.program",
    ):
        repo.git("config", key, str(program))
    for key, value in {
        "log.showSignature": "true",
        "log.showRoot": "false",
        "log.diffMerges": "off",
        "log.follow": "true",
        "diff.renames": "copies",
        "diff.noprefix": "true",
        "format.pretty": "oneline",
        "color.ui": "always",
        "color.diff": "always",
        "i18n.logOutputEncoding": "latin-1",
        "status.submoduleSummary": "true",
        "status.short": "true",
        "status.branch": "true",
        "status.renames": "copies",
        "status.showUntrackedFiles": "no",
        "trailer.separators": "%",
        "core.quotePath": "true",
        "diff.orderFile": str(tmp_path / "none"),
    }.items():
        repo.git("config", key, value)
    (repo.path / "rules" / "204.md").write_text("new\n")
    assert inspect(repo.path).dirty == ("rules/204.md",)
    (only,) = scan(repo.path).commits
    assert (only.subject, only.instruments) == ("Grüße", ("acts/a.md",))
    assert paths(only) == [".gitattributes", *sorted(GAME)]
    assert not (tmp_path / "ran").exists()


def test_reading_writes_nothing(git_repo: Repos) -> None:
    repo = git_repo()
    repo.commit("Begin", GAME)
    os.utime(repo.path / "rules" / "203.md", (10**9, 10**9))
    before = (repo.path / ".git" / "index").read_bytes()
    inspect(repo.path)
    scan(repo.path)
    assert (repo.path / ".git" / "index").read_bytes() == before


# --- failures -------------------------------------------------------------------------------------


def test_a_repository_of_someone_else_is_an_error_with_the_way_on(
    git_repo: Repos, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = git_repo("our game")
    repo.commit("Begin", GAME)
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    for ask in (inspect, scan):
        with pytest.raises(DubiousOwner) as caught:
            ask(repo.path)
        assert "belongs to another user" in str(caught.value)
        assert f"git config --global --add safe.directory '{repo.path}'" in caught.value.remedy


def test_a_broken_repository_is_an_error_and_not_an_absence(git_repo: Repos) -> None:
    repo = git_repo()
    repo.commit("Begin", GAME)
    (repo.path / ".git" / "refs" / "heads" / "main").write_text("garbage\n")
    for ask in (inspect, scan):
        with pytest.raises(GitFailed, match="appears to be broken"):
            ask(repo.path)
    (repo.path / ".git" / "HEAD").unlink()
    for ask in (inspect, scan):
        with pytest.raises(GitFailed, match="not a git repository"):
            ask(repo.path)


def test_a_missing_object_is_an_error(git_repo: Repos) -> None:
    repo = git_repo()
    first = repo.commit("Begin", GAME)
    repo.commit("Go on", {"rules/203.md": "a majority\n"})
    (repo.path / ".git" / "objects" / first[:2] / first[2:]).unlink()
    with pytest.raises(GitFailed):
        scan(repo.path)


def test_a_damaged_index_is_an_error(git_repo: Repos) -> None:
    repo = git_repo()
    repo.commit("Begin", GAME)
    (repo.path / ".git" / "index").write_bytes(b"DIRC nonsense")
    with pytest.raises(GitFailed):
        inspect(repo.path)


def test_a_directory_that_cannot_be_entered_is_not_taken_for_another(
    git_repo: Repos, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = git_repo()
    repo.commit("Begin", GAME)
    monkeypatch.chdir(repo.path)
    with pytest.raises(GitFailed, match="cannot change to"):
        inspect(repo.path / "gone")


def test_without_a_git_program_games_are_read_and_the_state_says_why(
    git_repo: Repos, tmp_path: Path
) -> None:
    repo = git_repo()
    repo.commit("Begin", GAME)
    script = (
        "import sys; from pathlib import Path; root = Path(sys.argv[1])\n"
        "from nomicgen.repository.game_tree import read_tree\n"
        "from nomicgen.repository.errors import NoGit\n"
        "print(len(read_tree(root)), 'git' in sys.modules)\n"
        "from nomicgen.repository.commits import commit, init\n"
        "from nomicgen.repository.git_state import inspect, scan\n"
        "state = inspect(root)\n"
        "print(state.present, state.reason)\n"
        "for act in (lambda: scan(root), lambda: init(root), lambda: commit(root, ['nomic.yml'], "
        "'x')):\n"
        "    try: act()\n"
        "    except NoGit as error: print(error.remedy)\n"
    )
    environment = {"PATH": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", script, str(repo.path)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0] == "3 False"
    assert lines[1] == "False git does not run: there is no such program"
    assert lines[2:] == ["install git, and see that it is in the PATH"] * 3
