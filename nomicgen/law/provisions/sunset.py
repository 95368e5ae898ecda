"""Rounds and turns are counted from the day on which the provision came into force. When it is due, `check` warns
(`sunset-due`) and `nomicgen next --do` writes the act. A decision in between is `sunset-missed`. If `becomes` has no
`provisions`, the rule keeps its own, without the sunset. No program can see an `event`: an act `under` the rule records
that it happened, and its `by` says who saw it. An act by the rule itself that does anything but what its `sunset` says
is `sunset-wrong`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from nomicgen.files.rule_files import read_rule
from nomicgen.law.kind import Kind, Problem, Provision, require_one, unsaid
from nomicgen.law.reading import parse_provisions
from nomicgen.law.sentences import sentences
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
    - "sunset-due: Rule 201/0 should have changed by itself on 2026-01-04"
"""


class After(Model):
    """When: after so many circuits or turns, on a date, or when something happens; exactly one."""

    circuits: Number | None = unsaid("after this many rounds")
    turns: Number | None = unsaid("after this many turns")
    date: Date | None = unsaid("on this day")
    event: Text | None = unsaid("when this happens, in words; an act records that it has")

    def check(self) -> None:
        require_one(self, "circuits", "turns", "date", "event")


class Becomes(Model):
    """What a rule becomes by itself; without new provisions it keeps its own, without the sunset."""

    text: Text | None = unsaid("its new text")
    provisions: dict[str, object] | None = unsaid("its new provisions, in place of all that it has")

    def check(self) -> None:
        if self.text is None and self.provisions is None:
            raise ValueError("should have a text, or provisions, or both")


class Sunset(Provision):
    """What becomes of a rule by itself, and when."""

    after: After = described("when it changes or ends")
    unless: Literal["amended"] | None = unsaid("not if the rule was amended since")
    becomes: Literal["repealed"] | Becomes = described("what becomes of the rule")

    def check(self) -> None:
        if self.over or self.under:
            raise ValueError("should be without over and under: what a rule says of itself is no other rule's to say")


def _sentence(sunset: Sunset) -> str:
    unless = ", unless its text was amended by then" if sunset.unless else ""
    if isinstance(sunset.becomes, str):
        return f"{_when(sunset.after)}, this rule is repealed by itself{unless}."
    text = "the same text" if sunset.becomes.text is None else "a new text"
    then = "its other provisions."
    if sunset.becomes.provisions is not None:
        new = " ".join(sentences(parse_provisions(sunset.becomes.provisions, None)[0]))
        then = f"these provisions: {new}" if new else "no provisions."
    return f"{_when(sunset.after)}, this rule changes by itself{unless}. It then has {text} and {then}"


def _when(after: After) -> str:
    if after.date is not None:
        return f"On {after.date}"
    if after.event is not None:
        return f"When this happens: {after.event.strip().rstrip('.')}"
    count, unit, done = (after.turns, "turn", "ended") if after.turns else (after.circuits, "round", "been completed")
    some = f"a {unit} has" if count == 1 else f"{count} {unit}s have"
    return f"When {some} {done} since it came into force"


def _misfits(sunset: Sunset, tiers: tuple[str, ...] | None) -> Iterator[Problem]:
    """What the rule can not become: an act could not carry it out."""
    if isinstance(sunset.becomes, str):
        return
    for problem in parse_provisions(sunset.becomes.provisions, tiers)[1]:
        yield replace(problem, path=("becomes", "provisions", *problem.path))
    if sunset.becomes.text is not None:
        _, findings = read_rule(
            "rules/1.md", f"---\nnumber: 1\nmutability: any\n---\n\n{sunset.becomes.text}\n".encode()
        )
        messages = dict.fromkeys(finding.message for finding in findings if finding.slug != "final-newline")
        yield from (Problem(("becomes", "text"), f"cannot be the text of a rule: {message}") for message in messages)


KIND = Kind(schema=Sunset, sentence=_sentence, combines="own", misfits=_misfits)
