"""Rules from their keys: in front matter of the initial set, or an instruction's `yaml rule` block.

Both have the keys of `RuleKeys`. The ruleset with which a game begins is made here, too.
"""

from __future__ import annotations

from msgspec.structs import replace

from nomicgen.law.reading import parse_provisions
from nomicgen.law.replay.results import Rule, Ruleset
from nomicgen.law.unread_passages import still_unread
from nomicgen.model.records import Records
from nomicgen.model.rule_matters import RuleKeys
from nomicgen.model.settings import Settings


def with_keys(rule: Rule, keys: RuleKeys, settings: Settings) -> Rule:
    """Return the rule with what these keys say. What they leave out stays as it was, but `unread`
    only as far as it fits the provisions.
    """
    written = keys.written
    if "provisions" in written:
        raw = keys.provisions or None
        law, _ = parse_provisions(raw, tuple(settings.tiers))
        rule = replace(rule, provisions=raw, law=law)
    if written & {"unread", "provisions"}:
        unread = keys.unread if "unread" in written else rule.unread
        rule = replace(rule, unread=still_unread(unread, rule.text, rule.provisions))
    changes = {
        "section": keys.section,
        "defines": tuple(keys.defines or ()),
        "note": keys.note,
        "void": keys.void or None,
    }
    return replace(rule, **{name: value for name, value in changes.items() if name in written})


def initial_ruleset(records: Records) -> Ruleset:
    """Return the ruleset that `rules/initial/` gives."""
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
