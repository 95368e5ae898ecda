"""Git: what a game's directory is, and its history in one pass; every command that any module runs goes through `run`.

The only module that knows GitPython. Git's failing is an error with a name, never an empty answer.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from nomicgen.archive.provenance import GitState, Log
from nomicgen.repository.errors import (
    DubiousOwner,
    GitFailed,
    IndexHeld,
    NoGit,
    NotVersioned,
    RepositoryError,
    TooMuch,
)
from nomicgen.repository.log import FORMAT, parse_log
from nomicgen.repository.tree import FOLDERS, SETTINGS, shown_path

try:
    from git import Git
    from git.exc import GitCommandNotFound
except ImportError as error:
    # GitPython tries out git while it is loaded. A game can be checked without git, so this is told when git is asked.
    _IMPORTED: str | None = str(error).partition("\n")[0]
else:
    _IMPORTED = None

__all__ = [
    "UNDER_WAY",
    "Place",
    "call",
    "failure",
    "folders",
    "head_of",
    "inspect",
    "located",
    "one_line",
    "run",
    "scan",
]

# Nothing that a repository's own settings name is run, and none of them changes what is printed.
_SETTINGS = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    f"diff.orderFile={os.devnull}",
    "i18n.commitEncoding=UTF-8",
    "log.showRoot=true",
    "log.showSignature=false",
    "trailer.separators=:",
)
_ENVIRONMENT = {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}
# Git sets some of these for its hooks; they would lead us from the game to the repository that the hook runs for.
_MISLEADING = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_EXTERNAL_DIFF",
    "GIT_GLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_WORK_TREE",
)
UNDER_WAY = {
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a game lies in its work tree; `head` is None before the first commit, `paths` as `git --git-path` says."""

    root: Path
    prefix: str
    head: str | None
    shallow: bool
    object_format: str
    paths: Mapping[str, Path]


def inspect(root: Path) -> GitState:
    """What git says about the game in `root`; not `present` without git or outside a work tree.

    Raises DubiousOwner, GitFailed.
    """
    try:
        place = located(root)
    except NotVersioned:
        return GitState(present=False, reason="the game is in no git repository")  # the path is nobody's business
    except NoGit as error:
        return GitState(present=False, reason=error.message)
    return GitState(
        present=True,
        shallow=place.shallow,
        head=place.head,
        prefix=place.prefix,
        dirty=_dirty(place),
        object_format=place.object_format,
    )


def folders(root: Path) -> tuple[Path, ...]:
    """Where git keeps HEAD, and where its branches; () outside a work tree. Raises DubiousOwner, GitFailed."""
    try:
        paths = located(root).paths
    except (NotVersioned, NoGit):
        return ()
    return tuple(dict.fromkeys(paths[name].resolve().parent for name in ("index.lock", "shallow")))


def scan(root: Path) -> Log:
    """The first-parent line of HEAD, oldest first, with what each commit changed in the game: one pass of `git log`.

    Where the game is not at the work tree's top, only commits that changed something in it are listed.
    Raises NotVersioned, NoGit, DubiousOwner, GitFailed.
    """
    place = located(root)
    if place.head is None:
        return Log()
    options = (
        "--first-parent --reverse --raw -z --no-abbrev --no-renames --diff-merges=first-parent --relative "
        "--no-ext-diff --no-textconv --encoding=UTF-8"
    )
    limit = ("--", ".") if place.prefix else ("--",)
    output = run(root, "log", *options.split(), f"--format={FORMAT}", place.head, *limit)
    return parse_log(output, _boundaries(place))


def run(
    root: Path,
    command: str,
    *arguments: str,
    feed: bytes | None = None,
    environment: Mapping[str, str] | None = None,
    most: int | None = None,
) -> bytes:
    """What `git command` prints, run in `root` with `feed` as its input. Raises TooMuch for more than `most` bytes."""
    status, output, said = call(root, command, *arguments, feed=feed, environment=environment, most=most)
    if status:
        raise failure(root, command, said)
    return output


def call(
    root: Path,
    command: str,
    *arguments: str,
    feed: bytes | None = None,
    environment: Mapping[str, str] | None = None,
    most: int | None = None,
) -> tuple[int, bytes, str]:
    if _IMPORTED is not None:
        raise NoGit(_IMPORTED)
    settings = (option for setting in _SETTINGS for option in ("-c", setting))
    given = {**_ENVIRONMENT, **(environment or {})}
    unset = tuple(option for name in _MISLEADING if name in os.environ and name not in given for option in ("-u", name))
    line = [
        # GitPython can add to the environment, but take nothing from it.
        *(("env", *unset) if unset else ()),
        Git.GIT_PYTHON_GIT_EXECUTABLE or "git",
        # GitPython would rather run git somewhere else than fail to enter a directory.
        *("-C", str(root.absolute())),
        *settings,
        command,
        *arguments,
    ]
    with tempfile.TemporaryFile() as stream:
        stream.write(feed or b"")
        stream.seek(0)
        try:
            if most is not None:
                return _bounded(Git(str(root)).execute(line, istream=stream, env=given, as_process=True), most)
            status, output, said = Git(str(root)).execute(
                line,
                istream=stream,
                env=given,
                with_extended_output=True,
                with_exceptions=False,
                stdout_as_string=False,
                strip_newline_in_stdout=False,
            )
        except (GitCommandNotFound, PermissionError) as error:
            raise NoGit("there is no such program") from error
    return status, output, said


def _bounded(process: Git.AutoInterrupt, most: int) -> tuple[int, bytes, str]:
    """What a process prints, which is ended where that is more than `most` bytes: a few objects can name millions."""
    output = process.stdout.read(most + 1)
    is_whole = len(output) <= most
    if not is_whole:
        process.kill()
    said = process.stderr.read().decode(errors="replace")
    process.stdout.close()
    process.stderr.close()
    # The wrapper's own `wait` raises where git fails.
    status = process.proc.wait() if process.proc is not None else 0
    if not is_whole:
        raise TooMuch(f"a list of files of more than {most >> 20} MiB")
    return status, output, said


def failure(root: Path, command: str, said: str) -> RepositoryError:
    if "dubious ownership" in said or "unsafe repository" in said:
        return DubiousOwner(root)
    if "index.lock" in said:
        return IndexHeld()
    if "not a git repository" in said and not _has_git(root):
        return NotVersioned(root)
    return GitFailed(command, said)


def _has_git(root: Path) -> bool:
    """Whether there is something called .git: then a repository that git does not find is a broken one."""
    here = root.resolve()
    return any(os.path.lexists(directory / ".git") for directory in (here, *here.parents))


def located(root: Path) -> Place:
    names = ("shallow", "index.lock", *UNDER_WAY)
    asked = [option for name in names for option in ("--git-path", name)]
    # The prefix comes last: it alone may hold a line feed.
    output = run(
        root,
        "rev-parse",
        "--is-inside-work-tree",
        "--is-shallow-repository",
        "--show-object-format",
        *asked,
        "--show-prefix",
    )
    inside, shallow, object_format, *rest = os.fsdecode(output).split("\n", 3 + len(asked) // 2)
    if inside != "true":
        raise NotVersioned(root)
    return Place(
        root=root,
        prefix=rest[-1].removesuffix("\n"),
        head=head_of(root),
        shallow=shallow == "true",
        object_format=object_format,
        paths={name: root / path for name, path in zip(names, rest, strict=False)},
    )


def head_of(root: Path) -> str | None:
    status, output, said = call(root, "rev-parse", "--verify", "--quiet", "HEAD")
    if status == 0:
        return one_line(output)
    # `--quiet` keeps silent about a branch that is not born and about one that is broken.
    status, _, said = call(root, "log", "--max-count=1", "--format=")
    if "does not have any commits yet" in said:
        return None
    raise failure(root, "log", said)


def _boundaries(place: Place) -> frozenset[str]:
    if not place.shallow:
        return frozenset()
    try:
        return frozenset(place.paths["shallow"].read_text("ascii").split())
    except (OSError, ValueError) as error:
        raise GitFailed("log", f"the list of a shallow clone's ends cannot be read: {error}") from error


def _dirty(place: Place) -> tuple[str, ...]:
    output = run(
        place.root,
        "status",
        "--porcelain=v1",
        "-z",
        "--untracked-files=all",
        # What is ignored is read as well, and so it must be committed.
        "--ignored=traditional",
        "--no-renames",
        "--ignore-submodules=all",
        "--",
        SETTINGS,
        *sorted(FOLDERS),
    )
    prefix = os.fsencode(place.prefix)
    found = {entry[3:].removeprefix(prefix) for entry in output.split(b"\0") if entry}
    return tuple(sorted(shown_path(path) for path in found))


def one_line(output: bytes) -> str:
    return output.decode("ascii").strip()
