"""What a game printed of its own history (`--history`), joined to what its repository says.

The printed history has the legal dates, the players and the turns; the repository has the commits. Where the two do
not agree, that is told, and neither is bent to the other.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from nomicgen.files.file_findings import Notes
from nomicgen.importers.derived_names import sha_of
from nomicgen.importers.git.ledger import COMPLETION, CORRECTION, ArchiveInstrument
from nomicgen.importers.git.subjects import NamedInstrument
from nomicgen.importers.import_report import ArchiveWarnings
from nomicgen.importers.printed.format import Section, normalised, read_document
from nomicgen.importers.printed.history import LongHistory, history_of, read_lines
from nomicgen.importers.printed.printed_history import HistoryLine
from nomicgen.model.identifiers import CommitId


class PrintedLine(Struct, frozen=True):
    """A line of a history, the rule below which it stands, and the commit that it leads to."""

    rule: int
    line: HistoryLine
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
        return frozenset(printed.sha for printed in self.lines if printed.sha is not None)

    def histories(self, tiers: Sequence[str]) -> list[LongHistory]:
        """The rules' histories; what they slip in was told when they were read."""
        notes = Notes(self.path)
        return [
            history_of(section, [printed.line for printed in self.lines if printed.rule == number], tiers, notes)
            for number, section in self.sections.items()
        ]

    def of_commits(self, shas: Collection[str]) -> NamedInstrument:
        """What the lines that lead to one of some commits say it is, if they all say the same."""
        lines = (printed.line for printed in self.lines if printed.sha in shas)
        named = {(line.kind, line.cause) for line in lines if line.kind is not None}
        if len(named) != 1:
            return NamedInstrument()
        ((kind, cause),) = named
        return NamedInstrument(kind=kind, cause=cause)

    def of_instrument(self, instrument: ArchiveInstrument) -> list[HistoryLine]:
        """The lines that name an instrument."""
        if instrument.cause in (CORRECTION, COMPLETION):
            return []
        cause = instrument.cause.casefold()
        lines = (printed.line for printed in self.lines)
        return [line for line in lines if line.kind == instrument.kind and line.cause.casefold() == cause]


def read_printed(data: bytes, path: str, warnings: ArchiveWarnings) -> Printed | None:
    """Reads a ruleset in the long format; its slips are told. None where it has no rule."""
    notes = Notes(path)
    words = normalised(data, notes)
    document = read_document(words, notes) if words is not None else None
    if document is None or not document.sections:
        warnings.add("history-unread", "the printed history is not in the long format", "it is not used", path=path)
        return None
    sections: dict[int, Section] = {}
    lines: list[PrintedLine] = []
    for section in document.sections:
        if section.number not in sections:
            sections[section.number] = section
            lines += [PrintedLine(section.number, line, sha_of(line.url)) for line in read_lines(section, notes)]
    warnings.take(notes.findings())
    return Printed(path=path, name=document.name, sections=sections, lines=tuple(lines))
