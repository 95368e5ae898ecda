"""A repository's past as an import reads it: commits, what each changed, and which line of them is walked. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from types import MappingProxyType

from msgspec import Struct, field

from nomicgen.files.raw_log import read_log
from nomicgen.model.identifiers import CommitId
from nomicgen.importers.git_outline import ArchiveForm
from nomicgen.importers.git_texts import FileText
from nomicgen.importers.outline_doubts import Doubt

FORMAT = "%H%x00%P%x00%aN%x00%aE%x00%aI%x00%cN%x00%cI%x00%s%x00%b"
"""The nine fields of a commit; with `-z` a NUL ends each, and no field can hold one."""

Text = tuple[str, int | None]
"""What a file is read by: its blob's id, and the number that its name gives, if any."""

_FILE = "100"
_FORGES = ("github", "gitlab", "gitea", "forgejo", "codeberg", "bitbucket")


class Touched(Struct, frozen=True, kw_only=True):
    """What a commit did to one path: the ids of its contents before and after, None where there was no regular file."""

    path: str
    before: str | None
    after: str | None


class PastCommit(Struct, frozen=True, kw_only=True):
    """A commit. `authored` and `committed` are ISO 8601, each with its own zone, '' where git cannot read them.

    `touched` are the differences to the first parent, among the paths that were asked for; where a shallow clone ends
    (`boundary`), the parents are not here, and it seems to have made everything.
    """

    sha: CommitId
    parents: tuple[CommitId, ...] = ()
    author: str = ""
    mail: str = ""
    authored: str = ""
    committer: str = ""
    committed: str = ""
    subject: str = ""
    body: str = ""
    touched: tuple[Touched, ...] = ()
    boundary: bool = False

    @property
    def day(self) -> date | None:
        """The author's day, in the zone that the commit says; else that of the commit; None where neither is known."""
        return _day(self.authored) or self.committed_day

    @property
    def by_forge(self) -> bool:
        """Whether a forge made the commit for its author: it merged a pull request, or took an edit in the browser."""
        return self.committer.casefold() in _FORGES

    @property
    def committed_day(self) -> date | None:
        """The day of the commit, in its own zone."""
        return _day(self.committed)


def _day(moment: str) -> date | None:
    try:
        return date.fromisoformat(moment[:10])
    except ValueError:
        return None


class Followed(Struct, frozen=True, kw_only=True):
    """A pattern that was not given: `commit` moved files between where `pattern` names them and where `other` does."""

    commit: PastCommit
    pattern: str
    other: str


class Doubted(Struct, frozen=True, kw_only=True):
    """A file that cannot be read as it stands, and why."""

    path: str
    doubt: Doubt


class Past(Struct, frozen=True, kw_only=True):
    """A branch: every commit that can be reached from it by id, and its first-parent `line`, oldest first.

    `texts` are the rules in every blob that some commit of the line touched; one that is too large has none. `doubt` is
    why the newest files cannot be all that is said to be rules.
    """

    commits: Mapping[str, PastCommit] = field(default_factory=lambda: MappingProxyType({}))
    line: tuple[PastCommit, ...] = ()
    followed: tuple[Followed, ...] = ()
    texts: Mapping[Text, FileText] = field(default_factory=lambda: MappingProxyType({}))
    form: ArchiveForm = ArchiveForm()
    doubt: Doubted | None = None

    @property
    def newest(self) -> dict[str, str]:
        """The id of each file's contents as the line's end has it, by path; of those that are gone, if all are."""
        now: dict[str, str] = {}
        gone: dict[str, str] = {}
        for commit in self.line:
            for file in commit.touched:
                if file.after is not None:
                    now[file.path] = file.after
                elif file.path in now:
                    gone[file.path] = now.pop(file.path)
        return now or gone


def parse_past(output: bytes, boundaries: Collection[str] = ()) -> Past:
    """The past that `git log -z --topo-order --reverse --raw --no-abbrev --no-renames --diff-merges=first-parent
    --sparse --format=FORMAT` printed of a branch, whose last commit comes last.

    `texts` are left empty. Raises ValueError for what git does not print.
    """
    commits: dict[str, PastCommit] = {}
    latest: str | None = None
    for fields, changes in read_log(output, 9):
        latest, parents, author, mail, authored, committer, committed, subject, body = fields
        commits[latest] = PastCommit(
            sha=CommitId(latest),
            parents=tuple(CommitId(parent) for parent in parents.split()),
            author=author.strip(),
            mail=mail.strip(),
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
    return Past(commits=commits, line=_line(commits, latest))


def _line(commits: Mapping[str, PastCommit], head: str | None) -> tuple[PastCommit, ...]:
    line: dict[str, PastCommit] = {}
    now = commits.get(head) if head else None
    while now is not None:
        if now.sha in line:
            raise ValueError(f"git log printed {now.sha} among its own ancestors")
        line[now.sha] = now
        now = commits.get(now.parents[0]) if now.parents else None
    return tuple(reversed(line.values()))


def side_commits(past: Past) -> dict[str, tuple[PastCommit, ...]]:
    """For each merge of the line, the commits that it brought from its other parents, nearest first."""
    mainline = {commit.sha for commit in past.line}
    seen = set(mainline)
    sides: dict[str, tuple[PastCommit, ...]] = {}
    for merge in past.line:
        if len(merge.parents) > 1:
            sides[merge.sha] = tuple(_brought(merge.parents[1:], past.commits, seen))
    return sides


def _brought(
    parents: Sequence[CommitId], commits: Mapping[str, PastCommit], seen: set[CommitId]
) -> Iterator[PastCommit]:
    waiting = list(parents)
    for sha in waiting:
        if sha in seen or sha not in commits:
            continue
        seen.add(sha)
        yield commits[sha]
        waiting += commits[sha].parents
