"""The ruleset with which a game begins."""

from __future__ import annotations

from nomicgen.law.reading import parse_provisions
from nomicgen.law.replay_state import Rule, Ruleset
from nomicgen.law.unread_provisions import still_unread
from nomicgen.model import Records


def initial_ruleset(records: Records) -> Ruleset:
    """The ruleset that `rules/initial/` gives."""
    rules: list[Rule] = []
    for file in sorted(records.initial.values(), key=lambda file: file.matter.number):
        matter = file.matter
        rule = Rule(
            identity=len(rules) + 1,
            number=matter.number,
            revision=matter.revision,
            tier=matter.mutability,
            text=file.text,
            title=matter.title,
            section=matter.section,
            provisions=matter.provisions,
            law=parse_provisions(matter.provisions, tuple(records.settings.tiers))[0],
            defines=tuple(matter.defines or ()),
            unread=still_unread(matter.unread, file.text, matter.provisions),
            void=matter.void or None,
            note=matter.note,
        )
        rules.append(rule)
    return Ruleset.of(rules)
