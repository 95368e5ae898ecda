"""The ruleset with which a game begins."""

from __future__ import annotations

from nomicgen.law.reading import parse_provisions
from nomicgen.law.state import Rule, Ruleset
from nomicgen.law.unread import still_unread
from nomicgen.model import Records, RuleFile

__all__ = ["initial_ruleset"]


def initial_ruleset(records: Records) -> Ruleset:
    """The ruleset that `rules/initial/` gives; of two files with one number the first counts."""
    rules: dict[int, Rule] = {}
    for file in sorted(records.initial.values(), key=lambda one: (one.matter.number, one.source.file)):
        rules.setdefault(file.matter.number, _initial(file, len(rules) + 1, tuple(records.settings.tiers)))
    return Ruleset.of(rules.values())


def _initial(file: RuleFile, identity: int, tiers: tuple[str, ...]) -> Rule:
    matter = file.matter
    return Rule(
        identity=identity,
        number=matter.number,
        revision=matter.revision,
        tier=matter.mutability,
        text=file.text,
        title=matter.title,
        section=matter.section,
        provisions=matter.provisions,
        law=parse_provisions(matter.provisions, tiers)[0],
        defines=tuple(matter.defines or ()),
        unread=still_unread(matter.unread, file.text, matter.provisions),
        void=matter.void or None,
        note=matter.note,
    )
