"""The author of a change that a commit brings. Whoever only committed what others decided is not
its author.
"""

from __future__ import annotations

import re

from nomicgen.importers.derived_names import one_line
from nomicgen.importers.git.sides import BroughtCommit

_TRAILER = (
    r"(?im)^(?:Proposed[- ]by|Proposer|Proposal by|Authored[- ]by|Author):[ \t]+"
    r"(?P<name>[^<\n]{1,80}?)[ \t]*(?:<[^>\n]*>)?[ \t]*$"
)
"""A line of a commit's message that names the author of the change."""
_PULLED = r"(?i)Merge (?:pull|merge) request #?!?[0-9]+|Merged PR [0-9]+|.*\((?:#|!)[0-9]+\)$"
"""The subject of a commit by which a forge merged a pull request."""


def author_of(brought: BroughtCommit, *, by_commits: bool) -> str | None:
    """Return the author of a change: whom a trailer names, else the author of the commit that a
    pull request brought, or that somebody else merged.

    Without any of these it is None, or with `by_commits` the author of the commit.
    """
    commit, source = brought.commit, brought.source
    for one in (commit, source):
        if match := re.search(_TRAILER, one.body):
            return one_line(match["name"])
    is_merged = source is not commit and source.author != commit.author
    is_pulled = re.match(_PULLED, commit.subject) is not None
    return (one_line(source.author) or None) if by_commits or is_merged or is_pulled else None
