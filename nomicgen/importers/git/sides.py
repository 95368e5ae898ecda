"""What a commit of the first-parent line brings: the commit that the author made, the instrument
that its subjects name and, if it is a merge, the commits of its side.
"""

from __future__ import annotations

from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.importers.commit_log import PastCommit
from nomicgen.importers.git.subjects import NamedInstrument, Subjects


class BroughtCommit(Struct, frozen=True, kw_only=True):
    """A commit of the line; if it is a merge, `side` are the commits that it brought, nearest
    first.

    `source` is the author's commit: the newest of the side that changed the files, or itself.
    """

    commit: PastCommit
    source: PastCommit
    side: tuple[PastCommit, ...] = ()

    @property
    def day(self) -> date | None:
        """The day on which it came to the line, None where git cannot read it. That is its own day,
        or if a forge made a commit that is no merge, the day on which it did.
        """
        if self.side:
            return self.commit.day
        return (self.commit.committed_day if self.commit.by_forge else None) or self.commit.day

    @property
    def subjects(self) -> tuple[str, ...]:
        """The subjects that may name an instrument: its own; and if it is a merge, the first line
        of its body (a pull request's title), and those of its side that touched the files.
        """
        lines = (
            [line for line in self.commit.body.split("\n") if line.strip()][:1] if self.side else []
        )
        of_side = [one.subject for one in self.side if one.touched]
        return tuple(dict.fromkeys([self.commit.subject, *lines, *of_side]))


def brought_by(commit: PastCommit, side: tuple[PastCommit, ...]) -> BroughtCommit:
    """Return a commit of the line, with what it brought from its side, if it is a merge."""
    source = next((one for one in side if one.touched), commit)
    return BroughtCommit(commit=commit, source=source, side=side)


def named_by(brought: BroughtCommit, subjects: Subjects) -> NamedInstrument:
    """Return the instrument that the subjects of `brought` name.

    `several` is set if one subject names more than one; and for a merge whose own subject names
    none, if those of its side together name more than one.
    """
    named = subjects.read_first(brought.subjects)
    if brought.side and subjects.read(brought.commit.subject).kind is None:
        keys = {
            key
            for commit in brought.side
            if commit.touched and (key := subjects.read(commit.subject).key)
        }
        if len(keys) > 1:
            return replace(named, several=True)
    if brought.side and not named.title:
        # A merge's own subject has a branch's name; the pull request's has a title.
        others = (subjects.read(subject) for subject in brought.subjects)
        named = next((other for other in others if other.key == named.key and other.title), named)
    return named
