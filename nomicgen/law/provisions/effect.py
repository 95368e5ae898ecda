"""With `next-turn`, `nomicgen turn` writes the day when it begins; until then the change waits. Another day is
`effect-wrong`, one before the decision `effect-early`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from nomicgen.diagnostics import Finding
from nomicgen.law.events import Timeline, decided_of
from nomicgen.law.kind import Kind, Provision
from nomicgen.law.precedence import Law
from nomicgen.model import Instrument, Moment, ProposalMatter, Turn

__all__ = ["EXAMPLES", "KIND", "due_moment", "is_next_turn", "own_moment", "waits_for_turn"]

EXAMPLES = """\
- case: What is adopted takes effect on that day, and on no other.
  provisions:
    effect: at-once
  votes: {osprey: for, quill: for, tallow: for, wren: against}
  effective: 2026-01-09
  gives:
    - "adopted: 3 for; more than half of eligible voters (4): more than 2 needed"
    - "effect-wrong: takes effect on 2026-01-09; Rule 201 lets it take effect at once, on 2026-01-06"
- case: What is adopted waits for the next turn.
  provisions:
    effect: next-turn
  votes: {osprey: for, quill: for, tallow: for, wren: against}
  effective: 2026-01-08
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02, ended: 2026-01-08}
    turns/R1T2.yml: {player: quill, began: 2026-01-08}
  gives:
    - "adopted: 3 for; more than half of eligible voters (4): more than 2 needed"
    - Rule 203/0 becomes Rule 203/1
"""


class Effect(Provision):
    """When an adopted change takes effect; written `at-once` or `{when: at-once}`."""

    when: Literal["at-once", "next-turn"] = Field(description="at once, or at the start of the next turn")


def _sentence(one: Effect) -> str:
    when = "as soon as it is adopted" if one.when == "at-once" else "at the start of the next turn"
    return f"An adopted change takes effect {when}."


def _began(turn: Turn | None) -> Moment | None:
    return turn.matter.began if turn is not None else None


def is_next_turn(law: Law) -> bool:
    """Whether what is adopted takes effect with the next turn."""
    said = law.says("effect", "when")
    return said is not None and said.value == "next-turn"


def waits_for_turn(instrument: Instrument, law: Law) -> bool:
    """Whether an adopted proposal takes effect with the next turn, and does not say yet which day that is."""
    return is_next_turn(law) and isinstance(instrument.matter, ProposalMatter) and instrument.matter.effective is None


def own_moment(instrument: Instrument, law: Law) -> Moment | None:
    """When a proposal says itself that it takes effect; None where it does not, and where a rule says when that is."""
    matter = instrument.matter
    if not isinstance(matter, ProposalMatter) or law.says("effect", "when") is not None:
        return None
    return matter.commences


def due_moment(instrument: Instrument, law: Law, timeline: Timeline) -> Iterator[Finding]:
    """What is wrong with the moment of effect: before the decision, or another than the rules say."""
    decided, effective = decided_of(instrument), instrument.matter.effective
    if decided is None:
        return
    span = instrument.source.at("effective")
    said = law.says("effect", "when")
    rule = said.rule if said else None
    if effective is None:
        due = _began(timeline.after(instrument)) if waits_for_turn(instrument, law) else None
        if due is not None:
            yield Finding(
                slug="effect-wrong",
                span=instrument.source.at("decided"),
                message=f"does not say when it takes effect; by Rule {rule} that is with the next turn, on {due}",
                help=f"write `effective: {due}`",
                rule=rule,
            )
        return
    if effective.precedes(decided):
        yield Finding(
            slug="effect-early",
            span=span,
            message=f"takes effect on {effective}, before it was decided on {decided}",
            help="no change takes effect before the vote that adopts it has ended: mend `effective` or `decided`",
            rule=rule,
        )
        return
    if said is None or instrument.kind != "proposal":
        return
    due = decided if said.value == "at-once" else _began(timeline.after(instrument))
    if due is not None and (due.precedes(effective) or effective.precedes(due)):
        when = "at once" if said.value == "at-once" else "at the start of the next turn"
        yield Finding(
            slug="effect-wrong",
            span=span,
            message=f"takes effect on {effective}; Rule {said.rule} lets it take effect {when}, on {due}",
            help=f"write `effective: {due}`",
            rule=said.rule,
        )


KIND = Kind(schema=Effect, sentence=_sentence, combines="fields", by_word=True)
