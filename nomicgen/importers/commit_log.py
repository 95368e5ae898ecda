"""The commits of a source that is a repository, with what each did to some files, by one `git log`.

Nothing is checked out, and a clone does as well as a bare repository.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct, field

from nomicgen.files.raw_log import read_log
from nomicgen.model.identifiers import CommitId
from nomicgen.repository.errors import UnknownRevision
from nomicgen.repository.git import boundaries, call, failure, object_named, reading_output, run

FORMAT = "%H%x00%P%x00%aN%x00%aI%x00%cN%x00%cI%x00%s%x00%b"
"""The eight fields of a commit; with `-z` a NUL ends each, and no field can hold one."""

LONGEST = 2 << 30
"""The most bytes that git may print. That is many: whoever imports a repository has chosen it."""

_PATIENCE = 60.0
"""Seconds that git may take to begin: it prints nothing until it has seen all of a history."""

_OPTIONS = (
    "--topo-order --reverse --raw -z --no-abbrev --no-renames --diff-merges=first-parent "
    "--full-history --sparse "
    "--no-ext-diff --no-textconv --encoding=UTF-8"
)
"""`--full-history --sparse` lists commits that touch none of the files, too: no parent is missing.
"""
_FILE = "100"
"""How the modes of ordinary files begin, in git."""
_FORGES = ("github", "gitlab", "gitea", "forgejo", "codeberg", "bitbucket")
"""Names under which forges commit."""


class Touched(Struct, frozen=True, kw_only=True):
    """What a commit did to a path: the blob ids before and after, None where no ordinary
    file is.
    """

    path: str
    before: str | None
    after: str | None


class PastCommit(Struct, frozen=True, kw_only=True):
    """A commit. `authored` and `committed` are ISO 8601, each with its own zone; '' where git
    cannot read them.

    `touched` are the differences to the first parent, among the paths that were asked for. At a
    `boundary` a shallow clone ends: the parents are missing, and the commit seems to add every
    file.
    """

    sha: CommitId
    parents: tuple[CommitId, ...] = ()
    author: str = ""
    authored: str = ""
    committer: str = ""
    committed: str = ""
    subject: str = ""
    body: str = ""
    touched: tuple[Touched, ...] = ()
    boundary: bool = False

    @property
    def day(self) -> date | None:
        """The day on which it was authored, else committed, each in its own zone; None where git
        can read neither.
        """
        return _day(self.authored) or self.committed_day

    @property
    def by_forge(self) -> bool:
        """Whether a forge made the commit for its author: a merge, or an edit in the browser."""
        return self.committer.casefold() in _FORGES

    @property
    def committed_day(self) -> date | None:
        """The day on which it was committed, in its own zone; None where git cannot read it."""
        return _day(self.committed)


def _day(moment: str) -> date | None:
    try:
        return date.fromisoformat(moment[:10])
    except ValueError:
        return None


class CommitLog(Struct, frozen=True, kw_only=True):
    """A branch: every reachable commit by id, and its first-parent `line`, oldest first."""

    commits: Mapping[str, PastCommit] = field(default_factory=lambda: MappingProxyType({}))
    line: tuple[PastCommit, ...] = ()

    @property
    def newest(self) -> dict[str, str]:
        """The blob id of each file at the line's end, by path; if no file is left there, of each as
        it was last.
        """
        now: dict[str, str] = {}
        gone: dict[str, str] = {}
        for commit in self.line:
            for file in commit.touched:
                if file.after is not None:
                    now[file.path] = file.after
                elif file.path in now:
                    gone[file.path] = now.pop(file.path)
        return now or gone


def read_commit_log(root: Path, branch: str, patterns: Sequence[str]) -> CommitLog:
    """Return the commits of `branch`, with what each did to the files of `patterns`.

    A pattern is a path from the repository's top, in which `*` stands for anything except a slash
    and `**/` for any directories; one that ends in `/` is a directory with all below it. Raises
    UnknownRevision, or another RepositoryError.
    """
    _check_name(branch)
    limit = [f":(top,glob){pattern}{'**' if pattern.endswith('/') else ''}" for pattern in patterns]
    asked = (
        *_OPTIONS.split(),
        f"--format={FORMAT}",
        "--end-of-options",
        f"{branch}^{{commit}}",
        "--",
        *limit,
    )
    status, output, stderr = call(root, "log", *asked, most=LONGEST, patience=_PATIENCE)
    if status:
        if "bad revision" in stderr:
            check_branch(root, branch)
        raise failure(root, "log", stderr)
    with reading_output(root, "log", output):
        return parse_commit_log(output, boundaries(_shallow(root)))


def parse_commit_log(output: bytes, boundaries: Collection[str] = ()) -> CommitLog:
    """Return the commits that `git log` printed of a branch with `_OPTIONS` and `FORMAT`; the
    branch's newest commit comes last.

    Raises ValueError for what git does not print.
    """
    commits: dict[str, PastCommit] = {}
    latest: str | None = None
    for fields, changes in read_log(output, 8):
        latest, parents, author, authored, committer, committed, subject, body = fields
        commits[latest] = PastCommit(
            sha=CommitId(latest),
            parents=tuple(CommitId(parent) for parent in parents.split()),
            author=author.strip(),
            authored=authored,
            committer=committer.strip(),
            committed=committed,
            subject=subject,
            body=body,
            touched=tuple(
                Touched(
                    path=change.path,
                    before=change.old_id if change.old_mode.startswith(_FILE) else None,
                    after=change.id if change.mode.startswith(_FILE) else None,
                )
                for change in changes
            ),
            boundary=latest in boundaries,
        )
    return CommitLog(commits=commits, line=_line(commits, latest))


def _line(commits: Mapping[str, PastCommit], head: str | None) -> tuple[PastCommit, ...]:
    line: dict[str, PastCommit] = {}
    now = commits.get(head) if head else None
    while now is not None:
        if now.sha in line:
            raise ValueError(f"git log printed {now.sha} among its own ancestors")
        line[now.sha] = now
        now = commits.get(now.parents[0]) if now.parents else None
    return tuple(reversed(line.values()))


def check_branch(root: Path, branch: str) -> None:
    """Raise UnknownRevision if `branch` names no commit, and other errors if `root` is no
    repository.
    """
    _check_name(branch)
    run(root, "rev-parse", "--git-dir")
    if object_named(root, f"{branch}^{{commit}}") is None:
        raise UnknownRevision(branch)


def _check_name(branch: str) -> None:
    """Raise UnknownRevision for no name, and for what git would take for an option."""
    if not branch or branch.startswith("-"):
        raise UnknownRevision(branch)


def _shallow(root: Path) -> Path:
    """Return the file that lists where a shallow clone ends."""
    name = (
        run(root, "rev-parse", "--git-path", "shallow")
        .decode(errors="surrogateescape")
        .removesuffix("\n")
    )
    return root / name
