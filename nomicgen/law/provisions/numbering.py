"""A proposal gets its number when it is registered: the next one, and none is left out
(`number-wrong`, `number-missing`). It keeps the number even if it is defeated. More changes than
the rule allows are `changes-many`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from nomicgen.law.kind import Kind, Many, Provision, unsaid
from nomicgen.law.precedence import Law, Said, rule_finding
from nomicgen.law.sentences import Phrase, by_field
from nomicgen.model.findings import Finding
from nomicgen.model.records import Instrument
from nomicgen.model.values import Number

EXAMPLES = """\
- case: A new rule takes its proposal's number.
  provisions:
    numbering: {first: 301, enacted: proposal, amended: keep, transmuted: keep, taken: next-free,
        changes: 1}
  does: |
    ## Enact Rule

    Pawns may move backwards.
  votes: {osprey: for, quill: for, tallow: for, wren: against}
  gives:
    - "adopted: 3 for; more than half of eligible voters (4): more than 2 needed"
    - Rule 301/0 is enacted, mutable
- case: A proposal has two changes, but may have only one.
  provisions:
    numbering: {changes: 1}
  does: |
    ## Repeal Rule 203/0

    ## Transmute Rule 202/0 to immutable
  gives:
    - "changes-many: Draft try holds 2 changes; Rule 201 allows 1"
"""


class Numbering(Provision):
    """How numbers are given."""

    first: Number | None = unsaid("the number of the first proposal")
    enacted: Literal["proposal", "next"] | None = unsaid("the number that a new rule takes")
    amended: Literal["proposal", "keep"] | None = unsaid("the number that an amended rule takes")
    transmuted: Literal["proposal", "keep"] | None = unsaid(
        "the number that a transmuted rule takes"
    )
    taken: Literal["next-free", "error"] | None = unsaid("what happens if the number is taken")
    changes: Many | None = unsaid("how many changes a proposal may hold")


_WORDS: dict[str, Phrase[Numbering]] = {
    "first": "proposals are numbered from {}",
    "enacted": {
        "proposal": "a newly enacted rule takes its proposal's number",
        "next": "a newly enacted rule takes the next free number",
    },
    "amended": {
        "proposal": "an amended rule takes its proposal's number",
        "keep": "an amended rule keeps its number",
    },
    "transmuted": {
        "proposal": "a transmuted rule takes its proposal's number",
        "keep": "a transmuted rule keeps its number",
    },
    "taken": {
        "next-free": "in place of a number that is taken, the next free one is given",
        "error": "a number that is taken may not be given",
    },
    "changes": {
        "any": "a proposal holds any number of changes",
        1: "a proposal holds one change",
        None: "a proposal holds up to {} changes",
    },
}


def surplus_changes(instrument: Instrument, law: Law) -> Iterator[Finding]:
    """Yield that an instrument has more changes than the law at its registration allows."""
    changes: Said[Many] | None = law.says(Numbering.changes)
    if (
        changes is not None
        and changes.value != "any"
        and len(instrument.instructions) > changes.value
    ):
        yield rule_finding(
            "changes-many",
            instrument.instructions[changes.value].span,
            changes,
            f"{instrument.name} holds {len(instrument.instructions)} changes; "
            f"Rule {changes.rule} allows {changes.value}",
            "put the others into proposals of their own",
        )


KIND = Kind(
    schema=Numbering, sentence=by_field(_WORDS, "no numbering is laid down"), combines="fields"
)
