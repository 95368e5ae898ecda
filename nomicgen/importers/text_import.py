"""A ruleset that was kept as text, made the files of a game: its rules, with their numbers, tiers, marks and texts.

Nothing is invented: what the text does not say is said to be missing. A text in the long format is read as that.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import partial
from types import MappingProxyType

from msgspec.structs import replace

from nomicgen.model.findings import ordered
from nomicgen.files import write_rule
from nomicgen.files.file_findings import Notes
from nomicgen.importers.certificate import ComparedState, Observed, SourceRule, compare_states, digest_of
from nomicgen.importers.game_writing import ranges, settings_file, with_rules
from nomicgen.importers.given_provisions import Provided, Raw
from nomicgen.importers.import_report import MOST
from nomicgen.importers.printed.format import normalised, read_document
from nomicgen.importers.long.importer import ImportedGame, import_long
from nomicgen.importers.shown_pictures import Pictures, ReadPictures
from nomicgen.importers.text_lines import ranges_of
from nomicgen.importers.text_outline import RulePart
from nomicgen.importers.text_printed import document_of
from nomicgen.importers.text_reading import Read, read_text
from nomicgen.importers.text_rule_forms import RuleForm
from nomicgen.importers.tiers import TierMap
from nomicgen.patterns import lazy_pattern

_NAME = "Nomic"
_MARKDOWN = (".md", ".markdown", ".mdown")
_HEADED = lazy_pattern(r"^ {0,3}#{1,6}[ \t]+(?:\*{1,3})?(?:rule[ \t]+)?[1-9][0-9]{0,8}\b", re.IGNORECASE | re.MULTILINE)
_HISTORY = lazy_pattern(r"^ {0,3}#{1,6}[ \t]+[*_]*History\b", re.IGNORECASE | re.MULTILINE)


def import_text(
    data: bytes,
    filename: str,
    *,
    name: str | None = None,
    tiers: TierMap | None = None,
    provisions: Provided | None = None,
    shape: RuleForm | None = None,
    pictures: ReadPictures | None = None,
) -> ImportedGame:
    """Reads a ruleset. `tiers` are for rules of which the text says none; `provisions` are put into the rules that
    bear their numbers; `shape` says how a rule begins; `pictures` reads those that are shown, by their paths from the
    text's folder. What is odd is a finding in `filename`, and stops nothing.
    """
    notes = Notes(filename, MOST)
    words = normalised(data, notes)
    if words is None:
        return ImportedGame(findings=notes.findings())
    if shape is None and _is_long(words):
        return _import_long(data, filename, name, tiers, provisions, pictures)
    markdown = filename.casefold().endswith(_MARKDOWN) or _HEADED.search(words) is not None
    read = read_text(words, markdown=markdown, tiers=tiers or TierMap(), notes=notes, shape=shape)
    if read is None:
        return ImportedGame(findings=ordered(notes.findings()))
    shown = Pictures()
    read = replace(
        read, rules=tuple(replace(rule, text=rule.text and shown.rebased(rule.text, "")) for rule in read.rules)
    )
    provided = _provided(read, provisions or Provided(), notes)
    named = name or read.name or _NAME
    files = {"nomic.yml": settings_file(named, read.tiers, lost={"proposals": ranges(read.spent)})}
    for rule in read.rules:
        files[f"rules/initial/{rule.number}.md"] = _file(rule, provided.get(rule.number))
    files |= shown.brought(pictures)
    shown.note(notes)
    return ImportedGame(
        files=MappingProxyType(with_rules(files)),
        findings=ordered(notes.findings()),
        observed=_observed(read, filename, data),
    )


def _observed(read: Read, filename: str, data: bytes) -> Observed:
    """What the text says: one state."""
    rules = {rule.number: _said(rule) for rule in read.rules}
    compare = partial(compare_states, [ComparedState(place=f"{filename}:{read.rules[0].line}", changed=rules)])
    return Observed(kind="text", digest=digest_of([data]), compare=compare)


def _said(rule: RulePart) -> SourceRule:
    return SourceRule(
        number=rule.number,
        text=rule.text,
        title=rule.title,
        tier=rule.mark or rule.heading,
        void=bool(rule.void),
        revision=rule.revision or None,
    )


def _is_long(text: str) -> bool:
    """Whether rules of a text are headed `## 203/1` and have histories."""
    if document_of(text) is not None:
        return True
    return _HISTORY.search(text) is not None and any(
        section.history for section in read_document(text, Notes("")).sections
    )


def _import_long(
    data: bytes,
    filename: str,
    name: str | None,
    tiers: TierMap | None,
    provisions: Provided | None,
    pictures: ReadPictures | None,
) -> ImportedGame:
    imported = import_long(data, filename, name=name, provisions=provisions, pictures=pictures)
    notes = Notes(filename)
    if tiers is not None:
        message = "this is a ruleset in the long format, whose histories say every rule's tier"
        notes.at("import-tier", 1, 1, message, "--tiers is not used: leave it out")
    _note_lacking((provisions or Provided()).numbers.difference(imported.provided), 1, notes)
    return replace(imported, findings=ordered([*imported.findings, *notes.findings()]))


def _file(rule: RulePart, provisions: Raw | None) -> bytes:
    return write_rule(
        number=rule.number,
        mutability=rule.tier,
        revision=rule.revision or 0,
        title=rule.title,
        section=rule.section,
        provisions=provisions,
        void=rule.void,
        note="; ".join(rule.notes) or None,
        text=rule.text,
    )


def _provided(read: Read, provisions: Provided, notes: Notes) -> dict[int, Raw]:
    """The provisions of each rule that is here; those whose rule is not are noted."""
    numbers = [rule.number for rule in read.rules]
    _note_lacking(provisions.numbers.difference(numbers), read.rules[0].line, notes)
    return {number: law for number in numbers if (law := provisions.of(number))}


def _note_lacking(numbers: Collection[int], line: int, notes: Notes) -> None:
    if numbers:
        message = f"the provisions of Rule{'s' if len(numbers) > 1 else ''} {ranges_of(numbers)} find no rule here"
        help = "see whether another rule says the same; if so, write them into its file in rules/initial/"
        notes.at("import-provisions", line, 1, message, help)
