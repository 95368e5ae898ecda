"""What merges bring: the commits of their sides, who made a change, and commits that are there twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.importers.git_past import Past, PastCommit
from nomicgen.importers.git_printed import Printed
from nomicgen.importers.git_subjects import NamedInstrument, Subjects
from nomicgen.importers.import_report import ArchiveWarnings


class BroughtCommit(Struct, frozen=True, kw_only=True):
    """A commit of the line with what its merge brought: `source` is the commit that carries the author."""

    commit: PastCommit
    source: PastCommit
    side: tuple[PastCommit, ...] = ()

    @property
    def day(self) -> date | None:
        """When it came to the line: the day of a merge or a forge's commit, else the author's; None where unread."""
        if self.side:
            return self.commit.day
        return (self.commit.committed_day if self.commit.by_forge else None) or self.commit.day

    @property
    def subjects(self) -> tuple[str, ...]:
        """What may say what it is: a merge's own subject, the title of its pull request, its commits' subjects."""
        lines = [line for line in self.commit.body.split("\n") if line.strip()][:1] if self.side else []
        own = [one.subject for one in self.side if one.touched]
        return tuple(dict.fromkeys([self.commit.subject, *lines, *own]))


def brought_by(commit: PastCommit, side: tuple[PastCommit, ...]) -> BroughtCommit:
    """A merge's author is that of the last commit on its side that changed the files."""
    source = next((one for one in side if one.touched), commit)
    return BroughtCommit(commit=commit, source=source, side=side)


def classed(brought: BroughtCommit, subjects: Subjects, printed: Printed | None) -> NamedInstrument:
    found = subjects.first(brought.subjects)
    if brought.side and subjects.of(brought.commit.subject).kind is None:
        named = {key for one in brought.side if one.touched and (key := subjects.of(one.subject).key)}
        if len(named) > 1:
            return replace(found, several=tuple(sorted({int(number) for _, number in named if number.isdigit()})))
    if brought.side and not found.rest:
        # A merge's own subject has a branch's name; the pull request's has a title.
        more = (subjects.of(one) for one in brought.subjects)
        found = next((one for one in more if one.key == found.key and one.rest), found)
    if found.kind is None and printed is not None:
        found = printed.of_commits([brought.commit.sha, *(one.sha for one in brought.side)])
    return found


def tell_twins(past: Past, sides: Mapping[str, Sequence[PastCommit]], warnings: ArchiveWarnings) -> None:
    """Tells of commits beside the line that are there on it as well."""
    by_patch: dict[object, PastCommit] = {}
    by_origin: dict[tuple[str, str, str], PastCommit] = {}
    for one in past.line:
        if one.touched:
            by_patch.setdefault(_patch(one), one)
        if len(one.parents) < 2:
            by_origin.setdefault((one.author, one.authored, one.subject), one)
    merges = {sha: merge for merge, side in sides.items() for sha in (one.sha for one in side)}
    for side in sides.values():
        for one in side:
            twin = by_patch.get(_patch(one)) if one.touched else None
            twin = twin or by_origin.get((one.author, one.authored, one.subject))
            if twin is None or not one.touched:
                continue
            same = twin.sha == merges[one.sha]
            message = (
                "a merge brings this change, as this commit made it"
                if same
                else ("this commit makes a change that another on the line makes as well")
            )
            made = f"it counts once, as {twin.sha[:12]}; this one is another name of it"
            warnings.add("twin", message, made, commit=one, quote=one.subject)


def _patch(commit: PastCommit) -> object:
    return frozenset((one.path, one.before, one.after) for one in commit.touched)
