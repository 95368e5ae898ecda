"""An adopted change takes effect at once, with the next turn, or a number of days after the
decision (`after`). `nomicgen proposal resolve` writes the day as `effective`. With `next-turn` the
change waits, and takes effect as the turn begins. `nomicgen turn` or `nomicgen apply` writes that
day. Another day is `effect-wrong`, and a day before the decision is `effect-early`. The same rule
decides `when` and `after`: a lesser rule's `after` does not delay another rule's `when`.

- **`own_day`.** A proposal can name its own day (`commences`). With `own_day: true`, its day or
  the rule's counts, whichever is later. With `own_day: false`, its day does not count, and is
  `effect-wrong` until the proposal is decided. If no rule has `own_day`, the proposal's day counts
  unless a rule says when changes take effect.
- **`impossible`.** If an instruction is impossible, forbidden, or against a cap or a floor, nothing
  of its proposal is carried out. With `impossible: that` in the law of the day of decision, only
  that instruction is dropped, and it needs no votes. If something else has made it
  impossible since the vote opened, the proposal can be adopted all the same, and a warning says why
  nothing happens (`change-overtaken`). What was impossible from the beginning is an error; with
  `impossible: that` it is one only until the decision. A proposal is dropped as a whole if it would
  leave the rules unchangeable, or if none of its instructions is left.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from nomicgen.law.judging_kind import JudgingKind
from nomicgen.law.kind import PositiveDays, Provision, derived, unsaid
from nomicgen.law.precedence import Law, Said, rule_finding
from nomicgen.law.replay.events import began
from nomicgen.law.replay.moments import precedes
from nomicgen.law.sentences import Phrase, phrases
from nomicgen.law.subjects import ProposalOffered, State, TakesEffect, permitted_by
from nomicgen.model.findings import Finding, counted
from nomicgen.model.records import Instrument, Proposal
from nomicgen.model.values import Boolean, Moment

EXAMPLES = """\
- case: A change takes effect on the day of its adoption.
  provisions:
    effect: at-once
  votes: {osprey: for, quill: for, tallow: for, wren: against}
  effective: 2026-01-09
  gives:
    - "adopted: 3 for; more than half of eligible voters (4): more than 2 needed"
    - "effect-wrong: takes effect on 2026-01-09; Rule 201 lets it take effect at once, on
      2026-01-06"
- case: A change waits for the next turn.
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
- case: A change takes effect a week later.
  provisions:
    effect: {after: 7 days}
  votes: {osprey: for, quill: for, tallow: for, wren: against}
  effective: 2026-01-12
  gives:
    - "adopted: 3 for; more than half of eligible voters (4): more than 2 needed"
    - "effect-wrong: takes effect on 2026-01-12; Rule 201 lets it take effect 7 days after the
      decision, on 2026-01-13"
- case: A proposal may name a later day for itself.
  provisions:
    effect: {when: at-once, own_day: true}
  votes: {osprey: for, quill: for, tallow: for, wren: against}
  commences: 2026-02-01
  effective: 2026-01-06
  gives:
    - "adopted: 3 for; more than half of eligible voters (4): more than 2 needed"
    - "effect-wrong: takes effect on 2026-01-06; by its own words it takes effect on 2026-02-01"
- case: One of two changes is impossible. The other one is carried out.
  provisions:
    effect: {impossible: that}
  does: |-
    ## Repeal Rule 204/0

    ## Amend Rule 203/0

    Bishops move diagonally.
  votes: {osprey: for, quill: for, tallow: for, wren: against}
  gives:
    - "adopted: 3 for; more than half of eligible voters (4): more than 2 needed"
    - "change-overtaken: this change is dropped, and the others are carried out: there is no Rule
      204"
    - Repeal Rule 204/0 is refused
    - Rule 203/0 becomes Rule 203/1
"""


Timing = str | int
"""When changes take effect: `at-once`, `next-turn`, or a number of days after the decision."""


class EffectTiming(Provision):
    """When an adopted change takes effect; written `at-once`, or as a table such as `{when:
    at-once}`.
    """

    when: Literal["at-once", "next-turn"] | None = unsaid(
        "at once, or at the start of the next turn"
    )
    after: PositiveDays | None = unsaid("how many days after the decision, instead of `when`")
    own_day: Boolean | None = unsaid("whether a proposal may name a later day, as `commences`")

    impossible: Literal["all", "that"] | None = unsaid(
        "what is dropped if one change of a proposal is impossible or forbidden: all of it, or "
        "that change"
    )

    def check(self) -> None:
        if not self.said:
            raise ValueError("should not be empty")
        if self.when is not None and self.after is not None:
            raise ValueError("should have `when` or `after`, not both")

    @property
    def said(self) -> tuple[str, ...]:
        """`when` and `after` are one field: a rule that says one of them decides the other."""
        names = super().said
        return tuple(
            dict.fromkeys("timing" if name in ("when", "after") else name for name in names)
        )

    @derived
    def timing(self) -> Timing | None:
        """When the change takes effect: `at-once`, `next-turn`, or after how many days."""
        return self.when or self.after


def _timing(effect: EffectTiming) -> str:
    when = (
        "as soon as it is adopted" if effect.when == "at-once" else when_words(effect.timing or 0)
    )
    return f"An adopted change takes effect {when}."


_WORDS: dict[str, Phrase[EffectTiming]] = {
    "timing": _timing,
    "own_day": {
        True: "A proposal may name a later day for itself.",
        False: "A proposal may not name a later day for itself.",
    },
    "impossible": {
        "all": "Where one change of a proposal cannot be made, it changes nothing at all.",
        "that": "Where one change of a proposal cannot be made, the other changes are made all "
        "the same.",
    },
}


def when_words(timing: Timing) -> str:
    """Return in words when changes take effect: `at once`, `7 days after the decision`."""
    if isinstance(timing, int):
        return f"{counted(timing, 'day')} after the decision"
    return {"at-once": "at once", "next-turn": "at the start of the next turn"}[timing]


def falls_alone(law: Law) -> bool:
    """Return whether a forbidden or impossible change is dropped alone, not its whole proposal."""
    return law.value(EffectTiming.impossible) == "that"


def is_next_turn(law: Law) -> bool:
    """Return whether what is adopted takes effect with the next turn."""
    return law.value(EffectTiming.timing) == "next-turn"


def own_moment(instrument: Instrument, law: Law) -> Moment | None:
    """Return the day that a proposal names for its own effect; None if it names none, or that day
    does not count.
    """
    may = law.says(EffectTiming.own_day)
    counts = may.value if may is not None else law.says(EffectTiming.timing) is None
    return instrument.matter.commences if isinstance(instrument, Proposal) and counts else None


def due_moment(
    instrument: Instrument, law: Law, decided: Moment, turn: Moment | None
) -> Moment | None:
    """Return when a proposal takes effect that was decided at `decided`; `turn` is when the next
    turn began, None while it has not.
    """
    timing, due = law.value(EffectTiming.timing), decided
    if is_next_turn(law):
        if turn is None:
            return None
        due = turn
    elif isinstance(timing, int):
        due = decided.plus(timing)
    own = own_moment(instrument, law)
    return own if precedes(due, own) else due


def effect_words(instrument: Instrument, law: Law, decided: Moment) -> str:
    """Return in words when a proposal would take effect if it were decided at `decided`.

    '' if that is at once.
    """
    said: Said[Timing] | None = law.says(EffectTiming.timing)
    own = own_moment(instrument, law)
    due = due_moment(instrument, law, decided, None)
    if due is not None and due == own and decided.precedes(due):
        return f"on {due}, by its own words"
    if due is None and own is not None and said is not None:
        return f"on {own} or {when_words(said.value)}, whichever is later (Rule {said.rule})"
    if said is not None and said.value != "at-once":
        return f"{when_words(said.value)} (Rule {said.rule})"
    return ""


def _judge_own_day(subject: ProposalOffered, state: State) -> Iterator[Finding]:
    """Yield that an undecided proposal names a day for its effect, and may not."""
    instrument, own_day = subject.instrument, state.law.says(EffectTiming.own_day)
    matter = instrument.matter
    if matter.commences is None or own_day is None or own_day.value:
        return
    again = f"`nomicgen proposal resubmit {instrument.number}`"
    yield rule_finding(
        "effect-wrong",
        instrument.source.at("commences"),
        own_day,
        f"says that it takes effect on {matter.commences}; Rule {own_day.rule} lets no proposal "
        "name its day",
        f"delete `commences`, then open the vote again: {again}"
        if matter.status == "open"
        else "delete `commences`",
    )


def _judge_effect(subject: TakesEffect, state: State) -> Iterator[Finding]:
    """Yield that the change takes effect before its decision, or at another time than it should."""
    instrument, law = subject.instrument, state.law
    decided, effective = instrument.decided, instrument.matter.effective
    if decided is None:
        return
    timing: Said[Timing] | None = law.says(EffectTiming.timing)
    own = own_moment(instrument, law)
    rule = timing.rule if timing else None
    if precedes(effective, decided):
        yield Finding(
            slug="effect-early",
            span=instrument.source.at("effective"),
            message=f"takes effect on {effective}, before it was decided on {decided}",
            help="correct `effective`, or the day of the decision",
            rule=rule,
        )
        return
    if (timing is None and own is None) or instrument.kind != "proposal":
        return
    due = due_moment(instrument, law, decided, began(subject.turn))
    written = effective or (None if is_next_turn(law) else decided)
    if due is None or written is None or not (due.precedes(written) or written.precedes(due)):
        return
    takes = (
        f"Rule {timing.rule} lets it take effect {when_words(timing.value)},"
        if timing
        else "it takes effect at once,"
    )
    if due == own:
        takes = "by its own words it takes effect"
    key, is_so = "decided", "does not say when it takes effect"
    if effective is not None:
        key, is_so = "effective", f"takes effect on {effective}"
    yield Finding(
        slug="effect-wrong",
        span=instrument.source.at(key),
        message=f"{is_so}; {takes} on {due}",
        help=f"write `effective: {due}`",
        rule=rule,
    )


KIND = JudgingKind(
    schema=EffectTiming,
    sentence=lambda effect: " ".join(phrases(effect, _WORDS)),
    combines="fields",
    as_word=True,
    licenses=(
        permitted_by(ProposalOffered, [EffectTiming.own_day], _judge_own_day),
        permitted_by(TakesEffect, [EffectTiming.timing], _judge_effect),
    ),
)
