"""Corrections: acts that give a rule the text again that the ledger has for it, or restate a field
that was recorded wrongly.

The file with that field is edited, and the act says what it said before, and gives the evidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from nomicgen.law.replay.results import Correction, Ruleset
from nomicgen.model.findings import Finding
from nomicgen.model.records import Act, Instrument

CORRECTION = "correction"
"""The `cause` of a correction."""


def is_correction(instrument: Instrument) -> TypeGuard[Act]:
    """Return whether an instrument is called a correction; `check_correction` says if it is one."""
    return isinstance(instrument, Act) and instrument.matter.cause == CORRECTION


def check_correction(instrument: Instrument, ruleset: Ruleset) -> Iterator[Finding]:
    """Yield the points of a correction, and those of its instructions that do more than restore the
    text that the ledger gives.

    No rule has to permit a correction, so besides that it may only restate fields.
    """
    for index, _ in enumerate(instrument.matter.points or ()):
        yield Finding(
            slug="correction-changes",
            span=instrument.source.at("points", index),
            message="a correction gives no points",
            help="points that were recorded wrongly are mended in their file, with `restates` "
            "here; others are given by an act with a `cause` of its own, and `by`",
        )
    for instruction in instrument.instructions:
        rule = ruleset.get(instruction.target.number) if instruction.target else None
        restores = (
            instruction.verb == "amend" and rule is not None and rule.text == instruction.text
        )
        if not restores or (
            instruction.block is not None and instruction.block.provisions is not None
        ):
            yield Finding(
                slug="correction-changes",
                span=instruction.span,
                message=f"{instruction.heading}: a correction may only restore the text that the "
                "ledger gives",
                help="give the act another `cause` and the rule that allows it (`under: N`), or "
                "put the change to the vote as a proposal",
            )


def corrections_of(instrument: Act) -> tuple[Correction, ...]:
    """Return what a correction restates, in its own order."""
    matter, at = instrument.matter, instrument.source.at
    return tuple(
        Correction(
            **restated.whole(),
            act=instrument.path,
            moment=matter.date,
            span=at("restates", index, "key"),
        )
        for index, restated in enumerate(matter.restates or ())
    )
