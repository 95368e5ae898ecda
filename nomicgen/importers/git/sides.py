"""What merges bring: the commits of their sides, who made a change, and commits that are there
twice.
"""

from __future__ import annotations

from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.importers.commit_log import PastCommit
from nomicgen.importers.git.subjects import NamedInstrument, Subjects


class BroughtCommit(Struct, frozen=True, kw_only=True):
    """A commit of the line with what its merge brought: `source` is the author's commit."""

    commit: PastCommit
    source: PastCommit
    side: tuple[PastCommit, ...] = ()

    @property
    def day(self) -> date | None:
        """When it came to the line: the day of a merge or a forge's commit, else the author's; None
        where unread.
        """
        if self.side:
            return self.commit.day
        return (self.commit.committed_day if self.commit.by_forge else None) or self.commit.day

    @property
    def subjects(self) -> tuple[str, ...]:
        """Return the subjects that may class it: the merge's, its pull request's, its commits'."""
        lines = (
            [line for line in self.commit.body.split("\n") if line.strip()][:1] if self.side else []
        )
        own = [one.subject for one in self.side if one.touched]
        return tuple(dict.fromkeys([self.commit.subject, *lines, *own]))


def brought_by(commit: PastCommit, side: tuple[PastCommit, ...]) -> BroughtCommit:
    """Return a merge with its side; its author is that of the side's newest commit that changed the
    files.
    """
    source = next((one for one in side if one.touched), commit)
    return BroughtCommit(commit=commit, source=source, side=side)


def named_by(brought: BroughtCommit, subjects: Subjects) -> NamedInstrument:
    """Return what the subjects name."""
    named = subjects.first(brought.subjects)
    if brought.side and subjects.of(brought.commit.subject).kind is None:
        keys = {
            key
            for commit in brought.side
            if commit.touched and (key := subjects.of(commit.subject).key)
        }
        if len(keys) > 1:
            return replace(named, several=True)
    if brought.side and not named.rest:
        # A merge's own subject has a branch's name; the pull request's has a title.
        others = (subjects.of(subject) for subject in brought.subjects)
        named = next((other for other in others if other.key == named.key and other.rest), named)
    return named
