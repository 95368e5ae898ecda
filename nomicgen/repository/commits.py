"""Commits of exactly the files that are asked for, made beside the index: whatever else is staged
or changed stays so.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from nomicgen.model.identifiers import CommitId
from nomicgen.repository.commit_recovery import STAGED
from nomicgen.repository.errors import (
    Detached,
    FilteredFile,
    GitBusy,
    GitFailed,
    IndexHeld,
    NoIdentity,
    NothingToCommit,
    Unfinished,
    WriteFailed,
)
from nomicgen.repository.git import (
    UNDER_WAY,
    Place,
    branch_ref,
    call,
    failure,
    guard_of,
    head_of,
    locate,
    object_id,
    run,
)
from nomicgen.repository.git_state import inspect, require_present
from nomicgen.repository.journal import has_journal, make_journal
from nomicgen.repository.lock import lock
from nomicgen.repository.paths import JOURNAL, check_path
from nomicgen.repository.retry import retry_while

if TYPE_CHECKING:
    from nomicgen.repository.gitpython import Actor

_ATTEMPTS = 5  # how often a commit is tried if the branch moves meanwhile
_TYPING = 600.0  # seconds that a person has for the passphrase of a key


def init(root: Path) -> None:
    """Make a git repository in the directory `root`, unless it lies in one already.

    It is made in another folder and moved: half a repository would be useless, and in the way.
    Raises WriteFailed, ForeignJournal, and what `inspect`, `run` and `lock` raise.
    """
    if inspect(root).present:
        return
    with lock(root, shared=False):
        try:
            folder = make_journal(root) / f"prepare-git-{os.getpid()}"
            folder.mkdir()
            try:
                run(folder, "init", "--quiet", "--initial-branch=main")
                (folder / ".git").rename(root / ".git")
            finally:
                shutil.rmtree(folder, ignore_errors=True)
                with suppress(OSError):
                    folder.parent.rmdir()
        except OSError as error:
            raise WriteFailed(root, error) from error


def require_ready(root: Path, *, date: datetime | None = None) -> None:
    """Check that a commit can be made now, on a branch, before anything is written for it.

    `date` is to be the author's date. Raises Detached, GitBusy, NoIdentity, SparseCheckout, what
    `locate` raises, and ValueError for a date without a time zone.
    """
    place = _locate_ready(root, _author_variables(None, date))
    if branch_ref(root) is None:
        raise Detached
    retry_while(lambda: _require_index(place), IndexHeld)


def _require_index(place: Place) -> None:
    if place.paths["index.lock"].exists():
        raise IndexHeld()


def _locate_ready(root: Path, environment: Mapping[str, str]) -> Place:
    """Return where the game lies, unless something forbids a commit there."""
    place = locate(root)
    for name, (what, ending) in UNDER_WAY.items():
        if os.path.lexists(place.paths[name]):
            raise GitBusy(
                f"git is in the middle of a {what}", f"end it, e.g. with `{ending}`, then try again"
            )
    require_present(root)
    check_identity(root, environment)
    return place


def _require_unfiltered(root: Path, paths: Collection[str]) -> None:
    filters = guard_of(root).filters
    if not filters:
        return
    output = run(root, "check-attr", "-z", "--stdin", "filter", feed=_listed(paths))
    words = os.fsdecode(output).split("\0")
    for path, value in zip(words[0:-1:3], words[2::3], strict=True):
        if value in filters:
            raise FilteredFile(path, value)


def _listed(paths: Collection[str]) -> bytes:
    return b"".join(os.fsencode(path) + b"\0" for path in sorted(paths))


def commit(
    root: Path,
    paths: Collection[str],
    message: str,
    *,
    author: Actor | None = None,
    date: datetime | None = None,
    merges: str | None = None,
) -> str:
    """Commit the files at `paths` (in the game) as they are on disk, or as deleted, and return the
    commit's id.

    Whatever else is staged or changed stays so. Without an `author`, git's settings name the
    author; `date`, with its time zone, is the author's date. `merges` is the id of a commit that
    becomes the second parent: none of its files come along, and a forge shows its pull request as
    merged. The commit is signed where `commit.gpgSign` says so; with which program, only the
    person's own settings may say. Hooks are not run: they are made for what a person stages, and
    one that rewrites files would break the bytes that the ledger gives. Filters are not run either,
    so a file that has one is refused.

    Raises, with nothing committed: FilteredFile, SparseCheckout, NothingToCommit, NoIdentity,
    GitBusy, UnsafePath, WriteFailed, and what `locate` raises. Raises Unfinished if the system
    refuses to move the index after the commit was made, and ValueError for a date without a time
    zone.
    """
    environment = _author_variables(author, date)
    for path in paths:
        check_path(root, path)
    _require_unfiltered(root, paths)
    for _ in range(_ATTEMPTS):
        place = _locate_ready(root, environment)
        sha = retry_while(partial(_attempt, place, paths, message, environment, merges), IndexHeld)
        if sha is not None:
            return sha
    raise GitBusy("the branch moved while the command ran", "run it again")


def _attempt(
    place: Place,
    paths: Collection[str],
    message: str,
    environment: Mapping[str, str],
    merges: str | None,
) -> str | None:
    """Make one commit on top of HEAD and return its id; None where the branch moved meanwhile."""
    root = place.root
    with _scratch(root) as folder:
        tree = _tree(place, paths, folder)
        signed = ("--gpg-sign",) if _is_to_sign(root) else ()
        parents = [option for parent in (place.head, merges) if parent for option in ("-p", parent)]
        output = run(
            root,
            "commit-tree",
            *signed,
            *parents,
            *("-F", "-", tree),
            feed=message.encode(),
            environment=environment,
            patience=_TYPING if signed else None,
        )
        sha = CommitId(object_id(root, "commit-tree", output))
        subject = " ".join(message.partition("\n")[0].split())
        return sha if _move_branch(place, paths, sha, f"commit: {subject}", folder) else None


def _move_branch(
    place: Place, paths: Collection[str], sha: CommitId, reason: str, folder: Path
) -> bool:
    """Move the branch to the commit `sha`, and the index with it, unless the branch has left
    `place.head`; return whether it was moved. `reason` is for the reflog.

    As in git itself the index is held meanwhile. If the command is killed in between, only the
    branch has moved, and the next command moves the index.
    """
    root, held = place.root, place.paths["index.lock"]
    _hold(place, paths, folder / STAGED)
    try:
        run(root, "update-ref", "-m", reason, "HEAD", sha, place.head or "0" * len(sha))
    except GitFailed as error:
        head = head_of(root)
        # If the branch has moved to the commit, git failed only afterwards: the commit is made.
        if head != sha:
            held.unlink(missing_ok=True)
            if "cannot lock ref" not in error.stderr:
                raise
            if head != place.head:
                return False
            if "File exists" not in error.stderr:
                raise
            raise GitBusy(
                "another git command holds the branch",
                "wait until it has ended, and run it again; where none runs, remove "
                "`.git/HEAD.lock`",
            ) from error
    try:
        held.replace(held.with_suffix(""))
    except OSError as error:
        raise Unfinished(root, error) from error
    return True


def _hold(place: Place, paths: Collection[str], staged: Path) -> None:
    """Take git's lock of the index; the file has `paths` as on disk, ready to become the index.
    Raises IndexHeld.
    """
    held = place.paths["index.lock"]
    index = held.with_suffix("")
    try:
        while True:
            staged.unlink(missing_ok=True)
            before = _state(index)
            if before is not None:
                shutil.copy2(index, staged)
            _stage(place.root, paths, {"GIT_INDEX_FILE": str(staged.absolute())})
            _link(staged, held)
            if _state(index) == before:
                return
            # Another git wrote the index before it was held: stage the files in that one.
            held.unlink()
    except FileExistsError as error:
        raise IndexHeld from error
    except OSError as error:
        raise WriteFailed(place.root, error) from error


def _link(staged: Path, held: Path) -> None:
    """Make `held` a link to `staged`, which shows that the lock is ours. If links fail, copy the
    file.
    """
    try:
        held.hardlink_to(staged)
    except OSError as error:
        if error.errno not in (errno.EXDEV, errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK):
            raise
        with held.open("xb") as stream:
            stream.write(staged.read_bytes())


def _state(index: Path) -> tuple[int, int, int] | None:
    """Return what differs once git has written an index anew; None where there is no index."""
    try:
        status = index.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


@contextmanager
def _scratch(root: Path) -> Iterator[Path]:
    """Make a folder for indexes: in the journal, if there is one, since the next command looks
    there; else one that is removed afterwards.
    """
    if has_journal(root):
        folder = root / JOURNAL / f"prepare-index-{os.getpid()}"
        folder.mkdir(exist_ok=True)
        yield folder
    else:
        with tempfile.TemporaryDirectory() as name:
            yield Path(name)


def _author_variables(author: Actor | None, date: datetime | None) -> dict[str, str]:
    """Return the environment variables that tell git the author and the author's date."""
    environment: dict[str, str] = {}
    if author is not None:
        environment |= {
            "GIT_AUTHOR_NAME": author.name or "",
            "GIT_AUTHOR_EMAIL": author.email or "",
        }
    if date is not None:
        if date.utcoffset() is None:
            raise ValueError(f"a date without a time zone: {date}")
        environment["GIT_AUTHOR_DATE"] = f"@{int(date.timestamp())} {date:%z}"
    return environment


def check_identity(root: Path, environment: Mapping[str, str]) -> None:
    """Check that git knows in whose name to commit. Raises NoIdentity. `environment` may name the
    author.
    """
    for name in ("GIT_COMMITTER_IDENT", "GIT_AUTHOR_IDENT"):
        status, _, stderr = call(root, "var", name, environment=environment)
        if status:
            raise NoIdentity from failure(root, "var", stderr)


def _tree(place: Place, paths: Collection[str], folder: Path) -> str:
    """Return the id of HEAD's tree with `paths` as they are on disk, made in an index of its own.
    Raises NothingToCommit.
    """
    environment = {"GIT_INDEX_FILE": str(folder.absolute() / "tree")}
    run(place.root, "read-tree", place.head or "--empty", environment=environment)
    before = _tree_of_index(place.root, environment)
    _stage(place.root, paths, environment)
    tree = _tree_of_index(place.root, environment)
    if tree == before:
        raise NothingToCommit
    return tree


def _tree_of_index(root: Path, environment: Mapping[str, str]) -> str:
    return object_id(root, "write-tree", run(root, "write-tree", environment=environment))


def _stage(root: Path, paths: Collection[str], environment: Mapping[str, str]) -> None:
    options = ("--add", "--remove", "--replace", "-z", "--stdin")
    run(root, "update-index", *options, feed=_listed(paths), environment=environment)


def _is_to_sign(root: Path) -> bool:
    status, output, stderr = call(root, "config", "--type=bool", "--get", "commit.gpgSign")
    if status > 1:
        raise failure(root, "config", stderr)
    return status == 0 and output.strip() == b"true"
