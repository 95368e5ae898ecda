"""Settings and variables that name programs: git runs each of them for whoever asks it plainly, and
never for us.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from nomicgen.repository.commits import commit
from nomicgen.repository.errors import FilteredFile, RepositoryError, UnsafeSettings
from nomicgen.repository.git_guard import guard_from_settings, harmless_settings, withheld
from nomicgen.repository.git_state import inspect, scan
from tests.cli.playing import refused, run
from tests.deep import sampled
from tests.repository.traps import FILTERED, TRAPS, everything, hooks, plainly, ran, set_all
from tests.support import ROOT, GitRepo, mkdocs_build

GAME = {
    "nomic.yml": "format: 1\n",
    "rules/203.md": "unanimous\n",
    "players/wren.yml": "name: Wren\n",
}


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    """A program that leaves a file beside it."""
    program = tmp_path / "canary"
    program.write_text(f"#!/bin/sh\n: > '{tmp_path}/ran'\nexit 1\n")
    program.chmod(0o755)
    return program


@pytest.fixture
def repo(git_repo: Callable[..., GitRepo]) -> GitRepo:
    """A line that merges, and a file that was changed since."""
    repo = git_repo()
    repo.commit("Begin", {**GAME, ".gitattributes": FILTERED})
    repo.git("switch", "--quiet", "-c", "other")
    repo.commit("Theirs", {"rules/203.md": "theirs\n"})
    repo.git("switch", "--quiet", "main")
    repo.commit("Ours", {"rules/203.md": "ours\n"})
    repo.write({"rules/203.md": "changed\n"})
    return repo


@pytest.mark.parametrize("name", sampled(TRAPS, every=5))
def test_no_program_runs_that_a_repository_names(repo: GitRepo, canary: Path, name: str) -> None:
    trap = TRAPS[name]
    repo.write({"beside.txt": "new\n"})
    trap.arm(repo, str(canary))
    ran(canary)
    for ask in everything(repo):
        with suppress(RepositoryError):
            ask()
        assert not ran(canary)
    assert inspect(repo.path).present
    assert scan(repo.path).commits
    repo.write({"rules/203.md": "changed again\n"})
    plainly(repo, trap.sprung)
    assert ran(canary), "the trap is none"


@pytest.mark.parametrize("name", ["evil=x", "evil.x", "e'v\"i*l"])
def test_a_filter_with_a_name_that_cannot_be_switched_off_is_refused(
    repo: GitRepo, canary: Path, name: str
) -> None:
    repo.git("config", f"filter.{name}.clean", str(canary))
    repo.write({".gitattributes": f"* filter={name}\n"})
    if "=" in name:
        with pytest.raises(
            UnsafeSettings, match=r"name a program under the name 'evil=x', which might be run"
        ):
            inspect(repo.path)
    else:
        assert inspect(repo.path).dirty == ("rules/203.md",)
    assert not ran(canary)
    plainly(repo, "add .")
    assert ran(canary)


def test_more_filters_than_anyone_has_are_refused(repo: GitRepo) -> None:
    with (repo.path / ".git" / "config").open("a") as stream:
        stream.writelines(f'[filter "f{number}"]\n\tclean = x\n' for number in range(501))
    with pytest.raises(UnsafeSettings, match="name programs under 501 names"):
        inspect(repo.path)


# --- the environment ------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Variables:
    """Variables in which `%` is the canary's place, and the plain git command that heeds them."""

    sprung: str
    given: Mapping[str, str]


def configured(key: str, value: str) -> dict[str, str]:
    return {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": key, "GIT_CONFIG_VALUE_0": value}


VARIABLES = {
    "external diff": Variables(sprung="diff", given={"GIT_EXTERNAL_DIFF": "%/canary"}),
    "editor": Variables(sprung="commit --all", given={"GIT_EDITOR": "%/canary"}),
    "pager": Variables(sprung="--paginate log", given={"GIT_PAGER": "%/canary"}),
    "ssh command": Variables(
        sprung="ls-remote ssh://example.invalid/x", given={"GIT_SSH_COMMAND": "%/canary"}
    ),
    "ssh": Variables(sprung="ls-remote ssh://example.invalid/x", given={"GIT_SSH": "%/canary"}),
    "proxy": Variables(
        sprung="ls-remote git://example.invalid/x", given={"GIT_PROXY_COMMAND": "%/canary"}
    ),
    "askpass": Variables(sprung="credential fill", given={"GIT_ASKPASS": "%/canary"}),
    "exec path": Variables(sprung="evil", given={"GIT_EXEC_PATH": "%/libexec"}),
    "count, monitor": Variables(sprung="status", given=configured("core.fsmonitor", "%/canary")),
    "count, filter": Variables(sprung="add .", given=configured("filter.evil.clean", "%/canary")),
    "parameters": Variables(
        sprung="add .", given={"GIT_CONFIG_PARAMETERS": "'filter.evil.clean=%/canary'"}
    ),
    "trace": Variables(sprung="status", given={"GIT_TRACE": "%/ran"}),
    "trace of performance": Variables(sprung="status", given={"GIT_TRACE2_EVENT": "%/ran"}),
    "work tree": Variables(
        sprung="status", given={"GIT_DIR": "%/armed/.git", "GIT_WORK_TREE": "%/armed"}
    ),
}


@pytest.mark.parametrize("name", sampled(VARIABLES, every=4))
def test_no_program_runs_that_a_variable_names(
    repo: GitRepo, canary: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    repo.write({"beside.txt": "new\n"})
    armed = GitRepo(canary.with_name("armed"))
    armed.git("config", "core.fsmonitor", str(canary))
    (canary.with_name("libexec")).mkdir()
    (canary.with_name("libexec") / "git-evil").symlink_to(canary)
    ran(canary)
    asked = tuple(everything(repo))
    for key, value in VARIABLES[name].given.items():
        monkeypatch.setenv(key, value.replace("%", str(canary.parent)))
    for ask in asked:
        ask()
        assert not ran(canary)
    repo.path.joinpath("rules/203.md").write_text("changed again\n")
    # The program has taken them out of the environment of its process.
    for key, value in VARIABLES[name].given.items():
        monkeypatch.setenv(key, value.replace("%", str(canary.parent)))
    plainly(repo, VARIABLES[name].sprung)
    assert ran(canary), "the trap is none"


def test_what_a_person_says_of_themselves_in_the_environment_is_heeded(
    repo: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (
        "GIT_AUTHOR_NAME",
        "GIT_AUTHOR_EMAIL",
        "GIT_COMMITTER_NAME",
        "GIT_COMMITTER_EMAIL",
    ):
        monkeypatch.delenv(name)
    for index, (key, value) in enumerate(
        {
            "User.Name": "Kit = X",
            "user.email": "k@example.org",
            "safe.directory": str(repo.path),
        }.items()
    ):
        monkeypatch.setenv(f"GIT_CONFIG_KEY_{index}", key)
        monkeypatch.setenv(f"GIT_CONFIG_VALUE_{index}", value)
    monkeypatch.setenv("GIT_CONFIG_COUNT", "3")
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    commit(repo.path, ["rules/203.md"], "x\n")
    monkeypatch.delenv("GIT_TEST_ASSUME_DIFFERENT_OWNER")
    assert repo.git("log", "-1", "--format=%an <%ae>") == "Kit = X <k@example.org>"


@pytest.mark.parametrize("count", ["", "x", "-1", "1000", "²", "2"])
def test_a_count_of_settings_that_is_none_is_no_error(count: str) -> None:
    given = {
        "GIT_CONFIG_COUNT": count,
        "GIT_CONFIG_KEY_0": "user.name",
        "GIT_CONFIG_KEY_1": "core.fsmonitor",
    }
    assert tuple(harmless_settings({**given, "GIT_CONFIG_VALUE_1": "x"})) == ()


def test_only_what_is_known_to_do_no_harm_is_passed_on() -> None:
    given = {
        "GIT_AUTHOR_NAME": "a",
        "GIT_CONFIG_GLOBAL": "b",
        "GIT_NEW_THING": "c",
        "GIT_DIR": "d",
        "PATH": "e",
    }
    assert withheld(given) == ("GIT_DIR", "GIT_NEW_THING")


def test_hooks_that_settings_name_are_switched_off() -> None:
    """As git has them from 2.54 on."""
    listing = b"local\0hook.evil.command\nx\0global\0hook.mine.event\npre-commit\0"
    assert guard_from_settings(listing).settings == (
        "hook.evil.enabled=false",
        "hook.mine.enabled=false",
    )


def test_a_signer_is_the_one_that_the_person_named() -> None:
    own = b"global\0gpg.openpgp.program\nmine\0"
    foreign = (
        b"local\0gpg.program\nevil\0local\0gpg.ssh.program\n"
        b"evil\0worktree\0gpg.x509.program\nevil\0"
    )
    assert guard_from_settings(own + foreign).settings == (
        "gpg.program=mine",
        "gpg.ssh.program=ssh-keygen",
        "gpg.x509.program=gpgsm",
    )
    assert guard_from_settings(own).settings == ()


# --- commands -------------------------------------------------------------------------------------


def arm_all(repo: GitRepo, program: str) -> None:
    """Every program at once, and filters for what no command writes."""
    repo.write(
        {".git/info/attributes": "/nomic.yml filter=evil diff=evil\nnotes.txt filter=evil\n"}
    )
    hooks(repo, program)
    settings = {
        f"{key}": program
        for key in (
            *(
                "core.editor",
                "core.fsmonitor",
                "core.pager",
                "core.sshCommand",
                "core.gitProxy",
                "core.askPass",
            ),
            *(
                "filter.evil.clean",
                "filter.evil.smudge",
                "filter.evil.process",
                "diff.external",
                "diff.evil.command",
            ),
            *(
                "diff.evil.textconv",
                "gpg.program",
                "gpg.ssh.program",
                "pager.log",
                "pager.status",
                "sequence.editor",
            ),
            *("trailer.instrument.command", "uploadpack.packObjectsHook", "credential.helper"),
        )
    }
    set_all(repo, {**settings, "log.showSignature": "true", "alias.status": f"!{program}"})
    (repo.path / "nomic.yml").touch()
    repo.write({"notes.txt": "changed\n"})


@pytest.mark.deep
def test_no_command_runs_a_program_that_the_repository_names(
    game: GitRepo, canary: Path, tmp_path: Path
) -> None:
    head = game.git("rev-parse", "HEAD")
    arm_all(game, str(canary))
    ran(canary)
    for line in (
        "check",
        f"check --base {head} --actor github:wren",
        "status",
        "rule history 101",
        "rule blame 101",
        "verify",
        "export long",
        f"plumbing pages {tmp_path / 'pages'}",
        "register coffee --on 2026-01-06 --commit",
        "vote 301 for --player wren --on 2026-01-06 --commit",
        "proposal resolve 301 --on 2026-01-06 --commit",
        "apply --on 2026-01-06 --commit",
        "check --base HEAD~2 --head HEAD --actor github:wren",
        f"init --name Second --on 2026-01-06 --commit {game.path}/second",
        f"import text {tmp_path}/rules.txt --map numbered --into {game.path}/third --on "
        "2026-01-06 --commit",
    ):
        run(game.path, line, code=1 if "--base" in line else 0)
        assert not ran(canary), line
    done = subprocess.run(
        [sys.executable, "-m", "nomicgen", "check"],
        cwd=game.path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, ran(canary)) == (0, False), done.stderr
    plainly(game, "status")
    assert ran(canary)


@pytest.mark.deep
def test_a_site_is_built_without_running_a_program_that_the_repository_names(
    game: GitRepo, canary: Path, tmp_path: Path
) -> None:
    arm_all(game, str(canary))
    ran(canary)
    done = mkdocs_build(game.path, tmp_path / "site", "--strict")
    assert done.returncode == 0, done.stderr
    assert not ran(canary)


def test_what_has_a_filter_is_not_committed(game: GitRepo, canary: Path) -> None:
    """A filter would commit something else than the game holds, and a program that a stranger named
    would do it.
    """
    game.write({".git/info/attributes": "proposals/*.md filter=evil\n"})
    game.git("config", "filter.evil.clean", str(canary))
    said = refused(game.path, "register coffee --on 2026-01-06 --commit")
    assert said.startswith(
        "error: proposals/302.md has the filter 'evil', a program that would commit something else"
    )
    assert not ran(canary)
    game.git("config", "--unset", "filter.evil.clean")
    run(game.path, "register coffee --on 2026-01-06 --commit")
    assert inspect(game.path).dirty == ()


def test_a_filter_of_the_person_is_no_exception(
    repo: GitRepo, canary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may heed settings of the repository in its turn."""
    own = canary.with_name("own")
    own.write_text(f'[filter "evil"]\n\tprocess = {canary}\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(own))
    assert inspect(repo.path).dirty == ("rules/203.md",)
    with pytest.raises(FilteredFile):
        commit(repo.path, ["rules/203.md"], "x\n")
    assert not ran(canary)
