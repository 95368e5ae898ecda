"""Git: what a game's directory is, its history in one pass, and commits of exactly what was asked for.

The only module that knows GitPython. Git's failing is an error with a name, never an empty answer.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from nomicgen.archive.provenance import GitState, Log
from nomicgen.repository.errors import (
    DubiousOwner,
    GitBusy,
    GitFailed,
    IndexHeld,
    NoGit,
    NoIdentity,
    NothingToCommit,
    NotVersioned,
    RepositoryError,
)
from nomicgen.repository.log import FORMAT, parse_log
from nomicgen.repository.paths import check_path
from nomicgen.repository.patience import patiently
from nomicgen.repository.tree import FOLDERS, SETTINGS, shown_path

try:
    from git import Git
    from git.exc import GitCommandNotFound
except ImportError as error:
    # GitPython tries out git while it is loaded. A game can be checked without git, so this is told when git is asked.
    _IMPORTED: str | None = str(error).partition("\n")[0]
else:
    _IMPORTED = None

__all__ = ["commit", "folders", "init", "inspect", "ready", "scan"]

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
_UNDER_WAY = {
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
}
_ATTEMPTS = 5
_AUTHOR = re.compile(r"\s*([^<>\n]*[^<>\s])\s*<([^<>\s]+)>\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
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
        place = _place(root)
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
        paths = _place(root).paths
    except (NotVersioned, NoGit):
        return ()
    return tuple(dict.fromkeys(paths[name].resolve().parent for name in ("index.lock", "shallow")))


def scan(root: Path) -> Log:
    """The first-parent line of HEAD, oldest first, with what each commit changed in the game: one pass of `git log`.

    Where the game is not at the work tree's top, only commits that changed something in it are listed.
    Raises NotVersioned, NoGit, DubiousOwner, GitFailed.
    """
    place = _place(root)
    if place.head is None:
        return Log()
    options = (
        "--first-parent --reverse --raw -z --no-abbrev --no-renames --diff-merges=first-parent --relative "
        "--no-ext-diff --no-textconv --encoding=UTF-8"
    )
    limit = ("--", ".") if place.prefix else ("--",)
    output = _run(root, "log", *options.split(), f"--format={FORMAT}", place.head, *limit)
    return parse_log(output, _boundaries(place))


def init(root: Path) -> None:
    """Makes a git repository in the directory `root`; one that is there stays. Raises NoGit, GitFailed."""
    _run(root, "init", "--quiet")


def ready(root: Path, *, date: datetime | None = None) -> None:
    """Whether a commit could be made now. Raises what `commit` raises, before anything is written for it."""
    place = _ready(root, _author(None, date))
    patiently(lambda: _require_index(place), IndexHeld)


def _require_index(place: _Place) -> None:
    if place.paths["index.lock"].exists():
        raise IndexHeld()


def _ready(root: Path, environment: Mapping[str, str]) -> _Place:
    place = _place(root)
    for name, what in _UNDER_WAY.items():
        if place.paths[name].exists():
            raise GitBusy(
                f"git is in the middle of a {what}", f"end it, e.g. with `git {what} --abort`, then try again"
            )
    _check_identity(root, environment)
    return place


def commit(
    root: Path, paths: Collection[str], message: str, *, author: str | None = None, date: datetime | None = None
) -> str:
    """Commits the files at `paths` (in the game) as they are on disk, or as gone; gives the commit's id.

    Whatever else is staged or changed stays so. `author` is `Name <address>`, else as git is set up; `date`, with its
    time zone, is the author's date. The commit is signed where `commit.gpgSign` says so. Hooks are not run: they are
    made for what a person stages, and one that rewrites files would break the bytes that the ledger gives.

    Raises, with nothing committed: NothingToCommit, NoIdentity, GitBusy, UnsafePath, NotVersioned, NoGit,
    DubiousOwner, GitFailed. Raises ValueError for an author or a date of another form.
    """
    environment = _author(author, date)
    for path in paths:
        check_path(root, path)
    for _ in range(_ATTEMPTS):
        place = _ready(root, environment)
        sha = patiently(partial(_attempt, place, paths, message, environment), IndexHeld)
        if sha is not None:
            return sha
    raise GitBusy("the branch moved while the command ran", "run it again")


def _attempt(place: _Place, paths: Collection[str], message: str, environment: Mapping[str, str]) -> str | None:
    """One commit on top of HEAD as it was; None where the branch has moved since."""
    root = place.root
    tree = _tree(place, paths)
    signed = ("--gpg-sign",) if _signs(root) else ()
    parent = ("-p", place.head) if place.head else ()
    sha = _line(
        _run(root, "commit-tree", *signed, *parent, "-F", "-", tree, feed=message.encode(), environment=environment)
    )
    # The index goes first: were it second and locked by an editor, it would hold the reverse of the new commit.
    _stage(root, paths, {})
    zero = "0" * len(sha)
    subject = " ".join(message.partition("\n")[0].split())
    try:
        _run(root, "update-ref", "-m", f"commit: {subject}", "HEAD", sha, place.head or zero)
    except GitFailed as error:
        _unstage(root, paths)
        if "cannot lock ref" not in error.stderr:
            raise
        if _head(root) != place.head:
            return None
        raise GitBusy("another git command holds the branch", "wait until it has ended, and run it again") from error
    return sha


def _unstage(root: Path, paths: Collection[str]) -> None:
    """Brings the index back to HEAD for `paths`, after a commit that was not made."""
    feed = b"".join(os.fsencode(path) + b"\0" for path in sorted(paths))
    _run(root, "reset", "--quiet", "--pathspec-from-file=-", "--pathspec-file-nul", feed=feed)


def _run(
    root: Path, command: str, *arguments: str, feed: bytes | None = None, environment: Mapping[str, str] | None = None
) -> bytes:
    """What `git command` prints, run in `root` with `feed` as its input."""
    status, output, said = _call(root, command, *arguments, feed=feed, environment=environment)
    if status:
        raise _failure(root, command, said)
    return output


def _call(
    root: Path, command: str, *arguments: str, feed: bytes | None = None, environment: Mapping[str, str] | None = None
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


def _failure(root: Path, command: str, said: str) -> RepositoryError:
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


def _place(root: Path) -> _Place:
    names = ("shallow", "index.lock", *_UNDER_WAY)
    asked = [option for name in names for option in ("--git-path", name)]
    # The prefix comes last: it alone may hold a line feed.
    output = _run(
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
    return _Place(
        root=root,
        prefix=rest[-1].removesuffix("\n"),
        head=_head(root),
        shallow=shallow == "true",
        object_format=object_format,
        paths={name: root / path for name, path in zip(names, rest, strict=False)},
    )


def _head(root: Path) -> str | None:
    status, output, said = _call(root, "rev-parse", "--verify", "--quiet", "HEAD")
    if status == 0:
        return _line(output)
    # `--quiet` keeps silent about a branch that is not born and about one that is broken.
    status, _, said = _call(root, "log", "--max-count=1", "--format=")
    if "does not have any commits yet" in said:
        return None
    raise _failure(root, "log", said)


def _boundaries(place: _Place) -> frozenset[str]:
    if not place.shallow:
        return frozenset()
    try:
        return frozenset(place.paths["shallow"].read_text("ascii").split())
    except (OSError, ValueError) as error:
        raise GitFailed("log", f"the list of a shallow clone's ends cannot be read: {error}") from error


def _dirty(place: _Place) -> tuple[str, ...]:
    output = _run(
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


def _author(author: str | None, date: datetime | None) -> dict[str, str]:
    environment: dict[str, str] = {}
    if author is not None:
        match = _AUTHOR.fullmatch(author)
        if match is None:
            raise ValueError(f"not of the form Name <address>: {author!r}")
        environment |= {"GIT_AUTHOR_NAME": match[1], "GIT_AUTHOR_EMAIL": match[2]}
    if date is not None:
        if date.utcoffset() is None:
            raise ValueError(f"a date without a time zone: {date}")
        environment["GIT_AUTHOR_DATE"] = f"@{int(date.timestamp())} {date:%z}"
    return environment


def _check_identity(root: Path, environment: Mapping[str, str]) -> None:
    for name in ("GIT_COMMITTER_IDENT", "GIT_AUTHOR_IDENT"):
        status, _, said = _call(root, "var", name, environment=environment)
        if status:
            raise NoIdentity from _failure(root, "var", said)


def _tree(place: _Place, paths: Collection[str]) -> str:
    """The tree of HEAD with `paths` as they are on disk, made beside the index."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
        _run(place.root, "read-tree", place.head or "--empty", environment=environment)
        before = _line(_run(place.root, "write-tree", environment=environment))
        _stage(place.root, paths, environment)
        tree = _line(_run(place.root, "write-tree", environment=environment))
    if tree == before:
        raise NothingToCommit
    return tree


def _stage(root: Path, paths: Collection[str], environment: Mapping[str, str]) -> None:
    feed = b"".join(os.fsencode(path) + b"\0" for path in sorted(paths))
    _run(root, "update-index", "--add", "--remove", "--replace", "-z", "--stdin", feed=feed, environment=environment)


def _signs(root: Path) -> bool:
    status, output, said = _call(root, "config", "--type=bool", "--get", "commit.gpgSign")
    if status > 1:
        raise _failure(root, "config", said)
    return status == 0 and _line(output) == "true"


def _line(output: bytes) -> str:
    return output.decode("ascii").strip()
