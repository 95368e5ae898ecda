"""A git that waits for ever, prints without end, is cut short or is none: an error that says so,
within a time.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.importers.commit_log import parse_commit_log
from nomicgen.importers.git.history import read_past
from nomicgen.importers.git.moves import parse_renames
from nomicgen.model.identifiers import CommitId
from nomicgen.play.load import git_findings
from nomicgen.repository import git, process_output
from nomicgen.repository.commits import commit, require_ready
from nomicgen.repository.errors import GitFailed, GitHung, OldGit, RepositoryError, TooMuch
from nomicgen.repository.first_parents import parse_first_parents, walk
from nomicgen.repository.git_log import parse_log
from nomicgen.repository.git_objects import objects
from nomicgen.repository.git_state import inspect, scan
from tests.repository.traps import FILTERED, RULE_A_FILE, everything
from tests.support import GitRepo

GAME = {"nomic.yml": "format: 1\n", "rules/203.md": "unanimous\n"}
GIT = shutil.which("git") or "git"


@pytest.fixture
def repo(git_repo: Callable[..., GitRepo], monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    """A history of two commits, and a patience that does not try anybody's."""
    monkeypatch.setattr(process_output, "_GRACE", 0.05)
    repo = git_repo()
    repo.commit("Begin", {**GAME, ".gitattributes": FILTERED})
    repo.git("branch", "other")
    repo.commit("Ours", {"rules/203.md": "ours\n"})
    return repo


def pipe_at(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def ask_all(root: Path) -> None:
    inspect(root)
    scan(root)
    commit(root, ["rules/new.md"], "x\n")


# --- what is no file ------------------------------------------------------------------------------

PLACES = (
    ".git/HEAD",
    ".git/config",
    ".git/index",
    ".git/packed-refs",
    ".git/shallow",
    ".git/commondir",
    ".git/info/exclude",
    ".git/info/attributes",
    ".git/objects/info/alternates",
    ".gitattributes",
    ".gitignore",
)


@pytest.mark.deep
@pytest.mark.parametrize("place", PLACES)
def test_a_git_that_waits_for_a_pipe_is_ended(
    repo: GitRepo, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git, "_LITTLE", 0.5)
    monkeypatch.setattr(git, "_LONG", 0.5)
    pipe_at(repo.path / place)
    repo.write({"rules/new.md": "new\n"})
    with pytest.raises(GitHung):
        ask_all(repo.path)


def test_names_are_those_that_commits_have(repo: GitRepo) -> None:
    repo.write({".mailmap": "Mallory <m@example.org> <ada@example.org>\n"})
    assert {one.author for one in scan(repo.path).commits} == {"Ada Player"}
    assert {one.author for one in walk(repo.path).commits} == {"Ada Player"}
    pipe_at(repo.path / ".mailmap")
    assert len(scan(repo.path).commits) == len(walk(repo.path).commits) == 2


# --- programs in git's place ----------------------------------------------------------------------


@pytest.fixture
def instead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts a script in git's place; `GIT` in it is git."""
    (tmp_path / "bin").mkdir()

    def put(script: str) -> None:
        program = tmp_path / "bin" / "git"
        program.write_text(f"#!/bin/sh\n{script.replace('GIT', GIT)}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")

    return put


def test_a_git_that_says_nothing_is_ended(
    repo: GitRepo, instead: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git, "_LITTLE", 0.3)
    instead("trap '' TERM\nexec sleep 100")
    with pytest.raises(GitHung) as caught:
        inspect(repo.path)
    assert caught.value.message == "`git rev-parse` printed nothing for 0 seconds, and was ended"
    assert (
        caught.value.remedy == "see whether `git rev-parse` ends by itself, and what it waits for"
    )


def test_a_git_that_closes_its_output_and_stays_is_ended(
    repo: GitRepo, instead: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git, "_LITTLE", 0.3)
    instead("exec >&- 2>&-\nexec sleep 100")
    with pytest.raises(GitHung):
        inspect(repo.path)


def test_a_git_that_complains_at_length_is_heard_to_the_end(
    repo: GitRepo, instead: Callable[[str], None]
) -> None:
    instead("head -c 3000000 /dev/zero | tr '\\0' x >&2\nexit 128")
    with pytest.raises(GitFailed) as caught:
        inspect(repo.path)
    assert len(caught.value.stderr) == 1 << 16
    assert len(caught.value.message) < 1000


def test_a_git_that_prints_without_end_is_ended(
    repo: GitRepo, instead: Callable[[str], None]
) -> None:
    instead("exec cat /dev/zero")
    with pytest.raises(TooMuch, match="git prints more than 2 MiB of it"):
        git.run(repo.path, "rev-parse", most=2 << 20)


def test_a_git_that_is_killed_says_so(repo: GitRepo, instead: Callable[[str], None]) -> None:
    instead("kill -9 $$")
    with pytest.raises(GitFailed, match="`git rev-parse` failed: it was ended by signal 9"):
        inspect(repo.path)


def test_an_old_git_is_told_from_a_broken_repository(
    repo: GitRepo, instead: Callable[[str], None]
) -> None:
    instead(
        'case "$*" in *" version") echo git version 2.20.1;; *) shift $(($# - 3)); printf '
        '"%s\\n" "$@";; esac'
    )
    with pytest.raises(OldGit) as caught:
        scan(repo.path)
    assert (
        caught.value.message
        == "git is too old: it is 'git version 2.20.1', and git 2.31 or newer is needed"
    )
    assert (
        caught.value.remedy == "install git 2.31 or newer, and see that it comes first in the PATH"
    )
    state = inspect(repo.path)
    assert (state.reason, state.remedy) == (caught.value.message, caught.value.remedy)
    assert git_findings(state)[0].help == caught.value.remedy
    instead(
        'case "$*" in *" version") echo git version 2.20.1;; *) echo fatal: unknown >&2; exit '
        "129;; esac"
    )
    with pytest.raises(OldGit):
        scan(repo.path)


@pytest.mark.parametrize(
    "script", ["true", "echo", "printf 'x\\0y\\nz\\377'", "yes | head -40", "exit 3"]
)
def test_a_git_that_prints_something_else_is_an_error(
    repo: GitRepo, instead: Callable[[str], None], script: str
) -> None:
    asked = tuple(everything(repo))
    instead(script)
    for ask in asked:
        with suppress(RepositoryError):
            ask()
    for read in (inspect, scan, walk, require_ready):
        with pytest.raises(RepositoryError):
            read(repo.path)


@pytest.mark.parametrize("count", [1, 42, 150])
def test_a_git_whose_output_is_cut_short_is_an_error_or_nothing(
    repo: GitRepo, instead: Callable[[str], None], count: int
) -> None:
    asked = tuple(everything(repo))
    repo.write({"rules/203.md": "changed\n"})
    instead(f'GIT "$@" | head -c {count}')
    for ask in asked:
        with suppress(RepositoryError):
            ask()


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ("Permission denied", "Permission denied"),
        ("File exists.", "another git command holds the branch"),
    ],
)
def test_a_branch_that_cannot_be_moved_is_not_said_to_be_held(
    repo: GitRepo, instead: Callable[[str], None], why: str, said: str
) -> None:
    head = repo.git("rev-parse", "HEAD")
    repo.write({"rules/203.md": "changed\n"})
    instead(
        f'case "$*" in *update-ref*) echo "fatal: cannot lock ref \'HEAD\': {why}" >&2; exit '
        '128;; esac\nexec GIT "$@"'
    )
    with pytest.raises(RepositoryError, match=said):
        commit(repo.path, ["rules/203.md"], "x\n")
    assert repo.git("rev-parse", "HEAD") == head
    assert list(repo.path.rglob("*.lock")) == []


def test_half_of_a_file_is_no_file(repo: GitRepo, instead: Callable[[str], None]) -> None:
    blob = repo.git("rev-parse", "HEAD:nomic.yml")
    assert objects(repo.path, [blob]) == {blob: b"format: 1\n"}
    for count in (55, 56, 57):
        instead(f'GIT "$@" | head -c {count}')
        with pytest.raises(GitFailed, match="it printed"):
            objects(repo.path, [blob])
    instead('case "$*" in *--batch) GIT "$@" | head -c 55;; *) exec GIT "$@";; esac')
    with pytest.raises(GitFailed, match="it printed"):
        read_past(repo.path, "main", ["rules/*"], RULE_A_FILE)


# --- what is printed is cut anywhere --------------------------------------------------------------

_SHA, _OTHER = "a" * 40, "b" * 40
_RAW = f":100644 100644 {_SHA} {_OTHER} M\0rules/203.md\0".encode()
PRINTED: dict[Callable[[bytes], object], bytes] = {
    parse_log: f"{_SHA}\0002026-01-01\0A\0S\0\0\n".encode() + _RAW,
    parse_commit_log: f"{_SHA}\0\0A\0002026-01-01\0A\0002026-01-01\0S\0b\0\n".encode() + _RAW,
    parse_renames: f":100644 100644 {_SHA} {_SHA} R100\0a.md\0b.md\0".encode(),
}


@pytest.mark.parametrize("parse", PRINTED, ids=lambda parse: parse.__name__)
def test_what_is_cut_anywhere_is_read_or_refused(parse: Callable[[bytes], object]) -> None:
    whole = PRINTED[parse]
    parse(whole)
    for end in range(len(whole)):
        with suppress(ValueError):
            parse(whole[:end])


@given(
    st.lists(
        st.sampled_from(
            [_SHA, "\n", "", "x", f":100644 100644 {_SHA} {_OTHER} M", "rules/203.md", "é\udcff"]
        )
    )
)
def test_what_is_mixed_up_is_read_or_refused(words: list[str]) -> None:
    place = git.Place(
        root=Path(), prefix="", head=CommitId(_SHA), shallow=False, object_format="sha1", paths={}
    )
    data = "\0".join(words).encode(errors="surrogateescape")
    for parse in PRINTED:
        with suppress(ValueError):
            parse(data)
    with suppress(ValueError):
        parse_first_parents(data, place)
