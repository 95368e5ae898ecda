"""The ruleset with which a game begins."""

from __future__ import annotations

from nomicgen.law.replay.state import Rule, Ruleset
from nomicgen.law.rule_keys import with_keys
from nomicgen.model.records import Records


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
        )
        rules.append(with_keys(rule, matter, records.settings))
    return Ruleset.of(rules)
