"""Commits of exactly what was asked for, made beside the index: whatever else is staged or changed stays so."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Collection, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path

from nomicgen.repository.errors import GitBusy, GitFailed, IndexHeld, NoIdentity, NothingToCommit
from nomicgen.repository.git import UNDER_WAY, Place, call, failure, head_of, inspect, located, one_line, run
from nomicgen.repository.paths import check_path
from nomicgen.repository.patience import patiently

__all__ = ["commit", "init", "ready"]

_ATTEMPTS = 5
_AUTHOR = re.compile(r"\s*([^<>\n]*[^<>\s])\s*<([^<>\s]+)>\s*")


def init(root: Path) -> None:
    """Makes a git repository in the directory `root`, unless it lies in one. Raises DubiousOwner, NoGit, GitFailed."""
    if not inspect(root).present:
        run(root, "init", "--quiet", "--initial-branch=main")


def ready(root: Path, *, date: datetime | None = None) -> None:
    """Whether a commit could be made now. Raises what `commit` raises, before anything is written for it."""
    place = _ready(root, _author(None, date))
    patiently(lambda: _require_index(place), IndexHeld)


def _require_index(place: Place) -> None:
    if place.paths["index.lock"].exists():
        raise IndexHeld()


def _ready(root: Path, environment: Mapping[str, str]) -> Place:
    place = located(root)
    for name, what in UNDER_WAY.items():
        if place.paths[name].exists():
            raise GitBusy(
                f"git is in the middle of a {what}", f"end it, e.g. with `git {what} --abort`, then try again"
            )
    _check_identity(root, environment)
    return place


def commit(
    root: Path,
    paths: Collection[str],
    message: str,
    *,
    author: str | None = None,
    date: datetime | None = None,
    merges: str | None = None,
) -> str:
    """Commits the files at `paths` (in the game) as they are on disk, or as gone; gives the commit's id.

    Whatever else is staged or changed stays so. `author` is `Name <address>`, else as git is set up; `date`, with its
    time zone, is the author's date. `merges` is the id of a commit that becomes the second parent: nothing of its files
    comes along, and a forge shows its pull request as merged. The commit is signed where `commit.gpgSign` says so.
    Hooks are not run: they are made for what a person stages, and one that rewrites files would break the bytes that
    the ledger gives.

    Raises, with nothing committed: NothingToCommit, NoIdentity, GitBusy, UnsafePath, NotVersioned, NoGit,
    DubiousOwner, GitFailed. Raises ValueError for an author or a date of another form.
    """
    environment = _author(author, date)
    for path in paths:
        check_path(root, path)
    for _ in range(_ATTEMPTS):
        place = _ready(root, environment)
        sha = patiently(partial(_attempt, place, paths, message, environment, merges), IndexHeld)
        if sha is not None:
            return sha
    raise GitBusy("the branch moved while the command ran", "run it again")


def _attempt(
    place: Place, paths: Collection[str], message: str, environment: Mapping[str, str], merges: str | None
) -> str | None:
    """One commit on top of HEAD as it was; None where the branch has moved since."""
    root = place.root
    tree = _tree(place, paths)
    signed = ("--gpg-sign",) if _signs(root) else ()
    parents = [option for one in (place.head, merges) if one for option in ("-p", one)]
    sha = one_line(
        run(root, "commit-tree", *signed, *parents, "-F", "-", tree, feed=message.encode(), environment=environment)
    )
    # The index goes first: were it second and locked by an editor, it would hold the reverse of the new commit.
    _stage(root, paths, {})
    zero = "0" * len(sha)
    subject = " ".join(message.partition("\n")[0].split())
    try:
        run(root, "update-ref", "-m", f"commit: {subject}", "HEAD", sha, place.head or zero)
    except GitFailed as error:
        _unstage(root, paths)
        if "cannot lock ref" not in error.stderr:
            raise
        if head_of(root) != place.head:
            return None
        raise GitBusy("another git command holds the branch", "wait until it has ended, and run it again") from error
    return sha


def _unstage(root: Path, paths: Collection[str]) -> None:
    """Brings the index back to HEAD for `paths`, after a commit that was not made."""
    feed = b"".join(os.fsencode(path) + b"\0" for path in sorted(paths))
    run(root, "reset", "--quiet", "--pathspec-from-file=-", "--pathspec-file-nul", feed=feed)


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
        status, _, said = call(root, "var", name, environment=environment)
        if status:
            raise NoIdentity from failure(root, "var", said)


def _tree(place: Place, paths: Collection[str]) -> str:
    """The tree of HEAD with `paths` as they are on disk, made beside the index."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
        run(place.root, "read-tree", place.head or "--empty", environment=environment)
        before = one_line(run(place.root, "write-tree", environment=environment))
        _stage(place.root, paths, environment)
        tree = one_line(run(place.root, "write-tree", environment=environment))
    if tree == before:
        raise NothingToCommit
    return tree


def _stage(root: Path, paths: Collection[str], environment: Mapping[str, str]) -> None:
    feed = b"".join(os.fsencode(path) + b"\0" for path in sorted(paths))
    run(root, "update-index", "--add", "--remove", "--replace", "-z", "--stdin", feed=feed, environment=environment)


def _signs(root: Path) -> bool:
    status, output, said = call(root, "config", "--type=bool", "--get", "commit.gpgSign")
    if status > 1:
        raise failure(root, "config", said)
    return status == 0 and one_line(output) == "true"
