"""A repository's past as an import reads it: commits, their first-parent line, and the rules in the
files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from msgspec import Struct, field

from nomicgen.importers.commit_log import CommitLog, PastCommit
from nomicgen.importers.readings import FileText
from nomicgen.model.identifiers import CommitId

TextKey = tuple[str, str]
"""A version of a file: its blob's id, and its path if that says which rule it is, else ''."""


class Followed(Struct, frozen=True, kw_only=True):
    """A move of the files: `commit` took them from `other` to `pattern`, or from `pattern` to
    `other`. No option of the import names `other`.
    """

    commit: PastCommit
    pattern: str
    other: str


class Past(CommitLog, frozen=True, kw_only=True):
    """A branch with its rules: `texts` has what every version of a file on the line was read as,
    except of files that are too large. `by_path` says whether each file is one rule.
    """

    followed: tuple[Followed, ...] = ()
    texts: Mapping[TextKey, FileText] = field(default_factory=lambda: MappingProxyType({}))
    by_path: bool = False

    def text(self, path: str, oid: str | None) -> FileText | None:
        """Return the rules in a version of a file, by its path and its blob's id; None where there
        is no file, or it is too large.
        """
        return self.texts.get((oid, path if self.by_path else "")) if oid is not None else None


def side_commits(past: Past) -> dict[str, tuple[PastCommit, ...]]:
    """Return for each merge of the line the commits that it brought, nearest first."""
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
