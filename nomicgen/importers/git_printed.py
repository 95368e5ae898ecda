"""What a game printed of its own history (`--history`), joined to what its repository says.

The printed history has the legal dates, the players and the turns; the repository has the commits. Where the two do
not agree, that is told, and neither is bent to the other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from nomicgen.files.file_findings import Notes
from nomicgen.identifiers import CommitId
from nomicgen.importers.derived_names import sha_of
from nomicgen.importers.git_changes import Change
from nomicgen.importers.git_ledger import COMPLETION, CORRECTION, ArchiveInstrument
from nomicgen.importers.git_subjects import NamedInstrument
from nomicgen.importers.import_report import ArchiveWarnings
from nomicgen.importers.long_format import Section, normalised, read_document
from nomicgen.importers.long_history import LongHistory, history_of, read_lines
from nomicgen.importers.printed_history import HistoryLine


class PrintedLine(Struct, frozen=True):
    """A line of a history, the rule below which it stands, and the commit that it leads to."""

    rule: int
    said: HistoryLine
    sha: CommitId | None


class Printed(Struct, frozen=True, kw_only=True):
    """A printed ruleset: `name` is the game's, `path` the file's; `sections` by number; its `lines`, in order."""

    path: str
    name: str | None
    sections: Mapping[int, Section]
    lines: tuple[PrintedLine, ...]

    @property
    def shas(self) -> frozenset[CommitId]:
        """The commits that the lines lead to."""
        return frozenset(one.sha for one in self.lines if one.sha is not None)

    def histories(self, tiers: Sequence[str]) -> list[LongHistory]:
        """The rules' histories; what they slip in was told when they were read."""
        notes = Notes(self.path)
        return [
            history_of(section, [one.said for one in self.lines if one.rule == number], tiers, notes)
            for number, section in self.sections.items()
        ]

    def of_commits(self, shas: Iterable[str]) -> NamedInstrument:
        """What the lines that lead to one of some commits say it is, if they all say the same."""
        named = {*shas}
        found = {(one.said.kind, one.said.cause) for one in self.lines if one.sha in named}
        return _class(found)

    def of_changes(self, changes: Sequence[Change], known: Collection[tuple[str, str]]) -> NamedInstrument:
        """What made some changes, by the revisions that they made, where the lines all say the same, and it is not one
        of `known`.
        """
        found = set()
        for change in changes:
            one = change.after
            if one is None:
                continue
            verb = "enact" if change.before is None else "amend"
            revision = one.heading if verb == "amend" else None
            if verb == "amend" and revision is None:
                continue
            found |= {
                (line.said.kind, line.said.cause)
                for line in self.lines
                if line.rule == one.number and line.said.verb == verb and line.said.revision in (revision, None)
            }
        classed = _class(found)
        return NamedInstrument() if classed.key in known else classed

    def of_instrument(self, entry: ArchiveInstrument) -> tuple[PrintedLine, ...]:
        """The lines that name an instrument."""
        if entry.cause in (CORRECTION, COMPLETION):
            return ()
        cause = entry.cause.casefold()
        return tuple(one for one in self.lines if one.said.kind == entry.kind and one.said.cause.casefold() == cause)


def _class(found: Collection[tuple[str | None, str]]) -> NamedInstrument:
    kinds = {(kind, cause) for kind, cause in found if kind is not None}
    if len(kinds) != 1:
        return NamedInstrument()
    kind, cause = next(iter(kinds))
    if kind == "act":
        return NamedInstrument(kind="act", cause=cause)
    return NamedInstrument(kind="proposal" if kind == "proposal" else "judgement", number=int(cause), cause=cause)


def read_printed(data: bytes, path: str, warnings: ArchiveWarnings) -> Printed | None:
    """Reads a ruleset in the long format; its slips are told. None where it has no rule."""
    notes = Notes(path)
    words = normalised(data, notes)
    document = read_document(words, notes) if words is not None else None
    if document is None or not document.sections:
        warnings.add("history-unread", "the printed history is not in the long format", "it is not used", path=path)
        return None
    sections: dict[int, Section] = {}
    found: list[PrintedLine] = []
    for section in document.sections:
        if section.number not in sections:
            sections[section.number] = section
            found += [PrintedLine(section.number, one, sha_of(one.url)) for one in read_lines(section, notes)]
    warnings.take(notes.findings())
    return Printed(path=path, name=document.name, sections=sections, lines=tuple(found))
