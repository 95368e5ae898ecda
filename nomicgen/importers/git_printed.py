"""What a game printed of its own history (`--history`), joined to what its repository says.

The printed history has the legal dates, the players and the turns; the repository has the commits. Where the two do
not agree, that is told, and neither is bent to the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from nomicgen.files.file_findings import Notes
from nomicgen.importers.derived_names import sha_of
from nomicgen.importers.git_changes import Change
from nomicgen.importers.git_ledger import COMPLETION, CORRECTION, Entry
from nomicgen.importers.git_subjects import Classed
from nomicgen.importers.import_report import Oddities
from nomicgen.importers.long_format import Section, normalised, read_document
from nomicgen.importers.long_history import Life, life_of, read_lines
from nomicgen.importers.printed_history import HistoryLine


class Line(Struct, frozen=True):
    """A line of a history, and the rule below which it stands."""

    rule: int
    said: HistoryLine


class Printed(Struct, frozen=True, kw_only=True):
    """A printed ruleset: `name` is the game's, `path` the file's; `sections` by number; its `lines`, in order."""

    path: str
    name: str | None
    sections: Mapping[int, Section]
    lines: tuple[Line, ...]
    _of_commit: Mapping[str, tuple[Line, ...]] = {}
    _of_cause: Mapping[tuple[str, str], tuple[Line, ...]] = {}
    _of_rule: Mapping[int, tuple[Line, ...]] = {}

    @property
    def shas(self) -> frozenset[str]:
        """The commits that the lines lead to."""
        return frozenset(self._of_commit)

    def lives(self, tiers: Sequence[str]) -> list[Life]:
        """The rules' lives as the histories tell them; what they slip in was told when they were read."""
        notes = Notes(self.path)
        return [
            life_of(section, [one.said for one in self._of_rule.get(number, ())], tiers, notes)
            for number, section in self.sections.items()
        ]

    def of_commits(self, shas: Iterable[str]) -> Classed:
        """What the lines that lead to one of some commits say it is, if they all say the same."""
        found = {(one.said.kind, one.said.cause) for sha in shas for one in self._of_commit.get(sha, ())}
        return _class(found)

    def of_changes(self, changes: Sequence[Change], known: Collection[tuple[str, str]]) -> Classed:
        """What made some changes, by the revisions that they made, where the lines all say the same, and it is not one
        of `known`.
        """
        found = set()
        for change in changes:
            one = change.after
            if one is None:
                continue
            deed = "enact" if change.before is None else "amend"
            revision = one.heading if deed == "amend" else None
            if deed == "amend" and revision is None:
                continue
            found |= {
                (line.said.kind, line.said.cause)
                for line in self._of_rule.get(one.number, ())
                if line.said.deed == deed and line.said.revision in (revision, None)
            }
        classed = _class(found)
        return Classed() if classed.key in known else classed

    def of_instrument(self, entry: Entry) -> tuple[Line, ...]:
        """The lines that name an instrument."""
        if entry.cause in (CORRECTION, COMPLETION):
            return ()
        return self._of_cause.get((entry.kind, entry.cause.casefold()), ())


def _class(found: Collection[tuple[str | None, str]]) -> Classed:
    kinds = {(kind, cause) for kind, cause in found if kind is not None}
    if len(kinds) != 1:
        return Classed()
    kind, cause = next(iter(kinds))
    if kind == "act":
        return Classed(kind="act", cause=cause)
    return Classed(kind="proposal" if kind == "proposal" else "judgement", number=int(cause), cause=cause)


def read_printed(data: bytes, path: str, lines: Oddities) -> Printed | None:
    """Reads a ruleset in the long format; its slips are told. None where it has no rule."""
    notes = Notes(path)
    words = normalised(data, notes)
    document = read_document(words, notes) if words is not None else None
    if document is None or not document.sections:
        lines.add("history-unread", "the printed history is not in the long format", "it is not used", path=path)
        return None
    sections: dict[int, Section] = {}
    found: list[Line] = []
    for section in document.sections:
        if section.number not in sections:
            sections[section.number] = section
            found += [Line(section.number, one) for one in read_lines(section, notes)]
    lines.take(notes.findings())
    of_commit: dict[str, list[Line]] = defaultdict(list)
    of_cause: dict[tuple[str, str], list[Line]] = defaultdict(list)
    of_rule: dict[int, list[Line]] = defaultdict(list)
    for one in found:
        of_cause[one.said.kind or "", one.said.cause.casefold()].append(one)
        of_rule[one.rule].append(one)
        if sha := sha_of(one.said.url):
            of_commit[sha].append(one)
    return Printed(
        path=path,
        name=document.name,
        sections=sections,
        lines=tuple(found),
        _of_commit={sha: tuple(some) for sha, some in of_commit.items()},
        _of_cause={cause: tuple(some) for cause, some in of_cause.items()},
        _of_rule={number: tuple(some) for number, some in of_rule.items()},
    )
