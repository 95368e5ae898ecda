"""A repository's past as an import reads it: commits, the line of them that is walked, and the
rules in files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct, field

from nomicgen.importers.commit_log import CommitLog, PastCommit
from nomicgen.importers.readings import FileText
from nomicgen.model.identifiers import CommitId

Text = tuple[str, str]
"""What a file is read by: its blob's id, and its path where that says which rule it is, else ''."""


class Followed(Struct, frozen=True, kw_only=True):
    """A pattern nobody gave: `commit` moved files from where `other` names them to `pattern`."""

    commit: PastCommit
    pattern: str
    other: str


class Past(CommitLog, frozen=True, kw_only=True):
    """A branch with its rules.

    `texts` are the rules in every blob that some commit of the line touched; one that is too large
    has none.
    """

    followed: tuple[Followed, ...] = ()
    texts: Mapping[Text, FileText] = field(default_factory=lambda: MappingProxyType({}))
    by_path: bool = False

    def text(self, path: str, oid: str | None) -> FileText | None:
        """Return the rules in a file's contents; None where there are none, or they are too
        large.
        """
        return self.texts.get((oid, path if self.by_path else "")) if oid is not None else None


def side_commits(past: Past) -> dict[str, tuple[PastCommit, ...]]:
    """Return for each merge of the line, the commits from its other parents, nearest first."""
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
