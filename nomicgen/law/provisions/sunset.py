"""Rounds and turns are counted from the day on which the provision came into force. When the change
is due, `check` warns (`deadline-missed`) and `nomicgen next --do` writes the act. A decision after
that day, while the act is missing, is `sunset-missed`. If `becomes` has no `provisions`, the rule
keeps its own, without the sunset. No program can see an `event`: an act `under` the rule records
that it happened, and its `by` says who saw it. An act by the rule itself that comes too soon, or
does anything else than its `sunset` says, is `sunset-wrong`, unless another rule permits it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec.structs import replace

from nomicgen.files.instruction_text import amend, repeal
from nomicgen.files.rule_files import read_rule
from nomicgen.files.text_encoding import trim_blank_lines
from nomicgen.law.judging_kind import Due, JudgingKind
from nomicgen.law.kind import Problem, Provision, require_one, unsaid
from nomicgen.law.reading import parse_provisions
from nomicgen.law.replay.results import DueChange, Rule
from nomicgen.law.sentences import sentences
from nomicgen.law.subjects import State
from nomicgen.model.file_model import Model, described
from nomicgen.model.values import Date, Number, Text

EXAMPLES = """\
- case: From 4 January on, this rule asks for fewer votes.
  provisions:
    sunset:
      after: {date: 2026-01-04}
      unless: amended
      becomes:
        text: A majority is enough.
        provisions: {adoption: {needs: majority}}
  gives:
    - "deadline-missed: Rule 201/0 should have changed by itself on 2026-01-04"
"""


class After(Model):
    """When: after so many rounds (`circuits`) or turns, on a date, or when something happens;
    exactly one of these.
    """

    one_of = ("circuits", "turns", "date", "event")
    circuits: Number | None = unsaid("after this many rounds")
    turns: Number | None = unsaid("after this many turns")
    date: Date | None = unsaid("on this day")
    event: Text | None = unsaid("when this happens, in words; an act records that it has")

    def check(self) -> None:
        require_one(self)


class Becomes(Model):
    """What a rule becomes by itself; without new provisions it keeps its own, without the
    sunset.
    """

    text: Text | None = unsaid("its new text")
    provisions: dict[str, object] | None = unsaid("its new provisions, in place of all that it has")

    def check(self) -> None:
        if self.text is None and self.provisions is None:
            raise ValueError("should have a text, or provisions, or both")


class Sunset(Provision):
    """What becomes of a rule by itself, and when."""

    after: After = described("when it changes or ends")
    unless: Literal["amended"] | None = unsaid("not if the rule's text is amended first")
    becomes: Literal["repealed"] | Becomes = described("what becomes of the rule")

    def check(self) -> None:
        if self.over or self.under:
            raise ValueError(
                "should be without over and under: what a rule says of itself is no other rule's "
                "to say"
            )


def _sentence(sunset: Sunset) -> str:
    unless = ", unless its text was amended by then" if sunset.unless else ""
    if isinstance(sunset.becomes, str):
        return f"{_when(sunset.after)}, this rule is repealed by itself{unless}."
    text = "the same text" if sunset.becomes.text is None else "a new text"
    then = "its other provisions."
    if sunset.becomes.provisions is not None:
        new = " ".join(sentences(parse_provisions(sunset.becomes.provisions, None)[0]))
        then = f"these provisions: {new}" if new else "no provisions."
    return (
        f"{_when(sunset.after)}, this rule changes by itself{unless}. It then has {text} and {then}"
    )


def _when(after: After) -> str:
    if after.date is not None:
        return f"On {after.date}"
    if after.event is not None:
        return f"When this happens: {after.event.strip().rstrip('.')}"
    count, unit, done = (
        (after.turns, "turn", "ended")
        if after.turns
        else (after.circuits, "round", "been completed")
    )
    some = f"a {unit} has" if count == 1 else f"{count} {unit}s have"
    return f"When {some} {done} since this provision came into force"


def _misfits(sunset: Sunset, tiers: tuple[str, ...] | None) -> Iterator[Problem]:
    """Yield why no act could make the rule what it is to become."""
    if isinstance(sunset.becomes, str):
        return
    for problem in parse_provisions(sunset.becomes.provisions, tiers)[1]:
        yield replace(problem, path=("becomes", "provisions", *problem.path))
    if sunset.becomes.text is not None:
        _, findings = read_rule(
            "rules/1.md",
            f"---\nnumber: 1\nmutability: any\n---\n\n{sunset.becomes.text}\n".encode(),
        )
        messages = dict.fromkeys(
            finding.message for finding in findings if finding.slug != "final-newline"
        )
        yield from (
            Problem(("becomes", "text"), f"cannot be the text of a rule: {message}")
            for message in messages
        )


def sunset_result(rule: Rule, sunset: Sunset) -> tuple[str | None, Mapping[str, object]] | None:
    """Return the text and the provisions that a rule changes into by itself; None if it is
    repealed.

    If its sunset says nothing of provisions, it keeps those that it has, without the sunset.
    """
    if isinstance(sunset.becomes, str):
        return None
    others = {kind: value for kind, value in (rule.provisions or {}).items() if kind != Sunset.kind}
    text = rule.text if sunset.becomes.text is None else _unpadded(sunset.becomes.text)
    return text, others if sunset.becomes.provisions is None else sunset.becomes.provisions


def _unpadded(text: str) -> str:
    """Return a text as a rule has it: from its first to its last line that is not blank."""
    lines = text.split("\n")
    start, end = trim_blank_lines(lines, 0, len(lines))
    return "\n".join(lines[start:end])


def _deadlines(state: State) -> Iterator[Due]:
    """Yield the rules that should have changed by themselves, and those that will on a day."""
    late = {change.rule.number for change in state.changes}
    for change in state.changes:
        yield _due(change)
    for rule in state.ruleset:
        for sunset in rule.law.of(Sunset):
            day = sunset.after.date
            if (
                day is not None
                and state.moment is not None
                and state.moment.precedes(day)
                and rule.number not in late
            ):
                yield _due(DueChange(rule, day, sunset_result(rule, sunset)), sunset.unless)


def _due(due: DueChange, unless: Literal["amended"] | None = None) -> Due:
    rule, moment, wanted = due.rule, due.moment, due.becomes
    change = (
        repeal(rule.ref)
        if wanted is None
        else amend(rule.ref, wanted[0], provisions=dict(wanted[1]))
    )
    condition = ", unless its text is amended" if unless else ""
    return Due(
        rule=rule.number,
        path=f"rules/{rule.number}.md",
        what=f"Rule {rule.ref} stands{condition}",
        missed=f"Rule {rule.ref} should have changed by itself on {moment}",
        moment=moment,
        then=f"it is {'repealed' if wanted is None else 'changed'} by itself",
        act=f"Rule {rule.ref} says of itself when it changes, and that time has come.\n\n"
        f"{change}\n",
        at_once=True,
    )


KIND = JudgingKind(
    schema=Sunset, sentence=_sentence, combines="own", misfits=_misfits, deadlines=_deadlines
)
