"""A ruleset that was kept as a text, as the files of a game: its rules become the initial set.

What the text does not say is left open; only a tier is taken, and a finding says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from msgspec.structs import replace

from nomicgen.files.file_findings import Notes
from nomicgen.files.yaml_writing import write_rule
from nomicgen.importers.game_writing import (
    ImportedGame,
    above_page,
    ranges,
    settings_file,
    with_rules,
)
from nomicgen.importers.import_report import MOST
from nomicgen.importers.lines import ranges_of
from nomicgen.importers.map_reader import MapReader
from nomicgen.importers.readings import FileText
from nomicgen.importers.shown_pictures import Pictures, ReadPictures
from nomicgen.importers.source_map import SourceMap
from nomicgen.importers.text.proof_state import observed_text
from nomicgen.importers.tiers import TierMap, rank_tiers
from nomicgen.model.findings import ordered
from nomicgen.model.values import Moment

_NAME = "Nomic"


def import_text(
    data: bytes,
    filename: str,
    source_map: SourceMap,
    *,
    name: str | None = None,
    tiers: TierMap | None = None,
    pictures: ReadPictures | None = None,
    started: Moment | None = None,
) -> ImportedGame:
    """Read a ruleset by a map.

    `name` is the game's, in place of that in the text. `tiers` takes the place of the map's, for
    rules whose tier the text does not say. `pictures` reads those that the text shows, by their
    paths from its folder. `started` is the game's first day, if it is known. What is odd is a
    finding in `filename`. If no rule can be read, the game has no files.
    """
    notes = Notes(filename, MOST)
    read = MapReader(source_map).read(data, filename)
    read.note(notes)
    kept = tuple((line, one) for line, one in read.rules if one.mark != "repealed")
    if not kept:
        if not read.slips:
            notes.at("import-unread", 1, 1, "the file is empty", "name the file that has the rules")
        return ImportedGame(findings=ordered(notes.findings()))
    read = replace(read, rules=kept)
    given = tiers or source_map.tier_map or TierMap()
    tier_of = {one.number: one.tier or given.tier_of(one.number) for one in read.passages}
    known = rank_tiers((tier for tier in tier_of.values() if tier), given.names)
    _note_tiers(
        read, [number for number, tier in tier_of.items() if tier is None], known[-1], notes
    )
    shown = Pictures()
    spent = _spent([*tier_of], source_map.first_proposal)
    files = {
        "nomic.yml": settings_file(
            name or source_map.name_in(read.above) or _NAME,
            known,
            started=started,
            lost={"proposals": ranges(spent)},
        )
    }
    for one in read.passages:
        files[f"rules/initial/{one.number}.md"] = write_rule(
            number=one.number,
            mutability=tier_of[one.number] or known[-1],
            revision=one.revision or 0,
            title=one.title,
            void=True if one.mark == "void" else None,
            note=one.note,
            text=shown.rebase(one.text, "") if one.text else one.text,
        )
    files |= shown.bring(pictures)
    shown.note(notes)
    files |= above_page([("", read.above)], known)
    return ImportedGame(
        files=MappingProxyType(with_rules(files)),
        findings=ordered(notes.findings()),
        observed=observed_text(filename, data, source_map),
    )


def _spent(numbers: Sequence[int], first: int | None) -> range:
    """Return the numbers that proposals have used up: from that of the first one to the highest
    rule's. There are none where the map does not say the first, or they would be more than 10,000.
    """
    last = max(numbers)
    return (
        range(first, last + 1) if first is not None and first <= last < first + 10_000 else range(0)
    )


def _note_tiers(read: FileText, silent: Sequence[int], least: str, notes: Notes) -> None:
    """Note the rules whose tier nothing says (`silent`), and that they get the tier `least`."""
    if silent:
        rules = f"Rule{'s' if len(silent) > 1 else ''} {ranges_of(silent)}"
        message = f"nothing says the tier of {rules}: {least}, the least entrenched, is taken"
        help = "to say it: `tiers:` in the map, or --tiers immutable=101-199,mutable=200-"
        line = next(line for line, one in read.rules if one.number == silent[0])
        notes.at("import-tier", line, 1, message, help)
