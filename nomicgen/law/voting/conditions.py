"""The conditions that a change must meet to be adopted, from provisions of the kind `adoption`."""

from __future__ import annotations

from nomicgen.law.change_kinds import judged_verb
from nomicgen.law.precedence import Law, drop_defeated
from nomicgen.law.provisions.adoption import Adoption
from nomicgen.law.replay.results import Rule, Ruleset
from nomicgen.model.records import Instruction

Requirements = tuple[tuple[Rule, Adoption], ...]
"""The conditions that a change must meet to be adopted, each with its rule."""


def conditions_for(verb: str, from_: str | None, into: str | None, law: Law) -> Requirements:
    """Return the conditions that match a kind of change, even those that give way to another.

    `from_` is the tier of the rule before the change, `into` the tier that it gets (`ChangeKind`).
    """
    return tuple(
        (rule, adoption)
        for rule, adoption in law.every(Adoption)
        if (adoption.to is None or verb in adoption.to)
        and (adoption.from_ is None or from_ in adoption.from_)
        and (adoption.into is None or into in adoption.into)
    )


def requirements_for(
    instruction: Instruction, rule: Rule | None, tier: str | None, law: Law, ruleset: Ruleset
) -> Requirements:
    """Return the conditions that one instruction must meet: all that match, without those that
    give way to another of them.

    `rule` is the rule that it changes. `tier` is the tier that it enacts or transmutes into; other
    changes do not use it. A change that the law does not judge has no conditions (`judged_verb`).
    """
    verb = judged_verb(instruction)
    if verb is None or not law.every(Adoption):
        return ()
    into = tier if verb in ("enact", "transmute") else None
    return drop_defeated(conditions_for(verb, rule.tier if rule else None, into, law), ruleset, law)
